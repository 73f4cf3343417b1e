// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/explain.h"

#include "relation/bit_matrix.h"
#include "relation/bit_set.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::memory {

namespace {

using relation::BitMatrix;
using relation::BitSet;

class Explainer {
public:
  Explainer(const Core& core, const ConcreteValues& values) : core_(core), values_(values) {
    // The shortest name of a node, the first of these.
    for (const auto& [name, node] : core.definitions) {
      const auto [known, is_new] = names_.try_emplace(node, name);
      if (!is_new && name.size() < known->second.size())
        known->second = name;
    }
    // Those a co is best known by.
    for (std::size_t i = 0; i < core.nodes.size(); ++i) {
      const Node& node = core.nodes[NodeId{i}];
      if (node.op == NodeOp::kGenerated)
        names_[NodeId{i}] = core.generators[node.index].name;
      else if (node.op == NodeOp::kBaseRelation || node.op == NodeOp::kBaseSet)
        names_[NodeId{i}] = core.base_names[node.index];
    }
  }

  /// Takes the edge apart and appends its steps. The relation the axiom is about is opened even if
  /// it has a name.
  void edge(NodeId id, std::size_t from, std::size_t to, std::vector<ExplainedStep>& steps) {
    open(id, from, to, steps, true, 0);
  }

private:
  [[nodiscard]] bool has(NodeId id, std::size_t from, std::size_t to) const {
    return values_.relation(id).contains(from, to);
  }
  void
  name_it(NodeId id, std::size_t from, std::size_t to, std::vector<ExplainedStep>& steps) const {
    const auto name = names_.find(id);
    steps.push_back({from, to, name == names_.end() ? text(id, 0) : name->second});
  }

  /// Is the definition made of named communication or order, so that opening it says more? Names
  /// are kept where the next level below is no longer about other relations.
  [[nodiscard]] bool is_composite(NodeId id, int depth) const {
    const Node& node = core_.nodes[id];
    if (depth > 40)
      return false;
    switch (node.op) {
    case NodeOp::kUnion:
    case NodeOp::kCompose:
    case NodeOp::kOptional:
    case NodeOp::kTransitive:
    case NodeOp::kReflexiveTrans:
    case NodeOp::kRecursive:
      return true;
    case NodeOp::kIntersection:
    case NodeOp::kDifference:
    case NodeOp::kInverse:
    default:
      return false;
    }
  }

  void open(NodeId id,
            std::size_t from,
            std::size_t to,
            std::vector<ExplainedStep>& steps,
            bool is_root,
            int depth) {
    const Node& node = core_.nodes[id];
    const bool is_named = names_.contains(id);
    // fr is known by its name to everyone; unions of relations are not what a reader wants to see.
    const bool keeps_name = is_named && node.op != NodeOp::kUnion &&
                            node.op != NodeOp::kTransitive && node.op != NodeOp::kRecursive;
    if ((keeps_name && !is_root) || depth > 60 || !is_composite(id, 0)) {
      if (node.op == NodeOp::kIdentityOn || node.op == NodeOp::kIdentity)
        return;
      if (node.op == NodeOp::kIntersection && !is_named) {
        open_intersection(node, from, to, steps, depth);
        return;
      }
      if (node.op == NodeOp::kDifference && !is_named) {
        open(node.left, from, to, steps, false, depth + 1);
        return;
      }
      name_it(id, from, to, steps);
      return;
    }
    switch (node.op) {
    case NodeOp::kUnion:
      open(has(node.left, from, to) ? node.left : node.right, from, to, steps, false, depth + 1);
      return;
    case NodeOp::kOptional:
      if (from != to || has(node.left, from, to))
        open(node.left, from, to, steps, false, depth + 1);
      return;
    case NodeOp::kCompose:
      for (std::size_t middle = 0; middle < values_.event_count(); ++middle) {
        if (has(node.left, from, middle) && has(node.right, middle, to)) {
          open(node.left, from, middle, steps, false, depth + 1);
          open(node.right, middle, to, steps, false, depth + 1);
          return;
        }
      }
      break;
    case NodeOp::kTransitive:
    case NodeOp::kReflexiveTrans:
      if (from == to && node.op == NodeOp::kReflexiveTrans)
        return;
      for (const auto& [a, b] : path(values_.relation(node.left), from, to))
        open(node.left, a, b, steps, false, depth + 1);
      return;
    case NodeOp::kRecursive:
      open_recursion(id, from, to, steps, depth);
      return;
    default:
      break;
    }
    name_it(id, from, to, steps);
  }

  void open_intersection(const Node& node,
                         std::size_t from,
                         std::size_t to,
                         std::vector<ExplainedStep>& steps,
                         int depth) {
    // The side that says more than where the events are: not a product, not loc, int or ext.
    const auto says_little = [&](NodeId side) {
      const Node& inner = core_.nodes[side];
      if (inner.op == NodeOp::kProduct || inner.op == NodeOp::kComplement)
        return true;
      if (inner.op != NodeOp::kBaseRelation)
        return false;
      const std::string& name = core_.base_names[inner.index];
      return name == "loc" || name == "int" || name == "ext";
    };
    open(says_little(node.left) ? node.right : node.left, from, to, steps, false, depth + 1);
  }

