// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/model_question.h"

#include "encode/final_state.h"
#include "encode/model_formula.h"
#include "engine/axiomatic/judge.h"
#include "memory/event_options.h"
#include "program/event_set.h"
#include "solve/core.h"
#include "spec/observed.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace heddle::engine::axiomatic {

namespace {

using logic::Literal;
using memory::Axiom;
using program::EventIndex;
using solve::Answer;
using verdict::Unknown;
using Kind = program::StaticEvent::Kind;

class ModelQuestion {
public:
  ModelQuestion(const spec::Task& task, const Context& context, program::EventSet set)
      : task_(task), context_(context), question_(std::get<spec::Enumerate>(task.question)),
        core_(*task.model.core), plan_(plan_of(task.model)), judge_(plan_), set_(std::move(set)),
        observed_(spec::observed_places(*task.program, question_)), sat_(solve::make_core()),
        gates_(*sat_), executions_(set_, core_, gates_, theory_) {
    limits_.budget = &context.budget;
    HEDDLE_CHECK(sat_->connect(theory_), "a solver without a theory");
  }

  verdict::Verdict run() {
    verdict_.approximations = task_.program->approximations;
    if (Status status = executions_.encode(); !status) {
      fail(status.error().message);
      return std::move(verdict_);
    }
    if (!find_obstacles())
      return std::move(verdict_);
    require_complete_executions();
    encode::ModelFormula model(core_, executions_, plan_->co(), gates_, theory_);
    model.require_axioms();
    is_exact_ = model.is_exact();
    if (counts())
      choices_ = executions_.choices();
    const encode::FinalState state(set_, executions_, observed_, gates_);
    if (!find_states(state) || (!counts() && !find_flags(model)))
      return std::move(verdict_);
    outcomes_.complete = is_complete_ && cuts_.empty();
    for (const std::string& cut : cuts_)
      verdict_.approximations.push_back({Approximation::Kind::kUnder, cut, {}});
    count();
    verdict_.answer = std::move(outcomes_);
    return std::move(verdict_);
  }

private:
  static std::shared_ptr<const memory::EvaluationPlan> plan_of(const memory::Model& model) {
    return model.plan != nullptr && &model.plan->core() == model.core.get()
               ? model.plan
               : std::make_shared<const memory::EvaluationPlan>(*model.core, false);
  }
  bool fail(const std::string& why) {
    verdict_.answer = Unknown{Unknown::Reason::kUnsupported, why, ""};
    return false;
  }
  [[nodiscard]] logic::LiteralValues model() const {
    return [this](Literal literal) { return sat_->value(literal); };
  }

  /// The event happens, and its thread has not been stopped before.
  Literal is_reached(EventIndex event) {
    std::vector<Literal> all{executions_.literal(set_.events[event].guard)};
    const program::StaticThread& thread = set_.threads[set_.events[event].thread];
    for (EventIndex e = thread.first; e < event; ++e)
      if (set_.events[e].kind == Kind::kAssume)
        all.push_back(holds_where_reached(e));
    return gates_.and_(all);
  }
  Literal holds_where_reached(EventIndex event) {
    const Literal guard = executions_.literal(set_.events[event].guard);
    return gates_.implies(guard, executions_.literal(set_.events[event].value));
  }

  /// What is behind a bound or something unsupported is in no execution here. Whether anything is,
  /// is asked without the axioms: executions that are cut short need not satisfy them.
  bool find_obstacles() {
    struct Obstacle {
      Literal is_met;
      std::string text;
    };
    std::vector<Obstacle> traps;
    std::vector<Obstacle> cuts;
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      const program::StaticEvent& event = set_.events[e];
      if (event.kind == Kind::kTrap)
        traps.push_back({is_reached(e),
                         fmt::format("{}: {}", set_.program->place(event.loc), event.text)});
      if (event.kind == Kind::kCut)
        cuts.push_back({is_reached(e), event.text});
    }
    for (const encode::ExecutionFormula::Misplaced& one : executions_.misplaced())
      traps.push_back({gates_.and_(is_reached(one.access), one.is_met),
                       fmt::format("{}: an access to an address at which nothing is",
                                   set_.program->place(set_.events[one.access].loc))});
    if (executions_.has_fresh_memory())
      cuts_.insert("what allocated memory holds at first is taken as 0");
    const auto find_next = [&](std::vector<Obstacle>& obstacles) -> std::optional<Answer> {
      std::vector<Literal> some;
      for (const Obstacle& one : obstacles)
        some.push_back(one.is_met);
      const Literal any = gates_.or_(some);
      if (gates_.is_false(any))
        return std::nullopt;
      const Answer answer = sat_->solve(std::vector{any}, limits_);
      return answer == Answer::kUnsatisfiable ? std::nullopt : std::optional(answer);
    };
    if (const std::optional<Answer> answer = find_next(traps)) {
      if (*answer == Answer::kUnknown)
        return stopped();
      const auto met = std::find_if(traps.begin(), traps.end(), [this](const Obstacle& one) {
        return sat_->value(one.is_met);
      });
      return fail(met->text);
    }
    while (const std::optional<Answer> answer = find_next(cuts)) {
      if (*answer == Answer::kUnknown)
        return stopped();
      for (const Obstacle& one : cuts)
        if (sat_->value(one.is_met))
          cuts_.insert(one.text);
      std::erase_if(cuts, [this](const Obstacle& one) { return cuts_.contains(one.text); });
    }
    return true;
  }

