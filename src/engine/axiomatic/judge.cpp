// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/judge.h"

#include "memory/bit_algebra.h"
#include "memory/execution_values.h"

#include <algorithm>
#include <memory>

namespace heddle::engine::axiomatic {

namespace {

using memory::Axiom;
using memory::BitAlgebra;
using memory::Generator;
using memory::NodeId;

class Trial {
public:
  Trial(const memory::EvaluationPlan& plan, const execution::Execution& execution)
      : plan_(plan), core_(plan.core()), execution_(execution),
        algebra_(execution.events.size()), fold_(core_, algebra_), values_(fold_, algebra_) {
    for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
      const memory::Node& node = core_.nodes[NodeId{i}];
      if (node.op == memory::NodeOp::kBaseSet)
        algebra_.give(core_.base_names[node.index],
                      memory::base_set(execution, core_.base_names[node.index]));
      else if (node.op == memory::NodeOp::kBaseRelation)
        algebra_.give(core_.base_names[node.index],
                      memory::base_relation(execution, core_.base_names[node.index]));
    }
    for (const NodeId node : plan_.co())
      if (core_.nodes[node].op == memory::NodeOp::kGenerated)
        algebra_.choose(core_.nodes[node].index,
                        std::make_shared<const relation::BitMatrix>(execution.co));
  }

  Judgement run() {
    if (extends_partial_orders())
      choose(0);
    return std::move(result_);
  }

private:
  /// Is the order of the writes one that the model would choose?
  bool extends_partial_orders() {
    for (const NodeId node : plan_.co()) {
      if (core_.nodes[node].op != memory::NodeOp::kGenerated)
        continue;
      const auto& how =
          std::get<Generator::Coherence>(core_.generators[core_.nodes[node].index].how);
      for (const auto& [before, after] : fold_.relation(how.partial).pairs())
        if (execution_.co.contains(after, before))
          return false;
    }
    return true;
  }

  void choose(std::size_t generator) {
    if (result_.error)
      return;
    if (generator == core_.generators.size()) {
      decide();
      return;
    }
    const auto* const listed = std::get_if<Generator::Listed>(&core_.generators[generator].how);
    if (listed == nullptr || !plan_.generated()[generator].is_valid()) {
      choose(generator + 1);
      return;
    }
    for (const memory::ConcreteValue& choice : listed->choices(values_)) {
      algebra_.choose(generator, choice);
      fold_.forget();
      choose(generator + 1);
    }
    note_error();
  }

  void decide() {
    const auto holds = [this](const Axiom& axiom) {
      return memory::is_satisfied(core_, axiom, values_);
    };
    const bool is_allowed =
        std::all_of(core_.axioms.begin(), core_.axioms.end(), [&](const Axiom& axiom) {
          return axiom.role != Axiom::Role::kRequire || holds(axiom);
        });
    if (is_allowed) {
      result_.is_allowed = true;
      for (const Axiom& axiom : core_.axioms)
        if (axiom.role != Axiom::Role::kRequire &&
            holds(axiom) == (axiom.role == Axiom::Role::kFlag))
          result_.flags.push_back(flag_name(axiom));
    }
    note_error();
  }

  void note_error() {
    if (!result_.error)
      result_.error = fold_.error() ? fold_.error() : values_.error();
  }

  const memory::EvaluationPlan& plan_;
  const memory::Core& core_;
  const execution::Execution& execution_;
  BitAlgebra algebra_;
  memory::Fold<BitAlgebra> fold_;
  memory::FoldedValues<BitAlgebra> values_;
  Judgement result_;
};

} // namespace

std::string flag_name(const Axiom& axiom) {
  if (axiom.role == Axiom::Role::kUndefinedUnless)
    return "*undef*";
  return axiom.name.empty() ? axiom.text : axiom.name;
}

std::optional<std::string> why_not_judged(const memory::EvaluationPlan& plan) {
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

Judgement judge(const memory::EvaluationPlan& plan, const execution::Execution& execution) {
  return Trial(plan, execution).run();
}

} // namespace heddle::engine::axiomatic
