// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Vivification (Piette, Hamadi, Saïs, ECAI 2008; Luo et al., IJCAI 2017): the negations of a
// clause's literals are decided one by one without the clause itself. A conflict or an implied
// literal shows that a part of the clause suffices; a literal that became false is not needed.
// Clauses are sorted so that neighbours share decisions (Li et al., AIJ 2020).
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

void Solver::vivify() {
  constexpr double kTier2Share = 0.05;
  constexpr double kTier3Share = 0.02;
  constexpr double kIrredundantShare = 0.03;
  constexpr std::uint32_t kTier1 = 2;
  constexpr std::uint32_t kTier2 = 6;
  constexpr std::uint32_t kTier3 = 12;
  const std::array kinds{
      VivifyKind{true, 0, kTier1, kTier2Share, 0},
      VivifyKind{true, kTier1 + 1, kTier2, kTier2Share, 1},
      VivifyKind{true, kTier2 + 1, kTier3, kTier3Share, 2},
      VivifyKind{false, 0, 0, kIrredundantShare, 3},
  };
  for (const VivifyKind& kind : kinds)
    vivify_clauses(kind);
}

void Solver::vivify_clauses(const VivifyKind& kind) {
  if (unsatisfiable_ || stop_now())
    return;
  remove_satisfied();
  collect(); // drops the watches of garbage
  // Literals by how often they occur: frequent ones are decided first, and so are shared.
  std::vector<std::uint32_t> occurrences(values_.size());
  for (const ClauseRef ref : clauses_)
    if (arena_[ref].garbage == 0)
      for (const Literal literal : arena_[ref].literals())
        ++occurrences[literal.index()];
  const auto before = [&](Literal left, Literal right) {
    const std::uint32_t a = occurrences[left.index()];
    const std::uint32_t b = occurrences[right.index()];
    return a != b ? a > b : left < right;
  };
  struct Candidate {
    ClauseRef ref;
    std::uint32_t begin;
    std::uint32_t size;
  };
  const auto is_candidate = [&](const Clause& clause, bool untried) {
    if (clause.garbage != 0 || clause.ephemeral != 0 || clause.size < 3)
      return false;
    if ((clause.redundant != 0) != kind.redundant || (untried && clause.vivified != 0))
      return false;
    return !kind.redundant || (clause.glue >= kind.low_glue && clause.glue <= kind.high_glue);
  };
  // Those not tried yet; when all were, all again.
  std::vector<Candidate> candidates;
  std::vector<Literal> sorted;
  for (const bool untried : {true, false}) {
    if (!candidates.empty())
      break;
    for (const ClauseRef ref : clauses_) {
      Clause& clause = arena_[ref];
      if (!is_candidate(clause, untried))
        continue;
      clause.vivified = 0;
      candidates.push_back({ref, static_cast<std::uint32_t>(sorted.size()), clause.size});
      sorted.insert(sorted.end(), clause.begin(), clause.end());
      std::sort(sorted.end() - clause.size, sorted.end(), before);
    }
  }
  // Neighbours in this order share their first decisions.
  const auto literals_of = [&](const Candidate& candidate) {
    return std::span<const Literal>(sorted).subspan(candidate.begin, candidate.size);
  };
  std::ranges::sort(candidates, [&](const Candidate& left, const Candidate& right) {
    const auto a = literals_of(left);
    const auto b = literals_of(right);
    const auto [x, y] = std::ranges::mismatch(a, b);
    if (x != a.end() && y != b.end())
      return before(*x, *y);
    return a.size() != b.size() ? a.size() < b.size() : left.ref < right.ref;
  });
  constexpr std::uint64_t kLeast = 20'000;
  const std::uint64_t limit = effort(kind.share, kLeast, vivify_used_[kind.index]);
  const std::uint64_t start = ticks_;
  // The effort may not suffice for all: begin somewhere else each time.
  const std::size_t offset = candidates.empty() ? 0 : rng_.below(candidates.size());
  for (std::size_t i = 0; i < candidates.size() && ticks_ - start < limit && !unsatisfiable_; ++i) {
    const Candidate& candidate = candidates[(i + offset) % candidates.size()];
    arena_[candidate.ref].vivified = 1;
    vivify_clause(candidate.ref, literals_of(candidate));
    if (i % 64 == 0 && stop_now())
      break;
  }
  backtrack(0);
  vivify_used_[kind.index] += ticks_ - start;
}

void Solver::vivify_clause(ClauseRef ref, std::span<const Literal> sorted) {
  ++ticks_;
  // Decisions already made for the clause before stay as far as they fit, and only if this clause
  // is no reason among them.
  std::uint32_t fitting = 0;
  while (fitting < level() && fitting < sorted.size() &&
         trail_[levels_[fitting + 1].trail] == ~sorted[fitting])
    ++fitting;
  backtrack(fitting);
  for (const Literal literal : sorted) {
    if (is_fixed(literal) && val(literal) > 0) {
      backtrack(0);
      mark_garbage(ref);
      return;
    }
    if (val(literal) != 0 && place(literal).reason == ref)
      backtrack(place(literal).level - 1);
  }
  ClauseRef conflict = kNoClause;
  Literal implied;
  for (std::size_t i = 0; i < sorted.size() && conflict == kNoClause && !implied.is_valid(); ++i) {
    const Literal literal = sorted[i];
    if (val(literal) > 0) {
      implied = literal;
    } else if (val(literal) == 0) {
      decide_literal(~literal);
      conflict = propagate(ref);
    }
  }
  std::vector<Literal> kept;
  if (conflict != kNoClause || implied.is_valid()) {
    kept = vivify_analyze(conflict, implied);
  } else {
    for (const Literal literal : sorted)
      if (place(literal).reason == kNoClause && place(literal).level > 0)
        kept.push_back(literal);
  }
  if (kept.size() == sorted.size()) {
    if (conflict != kNoClause)
      backtrack(level() - 1); // a level with a conflict is not propagated
    // Learnt clauses that others imply are not needed.
    if (implied.is_valid() && arena_[ref].redundant != 0)
      mark_garbage(ref);
    return;
  }
  backtrack(0);
  replace_clause(ref, kept);
  if (!unsatisfiable_)
    propagate_root();
}

/// The decisions (as the clause's literals) that lead to the conflict, or to the implied literal
/// together with it.
std::vector<Literal> Solver::vivify_analyze(ClauseRef conflict, Literal implied) {
  std::vector<Literal> kept;
  const auto see = [&](Literal literal) {
    if (place(literal).level == 0 || marks(literal).seen)
      return;
    marks(literal).seen = true;
    analyzed_.push_back(literal);
  };
  if (conflict != kNoClause) {
    for (const Literal literal : arena_[conflict].literals())
      see(literal);
  } else {
    see(implied);
    kept.push_back(implied);
  }
  const std::size_t first = levels_[1].trail;
  for (std::size_t i = trail_.size(); i-- > first;) {
    const Literal literal = trail_[i];
    if (!marks(literal).seen)
      continue;
    const ClauseRef reason = place(literal).reason;
    if (reason == kNoClause) {
      if (literal != implied)
        kept.push_back(~literal);
      continue;
    }
    for (const Literal other : arena_[reason].literals())
      see(other);
  }
  clear_analysis();
  return kept;
}

} // namespace heddle::solve::core
