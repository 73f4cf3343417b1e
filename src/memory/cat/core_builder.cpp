// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/core_builder.h"

#include "support/hash.h"
#include "support/overloaded.h"

#include <algorithm>
#include <array>

namespace heddle::memory::cat {

std::size_t CoreBuilder::Hash::operator()(const Node& node) const {
  const std::array<std::uint64_t, 5> words = {static_cast<std::uint64_t>(node.op) * 2 +
                                                  (node.is_set ? 1 : 0),
                                              node.left.value,
                                              node.right.value,
                                              node.index,
                                              node.position};
  return hash_words(words);
}

NodeId CoreBuilder::make(Node node) {
  const auto [place, is_new] = known_.try_emplace(node, core_.nodes.next_id());
  if (is_new)
    core_.nodes.push_back(node);
  return place->second;
}

NodeId CoreBuilder::make(NodeOp op, bool is_set, NodeId left, NodeId right) {
  Node node;
  node.op = op;
  node.is_set = is_set;
  node.left = left;
  node.right = right;
  return make(node);
}

bool CoreBuilder::is_empty(NodeId id) const {
  return op(id) == NodeOp::kEmptySet || op(id) == NodeOp::kEmptyRelation;
}

bool CoreBuilder::is_everything(NodeId id) const {
  const Node& n = node(id);
  return n.op == NodeOp::kUniverse ||
         (n.op == NodeOp::kProduct && op(n.left) == NodeOp::kUniverse &&
          op(n.right) == NodeOp::kUniverse);
}

NodeId CoreBuilder::base(const std::string& name, bool is_set) {
  const auto [place, is_new] = base_indices_.try_emplace(
      (is_set ? "s:" : "r:") + name, static_cast<std::uint32_t>(core_.base_names.size()));
  if (is_new)
    core_.base_names.push_back(name);
  Node made;
  made.op = is_set ? NodeOp::kBaseSet : NodeOp::kBaseRelation;
  made.is_set = is_set;
  made.index = place->second;
  return make(made);
}

NodeId CoreBuilder::empty(bool is_set) {
  return make(is_set ? NodeOp::kEmptySet : NodeOp::kEmptyRelation, is_set);
}
NodeId CoreBuilder::universe() {
  return make(NodeOp::kUniverse, true);
}
NodeId CoreBuilder::identity() {
  return make(NodeOp::kIdentity, false);
}

NodeId CoreBuilder::unite(NodeId a, NodeId b) {
  if (a == b || is_empty(b) || is_everything(a))
    return a;
  if (is_empty(a) || is_everything(b))
    return b;
  const bool sets = is_set(a);
  if (op(a) == NodeOp::kIdentityOn && op(b) == NodeOp::kIdentityOn)
    return identity_on(unite(node(a).left, node(b).left));
  if (op(b) < op(a) || (op(a) == op(b) && b < a))
    std::swap(a, b);
  return make(NodeOp::kUnion, sets, a, b);
}

NodeId CoreBuilder::intersect(NodeId a, NodeId b) {
  if (a == b || is_empty(a) || is_everything(b))
    return a;
  if (is_empty(b) || is_everything(a))
    return b;
  const bool sets = is_set(a);
  const NodeOp first = op(a);
  const NodeOp second = op(b);
  if (first == NodeOp::kIdentityOn && second == NodeOp::kIdentityOn)
    return identity_on(intersect(node(a).left, node(b).left));
  if (first == NodeOp::kIdentityOn && second == NodeOp::kIdentity)
    return a;
  if (second == NodeOp::kIdentityOn && first == NodeOp::kIdentity)
    return b;
  if (first == NodeOp::kProduct && second == NodeOp::kProduct) {
    const NodeId left = intersect(node(a).left, node(b).left);
    return product(left, intersect(node(a).right, node(b).right));
  }
  if (b < a)
    std::swap(a, b);
  return make(NodeOp::kIntersection, sets, a, b);
}

NodeId CoreBuilder::subtract(NodeId a, NodeId b) {
  if (is_empty(a) || is_empty(b))
    return a;
  if (a == b || is_everything(b))
    return empty(is_set(a));
  if (is_everything(a))
    return complement(b);
  // co \ (co & int) is co \ int, which only grows with co.
  if (op(b) == NodeOp::kIntersection && (node(b).left == a || node(b).right == a))
    return subtract(a, node(b).left == a ? node(b).right : node(b).left);
  return make(NodeOp::kDifference, is_set(a), a, b);
}

NodeId CoreBuilder::complement(NodeId a) {
  if (op(a) == NodeOp::kComplement)
    return node(a).left;
  if (is_everything(a))
    return empty(is_set(a));
  if (op(a) == NodeOp::kEmptySet)
    return universe();
  if (op(a) == NodeOp::kEmptyRelation)
    return product(universe(), universe());
  return make(NodeOp::kComplement, is_set(a), a);
}

NodeId CoreBuilder::compose(NodeId a, NodeId b) {
  if (is_empty(a) || op(b) == NodeOp::kIdentity)
    return a;
  if (is_empty(b) || op(a) == NodeOp::kIdentity)
    return b;
  if (op(a) == NodeOp::kIdentityOn) {
    const NodeId set = node(a).left;
    if (op(b) == NodeOp::kIdentityOn)
      return identity_on(intersect(set, node(b).left));
    if (op(b) == NodeOp::kProduct) {
      const NodeId right = node(b).right;
      return product(intersect(set, node(b).left), right);
    }
  }
  if (op(b) == NodeOp::kIdentityOn && op(a) == NodeOp::kProduct) {
    const NodeId left = node(a).left;
    return product(left, intersect(node(a).right, node(b).left));
  }
  return make(NodeOp::kCompose, false, a, b);
}

NodeId CoreBuilder::product(NodeId a, NodeId b) {
  if (is_empty(a) || is_empty(b))
    return empty(false);
  return make(NodeOp::kProduct, false, a, b);
}

NodeId CoreBuilder::identity_on(NodeId a) {
  if (is_empty(a))
    return empty(false);
  if (op(a) == NodeOp::kUniverse)
    return identity();
  return make(NodeOp::kIdentityOn, false, a);
}

NodeId CoreBuilder::inverse(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
  case NodeOp::kIdentity:
  case NodeOp::kIdentityOn:
    return a;
  case NodeOp::kInverse:
    return node(a).left;
  case NodeOp::kProduct: {
    const Node pair = node(a);
    return product(pair.right, pair.left);
  }
  default:
    return make(NodeOp::kInverse, false, a);
  }
}

