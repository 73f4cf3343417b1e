// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// When nobody can observe which index a created thread has: the static conditions of
// docs/explicit-engine.md.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine {

struct SymmetryConditions {
  bool hold = false;
  std::string why_not = {};
  /// Addresses of the words that hold a lock owner's index plus one; nothing but locking touches
  /// them.
  std::vector<std::uint64_t> owner_words = {};
  /// There may be more threads than a run can have: the initial thread creates them in a loop and
  /// joins none. What a created thread does depends on memory and itself, and changes nothing else
  /// (counter_abstraction.h).
  bool is_crowd = false;
};

[[nodiscard]] SymmetryConditions symmetry_conditions(const program::Program& program);

} // namespace heddle::engine
