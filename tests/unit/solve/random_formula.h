// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random clauses for the tests of solvers, and checks of what solvers answer.
#pragma once

#include "solve/sat.h"
#include "support/rng.h"

#include <algorithm>
#include <span>
#include <vector>

namespace heddle::solve::test {

using Clauses = std::vector<std::vector<Literal>>;

inline Literal random_literal(Rng& rng, std::size_t variables) {
  return Literal::from(Variable{rng.below(variables)}, rng.chance(1, 2));
}

/// Mostly of two or three literals, sometimes one, more, or the same literal twice.
inline std::vector<Literal> random_clause(Rng& rng, std::size_t variables) {
  std::size_t size = 2 + rng.below(2);
  if (rng.chance(1, 8))
    size = 3 + rng.below(4);
  if (rng.chance(1, 60))
    size = 1;
  std::vector<Literal> clause;
  for (std::size_t i = 0; i < size; ++i)
    clause.push_back(random_literal(rng, variables));
  return clause;
}

/// Gates make the variables that elimination and substitution look for.
inline void add_random_gate(Rng& rng, std::size_t variables, Clauses& clauses) {
  const Literal out = random_literal(rng, variables);
  const Literal a = random_literal(rng, variables);
  const Literal b = random_literal(rng, variables);
  const Literal c = random_literal(rng, variables);
  switch (rng.below(4)) {
  case 0:
    clauses.insert(clauses.end(), {{~out, a}, {~out, b}, {out, ~a, ~b}});
    break;
  case 1:
    clauses.insert(clauses.end(), {{~out, a, b}, {~out, ~a, ~b}, {out, a, ~b}, {out, ~a, b}});
    break;
  case 2:
    clauses.insert(clauses.end(), {{~out, a}, {out, ~a}});
    break;
  default:
    clauses.insert(clauses.end(), {{~out, ~c, a}, {out, ~c, ~a}, {~out, c, b}, {out, c, ~b}});
    break;
  }
}

inline Clauses random_clauses(Rng& rng, std::size_t variables, std::size_t count) {
  Clauses clauses;
  while (clauses.size() < count) {
    if (rng.chance(1, 6))
      add_random_gate(rng, variables, clauses);
    else
      clauses.push_back(random_clause(rng, variables));
  }
  return clauses;
}

inline bool satisfies(const Sat& sat, const Clauses& clauses) {
  return std::ranges::all_of(clauses, [&](const auto& clause) {
    return std::ranges::any_of(clause, [&](Literal literal) { return sat.value(literal); });
  });
}

inline bool satisfies(const Sat& sat, std::span<const Literal> literals) {
  return std::ranges::all_of(literals, [&](Literal literal) { return sat.value(literal); });
}

inline void add_all(Sat& sat, const Clauses& clauses) {
  for (const auto& clause : clauses)
    sat.add_clause(clause);
}

inline void add_variables(Sat& sat, std::size_t count) {
  while (sat.variable_count() < count)
    (void)sat.new_variable();
}

/// One bit per variable.
template <class Accepts>
bool some_assignment(std::size_t variables, const Accepts& accepts) {
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << variables); ++bits)
    if (accepts([bits](Literal literal) {
          return ((bits >> literal.variable().index()) & 1U) != (literal.is_negative() ? 1U : 0U);
        }))
      return true;
  return false;
}

} // namespace heddle::solve::test
