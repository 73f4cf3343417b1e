// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One interface to SAT solvers: incremental, with assumptions, failed assumptions, budgets and a
// theory. `make_cadical` (solve/cadical.h) and `make_core` (solve/core/make_core.h) make the two
// that exist. Both are deterministic: the same calls give the same answers and models, unless a
// limit of time or memory or an interrupt stops one of them.
#pragma once

#include "logic/literal.h"
#include "solve/propagator.h"
#include "support/budget.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace heddle::solve {

using logic::Literal;
using logic::Variable;

enum class [[nodiscard]] Answer : std::uint8_t { kSatisfiable, kUnsatisfiable, kUnknown };

/// What one call of `solve` may use. Whoever calls keeps the budget alive; null means no budget.
struct Limits {
  const Budget* budget = nullptr;
  std::uint64_t conflicts = std::numeric_limits<std::uint64_t>::max();
};

/// Counted since the solver was made. CaDiCaL 1.5.3 tells only its clauses and what we count
/// outside of it; the other figures are 0 there.
struct Statistics {
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;
  std::uint64_t propagations = 0;
  std::uint64_t restarts = 0;
  std::uint64_t learnt = 0;      // learnt clauses, theory lemmas not counted
  std::uint64_t lemmas = 0;      // clauses asked of the theory
  std::uint64_t eliminated = 0;  // variables that are eliminated now
  std::uint64_t irredundant = 0; // clauses now
  std::uint64_t redundant = 0;   // clauses now
  std::uint64_t memory_bytes = 0;
};

/// Variables and clauses may be added at any time between calls of `solve`, over any variable: a
/// variable that was eliminated is restored when it is used again. Adding, or solving again,
/// forgets the model and the failed assumptions.
class Sat : public logic::ClauseSink {
public:
  /// The value this literal's variable is tried with first makes the literal true.
  virtual void prefer(Literal literal) = 0;
  /// Promises that the variable will be used again, so that eliminating it would be in vain.
  /// Variables a theory observes and assumptions (while assumed) are frozen without asking.
  virtual void freeze(Variable variable) = 0;

  /// kUnknown exactly if a limit was hit or `interrupt` was called.
  virtual Answer solve(std::span<const Literal> assumptions, const Limits& limits) = 0;
  Answer solve(std::span<const Literal> assumptions = {}) { return solve(assumptions, Limits{}); }

  /// After kSatisfiable: whether the literal is true in the model. Every variable has a value.
  [[nodiscard]] virtual bool value(Literal literal) const = 0;
  /// After kUnsatisfiable: assumptions that cannot hold together, a subset of those given, not
  /// necessarily a smallest one; empty if there is no model at all.
  [[nodiscard]] virtual std::span<const Literal> failed() const = 0;

  /// From any thread: the running call of `solve` and all later ones answer kUnknown soon.
  virtual void interrupt() = 0;

  /// Makes the theory part of the formula. False: this solver cannot host one, and nothing
  /// happened. At most one; the caller keeps it alive as long as the solver.
  [[nodiscard]] virtual bool connect(Propagator& propagator) = 0;

  [[nodiscard]] virtual std::size_t variable_count() const = 0;
  [[nodiscard]] virtual Statistics statistics() const = 0;
};

} // namespace heddle::solve
