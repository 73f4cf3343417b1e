// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bounded variable elimination (Eén, Biere, SAT 2005): a variable's clauses are replaced by their
// resolvents if these are not many more. If the variable is defined by an and, an equivalence or an
// if-then-else (which includes exclusive or), only resolvents of the definition with other clauses
// are needed. The bound on additional clauses rises when a round is complete (as in GlueMiniSat,
// CaDiCaL).
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

class Elimination {
public:
  explicit Elimination(Solver& solver)
      : solver_(solver), occurrences_(solver.values_.size()), marked_(solver.values_.size()) {}

  void run() {
    constexpr double kShare = 0.2;
    constexpr std::uint64_t kLeast = 10'000'000; // worth it before anything else is known
    constexpr int kRounds = 3;
    left_ = solver_.effort(kShare, kLeast, solver_.eliminate_used_);
    connect();
    bool complete = false;
    for (int round = 0; round < kRounds && go_on(); ++round) {
      const std::uint64_t before = eliminated_;
      complete = pass();
      if (before == eliminated_)
        break;
    }
    solver_.eliminate_used_ += steps_;
    if (solver_.unsatisfiable_)
      return;
    drop_eliminated();
    solver_.reconnect();
    if (complete && !solver_.unsatisfiable_)
      raise_bound();
  }

private:
  using Occurrences = std::vector<ClauseRef>;
  [[nodiscard]] Occurrences& occurrences(Literal literal) { return occurrences_[literal.index()]; }
  [[nodiscard]] bool go_on() {
    return !solver_.unsatisfiable_ && steps_ < left_ && !solver_.stopped_;
  }

