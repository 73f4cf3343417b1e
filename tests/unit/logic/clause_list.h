// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A place for clauses that can follow unit propagation: enough to run a circuit, whose inputs
// determine everything.
#pragma once

#include "logic/literal.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::logic {

class ClauseList final : public ClauseSink {
public:
  Variable new_variable() override { return Variable{variable_count_++}; }
  void add_clause(std::span<const Literal> clause) override {
    clauses_.emplace_back(clause.begin(), clause.end());
  }

  /// What follows from the given literals; false if they contradict the clauses.
  bool propagate(std::span<const Literal> given) {
    values_.assign(variable_count_, 0);
    for (const Literal literal : given) {
      if (is_false(literal))
        return false;
      set(literal);
    }
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const std::vector<Literal>& clause : clauses_) {
        std::size_t open = 0;
        Literal last;
        bool is_satisfied = false;
        for (const Literal literal : clause) {
          is_satisfied = is_satisfied || is_true(literal);
          if (!is_true(literal) && !is_false(literal)) {
            ++open;
            last = literal;
          }
        }
        if (is_satisfied || open > 1)
          continue;
        if (open == 0)
          return false;
        set(last);
        is_changed = true;
      }
    }
    return true;
  }

  /// Whether every clause holds if the variables without a value are false.
  [[nodiscard]] bool holds_with_the_rest_false() const {
    for (const std::vector<Literal>& clause : clauses_) {
      bool is_satisfied = false;
      for (const Literal literal : clause)
        is_satisfied =
            is_satisfied || is_true(literal) || (is_open(literal) && literal.is_negative());
      if (!is_satisfied)
        return false;
    }
    return true;
  }

  [[nodiscard]] bool is_true(Literal a) const { return value(a) > 0; }
  [[nodiscard]] bool is_false(Literal a) const { return value(a) < 0; }
  [[nodiscard]] bool is_open(Literal a) const { return value(a) == 0; }
  [[nodiscard]] std::size_t clause_count() const { return clauses_.size(); }
  [[nodiscard]] std::size_t variable_count() const { return variable_count_; }

private:
  [[nodiscard]] int value(Literal a) const {
    const int known = values_[a.variable().index()];
    return a.is_negative() ? -known : known;
  }
  void set(Literal a) { values_[a.variable().index()] = a.is_negative() ? -1 : 1; }

  std::size_t variable_count_ = 0;
  std::vector<std::vector<Literal>> clauses_;
  std::vector<std::int8_t> values_;
};

} // namespace heddle::logic
