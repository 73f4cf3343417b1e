// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/model_question.h"

#include "encode/relations/final_state.h"
#include "engine/axiomatic/model_check.h"
#include "engine/axiomatic/model_search.h"
#include "spec/observed.h"
#include "support/check.h"

#include <algorithm>
#include <map>

namespace heddle::engine::axiomatic {

namespace {

using logic::Literal;
using memory::Axiom;
using program::EventIndex;
using solve::Answer;
using Found = ModelSearch::Found;
using Kind = program::StaticEvent::Kind;

/// The final states, or all executions.
class StateQuestion {
public:
  StateQuestion(const spec::Task& task,
                const Context& context,
                const Admits& admits,
                program::EventSet set)
      : context_(context), admits_(admits), question_(std::get<spec::Enumerate>(task.question)),
        core_(*task.model.core), observed_(spec::observed_places(*task.program, question_)),
        search_(task.model, std::move(set), context.budget) {
    verdict_.approximations = task.program->approximations;
    const Approximations& of_events = search_.set().approximations;
    verdict_.approximations.insert(
        verdict_.approximations.end(), of_events.begin(), of_events.end());
  }

  verdict::Verdict run() {
    answer();
    search_.count(verdict_.statistics);
    return std::move(verdict_);
  }

private:
  void answer() {
    if (const Status status = search_.encode(); !status) {
      verdict_.answer = unsupported(status.error().message);
      return;
    }
    const ModelSearch::Obstacles obstacles = search_.find_obstacles();
    if (obstacles.trap || !obstacles.is_known) {
      verdict_.answer = obstacles.trap ? unsupported(*obstacles.trap) : stopped(context_.budget);
      return;
    }
    for (const std::string& cut : obstacles.cuts)
      verdict_.approximations.push_back({Approximation::Kind::kUnder, cut, {}});
    require_complete_executions();
    search_.require_axioms();
    if (counts())
      search_.will_exclude();
    find_states();
    // Where states are left out, all of them have to be known before flags are looked for.
    if (!counts() && (is_complete_ || !admits_))
      find_flags();
    if (search_.error()) {
      verdict_.answer = unsupported(search_.error()->to_string());
      return;
    }
    outcomes_.complete = is_complete_ && obstacles.cuts.empty();
    verdict_.answer = std::move(outcomes_);
  }

  /// Then every execution is looked for, not one for each state.
  [[nodiscard]] bool counts() const { return question_.what == spec::Enumerate::What::kExecutions; }

  /// Runs in which every thread comes to its end, with no failed assertion.
  void require_complete_executions() {
    program::EventSet& set = search_.set();
    for (EventIndex e = 0; e < set.events.size(); ++e) {
      const program::StaticEvent& event = set.events[e];
      if (event.kind == Kind::kAssume || event.kind == Kind::kCheck)
        search_.gates().require(search_.holds_where_reached(e));
      else if (event.kind == Kind::kCut || event.kind == Kind::kTrap)
        search_.gates().require(~search_.executions().literal(event.guard));
    }
  }

  void find_states() {
    logic::Gates& gates = search_.gates();
    const encode::FinalState state(search_.set(), search_.executions(), observed_, gates);
    // What excludes a state holds only while states are looked for.
    const Literal is_new = gates.fresh();
    std::map<std::vector<std::uint64_t>, State> states;
    for (;;) {
      State one;
      const Answer answer =
          search_.find(is_new, true, [](const Found&) { return true; }, one.found);
      if (answer != Answer::kSatisfiable) {
        is_complete_ = answer == Answer::kUnsatisfiable;
        break;
      }
      std::vector<std::uint64_t> values = state.values(search_.values());
      if (admits_ && !states.contains(values) && !admits_(named(values))) {
        gates.require_any(state.differs_from(values));
        continue;
      }
      for (const std::string& flag : one.found.flags)
        outcomes_.flags[flag] = counts() ? outcomes_.flags[flag] + 1 : 1;
      if (counts()) {
        search_.exclude_where(is_new);
      } else {
        std::vector<Literal> clause = state.differs_from(values);
        clause.push_back(~is_new);
        gates.require_any(clause);
      }
      const auto [entry, is_first] = states.try_emplace(std::move(values), std::move(one));
      HEDDLE_CHECK(is_first || counts(), "a state that was excluded");
      ++entry->second.count;
    }
    gates.require(~is_new);
    tell(states);
  }

