// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Eliminated variables. Their clauses go to a stack; a model is extended by going through it
// backwards and making the pivot of each false clause true (Järvisalo, Biere, SAT 2010). A variable
// that is used again comes back with all its clauses, and so do those eliminated after it that
// occur in them: variables eliminated before it do not occur there, and their own clauses stay on
// the stack, where they still follow it. (A simple form of Fazekas, Biere, Scholl: Incremental
// Inprocessing in SAT Solving, SAT 2019.) Clauses on the stack are never deleted from a proof: they
// may come back.
#include "solve/core/solver.h"
#include "support/check.h"

namespace heddle::solve::core {

void Solver::begin_elimination(Variable variable) {
  HEDDLE_CHECK(is_active(variable) && !is_frozen(variable), "a variable in use is eliminated");
  states_[variable.index()] = VariableState::kEliminated;
  const auto here = static_cast<std::uint32_t>(extension_.size());
  eliminated_at_[variable.index()] = {here, here};
}

void Solver::push_eliminated(Literal pivot, std::span<const Literal> clause) {
  extension_.push_back({.pivot = pivot,
                        .begin = static_cast<std::uint32_t>(extension_literals_.size()),
                        .size = static_cast<std::uint32_t>(clause.size())});
  extension_literals_.insert(extension_literals_.end(), clause.begin(), clause.end());
  eliminated_at_[pivot.variable().index()].end = static_cast<std::uint32_t>(extension_.size());
}

void Solver::restore(Variable variable) {
  if (is_active(variable))
    return;
  std::vector<Variable> pending{variable};
  while (!pending.empty()) {
    const Variable next = pending.back();
    pending.pop_back();
    if (is_active(next))
      continue;
    states_[next.index()] = VariableState::kActive;
    scores_.insert(next.value);
    queue_.on_unassign(next.value);
    touched_[next.index()] = 1;
    const EliminatedRange range = eliminated_at_[next.index()];
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const Eliminated entry = extension_[i];
      extension_[i].pivot = Literal();
      ++restored_entries_;
      const auto first = extension_literals_.begin() + entry.begin;
      std::vector<Literal> literals(first, first + entry.size);
      for (const Literal literal : literals)
        pending.push_back(literal.variable());
      if (unsatisfiable_ || !simplify_clause(literals))
        continue;
      if (proof_ != nullptr && literals.size() != entry.size)
        proof_->add(literals);
      add_simplified(std::move(literals), false, 0);
    }
  }
}

/// Forgets the entries of restored variables once they are most of the stack.
void Solver::compact_extension() {
  if (2 * restored_entries_ <= extension_.size())
    return;
  std::vector<Eliminated> kept;
  std::vector<Literal> literals;
  Variable current;
  for (const Eliminated& entry : extension_) {
    if (!entry.pivot.is_valid())
      continue;
    const auto here = static_cast<std::uint32_t>(kept.size());
    EliminatedRange& range = eliminated_at_[entry.pivot.variable().index()];
    if (entry.pivot.variable() != current)
      range.begin = here;
    range.end = here + 1;
    current = entry.pivot.variable();
    kept.push_back({.pivot = entry.pivot,
                    .begin = static_cast<std::uint32_t>(literals.size()),
                    .size = entry.size});
    const auto first = extension_literals_.begin() + entry.begin;
    literals.insert(literals.end(), first, first + entry.size);
  }
  // A variable without clauses has no entries: its range must not point at another's.
  for (std::size_t i = 0; i < eliminated_at_.size(); ++i)
    if (eliminated_at_[i].begin == eliminated_at_[i].end)
      eliminated_at_[i] = {};
  extension_ = std::move(kept);
  extension_literals_ = std::move(literals);
  restored_entries_ = 0;
}

void Solver::extend_model() {
  const auto is_true = [&](Literal literal) {
    return model_[literal.variable().index()] != literal.is_negative();
  };
  for (std::size_t i = extension_.size(); i-- > 0;) {
    const Eliminated& entry = extension_[i];
    if (!entry.pivot.is_valid())
      continue;
    bool satisfied = false;
    for (std::uint32_t k = 0; k < entry.size && !satisfied; ++k)
      satisfied = is_true(extension_literals_[entry.begin + k]);
    if (!satisfied)
      model_[entry.pivot.variable().index()] = !entry.pivot.is_negative();
  }
}

} // namespace heddle::solve::core
