// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/program_search.h"

#include "engine/axiomatic/note_reached.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"

#include <algorithm>
#include <utility>

namespace heddle::engine::axiomatic {

namespace {

std::unique_ptr<solve::Sat> make_solver(bool hosts_theory) {
  return hosts_theory ? solve::make_core() : solve::make_cadical();
}

} // namespace

ProgramSearch::ProgramSearch(const spec::Task& task,
                             spec::Property property,
                             encode::EventOrdering ordering)
    : ProgramFormula(task, property, ordering, make_solver) {}

void ProgramSearch::note_reached(verdict::Reached& known, const Budget& budget) {
  solve::Limits limits;
  limits.budget = &budget;
  limits.conflicts = kConflictsForReached;
  axiomatic::note_reached(set_,
                          {*gates_,
                           [this](program::Term term) { return formula_->literal(term); },
                           [&](logic::Literal is_reached) {
                             return sat_->solve(assumptions(is_reached, Goal::kCut), limits);
                           },
                           [this](logic::Literal literal) { return sat_->value(literal); }},
                          known);
}

/// What the formula had no need of has no literals: it is computed from the variables, and those
/// that nothing needed are 0.
std::uint64_t ProgramSearch::value(program::Term term, const logic::LiteralValues& model) const {
  const logic::BitBlaster& blaster = formula_->blaster();
  if (const std::optional<std::uint64_t> known = blaster.value(term, model))
    return *known;
  return set_.terms.evaluate(term, [&](std::uint64_t number) {
    const auto variable = variables_.find(number);
    return variable == variables_.end() ? 0 : blaster.value(variable->second, model).value_or(0);
  });
}

/// The run ends at the moment of the state, or where a thread waits in an atomic section.
void ProgramSearch::stop_at_state(SolvedExecution& solved) const {
  encode::Node last = skeleton_.moment;
  for (const encode::Stuck::Member& member : stuck_->members()) {
    const program::StaticWait& wait = set_.waits[member.wait];
    if (!sat_->value(member.is_in))
      continue;
    const bool turns = wait.what == program::StaticWait::For::kChange;
    (turns ? solved.turning : solved.stuck).push_back(wait.thread);
    for (const program::StaticSection& section : set_.sections)
      if (wait.section != 0 && section.number == wait.section)
        last = skeleton_.node_of[section.begin];
    for (const program::StaticConditionWait& waiting : set_.condition_waits)
      if (waiting.wait == member.wait)
        solved.kept_waiting.insert(waiting.given);
  }
  for (const encode::Stuck::WakeUp& wake_up : stuck_->wake_ups())
    if (sat_->value(wake_up.holds)) {
      solved.kept_waiting.insert(wake_up.given);
      solved.woken.emplace(wake_up.signal, set_.events[wake_up.given].thread);
    }
  std::erase(solved.order, last == skeleton_.moment ? encode::kNoNode : skeleton_.moment);
  auto end = std::find(solved.order.begin(), solved.order.end(), last);
  if (end != solved.order.end() && last != skeleton_.moment)
    ++end;
  solved.order.erase(end, solved.order.end());
}

/// The block is allocated, and then the thread that ends the run does so.
void ProgramSearch::end_run(SolvedExecution& solved) const {
  solved.order.erase(std::find(solved.order.begin(), solved.order.end(), skeleton_.moment),
                     solved.order.end());
  for (const encode::Leaks::Kept& kept : leaks_->kept())
    if (sat_->value(kept.is_left))
      solved.last_steps.push_back(kept.event);
  for (const encode::Leaks::End& end : leaks_->ends())
    if (sat_->value(end.is_it))
      solved.ending = end.thread;
}

/// The earliest in the order: what comes after a violation in a section may not come about.
EventIndex ProgramSearch::first_violation(const std::vector<encode::Node>& order) const {
  std::optional<EventIndex> first;
  std::size_t steps_to_first = 0;
  for (const EventIndex event : reached(Goal::kViolation)) {
    std::size_t steps = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (is_step_before(skeleton_.nodes[order[i]], set_.events[event].thread, event))
        steps = i + 1;
    if (!first || steps < steps_to_first) {
      first = event;
      steps_to_first = steps;
    }
  }
  return *first;
}

Result<execution::Schedule> ProgramSearch::schedule() const {
  const logic::LiteralValues model = [this](logic::Literal literal) {
    return sat_->value(literal);
  };
  SolvedExecution solved;
  solved.set = &set_;
  solved.skeleton = &skeleton_;
  solved.lock_sections = &lock_sections_;
  solved.value = [&](program::Term term) { return value(term, model); };
  solved.happens = [&](EventIndex event) { return value(set_.events[event].guard, model) != 0; };
  std::vector<bool> happens(skeleton_.nodes.size(), false);
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (skeleton_.node_of[e] != encode::kNoNode && solved.happens(e)) {
      happens[skeleton_.node_of[e]] = true;
      happens[skeleton_.step_of[e]] = true; // where a delayed write enters the buffer
    }
  if (skeleton_.moment != encode::kNoNode)
    happens[skeleton_.moment] = true;
  solved.order = formula_->linearise(model, happens);
  if (stuck_ != nullptr)
    stop_at_state(solved);
  else if (leaks_ != nullptr)
    end_run(solved);
  else if (!encode::is_of_whole_run(property_))
    solved.end = first_violation(solved.order);
  return make_schedule(solved, *task_.model.machine, task_);
}

void ProgramSearch::count(verdict::Statistics& statistics) const {
  auto& counters = statistics.counters;
  counters["events"] = static_cast<double>(set_.events.size());
  counters["nodes"] = static_cast<double>(skeleton_.nodes.size());
  counters["events left out"] = static_cast<double>(left_out_);
  counters["atomic sections of locks"] = static_cast<double>(lock_sections_.size());
  if (sat_ == nullptr)
    return;
  counters["variables"] = static_cast<double>(sat_->variable_count());
  counters["clauses"] = static_cast<double>(gates_->clause_count());
  counters["sources"] = static_cast<double>(formula_->size().sources);
  if (ordered_ != nullptr)
    counters["from-reads"] = static_cast<double>(ordered_->from_reads().size());
  counters["conflicts"] = static_cast<double>(sat_->statistics().conflicts);
}

} // namespace heddle::engine::axiomatic
