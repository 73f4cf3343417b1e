// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which assertions and ends some execution comes to, and which threads it creates: asked of the
// solver that has the formula anyway, so that a bound at which nothing could happen is seen. What
// smaller bounds have come to, larger ones do, too, so nothing is asked twice; mostly the first
// model shows everything. A question that is too hard counts as reached: nothing is claimed then.
#pragma once

#include "logic/gates.h"
#include "program/events/event_set.h"
#include "solve/sat.h"
#include "verdict/reached.h"

#include <functional>

namespace heddle::engine::axiomatic {

/// What one such question may cost.
inline constexpr std::uint64_t kConflictsForReached = 5000;

/// The solver that has the formula of the events.
struct AskedSolver {
  logic::Gates& gates;
  std::function<logic::Literal(program::Term)> literal;
  std::function<solve::Answer(logic::Literal)> ask; // with kConflictsForReached
  std::function<bool(logic::Literal)> value;
};

/// Adds what the executions of the formula come to.
void note_reached(const program::EventSet& set, const AskedSolver& solver, verdict::Reached& known);

} // namespace heddle::engine::axiomatic
