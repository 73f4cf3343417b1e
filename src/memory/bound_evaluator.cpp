// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/bound_evaluator.h"

#include <algorithm>

namespace heddle::memory {

void BoundEvaluator::start(const Evaluator& values) {
  may_.adopt(values);
  must_.adopt(values);
}

/// Nothing is known of it.
void BoundEvaluator::forget(NodeId node) {
  std::fill_n(must(node), must_.size_of(node), 0);
  may_.fill_all(node);
}

void BoundEvaluator::compute(NodeId id) {
  const Node& node = may_.core().nodes[id];
  const std::size_t size = may_.size_of(id);
  switch (node.op) {
  // What is surely taken away may not stay; what may be taken away does not surely stay.
  case NodeOp::kDifference:
    for (std::size_t i = 0; i < size; ++i) {
      may(id)[i] = may(node.left)[i] & ~must(node.right)[i];
      must(id)[i] = must(node.left)[i] & ~may(node.right)[i];
    }
    return;
  case NodeOp::kComplement:
    may_.fill_all(id);
    must_.fill_all(id);
    for (std::size_t i = 0; i < size; ++i) {
      may(id)[i] &= ~must(node.left)[i];
      must(id)[i] &= ~may(node.left)[i];
    }
    return;
  case NodeOp::kOpaque:
    forget(id);
    return;
  // All others grow with their operands.
  case NodeOp::kBaseSet:
  case NodeOp::kBaseRelation:
  case NodeOp::kEmptySet:
  case NodeOp::kEmptyRelation:
  case NodeOp::kUniverse:
  case NodeOp::kIdentity:
  case NodeOp::kUnion:
  case NodeOp::kIntersection:
  case NodeOp::kCompose:
  case NodeOp::kProduct:
  case NodeOp::kIdentityOn:
  case NodeOp::kInverse:
  case NodeOp::kOptional:
  case NodeOp::kTransitive:
  case NodeOp::kReflexiveTrans:
  case NodeOp::kDomain:
  case NodeOp::kRange:
  case NodeOp::kRecursive:
  case NodeOp::kGenerated:
    may_.compute(id);
    must_.compute(id);
    return;
  }
}

void BoundEvaluator::iterate(const EvaluationPlan::Group& group) {
  const Core& core = may_.core();
  const bool is_monotone =
      std::all_of(group.variables.begin(), group.variables.end(), [&](const auto& variable) {
        return core.recursions[core.nodes[variable.first].index].is_monotone;
      });
  for (const auto& [variable, body] : group.variables)
    if (is_monotone) {
      std::fill_n(may(variable), may_.size_of(variable), 0);
      std::fill_n(must(variable), must_.size_of(variable), 0);
    } else {
      forget(variable);
    }
  // Both bounds are least fixpoints of their own: no variable stands where it takes anything away.
  for (bool changed = true; changed;) {
    for (const NodeId member : group.members)
      compute(member);
    changed = false;
    if (!is_monotone)
      return;
    for (Evaluator* side : {&may_, &must_})
      for (const auto& [variable, body] : group.variables) {
        const std::uint64_t* const from = side->words(body);
        const std::size_t size = side->size_of(body);
        if (std::equal(from, from + size, side->words(variable)))
          continue;
        std::copy_n(from, size, side->words(variable));
        changed = true;
      }
  }
}

void BoundEvaluator::evaluate() {
  const EvaluationPlan& plan = *may_.plan_;
  for (const NodeId node : plan.generated())
    if (node.is_valid() && plan.stratum(node) >= kFirstGenerated)
      forget(node);
  for (const EvaluationPlan::Step& step : plan.steps()) {
    if (step.stratum == kStatic)
      continue;
    if (step.group)
      iterate(plan.group(*step.group));
    else
      compute(step.node);
  }
}

Truth BoundEvaluator::holds(const Axiom& axiom) const {
  const bool surely = may_.test(axiom);
  const bool possibly = must_.test(axiom);
  if (surely != possibly)
    return Truth::kMaybe;
  return surely != axiom.is_negated ? Truth::kYes : Truth::kNo;
}

} // namespace heddle::memory
