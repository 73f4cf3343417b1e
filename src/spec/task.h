// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is asked: a question about a program under a memory model, within bounds.
#pragma once

#include "memory/model.h"
#include "program/program.h"

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
/// All final states of the globals (and only those of runs in which every thread ended).
struct Enumerate {
  std::vector<std::string> globals = {}; // which; empty: all scalars that are not constant
};
using Question = std::variant<Check, Enumerate>;

struct Bounds {
  std::uint32_t unwind = 0;      // 0: loops are not cut
  std::uint64_t max_states = 0;  // 0: no limit but the budget's
  std::uint32_t nondet_bits = 8; // nondeterministic values up to this width are tried exhaustively
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
