// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A solver that passes everything on to another one and can write what it was told as DIMACS, for
// benchmarks and for looking into a formula with other tools. What a theory adds is not in the
// file.
#pragma once

#include "solve/sat.h"

#include <memory>
#include <ostream>
#include <vector>

namespace heddle::solve {

class Recorder final : public Sat {
public:
  explicit Recorder(std::unique_ptr<Sat> sat) : sat_(std::move(sat)) {}

  Variable new_variable() override { return sat_->new_variable(); }
  void add_clause(std::span<const Literal> clause) override;
  void prefer(Literal literal) override { sat_->prefer(literal); }
  void freeze(Variable variable) override { sat_->freeze(variable); }
  using Sat::solve;
  Answer solve(std::span<const Literal> assumptions, const Limits& limits) override;
  bool value(Literal literal) const override { return sat_->value(literal); }
  std::span<const Literal> failed() const override { return sat_->failed(); }
  void interrupt() override { sat_->interrupt(); }
  bool connect(Propagator& propagator) override { return sat_->connect(propagator); }
  std::size_t variable_count() const override { return sat_->variable_count(); }
  Statistics statistics() const override { return sat_->statistics(); }

  /// All clauses so far, as they were told.
  [[nodiscard]] std::vector<std::vector<Literal>> clauses() const;
  /// All clauses so far, and the assumptions of the last call of `solve` as clauses of one literal.
  void write_dimacs(std::ostream& out) const;

private:
  std::unique_ptr<Sat> sat_;
  std::vector<Literal> literals_; // each clause ended by no literal
  std::size_t clauses_ = 0;
  std::vector<Literal> assumptions_;
};

} // namespace heddle::solve
