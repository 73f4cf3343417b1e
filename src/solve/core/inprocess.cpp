// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// When to simplify between conflicts, and what all techniques share. They work on level 0 and on
// clauses only; the theory hears later of what became true. Frozen variables, among them all that
// the theory observes, are never eliminated or substituted.
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

void Solver::inprocess() {
  backtrack(0);
  searching_ = false;
  compact_extension();
  const auto go_on = [&] { return !unsatisfiable_ && !stop_now(); };
  if (propagate_root()) {
    if (counts_.conflicts >= next_probe_) {
      ++probings_;
      if (options_.substitute && go_on())
        substitute();
      if (options_.probe && go_on())
        probe();
      if (options_.substitute && go_on())
        substitute();
      if (options_.vivify && go_on())
        vivify();
      next_probe_ = counts_.conflicts + 1 + options_.probe_interval * (probings_ + 1);
    }
    if (counts_.conflicts >= next_eliminate_) {
      if (options_.subsume && go_on())
        subsume();
      if (options_.eliminate && go_on())
        eliminate();
      ++eliminations_;
      next_eliminate_ = counts_.conflicts + 1 + options_.eliminate_interval * (eliminations_ + 1);
    }
  }
  if (!unsatisfiable_ && propagate_root()) {
    remove_satisfied();
    collect();
  }
  searching_ = true;
}

bool Solver::propagate_root() {
  if (!unsatisfiable_ && propagate() != kNoClause)
    become_unsatisfiable();
  return !unsatisfiable_;
}

std::uint64_t Solver::effort(double fraction, std::uint64_t least, std::uint64_t used) const {
  const std::uint64_t allowed =
      static_cast<std::uint64_t>(fraction * static_cast<double>(search_ticks_)) + least;
  return allowed > used ? allowed - used : 0;
}

void Solver::disconnect() {
  for (std::vector<Watch>& list : watches_)
    list.clear();
}

/// Watches all clauses anew. On level 0: clauses with literals that are false or true there are
/// simplified first.
void Solver::reconnect() {
  std::vector<Literal> literals;
  // Clauses added here are watched already and come after `count`.
  const std::size_t count = clauses_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ClauseRef ref = clauses_[i];
    const Clause& clause = arena_[ref];
    if (clause.garbage != 0 || clause.ephemeral != 0)
      continue;
    literals.assign(clause.begin(), clause.end());
    const bool holds =
        std::ranges::any_of(literals, [&](Literal literal) { return val(literal) > 0; });
    if (holds) {
      mark_garbage(ref);
      continue;
    }
    std::erase_if(literals, [&](Literal literal) { return val(literal) < 0; });
    if (literals.size() == clause.size)
      watch(ref);
    else
      replace_clause(ref, literals);
    if (unsatisfiable_)
      return;
  }
  // Units found on the way were not seen by the clauses watched before them.
  propagated_ = 0;
  propagate_root();
}

} // namespace heddle::solve::core
