// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Local search over the irredundant clauses, to find good phases: ProbSAT (Balint, Schöning, SAT
// 2012) started from the saved phases, with the break values that Biere (Yalsat, SAT Competition
// 2014) interpolates by clause size. The best assignment met becomes the saved phases.
#include "solve/core/solver.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::solve::core {

class Walk {
public:
  explicit Walk(Solver& solver) : solver_(solver), is_true_(solver.values_.size()) {}

  void run() {
    constexpr double kShare = 0.03;
    constexpr std::uint64_t kLeast = 50'000;
    const std::uint64_t left = std::max(kLeast, solver_.effort(kShare, 0, solver_.walk_used_));
    if (!build(left))
      return;
    std::size_t best = broken_.size();
    while (!broken_.empty() && steps_ < left) {
      flip(pick());
      if (broken_.size() < best) {
        best = broken_.size();
        flips_.clear();
      }
      if (flips_.size() % 4096 == 4095 && solver_.stop_now())
        break;
    }
    solver_.walk_used_ += steps_;
    for (std::size_t i = flips_.size(); i-- > 0;) {
      is_true_[flips_[i].index()] = 0;
      is_true_[(~flips_[i]).index()] = 1;
    }
    for (std::size_t variable = 0; variable < solver_.places_.size(); ++variable)
      if (solver_.is_active(Variable{variable}))
        solver_.saved_phase_[variable] = is_true_[2 * variable] != 0 ? 1 : -1;
  }

private:
  struct WalkClause {
    std::uint32_t begin;
    std::uint32_t size;
    std::uint32_t true_count = 0;
    std::uint32_t broken_at = 0;
  };

  /// False: too large for the effort, or nothing to do.
  bool build(std::uint64_t left) {
    for (std::uint32_t variable = 0; variable < solver_.places_.size(); ++variable) {
      const Literal positive = Literal::from(Variable{variable}, false);
      const bool holds = solver_.val(positive) != 0 && solver_.is_fixed(positive)
                             ? solver_.val(positive) > 0
                             : solver_.saved_phase_[variable] > 0;
      is_true_[2 * variable] = holds ? 1 : 0;
      is_true_[2 * variable + 1] = holds ? 0 : 1;
    }
    for (const ClauseRef ref : solver_.clauses_) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.garbage != 0 || clause.redundant != 0)
        continue;
      const bool holds = std::ranges::any_of(clause.literals(), [&](Literal literal) {
        return solver_.val(literal) > 0 && solver_.is_fixed(literal);
      });
      if (holds)
        continue;
      const auto begin = static_cast<std::uint32_t>(literals_.size());
      for (const Literal literal : clause.literals())
        if (solver_.val(literal) == 0 || !solver_.is_fixed(literal))
          literals_.push_back(literal);
      clauses_.push_back(
          {.begin = begin, .size = static_cast<std::uint32_t>(literals_.size() - begin)});
      if (literals_.size() > left)
        return false;
    }
    if (clauses_.empty())
      return false;
    connect();
    const double average =
        static_cast<double>(literals_.size()) / static_cast<double>(clauses_.size());
    fill_table(average);
    return true;
  }

  void connect() {
    begin_.assign(is_true_.size() + 1, 0);
    for (const Literal literal : literals_)
      ++begin_[literal.index() + 1];
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i)
      begin_[i + 1] += begin_[i];
    occurrences_.resize(literals_.size());
    std::vector<std::uint32_t> fill(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t id = 0; id < clauses_.size(); ++id) {
      WalkClause& clause = clauses_[id];
      for (const Literal literal : literals_of(clause)) {
        occurrences_[fill[literal.index()]++] = id;
        clause.true_count += is_true_[literal.index()];
      }
      if (clause.true_count == 0)
        add_broken(id);
    }
  }

  void fill_table(double size) {
    constexpr std::array<std::pair<double, double>, 6> kBases{
        {{0.0, 2.0}, {3.0, 2.5}, {4.0, 2.85}, {5.0, 3.7}, {6.0, 5.0}, {7.0, 5.4}}};
    double base = kBases.back().second;
    for (std::size_t i = 0; i + 1 < kBases.size(); ++i) {
      const auto [x1, y1] = kBases[i];
      const auto [x2, y2] = kBases[i + 1];
      if (size >= x1 && size <= x2)
        base = y1 + (size - x1) * (y2 - y1) / (x2 - x1);
    }
    constexpr double kSmallest = 1e-100;
    for (double value = 1; value > kSmallest; value /= base)
      table_.push_back(value);
  }

  [[nodiscard]] std::span<const Literal> literals_of(const WalkClause& clause) const {
    return std::span(literals_).subspan(clause.begin, clause.size);
  }
  [[nodiscard]] std::span<const std::uint32_t> clauses_with(Literal literal) const {
    return std::span(occurrences_)
        .subspan(begin_[literal.index()], begin_[literal.index() + 1] - begin_[literal.index()]);
  }
  void add_broken(std::uint32_t id) {
    clauses_[id].broken_at = static_cast<std::uint32_t>(broken_.size());
    broken_.push_back(id);
  }
  void remove_broken(std::uint32_t id) {
    const std::uint32_t last = broken_.back();
    broken_[clauses_[id].broken_at] = last;
    clauses_[last].broken_at = clauses_[id].broken_at;
    broken_.pop_back();
  }

  /// A literal of a random broken clause; the fewer clauses its flip breaks, the likelier.
  Literal pick() {
    const WalkClause& clause = clauses_[broken_[solver_.rng_.below(broken_.size())]];
    weights_.clear();
    double sum = 0;
    for (const Literal literal : literals_of(clause)) {
      std::size_t breaks = 0;
      const auto watched = clauses_with(~literal);
      for (const std::uint32_t id : watched)
        breaks += clauses_[id].true_count == 1 ? 1U : 0U;
      steps_ += 1 + watched.size() / 2;
      weights_.push_back(breaks < table_.size() ? table_[breaks] : table_.back());
      sum += weights_.back();
    }
    constexpr double kScale = 1.0 / 4294967296.0;
    double chosen = static_cast<double>(solver_.rng_.next() >> 32U) * kScale * sum;
    std::size_t i = 0;
    while (i + 1 < weights_.size() && (chosen -= weights_[i]) > 0)
      ++i;
    return literals_of(clause)[i];
  }

  void flip(Literal literal) {
    flips_.push_back(literal);
    is_true_[literal.index()] = 1;
    is_true_[(~literal).index()] = 0;
    for (const std::uint32_t id : clauses_with(literal))
      if (clauses_[id].true_count++ == 0)
        remove_broken(id);
    for (const std::uint32_t id : clauses_with(~literal))
      if (--clauses_[id].true_count == 0)
        add_broken(id);
    steps_ += (clauses_with(literal).size() + clauses_with(~literal).size()) / 2;
  }

  Solver& solver_;
  std::vector<unsigned char> is_true_; // by literal
  std::vector<WalkClause> clauses_;
  std::vector<Literal> literals_;
  std::vector<std::uint32_t> occurrences_; // clauses by literal
  std::vector<std::uint32_t> begin_;       // by literal
  std::vector<std::uint32_t> broken_;
  std::vector<Literal> flips_; // since the best assignment
  std::vector<double> table_;  // by number of broken clauses
  std::vector<double> weights_;
  std::uint64_t steps_ = 0;
};

void Solver::walk() {
  Walk(*this).run();
}

} // namespace heddle::solve::core
