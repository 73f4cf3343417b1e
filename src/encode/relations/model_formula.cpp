// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/model_formula.h"

#include "encode/relations/acyclic_graph.h"
#include "support/check.h"
#include "support/resident_bytes.h"

#include <algorithm>
#include <bit>

namespace heddle::encode {

using memory::Axiom;
using memory::Node;
using memory::NodeId;
using memory::NodeOp;
using relation::BitMatrix;

ModelFormula::ModelFormula(const memory::Core& core,
                           ExecutionFormula& executions,
                           const std::vector<NodeId>& coherence,
                           logic::Gates& gates,
                           solve::OrderTheory& theory,
                           const Budget* budget)
    : core_(core), executions_(executions), coherence_(coherence), gates_(gates), theory_(theory),
      count_(executions.count()),
      levels_(static_cast<unsigned>(std::bit_width(executions.count()))), budget_(budget),
      is_plain_(core.nodes.size(), false) {
  known_.fill(IdVector<NodeId, Pairs>(core.nodes.size()));
  find_plain();
}

/// Nothing that depends on a closure or a recursion is plain.
void ModelFormula::find_plain() {
  IdVector<NodeId, bool> depends(core_.nodes.size(), false);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
      const Node& one = core_.nodes[NodeId{i}];
      if (depends[NodeId{i}])
        continue;
      depends[NodeId{i}] = one.op == NodeOp::kTransitive || one.op == NodeOp::kReflexiveTrans ||
                           one.op == NodeOp::kRecursive ||
                           (one.left.is_valid() && depends[one.left]) ||
                           (one.right.is_valid() && depends[one.right]);
      changes = changes || depends[NodeId{i}];
    }
  }
  for (std::size_t i = 0; i < core_.nodes.size(); ++i)
    is_plain_[NodeId{i}] = !depends[NodeId{i}];
}

const BitMatrix& ModelFormula::may(NodeId id) const {
  return executions_.bounds().relation(id).may;
}

const BitMatrix& ModelFormula::back(NodeId id) {
  auto known = back_.find(id);
  if (known == back_.end())
    known = back_.emplace(id, may(id).inverse()).first;
  return known->second;
}

Literal ModelFormula::set(NodeId id, Element element, Use use) {
  const memory::BoundAlgebra::Set& bounds = executions_.bounds().set(id);
  if (!bounds.may.contains(element))
    return gates_.constant(false);
  if (bounds.must.contains(element))
    return gates_.constant(true);
  if (is_plain_[id])
    use = Use::kExact;
  if (node(id).op == NodeOp::kRecursive)
    return variable(id, element, 0, use);
  if (const auto found = known(id, use).find(element); found != known(id, use).end())
    return found->second;
  const Literal made = compute_set(id, element, use);
  known(id, use).emplace(element, made);
  return made;
}

Literal ModelFormula::compute_set(NodeId id, Element element, Use use) {
  const Node& what = node(id);
  switch (what.op) {
  case NodeOp::kBaseSet:
    return executions_.base_set(core_.base_names[what.index], element);
  case NodeOp::kEmptySet:
    return gates_.constant(false);
  case NodeOp::kUniverse:
    return executions_.happens(element);
  case NodeOp::kUnion: {
    const Literal left = set(what.left, element, use);
    return gates_.or_(left, set(what.right, element, use));
  }
  case NodeOp::kIntersection: {
    const Literal left = set(what.left, element, use);
    return gates_.and_(left, set(what.right, element, use));
  }
  case NodeOp::kDifference: {
    const Literal left = set(what.left, element, use);
    return gates_.and_(left, ~set(what.right, element, turned(use)));
  }
  case NodeOp::kComplement:
    return gates_.and_(executions_.happens(element), ~set(what.left, element, turned(use)));
  case NodeOp::kDomain: {
    std::vector<Literal> some;
    for (const std::size_t to : may(what.left).row(element).elements())
      some.push_back(relation(what.left, element, to, use));
    return gates_.or_(some);
  }
  case NodeOp::kRange: {
    std::vector<Literal> some;
    for (const std::size_t from : back(what.left).row(element).elements())
      some.push_back(relation(what.left, from, element, use));
    return gates_.or_(some);
  }
  case NodeOp::kGenerated:
  case NodeOp::kOpaque:
    is_exact_ = false;
    return gates_.fresh();
  default:
    HEDDLE_CHECK(false, "a set of no kind");
  }
}

