// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/program_formula.h"

#include "encode/order/online_order.h"
#include "encode/order/pair_order.h"
#include "encode/order/races.h"
#include "encode/order/sc_cycle.h"
#include "encode/slices/slices.h"
#include "engine/axiomatic/note_reached.h"
#include "engine/axiomatic/schedule_of_execution.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "spec/property.h"
#include "support/budget_watch.h"
#include "transform/basic/inline.h"

#include <algorithm>
#include <utility>

namespace heddle::engine::axiomatic {

namespace {

using Kind = program::StaticEvent::Kind;
using solve::Answer;

/// Pair order has a clause for every three nodes.
constexpr std::size_t kMostNodesForPairs = 100;

/// A race or a cycle is in the whole of an execution, not where it ends.
bool is_of_whole_run(spec::Property property) {
  return property == spec::Property::kRace || property == spec::Property::kRobustness;
}

/// It is one of a state, not of a step.
bool is_about_states(spec::Property property) {
  return property == spec::Property::kDeadlock || property == spec::Property::kLiveness ||
         property == spec::Property::kCleanup;
}

bool has_calls(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (std::holds_alternative<program::Call>(edge.action))
        return true;
  return false;
}

} // namespace

Result<execution::Schedule> Unrolled::lift(execution::Schedule schedule) const {
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    Result<execution::Schedule> lifted = stage->lift(schedule);
    if (!lifted)
      return lifted.error();
    schedule = std::move(*lifted);
  }
  return schedule;
}

Result<Unrolled> unroll(const program::Program& program,
                        const spec::Bounds& bounds,
                        const Budget& budget,
                        const transform::Transform* before_unrolling,
                        transform::InlineSlots slots,
                        std::size_t most_run_out) {
  Unrolled result;
  const auto apply = [&](const transform::Transform& transform) -> Status {
    const program::Program& from = result.stages.empty() ? program : result.program();
    Result<transform::Transformed> next = transform.apply(from, bounds);
    if (!next)
      return next.error();
    if (budget.exhausted(0))
      return budget_used_up("loops are unrolled");
    result.stages.push_back(std::move(*next));
    return Done{};
  };
  if (has_calls(program))
    if (Status status = apply(*transform::direct_calls()); !status)
      return status.error();
  if (Status status = apply(*transform::inline_calls(slots, &budget)); !status)
    return status.error();
  if (before_unrolling != nullptr)
    if (Status status = apply(*before_unrolling); !status)
      return status.error();
  // Loops the user named are unrolled before an engine sees the program, and unknown ones refused.
  if (Status status =
          apply(*transform::unroll(transform::NamedLoops::kMayBeGone, most_run_out, &budget));
      !status)
    return status.error();
  // Recursion that was cut at a bound leaves calls behind.
  if (has_calls(result.program()))
    if (Status status = apply(*transform::inline_calls(transform::InlineSlots::kNone, &budget));
        !status)
      return status.error();
  return result;
}

ProgramFormula::ProgramFormula(const spec::Task& task,
                               spec::Property property,
                               const AxiomaticOptions& options)
    : task_(task), property_(property), options_(options) {}

Status ProgramFormula::make_events(const program::Program& program, const Budget& budget) {
  program::EventSetOptions event_options;
  event_options.for_solver = true;
  event_options.keeps_waits = is_about_states(property_);
  event_options.budget = &budget;
  Result<program::EventSet> made = program::make_events(program, event_options);
  if (!made)
    return made.error();
  set_ = std::move(*made);
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (const program::Term guard = set_.events[e].guard; set_.events[e].kind == Kind::kCut &&
                                                          set_.terms.is_constant(guard) &&
                                                          set_.terms.node(guard).value != 0)
      certain_cuts_.push_back(e);
  return Done{};
}

/// What no question depends on, and locks that nobody can see taken.
void ProgramFormula::reduce(encode::ThreadOrder order) {
  if (is_of_whole_run(property_) || is_about_states(property_))
    return;
  const encode::IsAsked is_asked = [this](const program::StaticEvent& check) {
    return goal_of(check) == Goal::kViolation || program::is_undefined_behaviour(check.fault);
  };
  left_out_ = encode::leave_out_irrelevant(set_, order, is_asked);
  if (order.delays_writes)
    return;
  lock_sections_ = encode::make_lock_sections_atomic(set_, is_asked);
  if (!lock_sections_.empty())
    left_out_ += encode::leave_out_irrelevant(set_, order, is_asked);
}