NodeId CoreBuilder::optional(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
  case NodeOp::kIdentityOn:
    return identity();
  case NodeOp::kIdentity:
  case NodeOp::kOptional:
  case NodeOp::kReflexiveTrans:
    return a;
  case NodeOp::kTransitive:
    return star(node(a).left);
  default:
    return make(NodeOp::kOptional, false, a);
  }
}

NodeId CoreBuilder::transitive(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
  case NodeOp::kIdentity:
  case NodeOp::kIdentityOn:
  case NodeOp::kTransitive:
  case NodeOp::kReflexiveTrans:
    return a;
  case NodeOp::kOptional:
    return star(node(a).left);
  default:
    return make(NodeOp::kTransitive, false, a);
  }
}

NodeId CoreBuilder::star(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
  case NodeOp::kIdentity:
  case NodeOp::kIdentityOn:
    return identity();
  case NodeOp::kReflexiveTrans:
    return a;
  case NodeOp::kTransitive:
  case NodeOp::kOptional:
    return star(node(a).left);
  default:
    return make(NodeOp::kReflexiveTrans, false, a);
  }
}

NodeId CoreBuilder::domain(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
    return empty(true);
  case NodeOp::kIdentity:
  case NodeOp::kOptional:
  case NodeOp::kReflexiveTrans:
    return universe();
  case NodeOp::kIdentityOn:
    return node(a).left;
  case NodeOp::kTransitive:
    return domain(node(a).left);
  case NodeOp::kInverse:
    return range(node(a).left);
  default:
    return make(NodeOp::kDomain, true, a);
  }
}

NodeId CoreBuilder::range(NodeId a) {
  switch (op(a)) {
  case NodeOp::kEmptyRelation:
    return empty(true);
  case NodeOp::kIdentity:
  case NodeOp::kOptional:
  case NodeOp::kReflexiveTrans:
    return universe();
  case NodeOp::kIdentityOn:
    return node(a).left;
  case NodeOp::kTransitive:
    return range(node(a).left);
  case NodeOp::kInverse:
    return domain(node(a).left);
  default:
    return make(NodeOp::kRange, true, a);
  }
}

NodeId CoreBuilder::generated(Generator generator) {
  Node made;
  made.op = NodeOp::kGenerated;
  made.is_set = generator.is_set;
  made.index = static_cast<std::uint32_t>(core_.generators.size());
  core_.generators.push_back(std::move(generator));
  return make(made);
}

NodeId CoreBuilder::opaque(Opaque opaque, bool is_set) {
  Node made;
  made.op = NodeOp::kOpaque;
  made.is_set = is_set;
  made.index = static_cast<std::uint32_t>(core_.opaques.size());
  core_.opaques.push_back(std::move(opaque));
  return make(made);
}

std::vector<NodeId> CoreBuilder::open_recursion(const std::vector<bool>& are_sets) {
  const auto index = static_cast<std::uint32_t>(core_.recursions.size());
  Recursion recursion;
  for (std::size_t i = 0; i < are_sets.size(); ++i) {
    Node made;
    made.op = NodeOp::kRecursive;
    made.is_set = are_sets[i];
    made.index = index;
    made.position = static_cast<std::uint32_t>(i);
    recursion.variables.push_back(make(made));
  }
  core_.recursions.push_back(recursion);
  return recursion.variables;
}

