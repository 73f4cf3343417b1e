// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Conflicts: the clause of the first unique implication point (Marques-Silva, Sakallah 1996; Zhang
// et al. 2001), recursive minimisation (Sörensson, Biere, SAT 2009), bumping, and the assumptions
// behind a falsified one. Reasons of the theory are asked for when they are met.
#include "solve/core/solver.h"

#include <algorithm>
#include <limits>

namespace heddle::solve::core {
namespace {

constexpr std::uint32_t kTier1Glue = 2; // kept for good
constexpr std::uint32_t kTier2Glue = 6; // kept while used now and then

} // namespace

void Solver::analyze_literal(Literal literal) {
  Marks& mark = marks(literal);
  const Place& where = place(literal);
  if (mark.seen || where.level == 0)
    return;
  mark.seen = true;
  analyzed_.push_back(literal);
  if (where.level < level())
    learnt_.push_back(literal);
  else
    ++open_;
  Level& its_level = levels_[where.level];
  if (its_level.seen++ == 0)
    seen_levels_.push_back(where.level);
  its_level.seen_trail = std::min(its_level.seen_trail, where.trail);
}

void Solver::analyze_clause(ClauseRef ref, Literal except) {
  bump_clause(ref);
  for (const Literal literal : arena_[ref].literals())
    if (literal != except)
      analyze_literal(literal);
}

/// A learnt clause that is used lives longer; if it now spans fewer levels, it is better than
/// thought (Audemard, Simon, IJCAI 2009).
void Solver::bump_clause(ClauseRef ref) {
  Clause& clause = arena_[ref];
  if (clause.redundant == 0 || clause.ephemeral != 0)
    return;
  clause.set_used(clause.glue <= kTier2Glue ? 2 : 1);
  if (clause.glue <= kTier1Glue)
    return;
  ++glue_stamp_;
  std::uint32_t glue = 0;
  for (const Literal literal : clause.literals()) {
    const std::uint32_t its_level = place(literal).level;
    if (glue_stamps_[its_level] == glue_stamp_)
      continue;
    glue_stamps_[its_level] = glue_stamp_;
    if (++glue >= clause.glue)
      return;
  }
  clause.set_glue(glue);
  clause.vivified = 0;
}

void Solver::analyze(ClauseRef conflict) {
  ++counts_.conflicts;
  if (level() == 0) {
    become_unsatisfiable();
    return;
  }
  glue_stamps_.resize(std::max(glue_stamps_.size(), levels_.size() + 1));
  learnt_.assign(1, Literal());
  open_ = 0;
  Literal uip;
  std::size_t next = trail_.size();
  for (ClauseRef reason = conflict;; reason = reason_of(uip.variable())) {
    analyze_clause(reason, uip);
    do
      uip = trail_[--next];
    while (!marks(uip).seen);
    if (--open_ == 0)
      break;
  }
  learnt_.front() = ~uip;
  const auto glue = static_cast<std::uint32_t>(seen_levels_.size() - 1);
  glue_fast_[stable_ ? 1 : 0].update(glue);
  glue_slow_[stable_ ? 1 : 0].update(glue);
  decision_rate_.update(static_cast<double>(counts_.decisions - decisions_at_conflict_));
  decisions_at_conflict_ = counts_.decisions;
  if (stable_)
    reluctant_.tick();

  if (options_.minimise && learnt_.size() > 1)
    minimise();
  bump_variables();

  // The literal of the highest level but one is watched, and tells where to go back to.
  std::uint32_t jump = 0;
  for (std::size_t i = 1; i < learnt_.size(); ++i) {
    if (place(learnt_[i]).level > jump) {
      jump = place(learnt_[i]).level;
      std::swap(learnt_[1], learnt_[i]);
    }
  }
  clear_analysis();
  backtrack(jump);
  if (proof_ != nullptr)
    proof_->add(learnt_);
  ++counts_.learnt;
  if (learnt_.size() == 1) {
    assign(learnt_.front(), kNoClause);
    return;
  }
  const ClauseRef ref = new_clause(learnt_, true, std::max(glue, 1U));
  arena_[ref].set_used(glue <= kTier2Glue ? 2 : 1);
  watch(ref);
  assign(learnt_.front(), ref);
  subsume_recent(ref);
}

/// The next reason is often a superset of the last one: eager subsumption of the latest clauses, as
/// in CaDiCaL.
void Solver::subsume_recent(ClauseRef learnt) {
  constexpr std::size_t kRemembered = 20;
  const Clause& clause = arena_[learnt];
  for (const Literal literal : clause.literals())
    marks(literal).seen = true;
  for (ClauseRef& other : recent_) {
    const Clause& candidate = arena_[other];
    if (candidate.garbage != 0 || candidate.redundant == 0 || candidate.size < clause.size)
      continue;
    std::uint32_t needed = clause.size;
    std::uint32_t left = candidate.size;
    for (const Literal literal : candidate.literals()) {
      // A mark does not say the sign; the values do: of the learnt clause, only the first literal
      // is not false now.
      const bool is_first = literal.variable() == clause.begin()[0].variable();
      if (marks(literal).seen && val(literal) == (is_first ? 1 : -1))
        --needed;
      if (needed == 0 || --left < needed)
        break;
    }
    if (needed == 0 && place(candidate.begin()[0]).reason != other &&
        place(candidate.begin()[1]).reason != other && candidate.size > 2)
      mark_garbage(other);
  }
  for (const Literal literal : clause.literals())
    marks(literal).seen = false;
  if (recent_.size() < kRemembered)
    recent_.push_back(learnt);
  else
    recent_[counts_.learnt % kRemembered] = learnt;
}

/// Level by level from the highest: the literals of a level become one if it implies them together
/// with lower literals of the clause (Fleury, Biere: Efficient All-UIP Learned Clause Minimization,
/// SAT 2021); otherwise each of them goes if the others imply it. In stable mode only the latter:
/// on pigeonholes the former cost a factor of ten there, while encodings gained nothing.
void Solver::minimise() {
  std::sort(learnt_.begin() + 1, learnt_.end(), [&](Literal left, Literal right) {
    return place(left).trail > place(right).trail;
  });
  std::size_t kept = 1;
  for (std::size_t begin = 1, end = 1; begin < learnt_.size(); begin = end) {
    const std::uint32_t block_level = place(learnt_[begin]).level;
    while (end < learnt_.size() && place(learnt_[end]).level == block_level)
      ++end;
    const Literal single = !stable_ && end - begin > 1 ? shrink_block(begin, end) : Literal();
    if (single.is_valid()) {
      learnt_[kept++] = single;
      continue;
    }
    for (std::size_t i = begin; i < end; ++i)
      if (!is_implied(learnt_[i], 0))
        learnt_[kept++] = learnt_[i];
  }
  learnt_.resize(kept);
}

/// The one literal that can stand for learnt_[begin, end), all of one level, or none. The block
/// lies behind what minimisation has kept so far, so it is still as it was.
Literal Solver::shrink_block(std::size_t begin, std::size_t end) {
  const std::uint32_t block_level = place(learnt_[begin]).level;
  shrinkable_.assign(learnt_.begin() + static_cast<std::ptrdiff_t>(begin),
                     learnt_.begin() + static_cast<std::ptrdiff_t>(end));
  for (const Literal literal : shrinkable_)
    marks(literal).shrinkable = true;
  std::size_t open = shrinkable_.size();
  Literal found;
  bool failed = false;
  for (std::uint32_t next = place(learnt_[begin]).trail; !failed; --next) {
    const Literal uip = trail_[next];
    if (!marks(uip).shrinkable)
      continue;
    if (open == 1) {
      found = ~uip;
      break;
    }
    --open;
    const ClauseRef reason = reason_of(uip.variable());
    for (std::uint32_t i = 0; !failed && i < arena_[reason].size; ++i) {
      const Literal other = arena_[reason].begin()[i];
      const Place where = place(other);
      if (other == uip || where.level == 0 || marks(other).shrinkable)
        continue;
      if (where.level < block_level) {
        failed = !is_implied(other, 1);
        continue;
      }
      marks(other).shrinkable = true;
      shrinkable_.push_back(other);
      ++open;
    }
  }
  for (const Literal literal : shrinkable_)
    marks(literal).shrinkable = false;
  return found;
}

/// Whether the other literals of the learnt clause being false makes this one false.
bool Solver::is_implied(Literal literal, int depth) {
  constexpr int kDeepest = 1000;
  const Variable variable = literal.variable();
  const Place where = places_[variable.index()];
  const Marks mark = marks(literal);
  if (where.level == 0 || mark.removable || (depth > 0 && mark.seen))
    return true;
  if (where.reason == kNoClause || mark.poison || where.level == level() || depth > kDeepest)
    return false;
  const Level& its_level = levels_[where.level];
  if (depth == 0 && its_level.seen < 2)
    return false;
  if (where.trail <= its_level.seen_trail || its_level.seen == 0)
    return false;
  const ClauseRef reason = reason_of(variable);
  bool implied = true;
  // By position: asking the theory for reasons may move the clauses.
  for (std::uint32_t i = 0; implied && i < arena_[reason].size; ++i) {
    const Literal other = arena_[reason].begin()[i];
    if (other.variable() != variable)
      implied = is_implied(other, depth + 1);
  }
  if (implied)
    marks(literal).removable = true;
  else
    marks(literal).poison = true;
  minimised_.push_back(literal);
  return implied;
}

void Solver::clear_analysis() {
  for (const Literal literal : analyzed_)
    marks(literal).seen = false;
  for (const Literal literal : minimised_)
    marks(literal).removable = marks(literal).poison = false;
  for (const std::uint32_t seen : seen_levels_) {
    levels_[seen].seen = 0;
    levels_[seen].seen_trail = std::numeric_limits<std::uint32_t>::max();
  }
  analyzed_.clear();
  minimised_.clear();
  seen_levels_.clear();
}

/// Literals in the reasons of the learnt literals are likely to be in the next conflict (Liang et
/// al., SAT 2016); only worth it where few decisions are made between conflicts.
void Solver::bump_reason_sides() {
  constexpr double kFewDecisions = 100;
  if (decision_rate_.value() > kFewDecisions)
    return;
  const std::size_t before = analyzed_.size();
  constexpr std::size_t kAtMostTimes = 10; // of what was analysed anyway
  for (const Literal literal : learnt_) {
    const ClauseRef reason = place(literal).reason;
    if (reason == kNoClause || reason == kTheoryClause)
      continue;
    for (const Literal other : arena_[reason].literals()) {
      if (marks(other).seen || place(other).level == 0)
        continue;
      marks(other).seen = true;
      analyzed_.push_back(other);
    }
    if (analyzed_.size() > before * (kAtMostTimes + 1))
      break;
  }
}

void Solver::bump_variables() {
  bump_reason_sides();
  if (stable_) {
    for (const Literal literal : analyzed_)
      scores_.bump(literal.variable().value);
    scores_.decay();
    return;
  }
  // In the order of their last bump, so that they keep it.
  std::ranges::sort(
      analyzed_, {}, [&](Literal literal) { return queue_.stamp(literal.variable().value); });
  for (const Literal literal : analyzed_)
    queue_.bump(literal.variable().value, val(literal) != 0);
}

/// `falsified` is an assumption that is false. Collects the assumptions that make it so.
void Solver::analyze_failed(Literal falsified) {
  failed_.push_back(falsified);
  if (place(falsified).level > 0) {
    marks(falsified).seen = true;
    analyzed_.push_back(falsified);
    for (std::size_t i = trail_.size(); i-- > levels_[1].trail;) {
      const Literal literal = trail_[i];
      if (!marks(literal).seen)
        continue;
      if (place(literal).reason == kNoClause) {
        failed_.push_back(literal);
        continue;
      }
      const ClauseRef reason = reason_of(literal.variable());
      for (const Literal other : arena_[reason].literals()) {
        if (place(other).level == 0 || marks(other).seen)
          continue;
        marks(other).seen = true;
        analyzed_.push_back(other);
      }
    }
  }
  clear_analysis();
  if (proof_ != nullptr) {
    std::vector<Literal> clause;
    std::ranges::transform(
        failed_, std::back_inserter(clause), [](Literal literal) { return ~literal; });
    proof_->add(clause);
  }
}

} // namespace heddle::solve::core
