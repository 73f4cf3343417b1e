// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the core, and how clauses come in.
#include "solve/core/solver.h"

#include "support/check.h"

#include <algorithm>
#include <limits>

namespace heddle::solve {

std::unique_ptr<Sat> make_core(const CoreOptions& options) {
  return std::make_unique<core::Solver>(options);
}

namespace core {
namespace {

// Windows of the averages, as in CaDiCaL.
constexpr double kFastGlue = 33;
constexpr double kSlowGlue = 1e5;
constexpr double kDecisionWindow = 1e5;

} // namespace

Solver::Solver(const CoreOptions& options)
    : options_(options), proof_(options.proof), levels_(1),
      glue_fast_{Average(kFastGlue), Average(kFastGlue)},
      glue_slow_{Average(kSlowGlue), Average(kSlowGlue)}, decision_rate_(kDecisionWindow) {
  next_reduce_ = options_.reduce_interval;
  next_rephase_ = options_.rephase_interval;
  next_mode_conflicts_ = options_.mode_interval;
  next_probe_ = options_.probe_interval;
  next_eliminate_ = options_.eliminate_interval;
}

Variable Solver::new_variable() {
  const Variable variable{places_.size()};
  values_.insert(values_.end(), {0, 0});
  watches_.emplace_back();
  watches_.emplace_back();
  places_.emplace_back();
  marks_.emplace_back();
  states_.push_back(VariableState::kActive);
  frozen_.push_back(0);
  initial_phase_.push_back(1);
  saved_phase_.push_back(1);
  target_phase_.push_back(0);
  best_phase_.push_back(0);
  touched_.push_back(1);
  observed_.push_back(0);
  eliminated_at_.emplace_back();
  scores_.add_variable();
  queue_.add_variable();
  return variable;
}

void Solver::prefer(Literal literal) {
  const signed char phase = literal.is_negative() ? -1 : 1;
  initial_phase_[literal.variable().index()] = phase;
  saved_phase_[literal.variable().index()] = phase;
}

void Solver::freeze(Variable variable) {
  HEDDLE_CHECK(variable.index() < places_.size(), "a variable of another solver");
  ++frozen_[variable.index()];
  restore(variable);
}

bool Solver::connect(Propagator& propagator) {
  HEDDLE_CHECK(theory_ == nullptr, "a second theory is connected");
  theory_ = &propagator;
  return true;
}

bool Solver::value(Literal literal) const {
  HEDDLE_CHECK(literal.variable().index() < model_.size(),
               "a model is asked for that is not there");
  return model_[literal.variable().index()] != literal.is_negative();
}

Statistics Solver::statistics() const {
  Statistics result = counts_;
  result.irredundant = irredundant_;
  result.redundant = redundant_;
  result.eliminated =
      static_cast<std::uint64_t>(std::ranges::count(states_, VariableState::kEliminated));
  result.memory_bytes = memory_bytes();
  return result;
}

/// An estimate that costs nothing to make.
std::uint64_t Solver::memory_bytes() const {
  constexpr std::size_t kBytesPerVariable = 160; // all tables by variable and by literal
  constexpr std::size_t kBytesPerClause = 40;    // its name and two watches, in lists that grow
  return arena_.bytes() + clauses_.size() * kBytesPerClause + places_.size() * kBytesPerVariable +
         extension_literals_.capacity() * sizeof(Literal);
}

void Solver::add_clause(std::span<const Literal> clause) {
  model_.clear();
  failed_.clear();
  for (const Literal literal : clause) {
    HEDDLE_CHECK(literal.variable().index() < places_.size(), "a literal of another solver");
    restore(literal.variable());
  }
  if (unsatisfiable_)
    return;
  std::vector<Literal> literals(clause.begin(), clause.end());
  if (!simplify_clause(literals))
    return;
  if (proof_ != nullptr && literals.size() != clause.size())
    proof_->add(literals);
  add_simplified(std::move(literals), false, 0);
}

bool Solver::simplify_clause(std::vector<Literal>& literals) {
  std::ranges::sort(literals);
  std::size_t kept = 0;
  Literal last;
  for (const Literal literal : literals) {
    if (literal == last || (val(literal) < 0 && is_fixed(literal)))
      continue;
    if ((last.is_valid() && literal == ~last) || (val(literal) > 0 && is_fixed(literal)))
      return false;
    last = literals[kept++] = literal;
  }
  literals.resize(kept);
  return true;
}

void Solver::add_simplified(std::vector<Literal> literals, bool redundant, std::uint32_t glue) {
  if (literals.empty()) {
    unsatisfiable_ = true;
    return;
  }
  if (literals.size() == 1) {
    add_unit(literals.front());
    return;
  }
  watch(new_clause(literals, redundant, glue));
}

/// The clause of this literal alone is already in the proof.
void Solver::add_unit(Literal literal) {
  if (val(literal) == 0)
    assign(literal, kNoClause);
  else if (val(literal) < 0)
    become_unsatisfiable();
}

void Solver::become_unsatisfiable() {
  if (!unsatisfiable_ && proof_ != nullptr)
    proof_->add({});
  unsatisfiable_ = true;
}

void Solver::watch(ClauseRef ref) {
  const Clause& clause = arena_[ref];
  const Literal first = clause.begin()[0];
  const Literal second = clause.begin()[1];
  const bool binary = clause.size == 2;
  watches(first).push_back(Watch(second, ref, binary));
  watches(second).push_back(Watch(first, ref, binary));
}

ClauseRef
Solver::new_clause(std::span<const Literal> literals, bool redundant, std::uint32_t glue) {
  const ClauseRef ref = arena_.allocate(literals);
  Clause& clause = arena_[ref];
  clause.redundant = redundant ? 1 : 0;
  clause.set_glue(glue);
  clauses_.push_back(ref);
  ++(redundant ? redundant_ : irredundant_);
  return ref;
}

void Solver::mark_garbage(ClauseRef ref) {
  if (arena_[ref].garbage != 0)
    return;
  if (proof_ != nullptr)
    proof_->remove(arena_[ref].literals());
  retire(ref);
}

void Solver::retire(ClauseRef ref) {
  Clause& clause = arena_[ref];
  clause.garbage = 1;
  --(clause.redundant != 0 ? redundant_ : irredundant_);
  if (clause.redundant == 0)
    for (const Literal literal : clause.literals())
      touched_[literal.variable().index()] = 1;
}

void Solver::replace_clause(ClauseRef ref, std::span<const Literal> literals) {
  const Clause& old = arena_[ref];
  const bool redundant = old.redundant != 0;
  const auto glue = std::min<std::uint32_t>(old.glue, static_cast<std::uint32_t>(literals.size()));
  const std::uint32_t used = old.used;
  std::vector<Literal> copy(literals.begin(), literals.end());
  if (proof_ != nullptr)
    proof_->add(copy);
  mark_garbage(ref);
  if (copy.size() < 2) {
    add_simplified(std::move(copy), redundant, glue);
    return;
  }
  const ClauseRef made = new_clause(copy, redundant, glue);
  arena_[made].set_used(used);
  watch(made);
}

Answer Solver::solve(std::span<const Literal> assumptions, const Limits& limits) {
  model_.clear();
  failed_.clear();
  limits_ = limits;
  if (limits.conflicts < std::numeric_limits<std::uint64_t>::max() - counts_.conflicts)
    limits_.conflicts += counts_.conflicts;
  stopped_ = false;
  next_look_ticks_ = 0;
  if (unsatisfiable_)
    return Answer::kUnsatisfiable;
  if (stop_now())
    return Answer::kUnknown;
  assumptions_.assign(assumptions.begin(), assumptions.end());
  for (const Literal literal : assumptions_)
    freeze(literal.variable());
  observe_new_variables();
  Answer answer = Answer::kUnsatisfiable;
  if (!unsatisfiable_) {
    searching_ = true;
    answer = search();
    if (answer == Answer::kSatisfiable)
      store_model();
    backtrack(0);
    searching_ = false;
  }
  for (const Literal literal : assumptions_)
    --frozen_[literal.variable().index()];
  return answer;
}

} // namespace core
} // namespace heddle::solve