  /// One way the pair got into the fixpoint: by a body all of whose recursive parts are smaller. To
  /// be sure to end, the recursion's value is rebuilt round by round.
  void open_recursion(
      NodeId id, std::size_t from, std::size_t to, std::vector<ExplainedStep>& steps, int depth) {
    const Node& node = core_.nodes[id];
    const Recursion& recursion = core_.recursions[node.index];
    if (!open_.insert({id, {from, to}}).second) {
      name_it(id, from, to, steps); // it would go in a circle
      return;
    }
    open(recursion.bodies[node.position], from, to, steps, false, depth + 1);
    open_.erase({id, {from, to}});
  }

  static std::vector<std::pair<std::size_t, std::size_t>>
  path(const BitMatrix& relation, std::size_t from, std::size_t to) {
    const std::size_t none = relation.bound();
    std::vector<std::size_t> previous(relation.bound(), none);
    std::vector<std::size_t> work = {from};
    BitSet seen(relation.bound());
    for (std::size_t next = 0; next < work.size(); ++next) {
      for (const std::size_t target : relation.row(work[next]).elements()) {
        if (seen.contains(target))
          continue;
        seen.insert(target);
        previous[target] = work[next];
        if (target == to) {
          std::vector<std::pair<std::size_t, std::size_t>> edges;
          std::size_t at = to;
          do {
            edges.emplace_back(previous[at], at);
            at = previous[at];
          } while (at != from);
          std::reverse(edges.begin(), edges.end());
          return edges;
        }
        work.push_back(target);
      }
    }
    return {};
  }

  [[nodiscard]] std::string text(NodeId id, int depth) const {
    if (!id.is_valid())
      return "";
    if (const auto name = names_.find(id); name != names_.end())
      return name->second;
    if (depth > 6)
      return "...";
    const Node& node = core_.nodes[id];
    const std::string left = text(node.left, depth + 1);
    const std::string right = text(node.right, depth + 1);
    switch (node.op) {
    case NodeOp::kBaseSet:
    case NodeOp::kBaseRelation:
      return core_.base_names[node.index];
    case NodeOp::kEmptySet:
    case NodeOp::kEmptyRelation:
      return "0";
    case NodeOp::kUniverse:
      return "_";
    case NodeOp::kIdentity:
      return "id";
    case NodeOp::kUnion:
      return "(" + left + " | " + right + ")";
    case NodeOp::kIntersection:
      return "(" + left + " & " + right + ")";
    case NodeOp::kDifference:
      return "(" + left + " \\ " + right + ")";
    case NodeOp::kComplement:
      return "~" + left;
    case NodeOp::kCompose:
      return "(" + left + "; " + right + ")";
    case NodeOp::kProduct:
      return "(" + left + " * " + right + ")";
    case NodeOp::kIdentityOn:
      return "[" + left + "]";
    case NodeOp::kInverse:
      return left + "^-1";
    case NodeOp::kOptional:
      return left + "?";
    case NodeOp::kTransitive:
      return left + "+";
    case NodeOp::kReflexiveTrans:
      return left + "*";
    case NodeOp::kDomain:
      return "domain(" + left + ")";
    case NodeOp::kRange:
      return "range(" + left + ")";
    case NodeOp::kRecursive:
      return "a recursive definition";
    case NodeOp::kGenerated:
      return core_.generators[node.index].name;
    case NodeOp::kOpaque:
      return core_.opaques[node.index].what;
    }
    return "";
  }

  const Core& core_;
  const ConcreteValues& values_;
  std::map<NodeId, std::string> names_;
  std::set<std::pair<NodeId, std::pair<std::size_t, std::size_t>>> open_;
};

} // namespace

Explanation explain(const Core& core, const ConcreteValues& values, std::size_t index) {
  const Axiom& axiom = core.axioms[index];
  Explanation found;
  found.axiom = index;
  found.name = axiom.name.empty() ? axiom.text : axiom.name;
  if (core.nodes[axiom.node].is_set) {
    found.events = values.set(axiom.node).elements();
    if (found.events.size() > 1)
      found.events.resize(1);
    return found;
  }
  const BitMatrix& relation = values.relation(axiom.node);
  switch (axiom.kind) {
  case Axiom::Kind::kAcyclic: {
    const std::vector<std::size_t> cycle = relation.shortest_cycle();
    for (std::size_t i = 0; i < cycle.size(); ++i)
      found.edges.emplace_back(cycle[i], cycle[(i + 1) % cycle.size()]);
    break;
  }
  case Axiom::Kind::kIrreflexive:
    for (std::size_t i = 0; i < values.event_count() && found.edges.empty(); ++i)
      if (relation.contains(i, i))
        found.edges.emplace_back(i, i);
    break;
  case Axiom::Kind::kEmpty:
    if (!relation.empty())
      found.edges.push_back(relation.pairs().front());
    break;
  }
  Explainer explainer(core, values);
  for (const auto& [from, to] : found.edges)
    explainer.edge(axiom.node, from, to, found.steps);
  return found;
}

std::string Explanation::to_string(const std::vector<std::string>& event_names) const {
  const auto name_of = [&](std::size_t event) {
    return event < event_names.size() ? event_names[event] : std::to_string(event);
  };
  if (!events.empty())
    return name_of(events[0]);
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0)
      out += name_of(steps[i].from);
    out += " -" + steps[i].relation + "-> " + name_of(steps[i].to);
  }
  return out;
}

} // namespace heddle::memory
