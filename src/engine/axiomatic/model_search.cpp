// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/model_search.h"

#include "engine/axiomatic/note_reached.h"
#include "memory/event_options.h"
#include "solve/core/make_core.h"
#include "support/check.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::engine::axiomatic {

using logic::Literal;
using program::EventIndex;
using solve::Answer;
using verdict::Unknown;

namespace {

using Kind = program::StaticEvent::Kind;

} // namespace

std::shared_ptr<const memory::EvaluationPlan> plan_of(const memory::Model& model) {
  return model.plan != nullptr && &model.plan->core() == model.core.get()
             ? model.plan
             : std::make_shared<const memory::EvaluationPlan>(*model.core, false);
}

Unknown unsupported(std::string why) {
  return Unknown{Unknown::Reason::kUnsupported, std::move(why), ""};
}

Unknown stopped(const Budget& budget) {
  return verdict::out_of(budget.exhausted(0).value_or(Exhausted::kTime));
}

Result<program::EventSet> events_of(const memory::Core& core,
                                    const program::Program& program,
                                    const Budget& budget,
                                    bool keeps_waits,
                                    bool keeps_frees) {
  Result<program::EventSetOptions> options = memory::event_options(core, program);
  if (!options)
    return options.error();
  options->budget = &budget;
  options->keeps_waits = keeps_waits;
  options->keeps_frees = keeps_frees;
  return program::make_events(program, *options);
}

/// Variables that say whether a thread goes on before an event; no event and no local has them.
constexpr std::uint64_t kFirstStopVariable = program::kFirstEventVariable / 2;

namespace {

/// What has no event. `goes_on`: by event of the thread whether it goes on before it, and at the
/// end.
void narrow_rest(program::EventSet& set,
                 std::uint32_t thread,
                 const std::vector<program::Term>& goes_on) {
  for (program::StaticPoint& point : set.points)
    if (point.thread == thread)
      point.guard = set.terms.and_(goes_on[point.next - set.threads[thread].first], point.guard);
  for (program::StaticAllocation& one : set.allocations)
    if (one.thread == thread)
      one.when = set.terms.and_(goes_on[one.event - set.threads[thread].first], one.when);
}

/// What a read that waits for a start or end of a thread has to find. Nothing if the thread goes on
/// anyway.
std::optional<program::Term> find_end_of_wait(program::EventSet& set, EventIndex read) {
  const program::StaticEvent& event = set.events[read];
  if (event.kind != Kind::kRead || !event.is_hidden || read + 1 >= set.events.size())
    return std::nullopt;
  const program::StaticEvent& next = set.events[read + 1];
  const program::Term is_over = set.terms.not_(
      set.terms.equal(event.value, set.terms.constant(0, set.terms.sort(event.value).width)));
  if (next.kind != Kind::kAssume || next.thread != event.thread || next.guard != event.guard ||
      next.value != is_over)
    return std::nullopt;
  return is_over;
}

} // namespace

void stop_threads(program::EventSet& set, Stops stops) {
  logic::TermStore& terms = set.terms;
  for (std::uint32_t i = 0; i < set.threads.size(); ++i) {
    const program::StaticThread& thread = set.threads[i];
    program::Term goes_on = terms.boolean(true);
    std::vector<program::Term> goes_on_before;
    for (EventIndex e = thread.first; e < thread.last; ++e) {
      goes_on_before.push_back(goes_on);
      program::StaticEvent& event = set.events[e];
      const bool begins_instruction =
          e == thread.first || set.events[e - 1].instruction != event.instruction;
      const std::optional<program::Term> is_over =
          stops == Stops::kBeforeThreads ? find_end_of_wait(set, e) : std::nullopt;
      if ((stops == Stops::kAnywhere && set.is_memory(e) && begins_instruction) || is_over)
        goes_on = terms.and_(goes_on, terms.variable(kFirstStopVariable + e, logic::Sort{}));
      const program::Term guard = event.guard;
      event.guard = terms.and_(goes_on, guard);
      if (is_over)
        event.guard = terms.and_(event.guard, *is_over);
      if (event.kind == Kind::kAssume || event.kind == Kind::kCheck)
        goes_on = terms.and_(goes_on, terms.or_(terms.not_(guard), event.value));
      else if (event.kind == Kind::kCut || event.kind == Kind::kTrap)
        goes_on = terms.and_(goes_on, terms.not_(guard));
    }
    goes_on_before.push_back(goes_on);
    narrow_rest(set, i, goes_on_before);
  }
}

