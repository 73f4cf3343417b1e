// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/evaluation_plan.h"

#include <algorithm>

namespace heddle::memory {

namespace {

template <class Visit>
void for_each_operand(const Core& core, const Node& node, Visit visit) {
  if (node.left.is_valid())
    visit(node.left);
  if (node.right.is_valid())
    visit(node.right);
  if (node.op == NodeOp::kRecursive)
    for (const NodeId body : core.recursions[node.index].bodies)
      visit(body);
  if (node.op == NodeOp::kOpaque)
    for (const NodeId input : core.opaques[node.index].inputs)
      visit(input);
  if (node.op == NodeOp::kGenerated) {
    const Generator& generator = core.generators[node.index];
    if (const auto* orders = std::get_if<Generator::Coherence>(&generator.how)) {
      visit(orders->writes);
      visit(orders->partial);
    } else {
      for (const NodeId input : std::get<Generator::Listed>(generator.how).values.inputs)
        visit(input);
    }
  }
}

/// Is it the order of all writes to each place, which the engine chooses as co?
bool is_coherence(const Core& core, const Generator& generator) {
  const auto* orders = std::get_if<Generator::Coherence>(&generator.how);
  if (orders == nullptr)
    return false;
  const Node& writes = core.nodes[orders->writes];
  return generator.name == "co" ||
         (writes.op == NodeOp::kBaseSet && core.base_names[writes.index] == "W");
}

} // namespace

EvaluationPlan::EvaluationPlan(const Core& core, bool with_definitions)
    : core_(core), coherence_(find_coherence(core)), needed_(core.nodes.size(), false),
      needed_for_monotone_(core.nodes.size(), false), needed_for_partial_(core.nodes.size(), false),
      strata_(core.nodes.size(), 0), settled_(core.generators.size(), false),
      generated_(core.generators.size()) {
  find_needed(with_definitions);
  find_strata();
  make_schedule();
}

void EvaluationPlan::mark(NodeId root, IdVector<NodeId, bool>& marks) const {
  std::vector<NodeId> pending{root};
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    if (marks[node])
      continue;
    marks[node] = true;
    for_each_operand(core_, core_.nodes[node], [&](NodeId operand) { pending.push_back(operand); });
    // The variables of one recursion are computed together.
    if (core_.nodes[node].op == NodeOp::kRecursive)
      for (const NodeId variable : core_.recursions[core_.nodes[node].index].variables)
        pending.push_back(variable);
  }
}

void EvaluationPlan::mark_needed(const std::vector<bool>& left_out) {
  for (std::size_t i = 0; i < core_.axioms.size(); ++i) {
    const Axiom& axiom = core_.axioms[i];
    if (left_out[i])
      continue;
    mark(axiom.node, needed_);
    if (axiom.is_monotone_in_co)
      mark(axiom.node, needed_for_monotone_);
  }
  // A generated relation multiplies executions even if nothing looks at it.
  for (std::size_t i = 0; i < core_.nodes.size(); ++i)
    if (core_.nodes[NodeId{i}].op == NodeOp::kGenerated) {
      mark(NodeId{i}, needed_);
      generated_[core_.nodes[NodeId{i}].index] = NodeId{i};
      const Generator& generator = core_.generators[core_.nodes[NodeId{i}].index];
      if (is_coherence(core_, generator))
        mark(std::get<Generator::Coherence>(generator.how).partial, needed_for_partial_);
    }
}

void EvaluationPlan::find_needed(bool with_definitions) {
  mark_needed(std::vector<bool>(core_.axioms.size(), false));
  if (with_definitions)
    for (const auto& [name, node] : core_.definitions)
      mark(node, needed_);
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    const Node& node = core_.nodes[id];
    if (!needed_[id])
      continue;
    needed_nodes_.push_back(id);
    if (node.op == NodeOp::kGenerated && is_coherence(core_, core_.generators[node.index]))
      co_.push_back(id);
    if (node.op != NodeOp::kBaseSet && node.op != NodeOp::kBaseRelation)
      continue;
    const std::string& name = core_.base_names[node.index];
    if (name == "rf")
      rf_ = id;
    else if (name == "co")
      co_.push_back(id);
    else if (name == "FW")
      final_writes_ = id;
    else
      bases_.push_back({id, name, node.is_set});
  }
}

void EvaluationPlan::find_strata() {
  bool changed = true;
  for (std::uint8_t& stratum : strata_)
    stratum = 0;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
      const NodeId id{i};
      const Node& node = core_.nodes[id];
      unsigned stratum = strata_[id];
      if (id == rf_)
        stratum = std::max(stratum, kReadsFrom);
      if (id == final_writes_ || std::find(co_.begin(), co_.end(), id) != co_.end())
        stratum = std::max(stratum, kCoherence);
      else if (node.op == NodeOp::kGenerated && !settled_[node.index])
        stratum = std::max(stratum, kFirstGenerated + node.index);
      if (!(node.op == NodeOp::kGenerated && settled_[node.index]))
        for_each_operand(core_, node, [&](NodeId operand) {
          stratum = std::max<unsigned>(stratum, strata_[operand]);
        });
      if (stratum != strata_[id]) {
        strata_[id] = static_cast<std::uint8_t>(stratum);
        changed = true;
      }
    }
  }
}

