// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order in which a procedure is walked: a weak topological order (F. Bourdoncle, FMPA 1993).
// Outside of loops a location comes after all that lead to it; a loop is its head and the order of
// the rest of it, repeated. Every edge that goes back leads to the head of a loop around it,
// whether the automaton is reducible or not.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <vector>

namespace heddle::engine::bounded {

/// A location, or a loop.
struct FlowElement {
  program::LocationId at; // a loop's head
  bool is_loop = false;
  std::vector<FlowElement> rest = {}; // of a loop
  std::vector<bool> members = {};     // of a loop, by location
  bool is_left = false;               // of a loop: some edge leads out of it
};

/// Of what the entry can reach.
[[nodiscard]] std::vector<FlowElement> flow_of(const program::Procedure& procedure);

} // namespace heddle::engine::bounded
