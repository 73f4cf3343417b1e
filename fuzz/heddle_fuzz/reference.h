// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The arbiter: every final state of a program under SC, TSO or PSO, by plain search over all
// interleavings with no reduction, written from docs/semantics.md and sharing nothing with the
// interpreter and the machines.
#pragma once

#include "heddle_fuzz/program.h"

#include <cstdint>
#include <optional>
#include <set>

namespace heddle::fuzz {

struct ReferenceResult {
  std::set<FinalState> final_states;
  bool assertion_fails = false;
  bool can_deadlock = false; // some run ends with a thread that can never go on
  bool memory_fails = false; // an invalid access or free, or a leak
  bool has_fault = false;    // the former: runs end there
  std::uint64_t states = 0;
};

/// Nothing if more than `state_limit` states were met.
[[nodiscard]] std::optional<ReferenceResult>
explore(const Program& program, Model model, std::uint64_t state_limit);

} // namespace heddle::fuzz
