// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The main loop, restarts and modes. Focused mode restarts by moving averages of the glue
// (Audemard, Simon 2012; Biere, Fröhlich, POS 2015) and decides by recency; stable mode restarts
// rarely, by reluctant doubling, and decides by score with target phases. The modes get equal
// shares of effort.
#include "solve/core/solver.h"

#include <limits>

namespace heddle::solve::core {

Answer Solver::search() {
  if (next_restart_ < counts_.conflicts)
    next_restart_ = counts_.conflicts;
  while (true) {
    const std::uint64_t before = ticks_;
    const ClauseRef conflict = propagate_with_theory();
    search_ticks_ += ticks_ - before;
    if (unsatisfiable_)
      return Answer::kUnsatisfiable;
    if (conflict != kNoClause) {
      analyze(conflict);
      continue;
    }
    if (must_stop())
      return Answer::kUnknown;
    if (restart_due()) {
      restart();
    } else if (options_.reduce && counts_.conflicts >= next_reduce_) {
      reduce();
    } else if (options_.rephase && counts_.conflicts >= next_rephase_) {
      rephase();
    } else if (counts_.conflicts >= next_probe_ || counts_.conflicts >= next_eliminate_) {
      inprocess();
    } else if (options_.switch_modes && switch_due()) {
      switch_mode();
    } else if (level() < assumptions_.size()) {
      const Literal assumption = assumptions_[level()];
      if (val(assumption) < 0) {
        analyze_failed(assumption);
        return Answer::kUnsatisfiable;
      }
      decide_literal(val(assumption) > 0 ? Literal() : assumption);
    } else {
      const Literal decision = next_decision();
      if (decision.is_valid()) {
        ++counts_.decisions;
        decide_literal(decision);
      } else if (theory_accepts()) {
        return Answer::kSatisfiable;
      }
    }
  }
}

bool Solver::must_stop() {
  constexpr std::uint64_t kTicksBetweenLooks = 100'000; // about a millisecond
  if (interrupted_.load(std::memory_order_relaxed) || counts_.conflicts >= limits_.conflicts)
    stopped_ = true;
  ++ticks_; // so that rounds without propagation lead to a look as well
  if (ticks_ < next_look_ticks_ || limits_.budget == nullptr)
    return stopped_;
  next_look_ticks_ = ticks_ + kTicksBetweenLooks;
  return stop_now();
}

bool Solver::stop_now() {
  if (interrupted_.load(std::memory_order_relaxed))
    stopped_ = true;
  if (limits_.budget != nullptr && limits_.budget->exhausted(memory_bytes()))
    stopped_ = true;
  return stopped_;
}

bool Solver::restart_due() {
  if (!options_.restart || level() <= assumptions_.size())
    return false;
  if (stable_)
    return reluctant_.take();
  constexpr double kMargin = 1.1;
  return counts_.conflicts >= next_restart_ &&
         glue_fast_[0].value() > kMargin * glue_slow_[0].value();
}

/// Keeps the levels whose decisions would be made again (van der Tak, Ramos, Heule 2011).
void Solver::restart() {
  constexpr std::uint64_t kConflictsBetween = 2;
  ++counts_.restarts;
  next_restart_ = counts_.conflicts + kConflictsBetween;
  const Literal next = next_decision();
  auto reused = static_cast<std::uint32_t>(assumptions_.size());
  if (next.is_valid()) {
    const std::uint32_t variable = next.variable().value;
    while (reused < level()) {
      const Level& its_level = levels_[reused + 1];
      if (its_level.trail >= trail_.size())
        break;
      const std::uint32_t decision = trail_[its_level.trail].variable().value;
      if (stable_ ? scores_.score(decision) <= scores_.score(variable)
                  : queue_.stamp(decision) <= queue_.stamp(variable))
        break;
      ++reused;
    }
  }
  backtrack(reused);
}

bool Solver::switch_due() const {
  return modes_ == 0 ? counts_.conflicts >= next_mode_conflicts_
                     : search_ticks_ >= next_mode_ticks_;
}

/// The first focused phase is measured in conflicts; what it cost is the unit of the later ones,
/// which grow quadratically.
void Solver::switch_mode() {
  constexpr std::uint64_t kReluctantPeriod = 1024;
  if (modes_ == 0)
    mode_ticks_ = search_ticks_ - mode_start_ticks_ + 1;
  ++modes_;
  const std::uint64_t round = (modes_ + 1) / 2;
  next_mode_ticks_ = search_ticks_ + mode_ticks_ * round * round;
  backtrack(static_cast<std::uint32_t>(std::min<std::size_t>(level(), assumptions_.size())));
  stable_ = !stable_;
  if (stable_) {
    reluctant_.restart(kReluctantPeriod);
    target_assigned_ = 0;
  } else {
    reluctant_.restart(0);
  }
  next_restart_ = counts_.conflicts + 1;
}

} // namespace heddle::solve::core
