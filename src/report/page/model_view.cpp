// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/model_view.h"

#include "memory/evaluator.h"
#include "memory/execution_values.h"
#include "report/page/decompose.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::report {

namespace {

using memory::Axiom;
using memory::ConcreteValue;
using memory::Core;
using memory::Evaluator;
using memory::Generator;
using memory::NodeId;
using memory::NodeOp;
using relation::BitMatrix;

/// Choices of generators tried before the best so far is taken.
constexpr std::size_t kMaxChoices = 2000;

/// A model's own relations are many; people tick those they want.
bool is_shown_at_first(const std::string& name) {
  constexpr std::array<std::string_view, 8> kBasic = {
      "po", "rf", "co", "fr", "rmw", "addr", "data", "ctrl"};
  return std::find(kBasic.begin(), kBasic.end(), name) != kBasic.end();
}

/// Evaluates a core on one execution, with the choices of generators that break the fewest axioms.
class Valuation {
public:
  Valuation(const Core& core, const execution::Execution& execution)
      : core_(core), execution_(execution), evaluator_(core, true) {
    const std::size_t count = execution.events.size();
    evaluator_.start(count);
    for (const Evaluator::Base& base : evaluator_.bases())
      fill(base.node, base.name, base.is_set);
    if (evaluator_.rf().is_valid())
      fill(evaluator_.rf(), "rf", false);
    for (const NodeId node : evaluator_.co())
      fill(node, "co", false);
    if (evaluator_.final_writes().is_valid())
      fill(evaluator_.final_writes(), "FW", true);
    for (unsigned stratum = 0; stratum < kGenerated; ++stratum)
      evaluator_.evaluate(stratum);
    choose(0);
    for (std::size_t i = 0; i < best_.size(); ++i)
      take(i, best_[i]);
  }

  [[nodiscard]] const Evaluator& values() const { return evaluator_; }

private:
  static constexpr auto kGenerated = static_cast<unsigned>(memory::Stratum::kGenerated);

  void fill(NodeId node, std::string_view name, bool is_set) {
    if (is_set)
      evaluator_.store(
          node, std::make_shared<const relation::BitSet>(memory::base_set(execution_, name)));
    else
      evaluator_.store(node,
                       std::make_shared<const BitMatrix>(memory::base_relation(execution_, name)));
  }

  [[nodiscard]] NodeId node_of(std::size_t generator) const {
    NodeId node;
    for (std::size_t i = 0; i < core_.nodes.size(); ++i)
      if (core_.nodes[NodeId{i}].op == NodeOp::kGenerated &&
          core_.nodes[NodeId{i}].index == generator)
        node = NodeId{i};
    return node;
  }

  void take(std::size_t generator, const std::optional<ConcreteValue>& value) {
    if (value)
      evaluator_.store(node_of(generator), *value);
    evaluator_.evaluate(static_cast<unsigned>(kGenerated + generator));
  }

  [[nodiscard]] std::size_t broken() const {
    return static_cast<std::size_t>(
        std::count_if(core_.axioms.begin(), core_.axioms.end(), [this](const Axiom& axiom) {
          return axiom.role == Axiom::Role::kRequire && !evaluator_.is_satisfied(axiom);
        }));
  }

  void choose(std::size_t generator) {
    if (tried_ > kMaxChoices || fewest_ == 0U)
      return;
    if (generator == core_.generators.size()) {
      ++tried_;
      if (const std::size_t now = broken(); !fewest_ || now < *fewest_) {
        fewest_ = now;
        best_ = current_;
      }
      return;
    }
    const auto* listed = std::get_if<Generator::Listed>(&core_.generators[generator].how);
    std::vector<ConcreteValue> choices;
    if (listed != nullptr && node_of(generator).is_valid())
      choices = listed->choices(evaluator_);
    current_.emplace_back();
    if (choices.empty()) {
      take(generator, std::nullopt);
      choose(generator + 1);
    }
    for (const ConcreteValue& choice : choices) {
      current_.back() = choice;
      take(generator, choice);
      choose(generator + 1);
    }
    current_.pop_back();
  }

