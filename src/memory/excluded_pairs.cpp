// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/excluded_pairs.h"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace heddle::memory {

using relation::BitMatrix;
static_assert(RelationAlgebra<RelativeBoundAlgebra>);

RelativeBoundAlgebra::RelativeBoundAlgebra(const BitMatrix& implies)
    : BoundAlgebra(implies.bound()), implies_(implies), implied_by_(implies.inverse()) {}

BitMatrix RelativeBoundAlgebra::surely_composed(const BitMatrix& a, const BitMatrix& b) const {
  return (a & implies_).compose(b) | a.compose(b & implied_by_);
}

BoundAlgebra::Relation RelativeBoundAlgebra::compose(const Relation& a, const Relation& b) const {
  return {a.may.compose(b.may), surely_composed(a.must, b.must)};
}

BoundAlgebra::Relation RelativeBoundAlgebra::transitive(const Relation& a) const {
  Relation made{a.may.transitive_closure(), a.must};
  for (std::size_t before = 0; before != made.must.size();) {
    before = made.must.size();
    made.must |= surely_composed(made.must, made.must);
  }
  return made;
}

BoundAlgebra::Set RelativeBoundAlgebra::domain(const Relation& a) const {
  return {a.may.domain(), (a.must & implies_).domain()};
}

BoundAlgebra::Set RelativeBoundAlgebra::range(const Relation& a) const {
  return {a.may.range(), (a.must & implied_by_).range()};
}

namespace {

/// From what an axiom forbids down to rf and co, each definition once, after all that use it.
class Exclusion {
public:
  Exclusion(const Core& core, const RelativeBoundAlgebra& algebra, Fold<RelativeBoundAlgebra>& fold)
      : core_(core), algebra_(algebra), fold_(fold), excluded_(core.nodes.size()),
        is_ordered_(core.nodes.size(), false) {}

  ExcludedPairs run() {
    const std::size_t count = algebra_.implies().bound();
    ExcludedPairs found{BitMatrix(count), BitMatrix(count)};
    for (const Axiom& axiom : core_.axioms)
      if (axiom.role == Axiom::Role::kRequire && !axiom.is_negated &&
          !core_.nodes[axiom.node].is_set) {
        order(axiom.node);
        exclude(axiom.node, forbidden_by(axiom));
      }
    for (auto id = users_last_.rbegin(); id != users_last_.rend(); ++id) {
      if (!excluded_[*id])
        continue;
      const Node& node = core_.nodes[*id];
      const BitMatrix& pairs = *excluded_[*id];
      if (node.op == NodeOp::kBaseRelation && core_.base_names[node.index] == "rf")
        found.rf |= pairs;
      else if ((node.op == NodeOp::kBaseRelation && core_.base_names[node.index] == "co") ||
               (node.op == NodeOp::kGenerated &&
                std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how)))
        found.co |= pairs;
      else
        pass_on(node, pairs);
    }
    return found;
  }

private:
  [[nodiscard]] BitMatrix forbidden_by(const Axiom& axiom) {
    const std::size_t count = algebra_.implies().bound();
    switch (axiom.kind) {
    case Axiom::Kind::kAcyclic:
      return algebra_.transitive(fold_.relation(axiom.node)).must.inverse() |
             BitMatrix::identity(count);
    case Axiom::Kind::kIrreflexive:
      return BitMatrix::identity(count);
    case Axiom::Kind::kEmpty:
      return BitMatrix(count).complement();
    }
    return BitMatrix(count);
  }

  /// Relations below the node that pairs are passed on to.
  [[nodiscard]] std::vector<NodeId> operands(const Node& node) const {
    switch (node.op) {
    case NodeOp::kUnion:
    case NodeOp::kIntersection:
    case NodeOp::kCompose:
      return {node.left, node.right};
    case NodeOp::kDifference: // nothing is known of what is taken away
    case NodeOp::kInverse:
    case NodeOp::kOptional:
    case NodeOp::kTransitive:
    case NodeOp::kReflexiveTrans:
      return {node.left};
    default:
      return {};
    }
  }

  void order(NodeId root) {
    struct Frame {
      NodeId node;
      std::vector<NodeId> left;
    };
    std::vector<Frame> open;
    const auto enter = [&](NodeId id) {
      if (is_ordered_[id] || core_.nodes[id].is_set)
        return;
      is_ordered_[id] = true;
      open.push_back({id, operands(core_.nodes[id])});
    };
    enter(root);
    while (!open.empty()) {
      if (open.back().left.empty()) {
        users_last_.push_back(open.back().node);
        open.pop_back();
        continue;
      }
      const NodeId next = open.back().left.back();
      open.back().left.pop_back();
      enter(next);
    }
  }

  void exclude(NodeId id, const BitMatrix& pairs) {
    if (!excluded_[id])
      excluded_[id] = pairs;
    else
      *excluded_[id] |= pairs;
  }

  void pass_on(const Node& node, const BitMatrix& pairs) {
    switch (node.op) {
    case NodeOp::kUnion:
      exclude(node.left, pairs);
      exclude(node.right, pairs);
      return;
    case NodeOp::kIntersection: {
      const BitMatrix left = fold_.relation(node.left).must;
      exclude(node.left, pairs & fold_.relation(node.right).must);
      exclude(node.right, pairs & left);
      return;
    }
    case NodeOp::kDifference:
      exclude(node.left, pairs - fold_.relation(node.right).may);
      return;
    case NodeOp::kCompose:
      pass_on_composition(node, pairs);
      return;
    case NodeOp::kInverse:
      exclude(node.left, pairs.inverse());
      return;
    case NodeOp::kOptional: // each contains its operand
    case NodeOp::kTransitive:
    case NodeOp::kReflexiveTrans:
      exclude(node.left, pairs);
      return;
    default:
      return;
    }
  }

  /// (a, m) cannot be on the left if (m, c) is surely on the right, (a, c) is excluded, and c
  /// happens where a and m do. The same the other way round.
  void pass_on_composition(const Node& node, const BitMatrix& pairs) {
    const BitMatrix left = fold_.relation(node.left).must;
    const BitMatrix right = fold_.relation(node.right).must;
    exclude(node.left,
            (pairs & algebra_.implies()).compose(right.inverse()) |
                pairs.compose((right & algebra_.implies()).inverse()));
    exclude(node.right,
            left.inverse().compose(pairs & algebra_.implied_by()) |
                (left & algebra_.implied_by()).inverse().compose(pairs));
  }

  const Core& core_;
  const RelativeBoundAlgebra& algebra_;
  Fold<RelativeBoundAlgebra>& fold_;
  IdVector<NodeId, std::optional<BitMatrix>> excluded_;
  IdVector<NodeId, bool> is_ordered_;
  std::vector<NodeId> users_last_; // a definition comes before those that use it
};

} // namespace

ExcludedPairs exclude_by_axioms(const Core& core,
                                const RelativeBoundAlgebra& algebra,
                                Fold<RelativeBoundAlgebra>& fold) {
  return Exclusion(core, algebra, fold).run();
}

} // namespace heddle::memory