  struct State {
    Found found = {};        // the first execution that ends in it
    std::uint64_t count = 0; // of executions found
  };
  [[nodiscard]] verdict::Outcome named(const std::vector<std::uint64_t>& values) const {
    verdict::Outcome outcome;
    for (std::size_t i = 0; i < observed_.size(); ++i)
      outcome[observed_[i].name] = values[i];
    return outcome;
  }
  void tell(std::map<std::vector<std::uint64_t>, State>& states) {
    std::vector<std::pair<verdict::Outcome, State*>> sorted;
    for (auto& [values, state] : states)
      sorted.emplace_back(named(values), &state);
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return a.first < b.first;
    });
    for (auto& [outcome, state] : sorted) {
      if (outcomes_.kept.size() < question_.kept_executions)
        outcomes_.kept.push_back({std::move(state->found.execution),
                                  outcomes_.states.size(),
                                  std::move(state->found.flags)});
      if (counts())
        outcomes_.executions.push_back(state->count);
      outcomes_.states.push_back(std::move(outcome));
    }
  }

  /// Flags that no execution found so far has raised.
  void find_flags() {
    for (const Axiom& axiom : core_.axioms) {
      const std::string name = flag_name(axiom);
      if (axiom.role == Axiom::Role::kRequire || outcomes_.flags.contains(name) || search_.error())
        continue;
      const Literal is_raised = search_.formula().is_raised(axiom);
      const auto raises = [&](const Found& one) {
        return std::find(one.flags.begin(), one.flags.end(), name) != one.flags.end();
      };
      Found found;
      const Answer answer = search_.find(is_raised, search_.formula().is_exact(), raises, found);
      is_complete_ = is_complete_ && answer != Answer::kUnknown;
      if (answer == Answer::kSatisfiable)
        for (const std::string& flag : found.flags)
          outcomes_.flags[flag] = 1;
    }
  }

  const Context& context_;
  const Admits& admits_;
  const spec::Enumerate& question_;
  const memory::Core& core_;
  std::vector<spec::ObservedPlace> observed_;
  ModelSearch search_;
  bool is_complete_ = true;
  verdict::Outcomes outcomes_;
  verdict::Verdict verdict_;
};

verdict::Verdict find_states(const spec::Task& task, const Context& context, const Admits& admits) {
  verdict::Verdict verdict;
  Result<program::EventSet> set = events_of(*task.model.core, *task.program, context.budget);
  if (!set) {
    verdict.answer = unsupported(set.error().message);
    return verdict;
  }
  if (std::get<spec::Enumerate>(task.question).what == spec::Enumerate::What::kExecutions &&
      (!task.model.core->generators.empty() ||
       std::any_of(set->events.begin(), set->events.end(), [](const program::StaticEvent& event) {
         return event.kind == Kind::kChoice;
       }))) {
    verdict.answer =
        unsupported("executions that differ in chosen values or relations are not counted");
    return verdict;
  }
  start_where_created(*set);
  return StateQuestion(task, context, admits, std::move(*set)).run();
}

} // namespace

bool is_about_axioms(const spec::Task& task) {
  return task.model.core != nullptr &&
         (!task.model.machine || std::holds_alternative<spec::Enumerate>(task.question));
}

std::optional<std::string> why_not_by_axioms(const spec::Task& task) {
  if (std::holds_alternative<spec::Check>(task.question))
    if (const auto why = why_not_checked(task))
      return why;
  if (!task.model.every_read_has_source)
    return "the model has reads without a source";
  if (const auto why = why_not_judged(*plan_of(task.model)))
    return why;
  return program::why_no_events(*task.program);
}

verdict::Verdict
answer_by_axioms(const spec::Task& task, const Context& context, const Admits& admits) {
  return std::holds_alternative<spec::Check>(task.question) ? check_by_axioms(task, context)
                                                            : find_states(task, context, admits);
}

} // namespace heddle::engine::axiomatic