  const Core& core_;
  const execution::Execution& execution_;
  Evaluator evaluator_;
  std::vector<std::optional<ConcreteValue>> current_;
  std::vector<std::optional<ConcreteValue>> best_;
  std::optional<std::size_t> fewest_;
  std::size_t tried_ = 0;
};

std::string name_of(const Axiom& axiom) {
  return axiom.name.empty() ? axiom.text : axiom.name;
}

std::string_view keyword(Axiom::Kind kind) {
  switch (kind) {
  case Axiom::Kind::kAcyclic:
    return "acyclic";
  case Axiom::Kind::kIrreflexive:
    return "irreflexive";
  case Axiom::Kind::kEmpty:
    return "empty";
  }
  HEDDLE_CHECK(false, "no such axiom");
  return "";
}

/// What is wrong, as edges: a cycle, a reflexive pair, or a pair that should not be.
std::vector<Highlight::Edge> witness(const Axiom& axiom, const Evaluator& values) {
  const Core& core = values.core();
  if (core.nodes[axiom.node].is_set || axiom.is_negated)
    return {};
  const BitMatrix relation = values.relation(axiom.node);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  switch (axiom.kind) {
  case Axiom::Kind::kAcyclic: {
    const std::vector<std::size_t> cycle = relation.shortest_cycle();
    for (std::size_t i = 0; i < cycle.size(); ++i)
      pairs.emplace_back(cycle[i], cycle[(i + 1) % cycle.size()]);
    break;
  }
  case Axiom::Kind::kIrreflexive:
    for (std::size_t i = 0; i < relation.bound() && pairs.empty(); ++i)
      if (relation.contains(i, i))
        pairs.emplace_back(i, i);
    break;
  case Axiom::Kind::kEmpty:
    if (!relation.empty())
      pairs.push_back(relation.pairs().front());
    break;
  }
  Decomposer decomposer(values);
  std::vector<Highlight::Edge> edges;
  for (const auto& [from, to] : pairs)
    for (Highlight::Edge& edge : decomposer.edges(axiom.node, from, to))
      edges.push_back(std::move(edge));
  if (edges.empty())
    for (const auto& [from, to] : pairs)
      edges.push_back({from, to, name_of(axiom)});
  return edges;
}

Highlight highlight_of(const Axiom& axiom, const Evaluator& values) {
  Highlight highlight;
  highlight.title = name_of(axiom);
  highlight.text =
      fmt::format("{}{} {}", axiom.is_negated ? "~" : "", keyword(axiom.kind), axiom.text);
  highlight.edges = witness(axiom, values);
  if (axiom.is_negated)
    highlight.explanation = "The model asks for an execution in which this is not so.";
  else if (values.core().nodes[axiom.node].is_set)
    highlight.explanation = "The set is not empty.";
  return highlight;
}

} // namespace

ModelView view(const Core& core, const execution::Execution& execution) {
  const Valuation valuation(core, execution);
  const Evaluator& values = valuation.values();
  ModelView seen;
  if (values.error()) {
    seen.axioms.push_back(values.error()->to_string());
    seen.highlight.emplace();
    seen.highlight->title = "an error of the model";
    seen.highlight->explanation = values.error()->to_string();
    return seen;
  }
  for (const auto& [name, node] : core.definitions) {
    const bool is_shown = is_shown_at_first(name);
    if (core.nodes[node].is_set) {
      if (relation::BitSet members = values.set(node); !members.empty())
        seen.sets.push_back({name, std::move(members), is_shown});
    } else if (BitMatrix pairs = values.relation(node); !pairs.empty()) {
      seen.relations.push_back({name, std::move(pairs), is_shown});
    }
  }
  for (const Axiom& axiom : core.axioms) {
    const bool is_satisfied = values.is_satisfied(axiom);
    if (axiom.role != Axiom::Role::kRequire) {
      // A flag is raised by what satisfies it; what ought to hold, by what does not.
      if (is_satisfied == (axiom.role == Axiom::Role::kFlag))
        seen.flags.push_back(name_of(axiom));
      continue;
    }
    if (is_satisfied)
      continue;
    seen.axioms.push_back(name_of(axiom));
    if (!seen.highlight)
      seen.highlight = highlight_of(axiom, values);
  }
  return seen;
}

ShownExecution shown_under(const Core& core, PictureInput input) {
  HEDDLE_CHECK(input.execution != nullptr, "a picture of nothing");
  ModelView seen = view(core, *input.execution);
  for (NamedRelation& relation : seen.relations)
    input.relations.push_back(std::move(relation));
  for (NamedSet& set : seen.sets)
    input.sets.push_back(std::move(set));
  if (seen.highlight)
    input.highlight = std::move(seen.highlight);
  ShownExecution shown;
  shown.picture = picture(input);
  shown.status =
      seen.axioms.empty() ? ShownExecution::Status::kAllowed : ShownExecution::Status::kForbidden;
  shown.axioms = std::move(seen.axioms);
  shown.flags = std::move(seen.flags);
  return shown;
}

} // namespace heddle::report
