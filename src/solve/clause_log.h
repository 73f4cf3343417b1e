// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Clauses that are written down once, for as many solvers as are asked about them: one that is kept
// from question to question, or one for a single question, which may then be a clause like the
// others. What follows from an assumption is never true for good, so that a solver neither
// simplifies the formula by it nor leaves it out of what it learns; for a hard question that costs
// more than a solver of its own.
#pragma once

#include "solve/sat.h"

#include <cstddef>
#include <vector>

namespace heddle::solve {

class ClauseLog final : public logic::ClauseSink {
public:
  Variable new_variable() override { return Variable{variables_++}; }
  void add_clause(std::span<const Literal> clause) override;

  [[nodiscard]] std::size_t variable_count() const { return variables_; }
  /// Tells a solver that knows all of it up to `known`, which no one else tells anything, the rest.
  /// How much it knows then. A new solver knows nothing.
  [[nodiscard]] std::size_t tell(Sat& sat, std::size_t known) const;

private:
  std::vector<Literal> literals_; // each clause ended by no literal
  std::size_t variables_ = 0;
};

} // namespace heddle::solve