void EvaluationPlan::make_schedule() {
  schedule_.clear();
  groups_.clear();
  // Which recursion a node takes part in: it is reached from the bodies and depends on a variable.
  IdVector<NodeId, std::int32_t> group_of(core_.nodes.size(), -1);
  std::vector<std::int32_t> merged(core_.recursions.size());
  for (std::size_t r = 0; r < core_.recursions.size(); ++r) {
    merged[r] = static_cast<std::int32_t>(r);
    const Recursion& recursion = core_.recursions[r];
    IdVector<NodeId, bool> depends(core_.nodes.size(), false);
    for (const NodeId variable : recursion.variables)
      depends[variable] = true;
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < core_.nodes.size(); ++i)
        if (!depends[NodeId{i}])
          for_each_operand(core_, core_.nodes[NodeId{i}], [&](NodeId operand) {
            if (depends[operand] && !depends[NodeId{i}]) {
              depends[NodeId{i}] = true;
              changed = true;
            }
          });
    }
    std::vector<NodeId> pending = recursion.bodies;
    IdVector<NodeId, bool> seen(core_.nodes.size(), false);
    while (!pending.empty()) {
      const NodeId node = pending.back();
      pending.pop_back();
      if (seen[node] || !depends[node])
        continue;
      seen[node] = true;
      if (group_of[node] >= 0 && group_of[node] != static_cast<std::int32_t>(r)) {
        // Recursions inside one another are solved together: least fixpoints allow it (Bekić).
        const std::int32_t old = group_of[node];
        for (std::int32_t& group : group_of)
          if (group == old)
            group = static_cast<std::int32_t>(r);
        for (std::int32_t& target : merged)
          if (target == old)
            target = static_cast<std::int32_t>(r);
      }
      group_of[node] = static_cast<std::int32_t>(r);
      for_each_operand(
          core_, core_.nodes[node], [&](NodeId operand) { pending.push_back(operand); });
    }
    for (const NodeId variable : recursion.variables)
      group_of[variable] = static_cast<std::int32_t>(r);
  }
  std::vector<std::size_t> last(core_.recursions.size(), 0);
  std::vector<Group> by_recursion(core_.recursions.size());
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    if (group_of[id] < 0 || !needed_[id])
      continue;
    Group& group = by_recursion[static_cast<std::size_t>(group_of[id])];
    last[static_cast<std::size_t>(group_of[id])] = i;
    group.stratum = std::max<unsigned>(group.stratum, strata_[id]);
    group.is_for_monotone = group.is_for_monotone || needed_for_monotone_[id];
    group.is_for_partial = group.is_for_partial || needed_for_partial_[id];
    if (core_.nodes[id].op != NodeOp::kRecursive)
      group.members.push_back(id);
  }
  for (std::size_t r = 0; r < core_.recursions.size(); ++r)
    for (std::size_t v = 0; v < core_.recursions[r].variables.size(); ++v)
      by_recursion[static_cast<std::size_t>(merged[r])].variables.emplace_back(
          core_.recursions[r].variables[v], core_.recursions[r].bodies[v]);
  for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
    const NodeId id{i};
    const Node& node = core_.nodes[id];
    if (!needed_[id])
      continue;
    if (group_of[id] >= 0) {
      const auto r = static_cast<std::size_t>(group_of[id]);
      if (last[r] != i)
        continue;
      groups_.push_back(by_recursion[r]);
      schedule_.push_back({id,
                           groups_.size() - 1,
                           groups_.back().stratum,
                           groups_.back().is_for_monotone,
                           groups_.back().is_for_partial});
      continue;
    }
    if (node.op == NodeOp::kBaseSet || node.op == NodeOp::kBaseRelation ||
        node.op == NodeOp::kGenerated)
      continue;
    schedule_.push_back(
        {id, std::nullopt, strata_[id], needed_for_monotone_[id], needed_for_partial_[id]});
  }
  // Nothing depends on what has a later stratum.
  std::sort(schedule_.begin(), schedule_.end(), [](const Step& a, const Step& b) {
    return std::pair(a.stratum, a.node) < std::pair(b.stratum, b.node);
  });
  first_steps_.clear();
  for (std::size_t i = 0; i < schedule_.size(); ++i)
    first_steps_.resize(std::max<std::size_t>(first_steps_.size(), schedule_[i].stratum + 1U), i);
  first_steps_.push_back(schedule_.size());
}

std::span<const EvaluationPlan::Step> EvaluationPlan::steps(unsigned stratum) const {
  if (stratum + 1 >= first_steps_.size())
    return {};
  return std::span(schedule_).subspan(first_steps_[stratum],
                                      first_steps_[stratum + 1] - first_steps_[stratum]);
}

EvaluationPlan EvaluationPlan::without(const std::vector<bool>& axioms) const {
  EvaluationPlan plan = *this;
  plan.needed_ = IdVector<NodeId, bool>(core_.nodes.size(), false);
  plan.needed_for_monotone_ = plan.needed_;
  plan.needed_for_partial_ = plan.needed_;
  plan.mark_needed(axioms);
  std::erase_if(plan.needed_nodes_, [&](NodeId node) { return !plan.needed_[node]; });
  plan.make_schedule();
  return plan;
}

EvaluationPlan EvaluationPlan::settled(std::size_t generator) const {
  EvaluationPlan plan = *this;
  plan.settled_[generator] = true;
  plan.find_strata();
  plan.make_schedule();
  return plan;
}

} // namespace heddle::memory
