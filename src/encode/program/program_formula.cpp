// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/program/program_formula.h"

#include "encode/order/online_order.h"
#include "encode/order/pair_order.h"
#include "encode/order/races.h"
#include "encode/order/relevance.h"
#include "encode/order/sc_cycle.h"
#include "encode/slices/slices.h"
#include "spec/property.h"

#include <utility>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;
using solve::Answer;

/// Pair order has a clause for every three nodes.
constexpr std::size_t kMostNodesForPairs = 100;

/// It is one of a state, not of a step.
bool is_of_state(spec::Property property) {
  return property == spec::Property::kDeadlock || property == spec::Property::kLiveness ||
         property == spec::Property::kCleanup;
}

} // namespace

bool is_of_whole_run(spec::Property property) {
  return property == spec::Property::kRace || property == spec::Property::kRobustness;
}

ProgramFormula::ProgramFormula(const spec::Task& task,
                               spec::Property property,
                               EventOrdering ordering,
                               MakeSolver make_solver)
    : task_(task), property_(property), ordering_(ordering), make_solver_(std::move(make_solver)) {}

Status ProgramFormula::make_events(const program::Program& program, const Budget& budget) {
  program::EventSetOptions event_options;
  event_options.for_solver = true;
  event_options.keeps_waits = is_of_state(property_);
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
void ProgramFormula::reduce(ThreadOrder order) {
  if (is_of_whole_run(property_) || is_of_state(property_))
    return;
  const IsAsked is_asked = [this](const program::StaticEvent& check) {
    return goal_of(check) == Goal::kViolation || program::is_undefined_behaviour(check.fault);
  };
  left_out_ = leave_out_irrelevant(set_, order, is_asked);
  if (order.delays_writes)
    return;
  lock_sections_ = make_lock_sections_atomic(set_, is_asked);
  if (!lock_sections_.empty())
    left_out_ += leave_out_irrelevant(set_, order, is_asked);
}

Status ProgramFormula::encode(const Budget& budget) {
  const ThreadOrder thread_order = order_of(*task_.model.machine);
  reduce(thread_order);
  skeleton_ = make_skeleton(set_, thread_order, is_of_state(property_));
  const bool is_sliced =
      !is_of_whole_run(property_) && !is_of_state(property_) &&
      ((ordering_ == EventOrdering::kSlices && !why_not_sliced(set_, skeleton_)) ||
       (ordering_ == EventOrdering::kAutomatic && is_made_for_slices(set_, skeleton_)));
  const bool is_online = ordering_ == EventOrdering::kOnline ||
                         (ordering_ == EventOrdering::kAutomatic && !is_sliced &&
                          skeleton_.nodes.size() > kMostNodesForPairs);
  sat_ = make_solver_(is_online);
  gates_ = std::make_unique<logic::Gates>(*sat_);
  if (is_online) {
    auto online = std::make_unique<OnlineOrder>(skeleton_, *gates_, *sat_);
    theory_ = &online->theory();
    order_ = std::move(online);
  } else if (!is_sliced) {
    order_ = std::make_unique<PairOrder>(skeleton_, *gates_);
  }
  if (is_sliced) {
    formula_ = std::make_unique<Slices>(set_, skeleton_, *gates_);
  } else {
    auto formula = std::make_unique<MemoryFormula>(set_, skeleton_, *gates_, *order_);
    ordered_ = formula.get();
    if (!is_of_whole_run(property_) && !is_of_state(property_))
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

ProgramFormula::Goal ProgramFormula::goal_of(const MemoryEncoding::Misuse& misuse) const {
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
  for (const MemoryEncoding::Misuse& one : formula_->misuses()) {
    const Goal goal = goal_of(one);
    targets_[goal].push_back({goal == Goal::kCut ? one.free : one.access, one.happens});
  }
  if (is_of_whole_run(property_) && formula_->has_unsure_sections())
    return Error{ErrorKind::kUnsupported,
                 "ENC-003",
                 "a run may wait or end inside an atomic section; " + spec::to_string(property_) +
                     " is then not decided by a solver"};
  if (property_ == spec::Property::kRace) {
    Races races(set_, skeleton_, *gates_, *order_, *ordered_);
    races.encode();
    for (const Races::Racer& racer : races.racers())
      targets_[Goal::kViolation].push_back({racer.event, racer.races});
  }
  if (property_ == spec::Property::kRobustness) {
    ScCycle cycle(set_, *gates_, *ordered_);
    cycle.encode();
    for (const ScCycle::Member& member : cycle.members())
      targets_[Goal::kViolation].push_back({member.event, member.is_in});
  }
  if (property_ == spec::Property::kCleanup) {
    leaks_ = std::make_unique<Leaks>(set_, skeleton_, *gates_, *order_, *ordered_);
    leaks_->encode();
    for (const Leaks::Kept& kept : leaks_->kept())
      targets_[Goal::kViolation].push_back({kept.event, kept.is_left});
  }
  return property_ == spec::Property::kDeadlock || property_ == spec::Property::kLiveness
             ? find_stuck()
             : Done{};
}

Status ProgramFormula::find_stuck() {
  stuck_ = std::make_unique<Stuck>(set_, skeleton_, *gates_, *order_, *ordered_);
  if (Status status =
          stuck_->encode(property_ == spec::Property::kDeadlock ? Stuck::Question::kDeadlock
                                                                : Stuck::Question::kLiveness);
      !status)
    return status;
  for (const Stuck::Member& member : stuck_->members())
    if (member.is_violation)
      targets_[Goal::kViolation].push_back({set_.waits[member.wait].next, member.is_in});
  return Done{};
}

std::optional<std::vector<logic::Literal>> ProgramFormula::question(Goal goal) {
  std::vector<logic::Literal> literals;
  for (const Target& target : targets_[goal])
    literals.push_back(target.is_reached);
  if (literals.empty())
    return std::nullopt;
  return assumptions(gates_->or_(literals), goal);
}

Answer ProgramFormula::reach(Goal goal, const Budget& budget) {
  const std::optional<std::vector<logic::Literal>> asked = question(goal);
  if (!asked)
    return Answer::kUnsatisfiable;
  solve::Limits limits;
  limits.budget = &budget;
  return sat_->solve(*asked, limits);
}

std::vector<logic::Literal> ProgramFormula::assumptions(logic::Literal is_reached, Goal goal) {
  std::vector<logic::Literal> result{is_reached};
  // Memory is never used after it was freed on the way: that would end the run. If it can be, the
  // property is not proved either.
  for (const MemoryEncoding::Misuse& one : formula_->misuses())
    if (goal != goal_of(one))
      result.push_back(~one.happens);
  // Undefined behaviour in a section of a lock that was left out ends the run, too. If there can be
  // any, the property is not proved either.
  if (goal == Goal::kViolation)
    for (const LockSection& section : lock_sections_)
      for (const EventIndex check : section.checks)
        if (goal_of(set_.events[check]) != goal)
          result.push_back(
              gates_->or_(~formula_->executed(check), formula_->literal(set_.events[check].value)));
  if (stuck_ != nullptr && goal != Goal::kViolation)
    for (const logic::Literal wait : stuck_->waits_in_sections())
      result.push_back(~wait);
  return result;
}

std::vector<EventIndex> ProgramFormula::reached(Goal goal) const {
  std::vector<EventIndex> result;
  if (const auto targets = targets_.find(goal); targets != targets_.end())
    for (const Target& target : targets->second)
      if (sat_->value(target.is_reached))
        result.push_back(target.event);
  return result;
}

} // namespace heddle::encode