Literal ModelFormula::relation(NodeId id, Element a, Element b, Use use) {
  const memory::BoundAlgebra::Relation& bounds = executions_.bounds().relation(id);
  if (!bounds.may.contains(a, b))
    return gates_.constant(false);
  if (bounds.must.contains(a, b))
    return gates_.constant(true);
  if (is_plain_[id])
    use = Use::kExact;
  const Node& what = node(id);
  if (what.op == NodeOp::kRecursive)
    return variable(id, a, b, use);
  if (what.op == NodeOp::kTransitive)
    return closed(what.left, a, b, use);
  if (const auto found = known(id, use).find(key(a, b)); found != known(id, use).end())
    return found->second;
  if (is_used_up())
    return gates_.constant(false);
  const Literal made = compute_relation(id, a, b, use);
  known(id, use).emplace(key(a, b), made);
  return made;
}

bool ModelFormula::is_used_up() {
  constexpr std::uint32_t kPairsBetweenLooks = 1024;
  if (!is_given_up_ && ++pairs_ % kPairsBetweenLooks == 0 && budget_ != nullptr)
    is_given_up_ = budget_->exhausted(resident_bytes()).has_value();
  return is_given_up_;
}

Literal ModelFormula::compute_relation(NodeId id, Element a, Element b, Use use) {
  const Node& what = node(id);
  const auto identity = [&] { return a == b ? executions_.happens(a) : gates_.constant(false); };
  switch (what.op) {
  case NodeOp::kBaseRelation:
    return executions_.base_relation(core_.base_names[what.index], a, b);
  case NodeOp::kEmptyRelation:
    return gates_.constant(false);
  case NodeOp::kIdentity:
    return identity();
  case NodeOp::kUnion: {
    const Literal left = relation(what.left, a, b, use);
    return gates_.or_(left, relation(what.right, a, b, use));
  }
  case NodeOp::kIntersection: {
    const Literal left = relation(what.left, a, b, use);
    return gates_.and_(left, relation(what.right, a, b, use));
  }
  case NodeOp::kDifference: {
    const Literal left = relation(what.left, a, b, use);
    return gates_.and_(left, ~relation(what.right, a, b, turned(use)));
  }
  case NodeOp::kComplement:
    return gates_.and_(executions_.both_happen(a, b), ~relation(what.left, a, b, turned(use)));
  case NodeOp::kCompose:
    return composed(what, a, b, use);
  case NodeOp::kProduct: {
    const Literal left = set(what.left, a, use);
    return gates_.and_(left, set(what.right, b, use));
  }
  case NodeOp::kIdentityOn:
    return a == b ? set(what.left, a, use) : gates_.constant(false);
  case NodeOp::kInverse:
    return relation(what.left, b, a, use);
  case NodeOp::kOptional:
    return gates_.or_(identity(), relation(what.left, a, b, use));
  case NodeOp::kReflexiveTrans:
    return gates_.or_(identity(), closed(what.left, a, b, use));
  case NodeOp::kGenerated:
    if (std::find(coherence_.begin(), coherence_.end(), id) != coherence_.end())
      return executions_.co(a, b);
    [[fallthrough]];
  case NodeOp::kOpaque:
    is_exact_ = false;
    return gates_.fresh();
  default:
    HEDDLE_CHECK(false, "a relation of no kind");
  }
}

Literal ModelFormula::composed(const Node& what, Element a, Element b, Use use) {
  std::vector<Literal> some;
  const relation::BitSet middles = may(what.left).row(a) & back(what.right).row(b);
  for (const std::size_t middle : middles.elements()) {
    const Literal left = relation(what.left, a, middle, use);
    if (!gates_.is_false(left))
      some.push_back(gates_.and_(left, relation(what.right, middle, b, use)));
  }
  return gates_.or_(some);
}

