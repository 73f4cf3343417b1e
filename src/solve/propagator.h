// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A theory beside the clauses: told about assignments of the variables it observes, it answers with
// consequences, conflicts and reasons. Shaped like IPASIR-UP (Fazekas, Niemetz, Preiner,
// Kirchweger, Szeider, Biere: IPASIR-UP: User Propagators for CDCL, SAT 2023), with assignments in
// batches and clauses as spans instead of literal by literal.
#pragma once

#include "logic/literal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::solve {

/// A clause the theory vouches for. The certificate says why, in words of the theory that a checker
/// of its proofs understands (for the ordering theory: graph, then the edges of a cycle).
struct Lemma {
  std::vector<logic::Literal> clause;
  std::vector<std::uint32_t> certificate;
};

/// What `propagate` found: nothing more, a literal that must be true now, or a clause all of whose
/// literals are false now.
struct Consequence {
  enum class Kind : std::uint8_t { kNone, kImplied, kConflict };
  Kind kind = Kind::kNone;
  logic::Literal implied;          // kImplied
  const Lemma* conflict = nullptr; // kConflict; lives until the next call of the propagator
};

/// The solver calls; the theory answers and never calls back. Levels are those of decisions: 0
/// holds what is true for good.
class Propagator {
public:
  virtual ~Propagator() = default;

  /// The variables it wants to hear of. Only ever grows; the solver looks again at each `solve`.
  [[nodiscard]] virtual std::span<const logic::Variable> observed() const = 0;

  /// Observed literals that became true, in the order in which they did, on the current level.
  virtual void on_assign(std::span<const logic::Literal> literals) = 0;
  virtual void on_new_level() = 0;
  /// Forget everything assigned above `level`.
  virtual void on_backtrack(std::size_t level) = 0;

  /// The next consequence of what was assigned. The solver asks until the answer is kNone and
  /// tells of implied literals by `on_assign` like of any other.
  virtual Consequence propagate() = 0;

  /// Why `literal`, implied earlier, is true: a clause with it in which all others are false and
  /// were assigned before it. Lives until the next call.
  virtual const Lemma& reason(logic::Literal literal) = 0;

  /// All variables are assigned and nothing is left to propagate. Clauses the assignment breaks, or
  /// none if the theory accepts it. Clauses may use any variable that is observed or frozen.
  virtual std::vector<Lemma> check() { return {}; }

  /// The next decision, or no literal if the theory has no wish.
  virtual logic::Literal decide() { return {}; }
};

} // namespace heddle::solve
