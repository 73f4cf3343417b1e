// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program compiled for stepping: per location one flat record with its operands compiled, and the
// locals that are dead there. Only the interpreter's files include this.
#pragma once

#include "program/model/program.h"
#include "program/run/compiled_expression.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle::program {

enum class OpCode : std::uint8_t {
  kSkip, // also hints and fences that order nothing
  kAssign,
  kAssignSequence,
  kBranch,
  kAssume,
  kCheck,
  kCheckNeighbourhood,
  kNondet,
  kLoad,
  kStore,
  kReadModifyWrite,
  kCompareExchange,
  kFence,
  kAllocate,
  kFree,
  kBlockSize,
  kCall,
  kReturn,
  kSynchronize,
  kAtomicBegin,
  kAtomicEnd,
  kThreadExit,
  kExit,
  kCut,
  kTrap,
};

struct CompiledAssignment {
  std::uint32_t dest = 0;
  std::uint64_t mask = 0;
  Expression value;
};

inline constexpr std::uint32_t kNoLocal = 0xffffffffU;

/// What an edge does. `a`, `b` and `c` are its operands in the order of its action's members.
struct CompiledEdge {
  OpCode code = OpCode::kSkip;
  std::uint8_t size = 0; // memory accesses, bytes
  bool drains = false;
  bool is_visible = true;
  bool has_value = false; // return, thread exit: a value; store: marks (c)
  SyncOp sync = SyncOp::kSelf;
  std::uint32_t to = 0;
  std::uint32_t dest = kNoLocal;
  std::uint32_t success = kNoLocal;
  std::uint32_t marks = kNoLocal; // load
  std::uint64_t dest_mask = 0;
  Expression a;
  Expression b;
  Expression c;
  /// kAssignSequence: assignments; kCall: arguments; kNondet: values that are enough, if there are
  /// such (choice_classes.h); in the tables of CompiledProgram.
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  ObjectSetId may = {};
  const Edge* edge = nullptr;
};

struct CompiledProcedure {
  std::uint32_t local_count = 0;
  std::uint32_t entry = 0;
  std::vector<std::uint64_t> masks; // per local
  std::vector<std::uint32_t> parameters;
  /// The out-edges of location l are edges[first_edge[l] .. first_edge[l + 1]); more than one only
  /// for a branch.
  std::vector<CompiledEdge> edges;
  std::vector<std::uint32_t> first_edge;
  /// dead_words words per location (0: not known), a bit per local: nobody reads it any more when
  /// the thread stands there.
  std::uint32_t dead_words = 0;
  std::vector<std::uint64_t> dead;
};

/// May another thread know the address of the thread-local variable, and so after its thread has
/// ended?
[[nodiscard]] inline bool is_dangling_thread_local(const Object& object) {
  return object.kind == Object::Kind::kThreadLocal &&
         object.dangling == Object::Dangling::kAnyThread;
}

struct CompiledProgram {
  explicit CompiledProgram(const Program& program);

  std::vector<CompiledProcedure> procedures;
  std::vector<CompiledAssignment> assignments;
  std::vector<Expression> arguments;
  std::vector<std::uint64_t> choice_values;
  ExpressionTable expressions;
  bool has_free = false;
  /// Of all frame sites: who may know where an ended frame was.
  Object::Dangling dangling_frames = Object::Dangling::kNever;
  bool has_dangling_thread_locals = false;
  /// Constants of terms and their neighbours, by width: interesting values for nondeterministic
  /// choices.
  std::vector<std::pair<std::uint8_t, std::uint64_t>> samples;
};

} // namespace heddle::program
