// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/recorder.h"

namespace heddle::solve {

void Recorder::add_clause(std::span<const Literal> clause) {
  literals_.insert(literals_.end(), clause.begin(), clause.end());
  literals_.push_back(Literal());
  ++clauses_;
  sat_->add_clause(clause);
}

Answer Recorder::solve(std::span<const Literal> assumptions, const Limits& limits) {
  assumptions_.assign(assumptions.begin(), assumptions.end());
  return sat_->solve(assumptions, limits);
}

std::vector<std::vector<Literal>> Recorder::clauses() const {
  std::vector<std::vector<Literal>> result;
  std::vector<Literal> clause;
  for (const Literal literal : literals_) {
    if (literal.is_valid()) {
      clause.push_back(literal);
      continue;
    }
    result.push_back(clause);
    clause.clear();
  }
  return result;
}

void Recorder::write_dimacs(std::ostream& out) const {
  out << "p cnf " << variable_count() << ' ' << clauses_ + assumptions_.size() << '\n';
  for (const Literal literal : literals_) {
    if (literal.is_valid())
      out << literal.to_dimacs() << ' ';
    else
      out << "0\n";
  }
  for (const Literal literal : assumptions_)
    out << literal.to_dimacs() << " 0\n";
}

} // namespace heddle::solve
