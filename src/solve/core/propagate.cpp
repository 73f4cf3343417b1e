// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Assigning, unit propagation over two watched literals with blockers, and backtracking. The watch
// lists of a literal hold the clauses that watch it; they are visited when it becomes false.
// Moskewicz et al. (Chaff, DAC 2001); blockers: Chu, Harwood, Stuckey (2009).
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

void Solver::assign(Literal literal, ClauseRef reason) {
  const std::uint32_t current = level();
  Place& where = place(literal);
  where.level = current;
  where.trail = static_cast<std::uint32_t>(trail_.size());
  where.reason = current == 0 ? kNoClause : reason;
  values_[literal.index()] = 1;
  values_[(~literal).index()] = -1;
  // It will be propagated soon.
  __builtin_prefetch(watches_[(~literal).index()].data());
  if (searching_)
    saved_phase_[literal.variable().index()] = literal.is_negative() ? -1 : 1;
  trail_.push_back(literal);
  if (current == 0 && reason != kNoClause && proof_ != nullptr)
    proof_->add(std::span(&literal, 1));
}

void Solver::decide_literal(Literal literal) {
  levels_.push_back({.trail = static_cast<std::uint32_t>(trail_.size())});
  if (literal.is_valid())
    assign(literal, kNoClause);
}

void Solver::backtrack(std::uint32_t new_level) {
  if (new_level >= level())
    return;
  if (searching_)
    save_best_phases();
  const std::size_t begin = levels_[new_level + 1].trail;
  for (std::size_t i = trail_.size(); i-- > begin;) {
    const Literal literal = trail_[i];
    values_[literal.index()] = 0;
    values_[(~literal).index()] = 0;
    const std::uint32_t variable = literal.variable().value;
    scores_.insert(variable);
    queue_.on_unassign(variable);
  }
  trail_.resize(begin);
  propagated_ = std::min(propagated_, begin);
  unconflicted_ = std::min(unconflicted_, begin);
  levels_.resize(new_level + 1);
  if (theory_ != nullptr) {
    told_ = std::min(told_, begin);
    if (theory_level_ > new_level) {
      theory_level_ = new_level;
      theory_->on_backtrack(new_level);
    }
  }
}

ClauseRef Solver::propagate(ClauseRef ignored) {
  const std::size_t begin = propagated_;
  ClauseRef conflict = kNoClause;
  std::uint64_t ticks = 0;
  const signed char* const values = values_.data();
  while (conflict == kNoClause && propagated_ < trail_.size()) {
    const Literal falsified = ~trail_[propagated_++];
    std::vector<Watch>& list = watches_[falsified.index()];
    ticks += 1 + list.size() / 8; // eight watches a cache line
    Watch* const end = list.data() + list.size();
    Watch* read = list.data();
    Watch* write = read;
    while (read != end) {
      const Watch entry = *write++ = *read++;
      const signed char blocker = values[entry.blocker.index()];
      if (blocker > 0)
        continue;
      if (entry.is_binary()) {
        if (blocker < 0) {
          conflict = entry.ref();
          break;
        }
        assign(entry.blocker, entry.ref());
        continue;
      }
      ++ticks;
      const ClauseRef ref = entry.ref();
      Clause& clause = arena_[ref];
      if (clause.garbage != 0) {
        --write;
        continue;
      }
      if (ref == ignored)
        continue;
      Literal* const literals = clause.begin();
      const Literal other =
          Literal::from_index(literals[0].index() ^ literals[1].index() ^ falsified.index());
      const signed char other_value = values[other.index()];
      if (other_value > 0) {
        write[-1].blocker = other;
        continue;
      }
      Literal* const middle = literals + clause.position;
      Literal* const last = literals + clause.size;
      Literal* found = middle;
      signed char found_value = -1;
      while (found != last && (found_value = values[found->index()]) < 0)
        ++found;
      if (found_value < 0) {
        found = literals + 2;
        while (found != middle && (found_value = values[found->index()]) < 0)
          ++found;
      }
      clause.position = static_cast<std::uint32_t>(found - literals);
      if (found_value > 0) {
        write[-1].blocker = *found;
      } else if (found_value == 0) {
        const Literal replacement = *found;
        literals[0] = other;
        literals[1] = replacement;
        *found = falsified;
        watches_[replacement.index()].push_back(Watch(falsified, ref, false));
        ++ticks;
        --write;
      } else if (other_value == 0) {
        assign(other, ref);
      } else {
        conflict = ref;
        break;
      }
    }
    if (read != write) {
      while (read != end)
        *write++ = *read++;
      list.erase(list.begin() + (write - list.data()), list.end());
    }
  }
  counts_.propagations += propagated_ - begin;
  ticks_ += ticks;
  if (conflict == kNoClause)
    unconflicted_ = trail_.size();
  else
    unconflicted_ = levels_.back().trail;
  return conflict;
}

} // namespace heddle::solve::core