void start_where_created(program::EventSet& set) {
  logic::TermStore& terms = set.terms;
  for (std::uint32_t i = 0; i < set.threads.size(); ++i) {
    if (!set.may_be_missing(i))
      continue;
    program::StaticThread& thread = set.threads[i];
    // The creator comes first, and its guards are narrowed already.
    const program::Term is_created = set.events[*thread.created_at].guard;
    for (EventIndex e = thread.first; e < thread.last; ++e)
      set.events[e].guard = terms.and_(is_created, set.events[e].guard);
    for (program::PrivateFinal& final : thread.finals) {
      const std::uint64_t initial =
          program::initial_bytes(set, final.address, final.size).value_or(0);
      final.value = terms.ite(
          is_created, final.value, terms.constant(initial, terms.sort(final.value).width));
    }
  }
}

std::vector<InvalidAccess> stop_at_invalid_accesses(program::EventSet& set) {
  logic::TermStore& terms = set.terms;
  std::vector<program::Term> is_valid(set.events.size());
  encode::Places places(set);
  for (EventIndex e = 0; e < set.events.size(); ++e)
    if (set.is_memory(e) && !set.events[e].is_hidden)
      is_valid[e] = places.is_valid(e);
  std::vector<InvalidAccess> found;
  for (std::uint32_t i = 0; i < set.threads.size(); ++i) {
    const program::StaticThread& thread = set.threads[i];
    program::Term goes_on = terms.boolean(true);
    std::vector<program::Term> goes_on_before;
    for (EventIndex e = thread.first; e < thread.last; ++e) {
      goes_on_before.push_back(goes_on);
      program::StaticEvent& event = set.events[e];
      event.guard = terms.and_(goes_on, event.guard);
      if (!is_valid[e].is_valid() ||
          (terms.is_constant(is_valid[e]) && terms.node(is_valid[e]).value != 0))
        continue;
      found.push_back({e, terms.and_(event.guard, terms.not_(is_valid[e]))});
      goes_on = terms.and_(goes_on, terms.or_(terms.not_(event.guard), is_valid[e]));
      event.guard = terms.and_(event.guard, is_valid[e]);
    }
    goes_on_before.push_back(goes_on);
    narrow_rest(set, i, goes_on_before);
  }
  return found;
}

ModelSearch::ModelSearch(const memory::Model& model,
                         program::EventSet set,
                         const Budget& budget,
                         memory::Accesses accesses,
                         memory::Narrowed narrowed)
    : core_(*model.core), plan_(plan_of(model)), judge_(plan_), set_(std::move(set)),
      sat_(solve::make_core()), gates_(*sat_),
      executions_(set_, core_, gates_, theory_, accesses, &budget, narrowed),
      formula_(core_, executions_, plan_->co(), gates_, theory_, &budget) {
  limits_.budget = &budget;
  HEDDLE_CHECK(sat_->connect(theory_), "a solver without a theory");
}

Literal ModelSearch::holds_where_reached(EventIndex event) {
  const Literal guard = executions_.literal(set_.events[event].guard);
  return gates_.implies(guard, executions_.literal(set_.events[event].value));
}

/// The event happens, and no assumption has stopped its thread before.
Literal ModelSearch::is_reached(EventIndex event) {
  std::vector<Literal> all{executions_.literal(set_.events[event].guard)};
  const program::StaticThread& thread = set_.threads[set_.events[event].thread];
  for (EventIndex e = thread.first; e < event; ++e)
    if (set_.events[e].kind == Kind::kAssume)
      all.push_back(holds_where_reached(e));
  return gates_.and_(all);
}

Answer ModelSearch::ask_for_any(const std::vector<Obstacle>& obstacles) {
  std::vector<Literal> some;
  for (const Obstacle& one : obstacles)
    some.push_back(one.is_met);
  return ask(gates_.or_(some));
}

Answer ModelSearch::ask(Literal goal) {
  return ask(goal, limits_.conflicts);
}

Answer ModelSearch::ask(Literal goal, std::uint64_t conflicts) {
  if (formula_.is_given_up())
    return Answer::kUnknown;
  solve::Limits limits = limits_;
  limits.conflicts = conflicts;
  return gates_.is_false(goal) ? Answer::kUnsatisfiable : sat_->solve(std::vector{goal}, limits);
}

void ModelSearch::note_reached(verdict::Reached& known) {
  axiomatic::note_reached(set_,
                          {gates_,
                           [this](program::Term term) { return executions_.literal(term); },
                           [this](Literal goal) { return ask(goal, kConflictsForReached); },
                           [this](Literal literal) { return sat_->value(literal); }},
                          known);
}