  void connect() {
    solver_.disconnect();
    for (const ClauseRef ref : solver_.clauses_) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.garbage != 0 || clause.redundant != 0)
        continue;
      for (const Literal literal : clause.literals())
        occurrences(literal).push_back(ref);
    }
  }

  /// Tries all variables that lost a clause. True: all of them were tried.
  bool pass() {
    std::vector<std::pair<std::uint64_t, Variable>> schedule;
    for (std::size_t i = 0; i < solver_.places_.size(); ++i) {
      const Variable variable{i};
      const Literal literal = Literal::from(variable, false);
      if (!solver_.is_active(variable) || solver_.is_frozen(variable) ||
          solver_.val(literal) != 0 || solver_.touched_[i] == 0)
        continue;
      schedule.emplace_back(
          std::uint64_t{occurrences(literal).size()} * occurrences(~literal).size(), variable);
    }
    std::ranges::sort(schedule);
    std::size_t tried = 0;
    for (const auto& [score, variable] : schedule) {
      if (!go_on())
        return false;
      if (++tried % 256 == 0 && solver_.stop_now())
        return false;
      solver_.touched_[variable.index()] = 0;
      if (solver_.val(Literal::from(variable, false)) == 0)
        try_variable(variable);
    }
    return go_on();
  }

  /// Drops what is gone and what level 0 made true.
  void clean(Occurrences& list) {
    std::erase_if(list, [&](ClauseRef ref) {
      const Clause& clause = solver_.arena_[ref];
      ++steps_;
      if (clause.garbage != 0)
        return true;
      const bool holds = std::ranges::any_of(
          clause.literals(), [&](Literal literal) { return solver_.val(literal) > 0; });
      if (holds)
        solver_.mark_garbage(ref);
      return holds;
    });
  }

  void try_variable(Variable variable) {
    constexpr std::size_t kMostOccurrences = 400;
    const Literal pivot = Literal::from(variable, false);
    Occurrences& positive = occurrences(pivot);
    Occurrences& negative = occurrences(~pivot);
    clean(positive);
    clean(negative);
    if (positive.size() > kMostOccurrences || negative.size() > kMostOccurrences)
      return;
    constexpr std::uint32_t kLargestClause = 100;
    std::size_t literals = 0;
    for (const Occurrences* const list : {&positive, &negative}) {
      for (const ClauseRef ref : *list) {
        literals += solver_.arena_[ref].size;
        if (solver_.arena_[ref].size > kLargestClause)
          return;
      }
    }
    find_definition(pivot);
    const std::size_t bound = positive.size() + negative.size() + solver_.elimination_bound_;
    // Exclusive ors would otherwise grow together to a few clauses of many literals, which are bad
    // to learn from.
    constexpr std::size_t kLiteralsPerClause = 4;
    const std::size_t most_literals =
        literals + literals / 2 + kLiteralsPerClause * solver_.elimination_bound_;
    resolvents_.clear();
    ends_.clear();
    for (const ClauseRef one : positive) {
      for (const ClauseRef other : negative) {
        if (!definition_.empty() && is_definition(one) == is_definition(other))
          continue;
        if (!resolve(one, other, pivot))
          continue;
        if (ends_.size() > bound || resolvents_.size() > most_literals)
          return;
      }
    }
    apply(pivot);
  }

  [[nodiscard]] bool is_definition(ClauseRef ref) const {
    return std::ranges::find(definition_, ref) != definition_.end();
  }

  /// Appends the resolvent to `resolvents_`. False: it holds anyway.
  bool resolve(ClauseRef one, ClauseRef other, Literal pivot) {
    const std::size_t begin = resolvents_.size();
    const Clause& left = solver_.arena_[one];
    const Clause& right = solver_.arena_[other];
    steps_ += 1 + (left.size + right.size) / 8;
    for (const Literal literal : left.literals()) {
      if (literal == pivot || solver_.val(literal) < 0)
        continue;
      marked_[literal.index()] = 1;
      resolvents_.push_back(literal);
    }
    bool holds = false;
    const std::size_t middle = resolvents_.size();
    for (const Literal literal : right.literals()) {
      if (literal == ~pivot || solver_.val(literal) < 0 || marked_[literal.index()] != 0)
        continue;
      if (marked_[(~literal).index()] != 0 || solver_.val(literal) > 0) {
        holds = true;
        break;
      }
      resolvents_.push_back(literal);
    }
    for (std::size_t i = begin; i < middle; ++i) {
      holds = holds || solver_.val(resolvents_[i]) > 0;
      marked_[resolvents_[i].index()] = 0;
    }
    if (holds)
      resolvents_.resize(begin);
    else
      ends_.push_back(resolvents_.size());
    return !holds;
  }

  void apply(Literal pivot) {
    ++eliminated_;
    const Occurrences positive = occurrences(pivot);
    const Occurrences negative = occurrences(~pivot);
    std::vector<ClauseRef> made;
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      const std::span<const Literal> resolvent = std::span(resolvents_).subspan(begin, end - begin);
      begin = end;
      if (solver_.proof_ != nullptr)
        solver_.proof_->add(resolvent);
      if (resolvent.size() < 2) {
        solver_.add_simplified({resolvent.begin(), resolvent.end()}, false, 0);
        if (solver_.unsatisfiable_)
          return;
        continue;
      }
      made.push_back(solver_.new_clause(resolvent, false, 0));
      for (const Literal literal : resolvent)
        occurrences(literal).push_back(made.back());
    }
    solver_.begin_elimination(pivot.variable());
    for (const Literal side : {pivot, ~pivot}) {
      for (const ClauseRef ref : side == pivot ? positive : negative) {
        solver_.push_eliminated(side, solver_.arena_[ref].literals());
        solver_.retire(ref);
      }
      Occurrences().swap(occurrences(side));
    }
    for (const ClauseRef ref : made)
      if (!solver_.unsatisfiable_)
        check_backwards(ref);
  }

  /// What the new clause subsumes or strengthens among those it shares its rarest literal with.
  void check_backwards(ClauseRef ref) {
    constexpr std::size_t kMostOccurrences = 100;
    if (solver_.arena_[ref].garbage != 0)
      return;
    Literal best = solver_.arena_[ref].begin()[0];
    for (const Literal literal : solver_.arena_[ref].literals()) {
      marked_[literal.index()] = 1;
      if (occurrences(literal).size() < occurrences(best).size())
        best = literal;
    }
    const std::size_t size = solver_.arena_[ref].size;
    const Occurrences list =
        occurrences(best).size() <= kMostOccurrences ? occurrences(best) : Occurrences{};
    std::vector<std::pair<ClauseRef, Literal>> stronger;
    for (const ClauseRef other : list) {
      Clause& candidate = solver_.arena_[other];
      ++steps_;
      if (other == ref || candidate.garbage != 0 || candidate.size < size)
        continue;
      std::size_t found = 0;
      std::size_t negations = 0;
      Literal negated;
      for (const Literal literal : candidate.literals()) {
        if (marked_[literal.index()] != 0) {
          ++found;
        } else if (marked_[(~literal).index()] != 0) {
          ++negations;
          negated = literal;
        }
      }
      if (negations > 1 || found + negations < size)
        continue;
      if (!negated.is_valid())
        solver_.mark_garbage(other);
      else
        stronger.emplace_back(other, negated);
    }
    for (const Literal literal : solver_.arena_[ref].literals())
      marked_[literal.index()] = 0;
    for (const auto& [other, removed] : stronger)
      strengthen(other, removed);
  }

  void strengthen(ClauseRef ref, Literal removed) {
    std::vector<Literal> kept;
    for (const Literal literal : solver_.arena_[ref].literals())
      if (literal != removed)
        kept.push_back(literal);
    if (solver_.proof_ != nullptr)
      solver_.proof_->add(kept);
    solver_.mark_garbage(ref);
    if (kept.size() == 1) {
      solver_.add_unit(kept.front());
      return;
    }
    const ClauseRef made = solver_.new_clause(kept, false, 0);
    for (const Literal literal : kept)
      occurrences(literal).push_back(made);
  }

  // --- definitions --------------------------------------------------------------------------

  void find_definition(Literal pivot) {
    definition_.clear();
    if (!find_and(pivot) && !find_and(~pivot))
      find_choice(pivot);
  }

  /// out = a1 and ... and ak: clauses (not out, ai) and (out, not a1, ..., not ak).
  bool find_and(Literal out) {
    for (const ClauseRef ref : occurrences(~out)) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.size == 2)
        marked_[other_of(clause, ~out).index()] = 1;
    }
    ClauseRef base = kNoClause;
    for (const ClauseRef ref : occurrences(out)) {
      const Clause& clause = solver_.arena_[ref];
      ++steps_;
      if (std::ranges::all_of(clause.literals(), [&](Literal literal) {
            return literal == out || marked_[(~literal).index()] != 0;
          })) {
        base = ref;
        break;
      }
    }
    for (const ClauseRef ref : occurrences(~out)) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.size == 2)
        marked_[other_of(clause, ~out).index()] = 0;
    }
    if (base == kNoClause)
      return false;
    definition_.push_back(base);
    for (const Literal literal : solver_.arena_[base].literals()) {
      if (literal == out)
        continue;
      const auto found = std::ranges::find_if(occurrences(~out), [&](ClauseRef ref) {
        const Clause& clause = solver_.arena_[ref];
        return clause.size == 2 && other_of(clause, ~out) == ~literal;
      });
      definition_.push_back(*found);
    }
    return true;
  }

  [[nodiscard]] static Literal other_of(const Clause& clause, Literal one) {
    return clause.begin()[0] == one ? clause.begin()[1] : clause.begin()[0];
  }

  /// out = if c then t else e: (not out, not c, t), (out, not c, not t), (not out, c, e), (out, c,
  /// not e).
  bool find_choice(Literal out) {
    for (const ClauseRef first : occurrences(~out)) {
      if (solver_.arena_[first].size != 3)
        continue;
      const auto [x, y] = others_of(solver_.arena_[first], ~out);
      for (const auto& [not_c, t] : {std::pair(x, y), std::pair(y, x)}) {
        const ClauseRef second = find_ternary(out, not_c, ~t);
        if (second == kNoClause)
          continue;
        for (const ClauseRef third : occurrences(~out)) {
          if (third == first || solver_.arena_[third].size != 3)
            continue;
          ++steps_;
          const auto [u, v] = others_of(solver_.arena_[third], ~out);
          if (u != ~not_c && v != ~not_c)
            continue;
          const Literal e = u == ~not_c ? v : u;
          const ClauseRef fourth = find_ternary(out, ~not_c, ~e);
          if (fourth == kNoClause)
            continue;
          definition_ = {first, second, third, fourth};
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] static std::pair<Literal, Literal> others_of(const Clause& clause, Literal one) {
    const Literal* const at = clause.begin();
    if (at[0] == one)
      return {at[1], at[2]};
    return at[1] == one ? std::pair(at[0], at[2]) : std::pair(at[0], at[1]);
  }

  ClauseRef find_ternary(Literal out, Literal a, Literal b) {
    for (const ClauseRef ref : occurrences(out)) {
      ++steps_;
      if (solver_.arena_[ref].size != 3)
        continue;
      const auto [x, y] = others_of(solver_.arena_[ref], out);
      if ((x == a && y == b) || (x == b && y == a))
        return ref;
    }
    return kNoClause;
  }

  // --- afterwards ---------------------------------------------------------------------------

  void drop_eliminated() {
    for (const ClauseRef ref : solver_.clauses_) {
      const Clause& clause = solver_.arena_[ref];
      if (clause.garbage == 0 && clause.redundant != 0 &&
          std::ranges::any_of(clause.literals(), [&](Literal literal) {
            return !solver_.is_active(literal.variable());
          }))
        solver_.mark_garbage(ref);
    }
  }

  void raise_bound() {
    constexpr std::uint32_t kLargestBound = 16;
    if (solver_.elimination_bound_ >= kLargestBound)
      return;
    solver_.elimination_bound_ =
        solver_.elimination_bound_ == 0 ? 1 : 2 * solver_.elimination_bound_;
    std::ranges::fill(solver_.touched_, static_cast<unsigned char>(1));
  }

  Solver& solver_;
  std::vector<Occurrences> occurrences_; // by literal, irredundant clauses
  std::vector<unsigned char> marked_;    // by literal
  std::vector<Literal> resolvents_;
  std::vector<std::size_t> ends_;
  std::vector<ClauseRef> definition_;
  std::uint64_t steps_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t eliminated_ = 0;
};

void Solver::eliminate() {
  remove_satisfied();
  collect();
  Elimination(*this).run();
}

} // namespace heddle::solve::core
