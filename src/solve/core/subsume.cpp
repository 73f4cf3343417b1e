// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Forward subsumption and strengthening by self-subsuming resolution (Eén, Biere, SAT 2005), for
// all irredundant clauses and the learnt ones likely to stay. Clauses are taken by rising size;
// each is checked against the smaller ones, which are listed under one of their literals (Bayardo,
// Panda 2011).
#include "solve/core/solver.h"

#include <algorithm>
#include <utility>

namespace heddle::solve::core {

class Subsumption {
public:
  explicit Subsumption(Solver& solver)
      : solver_(solver), marked_(solver.values_.size()), counts_(solver.values_.size()) {}

  void run() {
    constexpr double kShare = 0.1;
    constexpr std::uint64_t kLeast = 3'000'000;
    const std::uint64_t left = solver_.effort(kShare, kLeast, solver_.subsume_used_);
    schedule();
    solver_.disconnect();
    lists_.resize(solver_.values_.size());
    for (std::size_t i = 0; i < schedule_.size() && steps_ < left; ++i) {
      if (i % 1024 == 0 && solver_.stop_now())
        break;
      visit(schedule_[i]);
      if (solver_.unsatisfiable_)
        return;
    }
    solver_.subsume_used_ += steps_;
    solver_.reconnect();
  }

private:
  struct Entry {
    ClauseRef ref;
    Literal other; // of a clause of two literals: saves looking into it
    bool fresh;    // not tried before
  };

  void schedule() {
    constexpr std::uint32_t kLargest = 100;
    for (const ClauseRef ref : solver_.clauses_) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.garbage != 0 || clause.ephemeral != 0 || clause.size > kLargest)
        continue;
      if (clause.redundant != 0 &&
          (clause.glue > solver_.kept_glue_ || clause.size > solver_.kept_size_))
        continue;
      schedule_.push_back(ref);
      for (const Literal literal : clause.literals())
        ++counts_[literal.index()];
    }
    std::sort(schedule_.begin(), schedule_.end(), [&](ClauseRef left, ClauseRef right) {
      return std::pair(solver_.arena_[left].size, left) <
             std::pair(solver_.arena_[right].size, right);
    });
  }

  void visit(ClauseRef ref) {
    Clause& clause = solver_.arena_[ref];
    const bool fresh = clause.subsumed == 0;
    for (const Literal literal : clause.literals())
      marked_[literal.index()] = 1;
    ClauseRef found = kNoClause;
    Literal removed;
    for (const Literal literal : clause.literals()) {
      for (const Literal side : {literal, ~literal}) {
        for (const Entry& entry : lists_[side.index()]) {
          ++steps_;
          if (!fresh && !entry.fresh)
            continue;
          if (covers(entry, side, removed)) {
            found = entry.ref;
            break;
          }
        }
        if (found != kNoClause)
          break;
      }
      if (found != kNoClause)
        break;
    }
    for (const Literal literal : clause.literals())
      marked_[literal.index()] = 0;
    if (found == kNoClause) {
      clause.subsumed = 1;
      list(ref, fresh);
    } else if (removed.is_valid()) {
      strengthen(ref, removed);
    } else {
      remove(ref, found);
    }
  }

  /// Whether all literals of the entry's clause are marked, or all but one, whose negation is:
  /// `removed` is then that negation.
  bool covers(const Entry& entry, Literal side, Literal& removed) {
    removed = Literal();
    const auto check = [&](Literal literal) {
      if (marked_[literal.index()] != 0)
        return true;
      if (removed.is_valid() || marked_[(~literal).index()] == 0)
        return false;
      removed = ~literal;
      return true;
    };
    if (entry.other.is_valid())
      return check(side) && check(entry.other);
    ++steps_;
    const Clause& clause = solver_.arena_[entry.ref];
    return clause.garbage == 0 && std::ranges::all_of(clause.literals(), check);
  }

  void remove(ClauseRef ref, ClauseRef by) {
    Clause& subsuming = solver_.arena_[by];
    if (solver_.arena_[ref].redundant == 0 && subsuming.redundant != 0) {
      subsuming.redundant = 0;
      --solver_.redundant_;
      ++solver_.irredundant_;
    }
    solver_.mark_garbage(ref);
  }

  /// The shorter clause is made and listed; the watches come later.
  void strengthen(ClauseRef ref, Literal removed) {
    std::vector<Literal> kept;
    for (const Literal literal : solver_.arena_[ref].literals())
      if (literal != removed)
        kept.push_back(literal);
    if (solver_.proof_ != nullptr)
      solver_.proof_->add(kept);
    if (kept.size() == 1) {
      solver_.mark_garbage(ref);
      solver_.add_unit(kept.front());
      return;
    }
    const Clause old = solver_.arena_[ref];
    const ClauseRef made = solver_.new_clause(
        kept,
        old.redundant != 0,
        std::min<std::uint32_t>(old.glue, static_cast<std::uint32_t>(kept.size())));
    solver_.arena_[made].set_used(old.used);
    solver_.mark_garbage(ref);
    list(made, true);
  }

  void list(ClauseRef ref, bool fresh) {
    const Clause& clause = solver_.arena_[ref];
    Literal best = clause.begin()[0];
    for (const Literal literal : clause.literals())
      if (counts_[literal.index()] < counts_[best.index()])
        best = literal;
    constexpr std::size_t kLongestList = 1000;
    if (lists_[best.index()].size() >= kLongestList)
      return;
    Literal other;
    if (clause.size == 2)
      other = clause.begin()[0] == best ? clause.begin()[1] : clause.begin()[0];
    lists_[best.index()].push_back({ref, other, fresh});
  }

  Solver& solver_;
  std::vector<unsigned char> marked_; // by literal
  std::vector<std::uint32_t> counts_; // by literal
  std::vector<std::vector<Entry>> lists_;
  std::vector<ClauseRef> schedule_;
  std::uint64_t steps_ = 0;
};

void Solver::subsume() {
  remove_satisfied();
  collect();
  Subsumption(*this).run();
}

} // namespace heddle::solve::core
