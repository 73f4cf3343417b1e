// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Equivalent literals: strongly connected components of the binary implication graph (Tarjan 1972,
// without recursion). All but one variable of a component are replaced and count as eliminated;
// frozen ones are never replaced, and one of them represents the others.
#include "solve/core/solver.h"

#include <algorithm>

namespace heddle::solve::core {

class Substitution {
public:
  explicit Substitution(Solver& solver)
      : solver_(solver), order_(solver.values_.size()), low_(solver.values_.size()),
        representative_(solver.values_.size()) {}

  void run() {
    for (std::uint32_t index = 0; index < order_.size(); ++index)
      representative_[index] = Literal::from_index(index);
    for (std::uint32_t index = 0; index < order_.size() && !solver_.unsatisfiable_; ++index) {
      const Literal literal = Literal::from_index(index);
      if (order_[index] == 0 && is_open(literal))
        search(literal);
    }
    if (solver_.unsatisfiable_ || !found_)
      return;
    replace();
  }

private:
  [[nodiscard]] bool is_open(Literal literal) const {
    return solver_.is_active(literal.variable()) && solver_.val(literal) == 0;
  }

  struct Frame {
    Literal literal;
    std::size_t next;
  };

  void search(Literal root) {
    enter(root);
    while (!frames_.empty() && !solver_.unsatisfiable_) {
      Frame& frame = frames_.back();
      // literal implies b for each clause (not literal, b).
      const std::vector<Watch>& list = solver_.watches(~frame.literal);
      Literal child;
      while (frame.next < list.size() && !child.is_valid()) {
        const Watch& entry = list[frame.next++];
        if (!entry.is_binary() || !is_open(entry.blocker))
          continue;
        const std::uint32_t seen = order_[entry.blocker.index()];
        if (seen == 0)
          child = entry.blocker;
        else if (seen != kDone)
          low_[frame.literal.index()] = std::min(low_[frame.literal.index()], seen);
      }
      if (child.is_valid()) {
        enter(child);
        continue;
      }
      const Literal done = frame.literal;
      frames_.pop_back();
      if (low_[done.index()] == order_[done.index()])
        close(done);
      if (!frames_.empty()) {
        std::uint32_t& parent = low_[frames_.back().literal.index()];
        parent = std::min(parent, low_[done.index()]);
      }
    }
  }

  void enter(Literal literal) {
    order_[literal.index()] = low_[literal.index()] = ++clock_;
    stack_.push_back(literal);
    frames_.push_back({literal, 0});
  }

  /// Everything on the stack down to `root` is one component. It comes together with the component
  /// of the negations, and both choose the same variable.
  void close(Literal root) {
    auto begin = stack_.end();
    do
      --begin;
    while (*begin != root);
    const std::span<const Literal> members(begin, stack_.end());
    const auto better = [&](Literal left, Literal right) {
      const bool a = solver_.is_frozen(left.variable());
      const bool b = solver_.is_frozen(right.variable());
      return a != b ? a : left.variable() < right.variable();
    };
    const Literal best = *std::ranges::min_element(members, better);
    for (const Literal literal : members) {
      order_[literal.index()] = kDone;
      low_[literal.index()] = kDone;
      representative_[literal.index()] = best;
      if (literal == ~best) {
        // Follows: best implies its negation and the other way round.
        if (solver_.proof_ != nullptr)
          solver_.proof_->add(std::span(&best, 1));
        solver_.become_unsatisfiable();
        return;
      }
      found_ = found_ || (literal != best && !solver_.is_frozen(literal.variable()));
    }
    stack_.erase(begin, stack_.end());
  }

  void replace() {
    for (std::uint32_t index = 0; index < order_.size(); index += 2) {
      const Literal literal = Literal::from_index(index);
      const Literal other = representative_[index];
      if (other == literal || !is_open(literal))
        continue;
      if (solver_.is_frozen(literal.variable())) {
        representative_[index] = literal;
        representative_[index + 1] = ~literal;
        continue;
      }
      const std::array one{literal, ~other};
      const std::array two{~literal, other};
      // Added to a proof for good: a restored variable brings these clauses back.
      if (solver_.proof_ != nullptr) {
        solver_.proof_->add(one);
        solver_.proof_->add(two);
      }
      solver_.begin_elimination(literal.variable());
      solver_.push_eliminated(literal, one);
      solver_.push_eliminated(~literal, two);
    }
    rewrite();
  }

  void rewrite() {
    solver_.disconnect();
    std::vector<ClauseRef> old;
    std::vector<Literal> literals;
    const std::size_t count = solver_.clauses_.size();
    for (std::size_t i = 0; i < count && !solver_.unsatisfiable_; ++i) {
      const ClauseRef ref = solver_.clauses_[i];
      const Clause& clause = solver_.arena_[ref];
      if (clause.garbage != 0 || clause.ephemeral != 0)
        continue;
      literals.clear();
      bool changes = false;
      for (const Literal literal : clause.literals()) {
        literals.push_back(representative_[literal.index()]);
        changes = changes || literals.back() != literal;
      }
      if (!changes)
        continue;
      old.push_back(ref);
      if (!solver_.simplify_clause(literals))
        continue;
      if (solver_.proof_ != nullptr)
        solver_.proof_->add(literals);
      if (literals.size() < 2) {
        solver_.add_simplified(literals, false, 0);
        continue;
      }
      const bool redundant = clause.redundant != 0;
      const std::uint32_t glue =
          std::min<std::uint32_t>(clause.glue, static_cast<std::uint32_t>(literals.size()));
      const std::uint32_t used = clause.used;
      const ClauseRef made = solver_.new_clause(literals, redundant, glue);
      solver_.arena_[made].set_used(used);
    }
    for (const ClauseRef ref : old)
      solver_.mark_garbage(ref);
    if (!solver_.unsatisfiable_)
      solver_.reconnect();
    if (!solver_.unsatisfiable_)
      solver_.collect();
  }

  static constexpr std::uint32_t kDone = 0xffffffffU;
  Solver& solver_;
  std::vector<std::uint32_t> order_; // by literal: 0 not seen, kDone finished
  std::vector<std::uint32_t> low_;
  std::vector<Literal> representative_;
  std::vector<Literal> stack_;
  std::vector<Frame> frames_;
  std::uint32_t clock_ = 0;
  bool found_ = false;
};

void Solver::substitute() {
  Substitution(*this).run();
}

} // namespace heddle::solve::core
