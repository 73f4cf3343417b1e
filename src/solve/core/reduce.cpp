// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Forgetting learnt clauses in tiers of glue, dropping what level 0 satisfies, and moving the rest
// together.
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

/// Clauses of glue 1 and 2 stay. Others go when they were not used since the last time (glue up to
/// 6: the last two times) and are among the worse three quarters by glue and size.
void Solver::reduce() {
  constexpr std::uint32_t kKeptGlue = 2;
  ++reductions_;
  next_reduce_ = counts_.conflicts + options_.reduce_interval * (reductions_ + 1);
  if (level() == 0)
    remove_satisfied();
  for (const Literal literal : trail_) {
    const ClauseRef reason = place(literal).reason;
    if (reason < kMaxClauseRef)
      arena_[reason].locked = 1;
  }
  std::vector<ClauseRef> candidates;
  for (const ClauseRef ref : clauses_) {
    Clause& clause = arena_[ref];
    if (clause.garbage != 0 || clause.redundant == 0 || clause.locked != 0 || clause.ephemeral != 0)
      continue;
    if (clause.used > 0) {
      --clause.used;
      continue;
    }
    if (clause.size > 2 && clause.glue > kKeptGlue)
      candidates.push_back(ref);
  }
  std::sort(candidates.begin(), candidates.end(), [&](ClauseRef left, ClauseRef right) {
    const Clause& a = arena_[left];
    const Clause& b = arena_[right];
    if (a.glue != b.glue)
      return a.glue > b.glue;
    return a.size != b.size ? a.size > b.size : left < right;
  });
  const std::size_t worse = candidates.size() * 3 / 4;
  for (std::size_t i = worse; i < candidates.size(); ++i) {
    const Clause& kept = arena_[candidates[i]];
    kept_glue_ = i == worse ? kept.glue : std::max<std::uint32_t>(kept_glue_, kept.glue);
    kept_size_ = i == worse ? kept.size : std::max(kept_size_, kept.size);
  }
  candidates.resize(worse);
  for (const ClauseRef ref : candidates)
    mark_garbage(ref);
  collect();
}

/// On level 0, propagated: clauses that are true go, false literals leave the others.
void Solver::remove_satisfied() {
  if (fixed_when_cleaned_ == trail_.size())
    return;
  fixed_when_cleaned_ = trail_.size();
  std::vector<Literal> before;
  for (const ClauseRef ref : clauses_) {
    Clause& clause = arena_[ref];
    if (clause.garbage != 0 || clause.ephemeral != 0)
      continue;
    bool satisfied = false;
    bool shrinks = false;
    for (const Literal literal : clause.literals()) {
      satisfied = satisfied || val(literal) > 0;
      shrinks = shrinks || val(literal) < 0;
    }
    if (satisfied) {
      mark_garbage(ref);
      continue;
    }
    if (!shrinks)
      continue;
    // The first two, which are watched, are not false: their order stays.
    before.assign(clause.begin(), clause.end());
    Literal* const kept = std::remove_if(
        clause.begin(), clause.end(), [&](Literal literal) { return val(literal) < 0; });
    clause.size = static_cast<std::uint32_t>(kept - clause.begin());
    clause.position = 2;
    clause.set_glue(std::min<std::uint32_t>(clause.glue, clause.size));
    if (clause.redundant == 0)
      for (const Literal literal : before)
        touched_[literal.variable().index()] = 1;
    if (proof_ != nullptr) {
      proof_->add(clause.literals());
      proof_->remove(before);
    }
  }
}

/// Copies what is left to a new block and corrects every name. Reasons of current assignments stay,
/// garbage or not; reasons the theory gave for past assignments go.
void Solver::collect() {
  for (const Literal literal : trail_) {
    const ClauseRef reason = place(literal).reason;
    if (reason < kMaxClauseRef)
      arena_[reason].locked = 1;
  }
  Arena fresh;
  std::size_t words = 0;
  for (const ClauseRef ref : clauses_) {
    Clause& clause = arena_[ref];
    if (clause.ephemeral != 0 && clause.locked == 0)
      mark_garbage(ref);
    if (clause.garbage == 0 || clause.locked != 0)
      words += Arena::words_of(clause.size);
  }
  fresh.reserve(words + words / 4);
  const auto move = [&](ClauseRef ref) {
    Clause& clause = arena_[ref];
    if (clause.moved != 0 || (clause.garbage != 0 && clause.locked == 0))
      return;
    const ClauseRef moved = fresh.allocate(clause.literals());
    Clause& copy = fresh[moved];
    const Clause header = clause;
    copy = header;
    copy.locked = 0;
    clause.moved = 1;
    clause.position = moved;
  };
  // What will be visited together lies together: the clauses of the variables that are decided
  // next, by the literal that is then false (as in CaDiCaL).
  for (std::uint32_t variable = queue_.last(); variable != RecencyQueue::kNone;
       variable = queue_.previous(variable)) {
    const Literal likely = Literal::from(Variable{variable}, saved_phase_[variable] < 0);
    for (const Literal literal : {~likely, likely})
      for (const Watch& entry : watches(literal))
        if (!entry.is_binary())
          move(entry.ref());
  }
  std::size_t kept = 0;
  for (const ClauseRef ref : clauses_) {
    move(ref);
    if (const Clause& clause = arena_[ref]; clause.moved != 0)
      clauses_[kept++] = clause.position;
  }
  clauses_.resize(kept);
  for (const Literal literal : trail_) {
    ClauseRef& reason = place(literal).reason;
    if (reason < kMaxClauseRef)
      reason = arena_[reason].position;
  }
  std::vector<Watch> longer;
  for (std::uint32_t index = 0; index < watches_.size(); ++index) {
    std::vector<Watch>& list = watches_[index];
    const Literal watched = Literal::from_index(index);
    std::size_t left = 0;
    for (const Watch& entry : list) {
      const Clause& old = arena_[entry.ref()];
      if (old.moved == 0 || old.garbage != 0)
        continue;
      const Clause& clause = fresh[old.position];
      const bool binary = clause.size == 2;
      const Literal other = binary
                                ? Literal::from_index(clause.begin()[0].index() ^
                                                      clause.begin()[1].index() ^ watched.index())
                                : entry.blocker;
      list[left++] = Watch(other, old.position, binary);
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(left), list.end());
    // What is found in pairs needs no look into clauses: it comes first, the order else unchanged.
    longer.clear();
    std::size_t pairs = 0;
    for (const Watch& entry : list)
      if (entry.is_binary())
        list[pairs++] = entry;
      else
        longer.push_back(entry);
    std::copy(longer.begin(), longer.end(), list.begin() + static_cast<std::ptrdiff_t>(pairs));
    if (list.capacity() > 4 * list.size() + 16)
      list.shrink_to_fit();
  }
  arena_ = std::move(fresh);
  recent_.clear();
}

} // namespace heddle::solve::core
