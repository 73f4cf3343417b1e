// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/final_states.h"

#include "check/confirm.h"
#include "memory/machine/machine.h"
#include "program/analyse/analyse.h"
#include "program/model/control_flow.h"
#include "program/run/interpreter.h"
#include "spec/observed.h"

#include <algorithm>
#include <utility>

namespace heddle::driver {

namespace {

using program::LocalId;
using program::LocationId;
using verdict::Unknown;
using verdict::Verdict;

class FinalStates {
public:
  explicit FinalStates(const spec::Task& task) : task_(task), program_(*task.program) {
    observed_ = spec::observed_places(program_, std::get<spec::Enumerate>(task.question));
    ask_at_the_end();
    task_.program = &program_;
    task_.question = spec::Check{spec::Property::kReach};
  }

  Verdict run(const engine::Engine& engine, const engine::Context& context) {
    Verdict verdict;
    for (;;) {
      main().edges[check_].action =
          program::Check{is_known_, program::CheckKind::kAssertion, "the final state is known"};
      verdict = engine.run(task_, context);
      auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
      if (violated == nullptr)
        break;
      Result<verdict::Violation> confirmed = check::confirm(task_, violated->violation);
      if (!confirmed || !note_state(confirmed->schedule)) {
        verdict.answer = Unknown{
            Unknown::Reason::kUnsupported, "a run to a final state could not be repeated", ""};
        return verdict;
      }
    }
    return conclude(std::move(verdict));
  }

private:
  [[nodiscard]] program::Procedure& main() {
    return program_.procedures[program_.templates.front().entry];
  }

  /// A run that fails otherwise has no final state.
  void ask_at_the_end() {
    program::Procedure& procedure = main();
    const LocationId end = procedure.locations.push_back({});
    LocationId at = procedure.locations.push_back({});
    const std::size_t count = procedure.edges.size();
    for (std::size_t i = 0; i < count; ++i) {
      program::Edge& edge = procedure.edges[i];
      if (std::holds_alternative<program::Exit>(edge.action)) {
        edge.action = program::Skip{};
        edge.to = at;
      } else if (const auto* check = std::get_if<program::Check>(&edge.action)) {
        edge.action = program::Assume{check->condition};
      }
    }
    for (const spec::ObservedPlace& one : observed_) {
      const LocalId local =
          procedure.locals.push_back({"", static_cast<std::uint8_t>(8 * one.size), procedure.loc});
      const LocationId next = procedure.locations.push_back({});
      program::add_edge(
          procedure,
          {at,
           next,
           program::Load{local,
                         program_.terms.constant(one.address, program_.pointer_bits()),
                         {.size = one.size}},
           procedure.loc});
      values_.push_back(program_.terms.variable(
          local.value, logic::Sort{static_cast<std::uint8_t>(8 * one.size)}));
      at = next;
    }
    is_known_ = program_.terms.boolean(false);
    const LocationId last = procedure.locations.push_back({});
    check_ = procedure.edges.size();
    program::add_edge(procedure, {at, last, program::Skip{}, procedure.loc});
    program::add_edge(procedure, {last, end, program::Exit{}, procedure.loc});
    program::annotate(program_, program::AliasAnalysis::kPointsTo);
  }

  /// What memory holds where the schedule ends. False if that is nothing new.
  bool note_state(const execution::Schedule& schedule) {
    const program::Interpreter interpreter(program_, {.malloc_may_fail = task_.malloc_may_fail});
    const auto machine = memory::Machine::make(memory::MachineKind::kSequential, interpreter);
    memory::MachineState state;
    (void)machine->initial(state);
    for (const execution::Transition& transition : schedule)
      if (!machine->is_enabled(state, transition) || !machine->apply(state, transition).is_none())
        break;
    verdict::Outcome outcome;
    logic::TermStore& terms = program_.terms;
    program::Term is_it = terms.boolean(true);
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      const spec::ObservedPlace& one = observed_[i];
      const std::uint64_t value = interpreter.read(state.core.memory, one.address, one.size);
      outcome[one.name] = value;
      is_it = terms.and_(is_it, terms.equal(values_[i], terms.constant(value, 8U * one.size)));
    }
    if (std::ranges::find(states_, outcome) != states_.end())
      return false;
    states_.push_back(std::move(outcome));
    is_known_ = terms.or_(is_known_, is_it);
    return true;
  }

  Verdict conclude(Verdict verdict) {
    verdict::Outcomes outcomes;
    if (const auto* unknown = std::get_if<Unknown>(&verdict.answer))
      verdict.approximations.push_back({Approximation::Kind::kUnder, unknown->why, {}});
    if (const auto* holds = std::get_if<verdict::HoldsWithinBounds>(&verdict.answer))
      for (const std::string& bound : holds->bounds())
        verdict.approximations.push_back({Approximation::Kind::kUnder, bound, {}});
    outcomes.complete = std::holds_alternative<verdict::Proved>(verdict.answer);
    std::ranges::sort(states_);
    outcomes.states = std::move(states_);
    verdict.answer = std::move(outcomes);
    verdict.never_reached.reset();
    return verdict;
  }

  spec::Task task_;
  program::Program program_;
  std::vector<spec::ObservedPlace> observed_;
  std::vector<program::Term> values_;
  std::size_t check_ = 0;
  program::Term is_known_;
  std::vector<verdict::Outcome> states_;
};

} // namespace

Verdict list_final_states(const spec::Task& task,
                          const engine::Engine& engine,
                          const engine::Context& context) {
  return FinalStates(task).run(engine, context);
}

} // namespace heddle::driver
