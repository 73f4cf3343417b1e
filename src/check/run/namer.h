// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Addresses, values, operations and threads of a replay in words.
#pragma once

#include "memory/machine/machine.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::check {

/// Names for addresses. Heap blocks are numbered by the order in which their memory was first
/// handed out, so that memory that is used again keeps its number.
class Namer {
public:
  /// The interpreter outlives it.
  explicit Namer(const program::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// A block was allocated there. True if its memory was used before.
  bool add_block(std::uint64_t address);

  /// "x", "list[1].next", "block 2+8 (freed)", or a hexadecimal number where nothing is. With a
  /// size the innermost part that holds so many bytes is meant, otherwise the outermost that starts
  /// there. A block whose allocation was no step of its own is named by its line, and from the
  /// second one of that line on by a number: "(block allocated at line 7, no. 2)+8".
  [[nodiscard]] std::string
  name(const program::MemoryState& memory, std::uint64_t address, std::uint64_t size = 0) const;
  /// A value of that many bytes found at `address` (0 if unknown): decimal, signed if the C
  /// variable is; a pointer as
  /// "&x+8".
  [[nodiscard]] std::string value(const program::MemoryState& memory,
                                  std::uint64_t value,
                                  unsigned size,
                                  std::uint64_t address) const;

private:
  const program::Interpreter& interpreter_;
  [[nodiscard]] std::string name_of_site(program::ObjectId site, std::uint64_t base) const;

  std::map<std::uint64_t, unsigned> blocks_; // by address of the first byte
  /// Blocks that were no steps, by their site, in the order in which they were first named.
  mutable std::map<program::ObjectId, std::vector<std::uint64_t>> by_site_;
};

/// "lock", "create", "fetch add", "fence", …; empty for loads, stores and steps that are only
/// local.
[[nodiscard]] std::string operation_of(const program::Request& request);
[[nodiscard]] std::string to_string(program::Wait::Reason reason);
struct ThreadNames {
  std::vector<std::vector<std::string>> each; // by slot, one after the other
  std::vector<std::string> slots;             // all of a slot: "worker 1, worker 2", "worker 1-40"
};

/// "main", "worker", or "worker 1" and "worker 2" where several threads run it. `starts` are the
/// procedures each thread ran, one after the other: the slot of a thread that was joined may serve
/// again.
[[nodiscard]] ThreadNames
thread_names(const program::Program& program,
             const std::vector<std::vector<program::ProcedureId>>& starts);

} // namespace heddle::check
