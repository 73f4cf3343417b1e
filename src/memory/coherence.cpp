// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/coherence.h"

#include <functional>
#include <string_view>

namespace heddle::memory {

namespace {

class Shapes {
public:
  explicit Shapes(const Core& core) : core_(core) {}

  using Is = std::function<bool(NodeId)>;

  [[nodiscard]] bool is_base(NodeId id, std::string_view name) const {
    const Node& node = core_.nodes[id];
    return (node.op == NodeOp::kBaseRelation || node.op == NodeOp::kBaseSet) &&
           core_.base_names[node.index] == name;
  }
  [[nodiscard]] bool is_rf(NodeId id) const { return is_base(id, "rf"); }
  [[nodiscard]] bool is_co(NodeId id) const {
    const Node& node = core_.nodes[id];
    return is_base(id, "co") ||
           (node.op == NodeOp::kGenerated &&
            std::holds_alternative<Generator::Coherence>(core_.generators[node.index].how));
  }
  /// rf^-1; co, without the identity or with.
  [[nodiscard]] bool is_fr(NodeId id) const {
    const Node& node = core_.nodes[id];
    if (node.op == NodeOp::kDifference && core_.nodes[node.right].op == NodeOp::kIdentity)
      return is_fr(node.left);
    return node.op == NodeOp::kCompose && core_.nodes[node.left].op == NodeOp::kInverse &&
           is_rf(core_.nodes[node.left].left) && is_co(node.right);
  }
  /// Or more: all of program order, with or without that of the pieces of one access, which are at
  /// different places.
  [[nodiscard]] bool is_po_loc(NodeId id) const {
    const Node& node = core_.nodes[id];
    if (is_base(id, "po") ||
        (node.op == NodeOp::kDifference && is_base(node.left, "po") && is_base(node.right, "sm")))
      return true;
    return node.op == NodeOp::kIntersection &&
           ((is_base(node.left, "po") && is_base(node.right, "loc")) ||
            (is_base(node.right, "po") && is_base(node.left, "loc")));
  }
  /// The part of a relation between different threads, or within one.
  [[nodiscard]] bool is_part(NodeId id, std::string_view part, const Is& is) const {
    const Node& node = core_.nodes[id];
    if (node.op == NodeOp::kIntersection)
      return (is(node.left) && is_base(node.right, part)) ||
             (is(node.right) && is_base(node.left, part));
    return node.op == NodeOp::kDifference && is(node.left) &&
           is_part(node.right, part == "ext" ? "int" : "ext", is);
  }
  /// Is the relation contained in the node?
  [[nodiscard]] bool contains(NodeId id, const Is& is) const {
    if (is(id))
      return true;
    if (covers(id, is))
      return true;
    return covers(id, [&](NodeId one) { return is_part(one, "ext", is); }) &&
           covers(id, [&](NodeId one) { return is_part(one, "int", is); });
  }

private:
  [[nodiscard]] bool covers(NodeId id, const Is& is) const {
    if (is(id))
      return true;
    const Node& node = core_.nodes[id];
    if (node.op == NodeOp::kUnion)
      return covers(node.left, is) || covers(node.right, is);
    // Every access is in sm with itself.
    if (node.op == NodeOp::kCompose && is_base(node.right, "sm"))
      return covers(node.left, is);
    return (node.op == NodeOp::kTransitive || node.op == NodeOp::kOptional ||
            node.op == NodeOp::kReflexiveTrans) &&
           covers(node.left, is);
  }

  const Core& core_;
};

} // namespace

Coherence find_coherence(const Core& core) {
  Coherence found;
  const Shapes shapes(core);
  const Shapes::Is is_rf = [&](NodeId id) { return shapes.is_rf(id); };
  const Shapes::Is is_co = [&](NodeId id) { return shapes.is_co(id); };
  const Shapes::Is is_fr = [&](NodeId id) { return shapes.is_fr(id); };
  const Shapes::Is is_po_loc = [&](NodeId id) { return shapes.is_po_loc(id); };
  const Shapes::Is is_po = [&](NodeId id) { return shapes.is_base(id, "po"); };
  for (const Axiom& axiom : core.axioms) {
    if (axiom.role != Axiom::Role::kRequire || axiom.is_negated)
      continue;
    if (axiom.kind == Axiom::Kind::kAcyclic && shapes.contains(axiom.node, is_po_loc) &&
        shapes.contains(axiom.node, is_rf) && shapes.contains(axiom.node, is_co) &&
        shapes.contains(axiom.node, is_fr))
      found.is_per_location = true;
    if (axiom.kind == Axiom::Kind::kAcyclic && shapes.contains(axiom.node, is_po) &&
        shapes.contains(axiom.node, is_rf))
      found.is_grounded = true;
    // Coherence by way of its five smallest cycles (Herding cats, section 4): each is one step of
    // program order and then one of (rf | co | fr)+.
    const Node& step = core.nodes[axiom.node];
    if (axiom.kind == Axiom::Kind::kIrreflexive && step.op == NodeOp::kCompose)
      for (const auto& [order, communication] :
           {std::pair(step.left, step.right), std::pair(step.right, step.left)}) {
        const Node& steps = core.nodes[communication];
        const bool is_closed =
            steps.op == NodeOp::kReflexiveTrans ||
            (steps.op == NodeOp::kOptional && core.nodes[steps.left].op == NodeOp::kTransitive);
        if (is_closed && shapes.contains(order, is_po_loc) &&
            shapes.contains(communication, is_rf) && shapes.contains(communication, is_co) &&
            shapes.contains(communication, is_fr))
          found.is_per_location = true;
      }
    const Node& both = core.nodes[axiom.node];
    if (axiom.kind != Axiom::Kind::kEmpty || both.op != NodeOp::kIntersection)
      continue;
    for (const auto& [updates, between] :
         {std::pair(both.left, both.right), std::pair(both.right, both.left)}) {
      const Node& node = core.nodes[between];
      if (node.op != NodeOp::kCompose)
        continue;
      const bool has_fr = is_fr(node.left) || shapes.is_part(node.left, "ext", is_fr);
      const bool has_co = is_co(node.right) || shapes.is_part(node.right, "ext", is_co);
      if (has_fr && has_co)
        found.updates = updates;
    }
  }
  return found;
}

} // namespace heddle::memory
