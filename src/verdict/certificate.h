// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What stands behind "proved" (docs/proofs.md). A proof says how an engine came to its answer; a
// certificate is the evidence, which check/proof makes and checks without any engine. Both are
// closed families: a new kind fails to compile wherever it has to be thought about.
#pragma once

#include "spec/task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::verdict {

/// Every state was seen.
struct StateSpaceExhausted {
  std::uint64_t states = 0;
  bool any_number_of_threads = false; // each of the states stands for any number of them
};
/// No execution of the unrolled program violates the property or goes beyond the bounds of its
/// loops.
struct NoExecution {
  std::uint64_t events = 0;
  /// How often each loop is entered there, where the formula can be built again from that.
  std::optional<spec::Bounds> bounds = {};
};
/// No run of so many turns of each loop violates the property, and none that goes on from any state
/// in which so many turns have kept it.
struct ByInduction {
  std::uint32_t turns = 0;
};
using Proof = std::variant<StateSpaceExhausted, NoExecution, ByInduction>;

/// A set of states of the machine that has the initial one, that no step of any thread leaves, and
/// in which nothing violates the property.
struct ClosedStates {
  std::string states; // as check/proof/state_set.h writes them
};
/// For each question that must have the answer no: the clauses that ask it, by their hash, and a
/// proof that they have no model (solve/proof.h).
struct Refutation {
  std::string question;
  std::string clauses; // SHA-256 of the formula, in hexadecimal digits
  std::string proof;
};
struct RefutedFormulas {
  spec::Bounds bounds;
  std::vector<Refutation> refutations;
};
using Certificate = std::variant<ClosedStates, RefutedFormulas>;

/// What came of a certificate that was asked for.
struct Certification {
  std::string why_none = {}; // empty: there is one
  bool is_rechecked = false;
};

} // namespace heddle::verdict
