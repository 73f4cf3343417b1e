// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Failed literals: a literal whose propagation is a conflict is false. Only roots of the binary
// implication graph are tried, since what they imply is tried with them (Lynce, Marques-Silva
// 2003).
#include "solve/core/solver.h"

namespace heddle::solve::core {

void Solver::probe() {
  constexpr double kShare = 0.1;
  constexpr std::uint64_t kLeast = 100'000;
  const std::uint64_t left = effort(kShare, kLeast, probe_used_);
  const std::uint64_t start = ticks_;
  const auto variables = static_cast<std::uint32_t>(places_.size());
  const auto has_binary = [&](Literal literal) {
    for (const Watch& entry : watches(literal)) {
      if (entry.is_binary() && val(entry.blocker) == 0)
        return true;
    }
    return false;
  };
  for (std::uint32_t tried = 0; tried < variables && ticks_ - start < left; ++tried) {
    if (next_probe_variable_ >= variables)
      next_probe_variable_ = 0;
    const Variable variable{next_probe_variable_++};
    const Literal positive = Literal::from(variable, false);
    if (!is_active(variable) || val(positive) != 0)
      continue;
    ++ticks_;
    // A root implies something (its negation is in a binary clause) and is implied by nothing.
    const bool implies = has_binary(~positive);
    const bool implied = has_binary(positive);
    if (implies == implied)
      continue;
    const Literal root = implies ? positive : ~positive;
    decide_literal(root);
    const bool failed = propagate() != kNoClause;
    backtrack(0);
    if (!failed)
      continue;
    const Literal unit = ~root;
    if (proof_ != nullptr)
      proof_->add(std::span(&unit, 1));
    assign(unit, kNoClause);
    if (!propagate_root())
      break;
    if (stop_now())
      break;
  }
  probe_used_ += ticks_ - start;
}

} // namespace heddle::solve::core
