// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is asked: a question about a program under a memory model, within bounds.
#pragma once

#include "memory/model.h"
#include "program/model/program.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heddle::spec {

enum class Property : std::uint8_t {
  kReach, // assertions and error calls
  kRace,
  kDeadlock,
  kMemory,  // valid dereference, valid free, valid memory tracking
  kCleanup, // valid memory clean-up: everything freed at the end
  kOverflow,
  kRobustness, // every execution is one SC allows
  kLiveness,
};
[[nodiscard]] std::string to_string(Property property);

struct Check {
  Property property = Property::kReach;
};
/// All final states of the globals (and only those of runs in which every thread ended), or all
/// executions.
struct Enumerate {
  /// Bytes of a global to be observed under a name of its own.
  struct Part {
    std::string name;
    std::string global;
    std::uint64_t offset = 0;
    std::uint8_t size = 0;
  };
  enum class What : std::uint8_t { kFinalStates, kExecutions };
  std::vector<std::string> globals = {}; // which; empty: all scalars that are not constant
  std::vector<Part> parts = {};          // if given, these instead
  What what = What::kFinalStates;
  std::uint64_t kept_executions = 0; // how many executions to give in full
};
using Question = std::variant<Check, Enumerate>;

/// How often the loops that start at that line are entered, instead of Bounds::unwind.
struct LoopBound {
  std::string file; // the end of its path is enough: "queue.c" for "src/queue.c"
  std::uint32_t line = 0;
  std::uint32_t unwind = 0; // 0: not cut
};

struct Bounds {
  std::uint32_t unwind = 0;      // 0: loops are not cut
  std::uint64_t max_states = 0;  // 0: no limit but the budget's
  std::uint32_t nondet_bits = 8; // nondeterministic values up to this width are tried exhaustively
  std::vector<LoopBound> loops = {};
};

struct Task {
  const program::Program* program = nullptr; // lowered for the model; outlives the task
  memory::Model model;
  Question question;
  Bounds bounds;
  bool malloc_may_fail = false;
  bool reuse_freed_blocks = true;
};

} // namespace heddle::spec
