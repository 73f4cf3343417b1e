// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hosting a theory: it is told of observed literals after the clauses have nothing more to say, its
// consequences are assigned without a reason, and the reason is asked for when a conflict meets it.
// A reason is kept as an unwatched clause as long as the assignment lasts.
#include "solve/core/solver.h"
#include "support/check.h"

#include <algorithm>
#include <limits>

namespace heddle::solve::core {

void Solver::observe_new_variables() {
  if (theory_ == nullptr)
    return;
  const auto observed = theory_->observed();
  for (; observed_count_ < observed.size(); ++observed_count_) {
    const Variable variable = observed[observed_count_];
    HEDDLE_CHECK(variable.index() < places_.size(), "the theory observes an unknown variable");
    if (observed_[variable.index()] != 0)
      continue;
    observed_[variable.index()] = 1;
    freeze(variable);
    const Literal positive = Literal::from(variable, false);
    const Literal literal = val(positive) < 0 ? ~positive : positive;
    if (val(literal) > 0 && place(literal).trail < told_)
      told_late_.push_back(literal);
  }
  if (told_late_.empty())
    return;
  theory_->on_assign(told_late_);
  told_late_.clear();
}

void Solver::tell_theory() {
  const auto flush = [&] {
    if (!batch_.empty())
      theory_->on_assign(batch_);
    batch_.clear();
  };
  const auto enter = [&](std::uint32_t new_level) {
    for (; theory_level_ < new_level; ++theory_level_)
      theory_->on_new_level();
  };
  for (; told_ < trail_.size(); ++told_) {
    const Literal literal = trail_[told_];
    if (place(literal).level > theory_level_) {
      flush();
      enter(place(literal).level);
    }
    if (observed_[literal.variable().index()] != 0)
      batch_.push_back(literal);
  }
  flush();
  enter(level());
}

ClauseRef Solver::propagate_with_theory() {
  while (true) {
    const ClauseRef conflict = propagate();
    if (conflict != kNoClause || theory_ == nullptr)
      return conflict;
    tell_theory();
    while (propagated_ == trail_.size()) {
      const Consequence found = theory_->propagate();
      if (found.kind == Consequence::Kind::kNone)
        return kNoClause;
      if (found.kind == Consequence::Kind::kConflict) {
        const ClauseRef clause = theory_conflict(*found.conflict);
        if (clause != kNoClause || unsatisfiable_)
          return clause;
        continue;
      }
      const Literal implied = found.implied;
      if (val(implied) > 0)
        continue;
      if (val(implied) < 0) {
        const ClauseRef clause = theory_conflict(theory_->reason(implied));
        if (clause != kNoClause || unsatisfiable_)
          return clause;
        continue;
      }
      if (level() == 0 && proof_ != nullptr) {
        const Lemma& lemma = theory_->reason(implied);
        proof_->lemma(lemma.clause, lemma.certificate);
      }
      assign(implied, kTheoryClause);
    }
  }
}

ClauseRef Solver::reason_of(Variable variable) {
  const ClauseRef reason = places_[variable.index()].reason;
  if (reason != kTheoryClause)
    return reason;
  const Literal positive = Literal::from(variable, false);
  return explain(val(positive) > 0 ? positive : ~positive);
}

ClauseRef Solver::explain(Literal literal) {
  const Lemma& lemma = theory_->reason(literal);
  ++counts_.lemmas;
  if (proof_ != nullptr)
    proof_->lemma(lemma.clause, lemma.certificate);
  const std::uint32_t trail = place(literal).trail;
  bool found = false;
  for (const Literal other : lemma.clause) {
    found = found || other == literal;
    HEDDLE_CHECK(other == literal || (val(other) < 0 && place(other).trail < trail),
                 "the theory's reason does not imply the literal");
  }
  HEDDLE_CHECK(found, "the theory's reason is without the literal");
  const ClauseRef ref = new_clause(lemma.clause, true, 1);
  arena_[ref].ephemeral = 1;
  place(literal).reason = ref;
  return ref;
}

/// A clause that is false now. If it would have implied something on an earlier level, it does so
/// now, after going back there, and there is no conflict.
ClauseRef Solver::theory_conflict(const Lemma& lemma) {
  ++counts_.lemmas;
  if (proof_ != nullptr)
    proof_->lemma(lemma.clause, lemma.certificate);
  std::vector<Literal> clause = lemma.clause;
  for (const Literal literal : clause)
    HEDDLE_CHECK(val(literal) < 0, "the theory's conflict is none");
  std::sort(clause.begin(), clause.end(), [&](Literal left, Literal right) {
    return place(left).level != place(right).level ? place(left).level > place(right).level
                                                   : left < right;
  });
  const std::uint32_t highest = clause.empty() ? 0 : place(clause[0]).level;
  if (highest == 0) {
    backtrack(0);
    become_unsatisfiable();
    return kNoClause;
  }
  const std::uint32_t second = clause.size() > 1 ? place(clause[1]).level : 0;
  if (second < highest) {
    backtrack(second);
    if (clause.size() == 1) {
      assign(clause[0], kNoClause);
      return kNoClause;
    }
    const ClauseRef ref = new_clause(clause, true, 2);
    watch(ref);
    assign(clause[0], ref);
    return kNoClause;
  }
  backtrack(highest);
  const ClauseRef ref = new_clause(clause, true, 1);
  arena_[ref].ephemeral = 1;
  return ref;
}

bool Solver::theory_accepts() {
  if (theory_ == nullptr)
    return true;
  const std::vector<Lemma> lemmas = theory_->check();
  for (const Lemma& lemma : lemmas)
    if (!unsatisfiable_)
      add_lemma(lemma);
  return lemmas.empty();
}

/// Any clause, at any time: goes back just as far as is needed for watching it.
void Solver::add_lemma(const Lemma& lemma) {
  ++counts_.lemmas;
  if (proof_ != nullptr)
    proof_->lemma(lemma.clause, lemma.certificate);
  std::vector<Literal> clause = lemma.clause;
  for (const Literal literal : clause)
    HEDDLE_CHECK(is_active(literal.variable()), "a lemma uses an eliminated variable: freeze it");
  std::ranges::sort(clause);
  clause.erase(std::ranges::unique(clause).begin(), clause.end());
  for (std::size_t i = 0; i + 1 < clause.size(); ++i)
    if (clause[i] == ~clause[i + 1])
      return;
  // The later a literal became false, the better it is watched.
  constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  const auto false_since = [&](Literal literal) {
    return val(literal) < 0 ? place(literal).level : kNever;
  };
  std::sort(clause.begin(), clause.end(), [&](Literal left, Literal right) {
    return false_since(left) != false_since(right) ? false_since(left) > false_since(right)
                                                   : left < right;
  });
  if (clause.empty() || false_since(clause[0]) == 0) {
    backtrack(0);
    become_unsatisfiable();
    return;
  }
  const std::uint32_t first = false_since(clause[0]);
  const std::uint32_t second = clause.size() > 1 ? false_since(clause[1]) : 0;
  if (second != kNever) {
    // With the first literal alone left it must hold from `second` on; with two of one level, go
    // before it.
    const bool holds_already = val(clause[0]) > 0 && place(clause[0]).level <= second;
    if (!holds_already)
      backtrack(first == second ? second - 1 : second);
  }
  ClauseRef ref = kNoClause;
  if (clause.size() > 1) {
    ref = new_clause(clause, false, 0);
    watch(ref);
  }
  if (val(clause[0]) == 0 && (clause.size() == 1 || val(clause[1]) < 0))
    assign(clause[0], ref);
}

} // namespace heddle::solve::core
