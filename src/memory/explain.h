// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why an execution does not satisfy an axiom, in the model's own words: a shortest cycle (or a
// pair, or an event), each of whose edges is taken apart down to named definitions and base
// relations.
#pragma once

#include "memory/core.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::memory {

/// One edge, and what it is in the model: "rfe", "po". A step that only says that the event is in a
/// set ([W]) is not listed.
struct ExplainedStep {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string relation;
};

struct Explanation {
  std::size_t axiom = 0; // index into Core::axioms
  std::string name;      // the axiom's, or its text
  /// Of the relation the axiom is about: a cycle for acyclic, else one edge from[0] to to[0].
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  /// The edges taken apart; each step begins where the one before ends.
  std::vector<ExplainedStep> steps;
  /// The offending event, for `empty` of a set.
  std::vector<std::size_t> events;

  /// "a -rfe-> b -po-> c -fre-> a", with the given names of events.
  [[nodiscard]] std::string to_string(const std::vector<std::string>& event_names) const;
};

/// For an axiom that is broken (or a flag that is raised). The explanation has no edges and no
/// events where the test fails by an absence (a negated test).
[[nodiscard]] Explanation
explain(const Core& core, const ConcreteValues& values, std::size_t axiom);

} // namespace heddle::memory
