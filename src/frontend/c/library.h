// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of external functions: replaces calls of functions that no module defines by
// instructions, by calls of the runtime, or by traps (library.def is the table).
#pragma once

#include "frontend/c/editor.h"
#include "frontend/c/handle_places.h"
#include "frontend/c/load.h"
#include "ir/ir.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace heddle::frontend {

/// The part of the runtime (a file heddle_<part>_<bits>.bc) that has this external function; empty
/// if it needs none.
[[nodiscard]] std::string_view runtime_part(const std::string& name);
/// Whether a call of this external function has a meaning here.
[[nodiscard]] bool is_known_function(const std::string& name);

/// The functions that become a few instructions (SPECIAL in library.def).
enum class LibraryHandler : std::uint8_t {
  kCreate,
  kCreateC11,
  kJoin,
  kThreadExit,
  kEqual,
  kMutexInit,
  kBarrierInit,
  kSemaphoreInit,
  kMalloc,
  kCalloc,
  kAlignedAlloc,
  kFree,
  kBlockSize,
  kCopyByte,
  kCopyWord,
  kRandom,
  kCharacter,
  kScan,
  kScanFrom,
  kAssertFail,
  kAssert,
  kAssume,
  kAtomicBegin,
  kAtomicEnd,
  kLoopBound,
  kSpinStart,
  kSpinEnd,
};

/// What a function that prints reads (PRINTS in library.def).
enum class Printed : std::uint8_t {
  kFormat, // a format, and what it says of the arguments behind it
  kList,   // a format, and what it says of a va_list
  kText,
  kBlock,  // size bytes; the size is the next argument
  kBlocks, // size times count bytes
};

class Library {
public:
  /// Both outlive this object. The module is complete: linked with the runtime if it needs it.
  Library(ir::Module& module, const Options& options);

  /// Replaces all calls of external functions, in every function.
  void replace_calls();

private:
  using Handler = LibraryHandler;

  bool replace(Editor& editor, const ir::Call& call);
  bool replace_error_call(Editor& editor, const ir::Call& call, const std::string& name);
  bool replace_family(Editor& editor, const ir::Call& call, const std::string& name);
  bool replace_atomic(Editor& editor, const ir::Call& call, const std::string& name);
  void special(Editor& editor, const ir::Call& call, Handler handler);
  void synchronise(Editor& editor, const ir::Call& call, ir::SyncOp op, std::size_t operands);
  ir::Operand has_detached_state(Editor& editor, const ir::Operand& attributes);
  void create(Editor& editor, const ir::Call& call, std::size_t function_at);
  void create_any(Editor& editor,
                  const ir::Operand& pointer,
                  const ir::Operand& argument,
                  ir::RegisterId handle);
  void join(Editor& editor, const ir::Call& call);
  void call_runtime(Editor& editor, const ir::Call& call, const std::string& name);
  void scan(Editor& editor, const ir::Call& call, std::size_t format_at);
  void print(Editor& editor, const ir::Call& call, Printed what, std::size_t at);
  void print_formatted(Editor& editor, const ir::Call& call, std::size_t format_at, bool is_list);
  void read_text(Editor& editor, const ir::Operand& text);
  void read_bytes(Editor& editor,
                  const ir::Operand& start,
                  const std::optional<ir::Operand>& limit,
                  bool is_text);
  void assert_failed(Editor& editor, const ir::Call& call);
  void
  refuse(Editor& editor, const ir::Call& call, const std::string& what, const std::string& help);
  void arbitrary(Editor& editor, const ir::Call& call, const std::string& origin);
  [[nodiscard]] ir::Operand start_function(ir::FunctionId function);
  [[nodiscard]] ir::FunctionId start_after_handle(ir::FunctionId function);
  [[nodiscard]] ir::GlobalId handle_marks();
  void list_missing();
  [[nodiscard]] std::optional<std::string> constant_text(const ir::Operand& operand) const;
  void give_bodies_to_addressed();

  ir::Module& module_;
  const Options& options_;
  HandlePlaces handle_places_; // of the module as it was linked
  std::set<ir::FunctionId> external_;
  std::set<std::string> missing_; // external functions without a meaning that a run may come to
  std::set<std::string> assumed_;
};

} // namespace heddle::frontend