Status ProgramFormula::encode(const Budget& budget) {
  const encode::ThreadOrder thread_order = encode::order_of(*task_.model.machine);
  reduce(thread_order);
  skeleton_ = encode::make_skeleton(set_, thread_order, is_about_states(property_));
  using Ordering = AxiomaticOptions::Ordering;
  const bool is_sliced =
      !is_of_whole_run(property_) && !is_about_states(property_) &&
      ((options_.ordering == Ordering::kSlices && !encode::why_not_sliced(set_, skeleton_)) ||
       (options_.ordering == Ordering::kAutomatic && encode::is_made_for_slices(set_, skeleton_)));
  const bool is_online = options_.ordering == Ordering::kOnline ||
                         (options_.ordering == Ordering::kAutomatic && !is_sliced &&
                          skeleton_.nodes.size() > kMostNodesForPairs);
  sat_ = is_online ? solve::make_core() : solve::make_cadical();
  gates_ = std::make_unique<logic::Gates>(*sat_);
  if (is_online)
    order_ = std::make_unique<encode::OnlineOrder>(skeleton_, *gates_, *sat_);
  else if (!is_sliced)
    order_ = std::make_unique<encode::PairOrder>(skeleton_, *gates_);
  if (is_sliced) {
    formula_ = std::make_unique<encode::Slices>(set_, skeleton_, *gates_);
  } else {
    auto formula = std::make_unique<encode::MemoryFormula>(set_, skeleton_, *gates_, *order_);
    ordered_ = formula.get();
    if (!is_of_whole_run(property_) && !is_about_states(property_))
      formula->share_reads();
    formula_ = std::move(formula);
  }
  formula_->obey(budget);
  if (Status status = formula_->encode(); !status)
    return status;
  if (Status status = find_targets(); !status)
    return status;
  if (order_ != nullptr)
    order_->finish();
  for (const program::StaticEvent& event : set_.events)
    if ((event.kind == Kind::kRead || event.kind == Kind::kChoice) && event.value.is_valid())
      variables_.emplace(set_.terms.node(event.value).value, event.value);
  for (const program::StaticDefinition& definition : set_.definitions)
    variables_.emplace(set_.terms.node(definition.variable).value, definition.variable);
  return Done{};
}

ProgramFormula::Goal ProgramFormula::goal_of(const program::StaticEvent& event) const {
  if (event.kind == Kind::kCut)
    return Goal::kCut;
  if (event.kind == Kind::kTrap)
    return Goal::kTrap;
  return spec::violates(property_, event.fault) ? Goal::kViolation : Goal::kUndefined;
}

ProgramFormula::Goal ProgramFormula::goal_of(const encode::MemoryEncoding::Misuse& misuse) const {
  if (set_.events[misuse.free].fault == program::FaultKind::kCut)
    return Goal::kCut;
  return spec::violates(property_, program::FaultKind::kUseAfterFree) ? Goal::kViolation
                                                                      : Goal::kUndefined;
}

Status ProgramFormula::find_targets() {
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    const program::StaticEvent& event = set_.events[e];
    if (event.kind != Kind::kCheck && event.kind != Kind::kCut && event.kind != Kind::kTrap)
      continue;
    const Goal goal = goal_of(event);
    if (goal == Goal::kUndefined && !program::is_undefined_behaviour(event.fault))
      continue;
    logic::Literal reached = formula_->executed(e);
    if (event.kind == Kind::kCheck)
      reached = gates_->and_(reached, ~formula_->literal(event.value));
    if (!gates_->is_false(reached))
      targets_[goal].push_back({e, reached});
  }
  for (const encode::MemoryEncoding::Misuse& one : formula_->misuses()) {
    const Goal goal = goal_of(one);
    targets_[goal].push_back({goal == Goal::kCut ? one.free : one.access, one.happens});
  }
  if (is_of_whole_run(property_) && formula_->has_unsure_sections())
    return Error{ErrorKind::kUnsupported,
                 "ENC-003",
                 "a run may wait or end inside an atomic section; " + spec::to_string(property_) +
                     " is then not decided by a solver"};
  if (property_ == spec::Property::kRace) {
    encode::Races races(set_, skeleton_, *gates_, *order_, *ordered_);
    races.encode();
    for (const encode::Races::Racer& racer : races.racers())
      targets_[Goal::kViolation].push_back({racer.event, racer.races});
  }
  if (property_ == spec::Property::kRobustness) {
    encode::ScCycle cycle(set_, *gates_, *ordered_);
    cycle.encode();
    for (const encode::ScCycle::Member& member : cycle.members())
      targets_[Goal::kViolation].push_back({member.event, member.is_in});
  }
  if (property_ == spec::Property::kCleanup) {
    leaks_ = std::make_unique<encode::Leaks>(set_, skeleton_, *gates_, *order_, *ordered_);
    leaks_->encode();
    for (const encode::Leaks::Kept& kept : leaks_->kept())
      targets_[Goal::kViolation].push_back({kept.event, kept.is_left});
  }
  return property_ == spec::Property::kDeadlock || property_ == spec::Property::kLiveness
             ? find_stuck()
             : Done{};
}

