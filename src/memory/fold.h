// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values of a core's nodes over any carrier, computed when asked for and kept.
#pragma once

#include "memory/algebra.h"
#include "support/check.h"

#include <optional>
#include <variant>
#include <vector>

namespace heddle::memory {

template <RelationAlgebra A>
class Fold;

/// The values of a core's nodes on one execution, as opaque computations and explanations ask for
/// them; for a carrier of concrete values.
template <RelationAlgebra A>
class FoldedValues final : public ConcreteValues {
public:
  FoldedValues(Fold<A>& fold, const A& algebra) : fold_(fold), algebra_(algebra) {}
  [[nodiscard]] std::size_t event_count() const override { return algebra_.event_count(); }
  [[nodiscard]] const relation::BitSet& set(NodeId node) const override { return fold_.set(node); }
  [[nodiscard]] const relation::BitMatrix& relation(NodeId node) const override {
    return fold_.relation(node);
  }

private:
  Fold<A>& fold_;
  const A& algebra_;
};

template <RelationAlgebra A>
class Fold {
public:
  using Set = typename A::Set;
  using Relation = typename A::Relation;

  /// Both must outlive it.
  Fold(const Core& core, A& algebra) : core_(core), algebra_(algebra), values_(core.nodes.size()) {}

  const Set& set(NodeId node) { return std::get<Set>(value(node)); }
  const Relation& relation(NodeId node) { return std::get<Relation>(value(node)); }
  /// What a computation on the execution has found wrong with the model; the values mean nothing
  /// then.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// For a carrier whose base values have changed.
  void forget() { values_ = IdVector<NodeId, std::optional<Value>>(core_.nodes.size()); }

private:
  using Value = std::variant<Set, Relation>;

  const Value& value(NodeId id) {
    if (!values_[id]) {
      Value made = compute(id);
      values_[id] = std::move(made);
    }
    return *values_[id];
  }

  template <class Operation>
  Value on_both(const Node& node, Operation operation) {
    const Value left = value(node.left); // the table may not move, but values are replaced
    const Value& right = value(node.right);
    if (node.is_set)
      return operation(std::get<Set>(left), std::get<Set>(right));
    return operation(std::get<Relation>(left), std::get<Relation>(right));
  }

  Value compute(NodeId id) {
    const Node& node = core_.nodes[id];
    switch (node.op) {
    case NodeOp::kBaseSet:
      return Set(algebra_.base_set(core_.base_names[node.index]));
    case NodeOp::kBaseRelation:
      return Relation(algebra_.base_relation(core_.base_names[node.index]));
    case NodeOp::kEmptySet:
      return Set(algebra_.empty_set());
    case NodeOp::kEmptyRelation:
      return Relation(algebra_.empty_relation());
    case NodeOp::kUniverse:
      return Set(algebra_.universe());
    case NodeOp::kIdentity:
      return Relation(algebra_.identity());
    case NodeOp::kUnion:
      return on_both(node,
                     [&](const auto& a, const auto& b) -> Value { return algebra_.unite(a, b); });
    case NodeOp::kIntersection:
      return on_both(
          node, [&](const auto& a, const auto& b) -> Value { return algebra_.intersect(a, b); });
    case NodeOp::kDifference:
      return on_both(
          node, [&](const auto& a, const auto& b) -> Value { return algebra_.subtract(a, b); });
    case NodeOp::kComplement:
      if (node.is_set)
        return Set(algebra_.complement(set(node.left)));
      return Relation(algebra_.complement(relation(node.left)));
    case NodeOp::kCompose: {
      const Relation left = relation(node.left);
      return Relation(algebra_.compose(left, relation(node.right)));
    }
    case NodeOp::kProduct: {
      const Set left = set(node.left);
      return Relation(algebra_.product(left, set(node.right)));
    }
    case NodeOp::kIdentityOn:
      return Relation(algebra_.identity_on(set(node.left)));
    case NodeOp::kInverse:
      return Relation(algebra_.inverse(relation(node.left)));
    case NodeOp::kOptional:
      return Relation(algebra_.optional(relation(node.left)));
    case NodeOp::kTransitive:
      return Relation(algebra_.transitive(relation(node.left)));
    case NodeOp::kReflexiveTrans:
      return Relation(algebra_.reflexive_transitive(relation(node.left)));
    case NodeOp::kDomain:
      return Set(algebra_.domain(relation(node.left)));
    case NodeOp::kRange:
      return Set(algebra_.range(relation(node.left)));
    case NodeOp::kRecursive:
      solve(core_.recursions[node.index]);
      return *values_[id];
    case NodeOp::kGenerated:
      if (node.is_set)
        return Set(algebra_.generated_set(node.index));
      return Relation(algebra_.generated_relation(node.index));
    case NodeOp::kOpaque:
      return opaque(node);
    }
    HEDDLE_CHECK(false, "a node of no kind");
  }