ModelSearch::Obstacles ModelSearch::find_traps() {
  std::vector<Obstacle> traps;
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (const program::StaticEvent& event = set_.events[e]; event.kind == Kind::kTrap)
      traps.push_back(
          {is_reached(e), fmt::format("{}: {}", set_.program->place(event.loc), event.text), {}});
  for (const encode::ExecutionFormula::Misplaced& one : executions_.misplaced())
    traps.push_back({gates_.and_(is_reached(one.access), one.is_met),
                     fmt::format("{}: an access to an address at which nothing is",
                                 set_.program->place(set_.events[one.access].loc)),
                     {}});
  Obstacles result;
  const Answer trapped = ask_for_any(traps);
  result.is_known = trapped != Answer::kUnknown;
  if (trapped == Answer::kSatisfiable)
    result.trap = std::find_if(traps.begin(), traps.end(), [this](const Obstacle& one) {
                    return sat_->value(one.is_met);
                  })->text;
  return result;
}

void ModelSearch::find_cuts(Obstacles& result) {
  std::vector<Obstacle> cuts;
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (const program::StaticEvent& event = set_.events[e]; event.kind == Kind::kCut)
      // Where it is no loop that is cut, unrolling further does not help.
      cuts.push_back(
          {is_reached(e),
           event.text,
           event.fault == program::FaultKind::kCut ? std::nullopt : std::optional(event.loc)});
  while (!result.trap && result.is_known) {
    const Answer cut = ask_for_any(cuts);
    result.is_known = cut != Answer::kUnknown;
    if (cut != Answer::kSatisfiable)
      break;
    for (const Obstacle& one : cuts)
      if (sat_->value(one.is_met)) {
        result.cuts.insert(one.text);
        if (one.loc)
          result.cut_at.insert(*one.loc);
      }
    std::erase_if(cuts, [&](const Obstacle& one) { return result.cuts.contains(one.text); });
  }
  if (result.trap || !result.is_known)
    return;
  const Answer is_read = ask(gates_.or_(executions_.reads_of_fresh_memory()));
  result.is_known = is_read != Answer::kUnknown;
  if (is_read == Answer::kSatisfiable)
    result.cuts.insert("what allocated memory holds at first is taken as 0");
}

ModelSearch::Obstacles ModelSearch::find_obstacles() {
  Obstacles result = find_traps();
  find_cuts(result);
  return result;
}

void ModelSearch::require_axioms() {
  for (const encode::ExecutionFormula::Misplaced& one : executions_.misplaced())
    gates_.require(~one.is_met);
  formula_.require_axioms();
}

/// What is made after the solver was asked has no value in its model.
Answer ModelSearch::solve(Literal assumption) {
  if (formula_.is_given_up())
    return Answer::kUnknown;
  if ((will_exclude_ || !formula_.is_exact()) && choices_.empty())
    choices_ = executions_.choices();
  return sat_->solve(std::vector{assumption}, limits_);
}

void ModelSearch::exclude_where(Literal literal) {
  ++excluded_;
  std::vector<Literal> clause{~literal};
  for (const Literal choice : choices_)
    clause.push_back(sat_->value(choice) ? ~choice : choice);
  gates_.require_any(clause);
}

Answer ModelSearch::find(Literal goal,
                         bool is_goal_exact,
                         const std::function<bool(const Found&)>& is_wanted,
                         Found& found) {
  for (;;) {
    const Answer answer = solve(goal);
    if (answer != Answer::kSatisfiable)
      return answer;
    ++judged_;
    found.execution = executions_.execution(values());
    memory::Judgement judgement = judge_.judge(found.execution);
    if (judgement.error) {
      error_ = std::move(judgement.error);
      return Answer::kUnknown;
    }
    found.flags = std::move(judgement.flags);
    if (judgement.is_allowed && is_wanted(found))
      return answer;
    HEDDLE_CHECK(!(judgement.is_allowed ? is_goal_exact : formula_.is_exact()),
                 "an axiom that was encoded says something else of what the solver found");
    exclude_where(judgement.is_allowed ? goal : gates_.constant(true));
  }
}

void ModelSearch::count(verdict::Statistics& statistics) const {
  auto& counters = statistics.counters;
  counters["events"] = static_cast<double>(executions_.count());
  counters["variables"] = static_cast<double>(sat_->variable_count());
  counters["clauses"] = static_cast<double>(gates_.clause_count());
  counters["conflicts"] = static_cast<double>(sat_->statistics().conflicts);
  counters["executions judged"] = static_cast<double>(judged_);
  counters["executions excluded"] = static_cast<double>(excluded_);
}

} // namespace heddle::engine::axiomatic