Status ProgramFormula::find_stuck() {
  stuck_ = std::make_unique<encode::Stuck>(set_, skeleton_, *gates_, *order_, *ordered_);
  if (Status status = stuck_->encode(property_ == spec::Property::kDeadlock
                                         ? encode::Stuck::Question::kDeadlock
                                         : encode::Stuck::Question::kLiveness);
      !status)
    return status;
  for (const encode::Stuck::Member& member : stuck_->members())
    if (member.is_violation)
      targets_[Goal::kViolation].push_back({set_.waits[member.wait].next, member.is_in});
  return Done{};
}

Answer ProgramFormula::reach(Goal goal, const Budget& budget) {
  const std::vector<Target>& targets = targets_[goal];
  if (targets.empty())
    return Answer::kUnsatisfiable;
  std::vector<logic::Literal> literals;
  for (const Target& target : targets)
    literals.push_back(target.is_reached);
  solve::Limits limits;
  limits.budget = &budget;
  return ask(gates_->or_(literals), goal, limits);
}

void ProgramFormula::note_reached(verdict::Reached& known, const Budget& budget) {
  solve::Limits limits;
  limits.budget = &budget;
  limits.conflicts = kConflictsForReached;
  axiomatic::note_reached(
      set_,
      {*gates_,
       [this](program::Term term) { return formula_->literal(term); },
       [&](logic::Literal is_reached) { return ask(is_reached, Goal::kCut, limits); },
       [this](logic::Literal literal) { return sat_->value(literal); }},
      known);
}

Answer ProgramFormula::ask(logic::Literal is_reached, Goal goal, const solve::Limits& limits) {
  std::vector<logic::Literal> assumptions{is_reached};
  // Memory is never used after it was freed on the way: that would end the run. If it can be, the
  // property is not proved either.
  for (const encode::MemoryEncoding::Misuse& one : formula_->misuses())
    if (goal != goal_of(one))
      assumptions.push_back(~one.happens);
  // Undefined behaviour in a section of a lock that was left out ends the run, too. If there can be
  // any, the property is not proved either.
  if (goal == Goal::kViolation)
    for (const encode::LockSection& section : lock_sections_)
      for (const EventIndex check : section.checks)
        if (goal_of(set_.events[check]) != goal)
          assumptions.push_back(
              gates_->or_(~formula_->executed(check), formula_->literal(set_.events[check].value)));
  if (stuck_ != nullptr && goal != Goal::kViolation)
    for (const logic::Literal wait : stuck_->waits_in_sections())
      assumptions.push_back(~wait);
  return sat_->solve(assumptions, limits);
}

std::vector<EventIndex> ProgramFormula::reached(Goal goal) const {
  std::vector<EventIndex> result;
  if (const auto targets = targets_.find(goal); targets != targets_.end())
    for (const Target& target : targets->second)
      if (sat_->value(target.is_reached))
        result.push_back(target.event);
  return result;
}

/// What the formula had no need of has no literals: it is computed from the variables, and those
/// that nothing needed are 0.
std::uint64_t ProgramFormula::value(program::Term term, const logic::LiteralValues& model) const {
  const logic::BitBlaster& blaster = formula_->blaster();
  if (const std::optional<std::uint64_t> known = blaster.value(term, model))
    return *known;
  return set_.terms.evaluate(term, [&](std::uint64_t number) {
    const auto variable = variables_.find(number);
    return variable == variables_.end() ? 0 : blaster.value(variable->second, model).value_or(0);
  });
}

/// The run ends at the moment of the state, or where a thread waits in an atomic section.
void ProgramFormula::stop_at_state(SolvedExecution& solved) const {
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
void ProgramFormula::end_run(SolvedExecution& solved) const {
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
EventIndex ProgramFormula::first_violation(const std::vector<encode::Node>& order) const {
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

Result<execution::Schedule> ProgramFormula::schedule() const {
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
  else if (!is_of_whole_run(property_))
    solved.end = first_violation(solved.order);
  return make_schedule(solved, *task_.model.machine, task_);
}

void ProgramFormula::count(verdict::Statistics& statistics) const {
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
