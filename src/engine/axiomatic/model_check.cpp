// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/model_check.h"

#include "engine/axiomatic/attempt.h"
#include "engine/axiomatic/model_search.h"
#include "memory/prefix_axioms.h"
#include "spec/property.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::engine::axiomatic {

namespace {

using logic::Literal;
using memory::Axiom;
using solve::Answer;
using verdict::Unknown;
using Found = ModelSearch::Found;
using Kind = program::StaticEvent::Kind;

/// How often loops are unrolled at first, and where growing ends.
constexpr std::uint32_t kFirstUnwind = 2;
constexpr std::uint32_t kLastUnwind = 64;

bool frees_memory(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (std::holds_alternative<program::Free>(edge.action))
        return true;
  return false;
}

class CheckQuestion {
public:
  CheckQuestion(const spec::Task& task, const Context& context)
      : task_(task), context_(context), property_(std::get<spec::Check>(task.question).property) {}

  verdict::Verdict run() {
    spec::Bounds bounds = task_.bounds;
    const bool may_grow = bounds.unwind == 0 && bounds.loops.empty();
    if (may_grow)
      bounds.unwind = kFirstUnwind;
    verdict_.approximations = task_.program->approximations;
    for (;; bounds.unwind *= 2) {
      verdict::Answer answer = ask(bounds);
      const bool is_within_bounds = std::holds_alternative<verdict::HoldsWithinBounds>(answer);
      // What smaller bounds have shown stands.
      const bool keeps_last = std::holds_alternative<Unknown>(answer) &&
                              std::holds_alternative<verdict::HoldsWithinBounds>(verdict_.answer);
      if (!keeps_last)
        verdict_.answer = std::move(answer);
      if (!is_within_bounds || !may_grow || bounds.unwind >= kLastUnwind)
        return std::move(verdict_);
    }
  }

private:
  verdict::Answer ask(const spec::Bounds& bounds) {
    const Result<Unrolled> unrolled = unroll(*task_.program, bounds);
    if (!unrolled)
      return unsupported(unrolled.error().message);
    Result<program::EventSet> set = events_of(*task_.model.core, unrolled->program());
    if (!set)
      return unsupported(set.error().message);
    stop_threads(*set);
    const std::size_t events = set->events.size();
    ModelSearch search(task_.model, std::move(*set), context_.budget);
    verdict::Answer answer = decide(search, events);
    search.count(verdict_.statistics);
    return answer;
  }

  verdict::Answer decide(ModelSearch& search, std::size_t events) {
    if (const Status status = search.encode(); !status)
      return unsupported(status.error().message);
    const ModelSearch::Obstacles obstacles = search.find_obstacles();
    search.require_axioms();
    std::vector<Literal> violations;
    std::vector<Literal> undefined;
    for (const program::StaticEvent& event : search.set().events) {
      if (event.kind != Kind::kCheck)
        continue;
      const Literal fails = search.gates().and_(search.executions().literal(event.guard),
                                                ~search.executions().literal(event.value));
      if (spec::violates(property_, event.fault))
        violations.push_back(fails);
      else if (program::is_undefined_behaviour(event.fault))
        undefined.push_back(fails);
    }
    Found found;
    if (const Answer answer = find(search, violations, found); answer == Answer::kSatisfiable) {
      verdict::Violation violation;
      violation.property = property_;
      violation.kind = verdict::FaultReached{};
      violation.execution = std::move(found.execution);
      return verdict::Violated{std::move(violation)};
    } else if (answer == Answer::kUnknown) {
      return search.error() ? unsupported(search.error()->to_string()) : stopped(context_.budget);
    }
    if (obstacles.trap)
      return unsupported(*obstacles.trap);
    const Answer answer = find(search, undefined, found);
    if (answer == Answer::kSatisfiable)
      return Unknown{Unknown::Reason::kUndefinedBehaviour,
                     "undefined behaviour can be reached",
                     "correct it, or ask for property memory or overflow"};
    if (answer == Answer::kUnknown || !obstacles.is_known)
      return search.error() ? unsupported(search.error()->to_string()) : stopped(context_.budget);
    if (obstacles.cuts.empty())
      return verdict::Proved{verdict::NoExecution{events}};
    return verdict::HoldsWithinBounds{{obstacles.cuts.begin(), obstacles.cuts.end()}};
  }

  static Answer find(ModelSearch& search, const std::vector<Literal>& goals, Found& found) {
    const Literal goal = search.gates().or_(goals);
    if (search.gates().is_false(goal))
      return Answer::kUnsatisfiable;
    return search.find(goal, true, [](const Found&) { return true; }, found);
  }

  const spec::Task& task_;
  const Context& context_;
  spec::Property property_;
  verdict::Verdict verdict_;
};

} // namespace

std::optional<std::string> why_not_checked(const spec::Task& task) {
  const spec::Property property = std::get<spec::Check>(task.question).property;
  if (property != spec::Property::kReach)
    return "from axioms it does not decide " + std::string(spec::to_string(property));
  if (frees_memory(*task.program))
    return "from axioms it does not follow memory that is freed";
  const auto* const bad = [&]() -> const Axiom* {
    for (const Axiom& axiom : task.model.core->axioms)
      if (axiom.role == Axiom::Role::kRequire &&
          !memory::holds_of_prefixes(*task.model.core, axiom))
        return &axiom;
    return nullptr;
  }();
  if (bad != nullptr)
    return fmt::format("the model may forbid a part of an execution that it allows ('{}')",
                       bad->name.empty() ? bad->text : bad->name);
  return std::nullopt;
}

verdict::Verdict check_by_axioms(const spec::Task& task, const Context& context) {
  return CheckQuestion(task, context).run();
}

} // namespace heddle::engine::axiomatic