ModelFormula::Closure& ModelFormula::closure(NodeId step) {
  const auto [entry, is_new] = closures_.try_emplace(step);
  Closure& made = entry->second;
  if (is_new) {
    made.may = may(step).transitive_closure();
    made.must = executions_.bounds().relation(step).must.transitive_closure();
    made.back = made.may.inverse();
    made.exact.resize(levels_ + 1U);
  }
  return made;
}

/// Are they related by one or more steps?
Literal ModelFormula::closed(NodeId step, Element a, Element b, Use use) {
  Closure& known = closure(step);
  if (!known.may.contains(a, b))
    return gates_.constant(false);
  if (known.must.contains(a, b))
    return gates_.constant(true);
  if (use != Use::kForbidden)
    return within(step, known, levels_, a, b);
  const auto [entry, is_new] = known.forbidden.try_emplace(key(a, b));
  if (is_new) {
    entry->second = gates_.fresh();
    pending_.push_back({Pending::What::kClosure, step, a, b, use, entry->second});
  }
  return entry->second;
}

/// By at most 2^level steps.
Literal ModelFormula::within(NodeId step, Closure& known, unsigned level, Element a, Element b) {
  if (level == 0)
    return relation(step, a, b, Use::kExact);
  if (!known.may.contains(a, b) || is_used_up())
    return gates_.constant(false);
  if (const auto found = known.exact[level].find(key(a, b)); found != known.exact[level].end())
    return found->second;
  std::vector<Literal> some{within(step, known, level - 1, a, b)};
  const relation::BitSet middles = known.may.row(a) & known.back.row(b);
  for (const std::size_t middle : middles.elements()) {
    const Literal first = within(step, known, level - 1, a, middle);
    if (!gates_.is_false(first))
      some.push_back(gates_.and_(first, within(step, known, level - 1, middle, b)));
  }
  const Literal made = gates_.or_(some);
  known.exact[level].emplace(key(a, b), made);
  return made;
}

/// A pair (or element) of a recursive definition.
Literal ModelFormula::variable(NodeId id, Element a, Element b, Use use) {
  if (!core_.recursions[node(id).index].is_monotone || use == Use::kSought)
    use = Use::kExact;
  const auto [entry, is_new] = known(id, use).try_emplace(key(a, b));
  if (is_new) {
    entry->second = gates_.fresh();
    pending_.push_back({Pending::What::kRecursion, id, a, b, use, entry->second});
    is_exact_ = is_exact_ && use == Use::kForbidden;
  }
  return entry->second;
}

/// Writes down what is still missing, which may ask for more.
void ModelFormula::drain() {
  while (!pending_.empty() && !is_used_up()) {
    const Pending one = pending_.back();
    pending_.pop_back();
    if (one.what == Pending::What::kRecursion) {
      const memory::Recursion& recursion = core_.recursions[node(one.node).index];
      const NodeId body = recursion.bodies[node(one.node).position];
      const Literal holds = node(one.node).is_set ? set(body, one.from, one.use)
                                                  : relation(body, one.from, one.to, one.use);
      gates_.require_any(std::vector{~holds, one.made});
      if (one.use == Use::kExact)
        gates_.require_any(std::vector{holds, ~one.made});
      continue;
    }
    // A step alone, or a step and what is closed already.
    gates_.require_any(std::vector{~relation(one.node, one.from, one.to, one.use), one.made});
    const relation::BitSet middles =
        may(one.node).row(one.from) & closure(one.node).back.row(one.to);
    for (const std::size_t middle : middles.elements()) {
      if (is_used_up())
        return;
      const Literal step = relation(one.node, one.from, middle, one.use);
      if (!gates_.is_false(step) && !(middle == one.from))
        gates_.require_any(
            std::vector{~step, ~closed(one.node, middle, one.to, one.use), one.made});
    }
  }
}

} // namespace heddle::encode
