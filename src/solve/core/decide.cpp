// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which variable next, and which value: EVSIDS or VMTF for the variable; target, saved or initial
// phase for the value; and the resets of the phases (Biere, Fleury, Chasing Target Phases, POS
// 2020).
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

Literal Solver::next_decision() {
  const auto is_open = [&](std::uint32_t variable) {
    return values_[std::size_t{variable} * 2] == 0 && states_[variable] == VariableState::kActive;
  };
  if (trail_.size() == places_.size())
    return {};
  if (theory_ != nullptr) {
    const Literal wish = theory_->decide();
    if (wish.is_valid() && is_open(wish.variable().value))
      return wish;
  }
  if (stable_) {
    while (!scores_.empty() && !is_open(scores_.top()))
      scores_.pop();
    return scores_.empty() ? Literal() : with_phase(scores_.top());
  }
  std::uint32_t variable = queue_.unassigned();
  while (variable != RecencyQueue::kNone && !is_open(variable))
    variable = queue_.previous(variable);
  if (variable == RecencyQueue::kNone)
    return {};
  queue_.set_unassigned(variable);
  return with_phase(variable);
}

Literal Solver::with_phase(std::uint32_t variable) const {
  signed char phase = 0;
  if (stable_)
    phase = target_phase_[variable];
  if (phase == 0)
    phase = saved_phase_[variable];
  return Literal::from(Variable{variable}, phase < 0);
}

/// The longest assignments without a conflict are worth keeping.
void Solver::save_best_phases() {
  const auto copy_to = [&](std::vector<signed char>& phases) {
    for (std::size_t i = 0; i < unconflicted_; ++i) {
      const Literal literal = trail_[i];
      phases[literal.variable().index()] = literal.is_negative() ? -1 : 1;
    }
  };
  if (unconflicted_ > target_assigned_) {
    target_assigned_ = unconflicted_;
    copy_to(target_phase_);
  }
  if (unconflicted_ > best_assigned_) {
    best_assigned_ = unconflicted_;
    copy_to(best_phase_);
  }
}

void Solver::rephase() {
  backtrack(static_cast<std::uint32_t>(std::min<std::size_t>(level(), assumptions_.size())));
  const auto best = [&] {
    for (std::size_t i = 0; i < saved_phase_.size(); ++i)
      if (best_phase_[i] != 0)
        saved_phase_[i] = best_phase_[i];
    best_assigned_ = 0;
  };
  const auto original = [&] { saved_phase_ = initial_phase_; };
  const auto inverted = [&] {
    for (std::size_t i = 0; i < saved_phase_.size(); ++i)
      saved_phase_[i] = static_cast<signed char>(-initial_phase_[i]);
  };
  // Original and inverted once, then best, walk and one of them in turn.
  const std::uint64_t turn = rephases_++;
  if (turn == 0) {
    original();
  } else if (turn == 1) {
    inverted();
  } else {
    switch ((turn - 2) % 6) {
    case 0:
    case 3:
      best();
      break;
    case 1:
    case 4:
      if (options_.walk)
        walk();
      break;
    case 2:
      original();
      break;
    default:
      inverted();
      break;
    }
  }
  std::ranges::fill(target_phase_, static_cast<signed char>(0));
  target_assigned_ = 0;
  next_rephase_ = counts_.conflicts + options_.rephase_interval * (rephases_ + 1);
}

void Solver::store_model() {
  model_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i)
    model_[i] = values_[2 * i] != 0 ? values_[2 * i] > 0 : saved_phase_[i] > 0;
  extend_model();
}

} // namespace heddle::solve::core