namespace {

/// Marks what the roots need, and copies it in the old order.
class Compaction {
public:
  Compaction(Core from, IdVector<NodeId, NodeId>& renumbering)
      : from_(std::move(from)), numbers_(renumbering), is_needed_(from_.nodes.size(), false) {}

  Core run() {
    for (const Axiom& axiom : from_.axioms)
      need(axiom.node);
    for (const auto& [name, node] : from_.definitions)
      need(node);
    for (const auto& [name, node] : from_.shown_nodes)
      need(node);
    for (const Generator& generator : from_.generators)
      need_inputs(generator);
    while (!work_.empty()) {
      const NodeId at = work_.back();
      work_.pop_back();
      visit(from_.nodes[at]);
    }
    return copy();
  }

private:
  void need(NodeId id) {
    if (!id.is_valid() || is_needed_[id.index()])
      return;
    is_needed_[id.index()] = true;
    work_.push_back(id);
  }
  void need_inputs(const Generator& generator) {
    std::visit(Overloaded{[&](const Generator::Coherence& how) {
                            need(how.writes);
                            need(how.partial);
                          },
                          [&](const Generator::Listed& how) {
                            for (const NodeId input : how.values.inputs)
                              need(input);
                          }},
               generator.how);
  }
  void visit(const Node& node) {
    need(node.left);
    need(node.right);
    if (node.op == NodeOp::kOpaque)
      for (const NodeId input : from_.opaques[node.index].inputs)
        need(input);
    if (node.op == NodeOp::kRecursive) {
      const Recursion& recursion = from_.recursions[node.index];
      for (const NodeId variable : recursion.variables)
        need(variable);
      for (const NodeId body : recursion.bodies)
        need(body);
    }
  }
  void renumber(NodeId& id) const {
    if (id.is_valid())
      id = numbers_[id];
  }

  Core copy() {
    numbers_ = IdVector<NodeId, NodeId>(from_.nodes.size());
    Core to;
    to.title = std::move(from_.title);
    to.files = std::move(from_.files);
    to.shown = std::move(from_.shown);
    to.warnings = std::move(from_.warnings);
    to.computes_dependencies = from_.computes_dependencies;
    std::vector<std::uint32_t> bases(from_.base_names.size(), Id<struct None>::kNone);
    std::vector<std::uint32_t> opaques(from_.opaques.size(), Id<struct None>::kNone);
    std::vector<std::uint32_t> recursions(from_.recursions.size(), Id<struct None>::kNone);
    const auto index_in =
        [](std::vector<std::uint32_t>& numbers, std::uint32_t old, auto& table, auto& old_table) {
          if (numbers[old] == Id<struct None>::kNone) {
            numbers[old] = static_cast<std::uint32_t>(table.size());
            table.push_back(std::move(old_table[old]));
          }
          return numbers[old];
        };
    for (std::size_t i = 0; i < from_.nodes.size(); ++i) {
      if (!is_needed_[i])
        continue;
      Node node = from_.nodes[NodeId{i}];
      renumber(node.left);
      renumber(node.right);
      if (node.op == NodeOp::kBaseSet || node.op == NodeOp::kBaseRelation)
        node.index = index_in(bases, node.index, to.base_names, from_.base_names);
      if (node.op == NodeOp::kOpaque)
        node.index = index_in(opaques, node.index, to.opaques, from_.opaques);
      if (node.op == NodeOp::kRecursive)
        node.index = index_in(recursions, node.index, to.recursions, from_.recursions);
      numbers_[NodeId{i}] = to.nodes.push_back(node);
    }
    for (Recursion& recursion : to.recursions) {
      for (NodeId& variable : recursion.variables)
        renumber(variable);
      for (NodeId& body : recursion.bodies)
        renumber(body);
    }
    for (Opaque& opaque : to.opaques)
      for (NodeId& input : opaque.inputs)
        renumber(input);
    to.generators = std::move(from_.generators);
    for (Generator& generator : to.generators)
      std::visit(Overloaded{[&](Generator::Coherence& how) {
                              renumber(how.writes);
                              renumber(how.partial);
                            },
                            [&](Generator::Listed& how) {
                              for (NodeId& input : how.values.inputs)
                                renumber(input);
                            }},
                 generator.how);
    to.axioms = std::move(from_.axioms);
    for (Axiom& axiom : to.axioms)
      renumber(axiom.node);
    to.definitions = std::move(from_.definitions);
    for (auto& [name, node] : to.definitions)
      renumber(node);
    to.shown_nodes = std::move(from_.shown_nodes);
    for (auto& [name, node] : to.shown_nodes)
      renumber(node);
    return to;
  }

  Core from_;
  IdVector<NodeId, NodeId>& numbers_;
  std::vector<bool> is_needed_;
  std::vector<NodeId> work_;
};

} // namespace

Core CoreBuilder::finish(IdVector<NodeId, NodeId>& renumbering) && {
  return Compaction(std::move(core_), renumbering).run();
}

} // namespace heddle::memory::cat