  Value opaque(const Node& node) {
    // Carriers that have concrete values offer `opaque`; to the others it is unknown.
    const Opaque& computation = core_.opaques[node.index];
    if constexpr (requires(const ConcreteValues& values) {
                    algebra_.opaque(computation, values);
                  }) {
      const FoldedValues<A> values(*this, algebra_);
      const ConcreteValue made = algebra_.opaque(computation, values);
      if (!error_)
        error_ = values.error();
      if (node.is_set)
        return Set(*std::get<0>(made));
      return Relation(*std::get<1>(made));
    } else {
      if (node.is_set)
        return Set(algebra_.unknown_set());
      return Relation(algebra_.unknown_relation());
    }
  }

  [[nodiscard]] Value nothing(NodeId id) {
    if (core_.nodes[id].is_set)
      return Set(algebra_.empty_set());
    return Relation(algebra_.empty_relation());
  }
  [[nodiscard]] Value unknown(NodeId id) {
    if (core_.nodes[id].is_set)
      return Set(algebra_.unknown_set());
    return Relation(algebra_.unknown_relation());
  }
  [[nodiscard]] bool equal(const Value& a, const Value& b) {
    if (std::holds_alternative<Set>(a))
      return algebra_.equal(std::get<Set>(a), std::get<Set>(b));
    return algebra_.equal(std::get<Relation>(a), std::get<Relation>(b));
  }
  [[nodiscard]] bool is_exact(const Value& a) {
    return std::holds_alternative<Set>(a) ? algebra_.is_exact(std::get<Set>(a))
                                          : algebra_.is_exact(std::get<Relation>(a));
  }

  /// From empty, each body in its turn from the newest values, until nothing changes.
  void solve(const Recursion& recursion) {
    std::vector<std::vector<NodeId>> dependents;
    for (const NodeId variable : recursion.variables) {
      dependents.push_back(dependents_of(variable, recursion));
      values_[variable] = nothing(variable);
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < recursion.bodies.size(); ++i) {
        const Value next = value(recursion.bodies[i]);
        if (!recursion.is_monotone && !is_exact(next)) {
          give_up(recursion, dependents);
          return;
        }
        if (equal(next, *values_[recursion.variables[i]]))
          continue;
        changes = true;
        values_[recursion.variables[i]] = next;
        for (const NodeId node : dependents[i])
          values_[node].reset();
      }
    }
  }
  void give_up(const Recursion& recursion, const std::vector<std::vector<NodeId>>& dependents) {
    for (std::size_t i = 0; i < recursion.variables.size(); ++i) {
      values_[recursion.variables[i]] = unknown(recursion.variables[i]);
      for (const NodeId node : dependents[i])
        values_[node].reset();
    }
  }

  /// The nodes whose values use the variable's, but for the variables of its recursion.
  std::vector<NodeId> dependents_of(NodeId variable, const Recursion& recursion) {
    std::vector<bool> uses(core_.nodes.size(), false);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
        if (uses[i])
          continue;
        const Node& node = core_.nodes[NodeId{i}];
        const auto does = [&](NodeId other) {
          return other.is_valid() && (other == variable || uses[other.index()]);
        };
        bool found = does(node.left) || does(node.right);
        if (node.op == NodeOp::kOpaque)
          for (const NodeId input : core_.opaques[node.index].inputs)
            found = found || does(input);
        if (node.op == NodeOp::kRecursive && &core_.recursions[node.index] != &recursion)
          for (const NodeId body : core_.recursions[node.index].bodies)
            found = found || does(body);
        if (found) {
          uses[i] = true;
          changes = true;
        }
      }
    }
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < uses.size(); ++i)
      if (uses[i])
        all.push_back(NodeId{i});
    return all;
  }

  const Core& core_;
  A& algebra_;
  IdVector<NodeId, std::optional<Value>> values_;
  std::optional<Error> error_;
};

} // namespace heddle::memory
