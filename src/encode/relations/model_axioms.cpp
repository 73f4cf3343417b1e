// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The axioms themselves: what is required becomes clauses and graphs of the ordering theory, what
// is only asked for becomes a literal.
#include "encode/relations/acyclic_graph.h"
#include "encode/relations/model_formula.h"

#include <algorithm>

namespace heddle::encode {

using memory::Axiom;
using memory::Node;
using memory::NodeId;
using memory::NodeOp;
using relation::BitMatrix;

void ModelFormula::require_axioms() {
  for (const Axiom& axiom : core_.axioms)
    if (axiom.role == Axiom::Role::kRequire)
      require(axiom);
  require_partial_orders();
}

void ModelFormula::require(const Axiom& axiom) {
  if (axiom.is_negated) {
    gates_.require(implies(axiom, true));
    return;
  }
  switch (axiom.kind) {
  case Axiom::Kind::kAcyclic:
    require_acyclic(axiom.node);
    break;
  case Axiom::Kind::kIrreflexive:
    require_irreflexive(axiom.node);
    break;
  case Axiom::Kind::kEmpty:
    require_empty(axiom.node);
    break;
  }
  drain();
}

/// A cycle of unions and closures is one of their parts.
void ModelFormula::add_edges(AcyclicGraph& graph, NodeId id) {
  const Node& what = node(id);
  if (what.op == NodeOp::kUnion) {
    add_edges(graph, what.left);
    add_edges(graph, what.right);
    return;
  }
  if (what.op == NodeOp::kTransitive) {
    add_edges(graph, what.left);
    return;
  }
  const memory::BoundAlgebra::Relation& bounds = executions_.bounds().relation(id);
  for (const std::vector<std::size_t>& component : graph.components())
    for (const std::size_t from : component)
      for (const std::size_t to : bounds.may.row(from).elements()) {
        if (!graph.matters(from, to))
          continue;
        if (what.op != NodeOp::kCompose || bounds.must.contains(from, to)) {
          graph.add(from, to, relation(id, from, to, Use::kForbidden));
          continue;
        }
        const relation::BitSet middles = may(what.left).row(from) & back(what.right).row(to);
        for (const std::size_t middle : middles.elements()) {
          const Literal left = relation(what.left, from, middle, Use::kForbidden);
          if (!gates_.is_false(left))
            graph.add(from, to, left, relation(what.right, middle, to, Use::kForbidden));
        }
      }
}

void ModelFormula::require_acyclic(NodeId id) {
  AcyclicGraph graph(theory_, gates_, may(id));
  add_edges(graph, id);
}

void ModelFormula::require_irreflexive(NodeId id) {
  if (node(id).op == NodeOp::kTransitive) {
    require_acyclic(node(id).left);
    return;
  }
  for (Element i = 0; i < count_; ++i)
    if (may(id).contains(i, i))
      forbid(id, i, i);
}

void ModelFormula::require_empty(NodeId id) {
  if (node(id).is_set) {
    for (const std::size_t element : executions_.bounds().set(id).may.elements())
      gates_.require(~set(id, element, Use::kForbidden));
    return;
  }
  for (const auto& [from, to] : may(id).pairs())
    forbid(id, from, to);
}

void ModelFormula::forbid(NodeId id, Element a, Element b) {
  const Node& what = node(id);
  if (!may(id).contains(a, b))
    return;
  if (what.op == NodeOp::kUnion) {
    forbid(what.left, a, b);
    forbid(what.right, a, b);
  } else if (what.op == NodeOp::kCompose) {
    const relation::BitSet middles = may(what.left).row(a) & back(what.right).row(b);
    for (const std::size_t middle : middles.elements()) {
      const Literal left = relation(what.left, a, middle, Use::kForbidden);
      if (!gates_.is_false(left))
        gates_.require_any(std::vector{~left, ~relation(what.right, middle, b, Use::kForbidden)});
    }
  } else {
    gates_.require(~relation(id, a, b, Use::kForbidden));
  }
}

/// An order the model chooses for the writes contains what the model asks it to.
void ModelFormula::require_partial_orders() {
  for (const NodeId id : coherence_) {
    if (node(id).op != NodeOp::kGenerated)
      continue;
    const auto& how = std::get<memory::Generator::Coherence>(core_.generators[node(id).index].how);
    for (const auto& [before, after] : may(how.partial).pairs())
      if (const Literal turned = executions_.co(after, before); !gates_.is_false(turned))
        gates_.require_any(
            std::vector{~relation(how.partial, before, after, Use::kForbidden), ~turned});
  }
  drain();
}

Literal ModelFormula::holds(NodeId id, Element a, Element b) {
  const Literal made = relation(id, a, b, Use::kExact);
  drain();
  return made;
}

Literal ModelFormula::implies(const Axiom& axiom, bool is_satisfied) {
  // Either something has to be there, or nothing may be.
  const bool is_something = axiom.is_negated == is_satisfied;
  const Use use = is_something ? Use::kSought : Use::kForbidden;
  std::vector<Literal> some;
  if (node(axiom.node).is_set) {
    for (const std::size_t element : executions_.bounds().set(axiom.node).may.elements())
      some.push_back(set(axiom.node, element, use));
  } else if (axiom.kind == Axiom::Kind::kEmpty) {
    for (const auto& [from, to] : may(axiom.node).pairs())
      some.push_back(relation(axiom.node, from, to, use));
  } else {
    for (Element i = 0; i < count_; ++i)
      some.push_back(axiom.kind == Axiom::Kind::kIrreflexive ? relation(axiom.node, i, i, use)
                                                             : closed(axiom.node, i, i, use));
  }
  drain();
  return gates_.or_(some) ^ !is_something;
}

} // namespace heddle::encode
