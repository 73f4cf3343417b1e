// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The axioms of a model over the literals of an execution (execution_formula.h). Each node of the
// core is folded pair by pair, when an axiom asks for the pair: what the bounds of the node leave
// out has no literal, what they have in every execution is true.
//
// A required `acyclic`, `irreflexive` or `empty` only ever asks that pairs be absent. There a
// closure or a recursive definition may be any relation that is closed (at least the least one):
// the solver is free to choose the least. The same holds of what is subtracted where pairs are
// asked for that must be there (a flag for data races: a conflict that hb does not order).
// Elsewhere a closure is exact, by iterated squaring. What is left is allowed to be wrong:
// recursive definitions that something subtracts (any fixpoint), and what only concrete executions
// have (anything). Then executions have to be judged one by one, and `is_exact` says so; no
// execution that the model allows is ever lost.
#pragma once

#include "encode/relations/execution_formula.h"
#include "memory/core.h"
#include "relation/bit_matrix.h"
#include "support/budget.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace heddle::encode {

class AcyclicGraph;

class ModelFormula {
public:
  /// All outlive it; the executions are encoded. `coherence` are the nodes that are co under
  /// another name (EvaluationPlan::co). Null: there is no budget.
  ModelFormula(const memory::Core& core,
               ExecutionFormula& executions,
               const std::vector<memory::NodeId>& coherence,
               logic::Gates& gates,
               solve::OrderTheory& theory,
               const Budget* budget);

  /// Was the budget used up while the formula was made? Then it says nothing.
  [[nodiscard]] bool is_given_up() const { return is_given_up_; }
  /// From now on every required axiom holds.
  void require_axioms();
  /// Is the pair in the relation?
  [[nodiscard]] Literal holds(memory::NodeId relation, Element a, Element b);
  /// A literal that implies that the axiom is satisfied or not, as is wanted (negated ones taken
  /// into account); where it is, the literal can be true.
  [[nodiscard]] Literal implies(const memory::Axiom& axiom, bool is_satisfied);
  /// The same for a flag, or undefined behaviour: it is raised.
  [[nodiscard]] Literal is_raised(const memory::Axiom& axiom) {
    return implies(axiom, axiom.role == memory::Axiom::Role::kFlag);
  }
  /// Is a model of the formula an execution that the memory model allows, without asking?
  [[nodiscard]] bool is_exact() const { return is_exact_; }

private:
  /// How a value is used: as it is, only so that it must not be there (what is there has its
  /// literal true), or only so that it must be there (what has its literal true is there).
  enum class Use : std::uint8_t { kExact, kForbidden, kSought };
  static constexpr std::size_t kUses = 3;
  /// Of what is subtracted from a value that is used so.
  [[nodiscard]] static Use turned(Use use) {
    return use == Use::kSought ? Use::kForbidden : Use::kExact;
  }
  using Pairs = std::unordered_map<std::uint64_t, Literal>;
  struct Closure {
    relation::BitMatrix may;
    relation::BitMatrix must;
    relation::BitMatrix back; // may, turned round
    Pairs forbidden;
    std::vector<Pairs> exact; // by level
  };
  /// Clauses that are still missing for a literal that was handed out.
  struct Pending {
    enum class What : std::uint8_t { kClosure, kRecursion } what = What::kClosure;
    memory::NodeId node;
    Element from = 0;
    Element to = 0;
    Use use = Use::kForbidden;
    Literal made;
  };

  [[nodiscard]] std::uint64_t key(Element a, Element b) const { return a * count_ + b; }
  [[nodiscard]] const memory::Node& node(memory::NodeId id) const { return core_.nodes[id]; }
  [[nodiscard]] Pairs& known(memory::NodeId id, Use use) {
    return known_[static_cast<std::size_t>(use)][id];
  }
  [[nodiscard]] const relation::BitMatrix& may(memory::NodeId id) const;
  [[nodiscard]] const relation::BitMatrix& back(memory::NodeId id);
  [[nodiscard]] Literal set(memory::NodeId id, Element element, Use use);
  [[nodiscard]] Literal relation(memory::NodeId id, Element a, Element b, Use use);
  [[nodiscard]] Literal compute_set(memory::NodeId id, Element element, Use use);
  [[nodiscard]] bool is_used_up();
  [[nodiscard]] Literal compute_relation(memory::NodeId id, Element a, Element b, Use use);
  [[nodiscard]] Literal composed(const memory::Node& what, Element a, Element b, Use use);
  [[nodiscard]] Closure& closure(memory::NodeId step);
  [[nodiscard]] Literal closed(memory::NodeId step, Element a, Element b, Use use);
  [[nodiscard]] Literal
  within(memory::NodeId step, Closure& known, unsigned level, Element a, Element b);
  [[nodiscard]] Literal variable(memory::NodeId id, Element a, Element b, Use use);
  void drain();
  void require(const memory::Axiom& axiom);
  void require_acyclic(memory::NodeId id);
  void require_irreflexive(memory::NodeId id);
  void require_empty(memory::NodeId id);
  void forbid(memory::NodeId id, Element a, Element b);
  void add_edges(AcyclicGraph& graph, memory::NodeId id);
  void require_partial_orders();
  void find_plain();

  const memory::Core& core_;
  ExecutionFormula& executions_;
  std::vector<memory::NodeId> coherence_;
  logic::Gates& gates_;
  solve::OrderTheory& theory_;
  std::size_t count_;
  unsigned levels_; // squarings after which every path is covered
  bool is_exact_ = true;
  const Budget* budget_;
  std::uint32_t pairs_ = 0; // that were looked at
  bool is_given_up_ = false;
  IdVector<memory::NodeId, bool> is_plain_;                  // the same whatever the use
  std::array<IdVector<memory::NodeId, Pairs>, kUses> known_; // by use
  std::map<memory::NodeId, relation::BitMatrix> back_;
  std::map<memory::NodeId, Closure> closures_;
  std::vector<Pending> pending_;
};

} // namespace heddle::encode
