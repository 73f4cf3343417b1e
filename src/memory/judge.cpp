// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/judge.h"

#include "memory/execution_values.h"

#include <algorithm>
#include <string_view>

namespace heddle::memory {

NodeId find_happens_before(const Core& core) {
  if (std::none_of(core.axioms.begin(), core.axioms.end(), tells_race))
    return {};
  for (const auto& [name, node] : core.definitions)
    if (name == "hb" && core.nodes[node].op == NodeOp::kTransitive)
      return node;
  return {};
}

std::string flag_name(const Axiom& axiom) {
  if (axiom.role == Axiom::Role::kUndefinedUnless)
    return "*undef*";
  return axiom.name.empty() ? axiom.text : axiom.name;
}

bool tells_race(const Axiom& axiom) {
  return axiom.role == Axiom::Role::kUndefinedUnless ||
         (axiom.role == Axiom::Role::kFlag && axiom.name.find("race") != std::string::npos);
}

std::optional<std::string> why_not_judged(const EvaluationPlan& plan) {
  for (std::size_t i = 0; i < plan.core().generators.size(); ++i) {
    const NodeId node = plan.generated()[i];
    if (node.is_valid() &&
        std::holds_alternative<Generator::Coherence>(plan.core().generators[i].how) &&
        std::find(plan.co().begin(), plan.co().end(), node) == plan.co().end())
      return "the model chooses a second order of writes ('" + plan.core().generators[i].name +
             "')";
  }
  return std::nullopt;
}

Judgement Judge::judge(const execution::Execution& execution) {
  result_ = {};
  evaluator_.start(execution.events.size());
  const auto write = [&](NodeId node, std::string_view name, bool is_set) {
    write_base(execution, name, is_set, evaluator_.words(node), evaluator_.stride());
  };
  for (const Evaluator::Base& base : evaluator_.bases())
    write(base.node, base.name, base.is_set);
  if (evaluator_.rf().is_valid())
    write(evaluator_.rf(), "rf", false);
  for (const NodeId node : evaluator_.co())
    write(node, "co", false);
  if (evaluator_.final_writes().is_valid())
    write(evaluator_.final_writes(), "FW", true);
  for (const Stratum stratum : {Stratum::kStatic, Stratum::kReadsFrom, Stratum::kCoherence})
    evaluator_.evaluate(static_cast<unsigned>(stratum));
  if (extends_partial_orders(execution))
    choose(0);
  result_.error = evaluator_.error();
  return std::move(result_);
}

/// Is the order of the writes one that the model would choose?
bool Judge::extends_partial_orders(const execution::Execution& execution) const {
  const Core& core = plan_->core();
  for (const NodeId node : evaluator_.co()) {
    if (core.nodes[node].op != NodeOp::kGenerated)
      continue;
    const auto& how = std::get<Generator::Coherence>(core.generators[core.nodes[node].index].how);
    for (const auto& [before, after] : evaluator_.relation(how.partial).pairs())
      if (execution.co.contains(after, before))
        return false;
  }
  return true;
}

void Judge::choose(std::size_t generator) {
  const Core& core = plan_->core();
  if (generator == core.generators.size()) {
    decide();
    return;
  }
  const NodeId node = plan_->generated()[generator];
  const auto* const listed = std::get_if<Generator::Listed>(&core.generators[generator].how);
  if (listed == nullptr || !node.is_valid()) {
    choose(generator + 1);
    return;
  }
  for (const ConcreteValue& choice : listed->choices(evaluator_)) {
    evaluator_.store(node, choice);
    evaluator_.evaluate(evaluator_.stratum(node));
    choose(generator + 1);
  }
}

/// What makes the test `empty` fail.
std::optional<std::pair<std::size_t, std::size_t>> Judge::pair_of(const Axiom& axiom) const {
  if (axiom.kind != Axiom::Kind::kEmpty || plan_->core().nodes[axiom.node].is_set)
    return std::nullopt;
  const auto pairs = evaluator_.relation(axiom.node).pairs();
  if (pairs.begin() == pairs.end())
    return std::nullopt;
  const auto [first, second] = *pairs.begin();
  return std::pair<std::size_t, std::size_t>(first, second);
}

void Judge::decide() {
  const Core& core = plan_->core();
  const bool is_allowed =
      std::all_of(core.axioms.begin(), core.axioms.end(), [this](const Axiom& axiom) {
        return axiom.role != Axiom::Role::kRequire || evaluator_.is_satisfied(axiom);
      });
  if (!is_allowed)
    return;
  result_.is_allowed = true;
  for (const Axiom& axiom : core.axioms)
    if (axiom.role != Axiom::Role::kRequire &&
        evaluator_.is_satisfied(axiom) == (axiom.role == Axiom::Role::kFlag)) {
      result_.flags.push_back(flag_name(axiom));
      result_.flagged.push_back(pair_of(axiom));
    }
}

} // namespace heddle::memory
