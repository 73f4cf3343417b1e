// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/guard_solver.h"

#include "solve/cadical.h"

#include <vector>

namespace heddle::encode {

namespace {

constexpr std::uint64_t kMostConflicts = 200;
constexpr std::uint32_t kMostQuestions = 20'000;

} // namespace

GuardSolver::GuardSolver(const logic::TermStore& terms)
    : sat_(solve::make_cadical()), gates_(*sat_), blaster_(terms, gates_) {}

bool GuardSolver::exclude_each_other(std::span<const logic::Term> terms) {
  std::vector<logic::Literal> literals;
  for (const logic::Term term : terms) {
    literals.push_back(blaster_.literal(term));
    if (gates_.is_false(literals.back()))
      return true;
  }
  if (++questions_ > kMostQuestions)
    return false;
  solve::Limits limits;
  limits.conflicts = kMostConflicts;
  return sat_->solve(literals, limits) == solve::Answer::kUnsatisfiable;
}

} // namespace heddle::encode