  bool stopped() {
    verdict_.answer = Unknown{Unknown::Reason::kTime, "the budget is used up", ""};
    return false;
  }

  /// Runs in which every thread comes to its end, with no failed assertion.
  void require_complete_executions() {
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      const program::StaticEvent& event = set_.events[e];
      if (event.kind == Kind::kAssume || event.kind == Kind::kCheck)
        gates_.require(holds_where_reached(e));
      else if (event.kind == Kind::kCut || event.kind == Kind::kTrap)
        gates_.require(~executions_.literal(event.guard));
    }
    for (const encode::ExecutionFormula::Misplaced& one : executions_.misplaced())
      gates_.require(~one.is_met);
  }

  /// The execution of the solver's model, if the memory model allows it. Otherwise it is excluded.
  struct Found {
    execution::Execution execution;
    std::vector<std::string> flags = {};
    std::uint64_t count = 0; // of executions with its state
  };
  std::optional<Found> judged() {
    ++executions_judged_;
    Found found{executions_.execution(model())};
    Judgement judgement = judge_.judge(found.execution);
    if (judgement.error) {
      error_ = std::move(judgement.error);
      return std::nullopt;
    }
    if (!judgement.is_allowed) {
      HEDDLE_CHECK(!is_exact_, "an axiom that was encoded fails on what the solver found");
      exclude({});
      return std::nullopt;
    }
    found.flags = std::move(judgement.flags);
    return found;
  }
  /// No such execution again, at least where none of the literals holds.
  void exclude(std::vector<Literal> unless) {
    ++excluded_;
    for (const Literal choice : choices_)
      unless.push_back(sat_->value(choice) ? ~choice : choice);
    gates_.require_any(unless);
  }

  /// Then every execution is looked for, not one for each state.
  [[nodiscard]] bool counts() const {
    return question_.what == spec::Enumerate::What::kExecutions;
  }

  /// Before the solver is asked: what is made afterwards has no value in its model.
  Answer solve(Literal assumption) {
    if (!is_exact_ && choices_.empty())
      choices_ = executions_.choices();
    return sat_->solve(std::vector{assumption}, limits_);
  }

  bool find_states(const encode::FinalState& state) {
    // What excludes a state holds only while states are looked for.
    const Literal is_new = gates_.fresh();
    std::map<std::vector<std::uint64_t>, Found> states;
    for (;;) {
      const Answer answer = solve(is_new);
      if (answer == Answer::kUnsatisfiable)
        break;
      if (answer == Answer::kUnknown) {
        is_complete_ = false;
        break;
      }
      std::vector<std::uint64_t> values = state.values(model());
      std::optional<Found> found = judged();
      if (error_)
        return fail(error_->to_string());
      if (!found)
        continue;
      for (const std::string& flag : found->flags)
        outcomes_.flags[flag] = counts() ? outcomes_.flags[flag] + 1 : 1;
      if (counts()) {
        exclude({~is_new});
      } else {
        std::vector<Literal> clause = state.differs_from(values);
        clause.push_back(~is_new);
        gates_.require_any(clause);
      }
      const auto [entry, is_first] = states.try_emplace(std::move(values), std::move(*found));
      HEDDLE_CHECK(is_first || counts(), "a state that was excluded");
      ++entry->second.count;
    }
    gates_.require(~is_new);
    tell(states);
    return true;
  }

  void tell(std::map<std::vector<std::uint64_t>, Found>& states) {
    std::vector<std::pair<verdict::Outcome, Found*>> named;
    for (auto& [values, found] : states) {
      verdict::Outcome outcome;
      for (std::size_t i = 0; i < observed_.size(); ++i)
        outcome[observed_[i].name] = values[i];
      named.emplace_back(std::move(outcome), &found);
    }
    std::sort(named.begin(), named.end());
    for (auto& [outcome, found] : named) {
      if (outcomes_.kept.size() < question_.kept_executions)
        outcomes_.kept.push_back({std::move(found->execution),
                                  outcomes_.states.size(),
                                  std::move(found->flags)});
      outcomes_.states.push_back(std::move(outcome));
      if (counts())
        outcomes_.executions.push_back(found->count);
    }
  }

  /// Flags that no execution found so far has raised.
  bool find_flags(encode::ModelFormula& model) {
    for (const Axiom& axiom : core_.axioms) {
      if (axiom.role == Axiom::Role::kRequire)
        continue;
      const std::string name = flag_name(axiom);
      const Literal holds = model.is_satisfied(axiom);
      const Literal is_raised = holds ^ (axiom.role != Axiom::Role::kFlag);
      const bool is_exact = model.is_exact();
      is_exact_ = is_exact_ && is_exact;
      while (!outcomes_.flags.contains(name)) {
        const Answer answer = solve(is_raised);
        if (answer == Answer::kUnsatisfiable)
          break;
        if (answer == Answer::kUnknown) {
          is_complete_ = false;
          return true;
        }
        const std::optional<Found> found = judged();
        if (error_)
          return fail(error_->to_string());
        if (!found)
          continue;
        for (const std::string& flag : found->flags)
          outcomes_.flags[flag] = 1;
        if (outcomes_.flags.contains(name))
          break;
        HEDDLE_CHECK(!is_exact, "a flag that was encoded is not raised by what the solver found");
        exclude({~is_raised});
      }
    }
    return true;
  }

  void count() {
    auto& counters = verdict_.statistics.counters;
    counters["events"] = static_cast<double>(executions_.count());
    counters["variables"] = static_cast<double>(sat_->variable_count());
    counters["clauses"] = static_cast<double>(gates_.clause_count());
    counters["conflicts"] = static_cast<double>(sat_->statistics().conflicts);
    counters["executions judged"] = static_cast<double>(executions_judged_);
    counters["executions excluded"] = static_cast<double>(excluded_);
  }

  const spec::Task& task_;
  const Context& context_;
  const spec::Enumerate& question_;
  const memory::Core& core_;
  std::shared_ptr<const memory::EvaluationPlan> plan_;
  Judge judge_;
  program::EventSet set_;
  std::vector<spec::ObservedPlace> observed_;
  solve::OrderTheory theory_;
  std::unique_ptr<solve::Sat> sat_;
  logic::Gates gates_;
  encode::ExecutionFormula executions_;
  solve::Limits limits_;
  std::vector<Literal> choices_;
  bool is_exact_ = true;
  bool is_complete_ = true;
  std::set<std::string> cuts_;
  std::optional<Error> error_;
  std::uint64_t executions_judged_ = 0;
  std::uint64_t excluded_ = 0;
  verdict::Outcomes outcomes_;
  verdict::Verdict verdict_;
};

} // namespace

std::optional<std::string> why_not_by_axioms(const spec::Task& task) {
  if (task.model.core == nullptr)
    return "the memory model has no axioms";
  const auto* const question = std::get_if<spec::Enumerate>(&task.question);
  if (question == nullptr)
    return "from axioms it finds final states, and checks no property";
  if (!task.model.every_read_has_source)
    return "the model has reads without a source";
  if (const auto why =
          why_not_judged(task.model.plan != nullptr && &task.model.plan->core() == task.model.core.get()
                             ? *task.model.plan
                             : memory::EvaluationPlan(*task.model.core, false)))
    return why;
  return program::why_no_events(*task.program);
}

verdict::Verdict answer_by_axioms(const spec::Task& task, const Context& context) {
  const auto fail = [](const Error& error) {
    verdict::Verdict verdict;
    verdict.answer = Unknown{Unknown::Reason::kUnsupported, error.message, ""};
    return verdict;
  };
  const Result<program::EventSetOptions> options =
      memory::event_options(*task.model.core, *task.program);
  if (!options)
    return fail(options.error());
  Result<program::EventSet> set = program::make_events(*task.program, *options);
  if (!set)
    return fail(set.error());
  if (std::get<spec::Enumerate>(task.question).what == spec::Enumerate::What::kExecutions &&
      (!task.model.core->generators.empty() ||
       std::any_of(set->events.begin(), set->events.end(), [](const program::StaticEvent& event) {
         return event.kind == Kind::kChoice;
       })))
    return fail({ErrorKind::kUnsupported,
                 "AXI-001",
                 "executions that differ in chosen values or relations are not counted"});
  return ModelQuestion(task, context, std::move(*set)).run();
}

} // namespace heddle::engine::axiomatic
