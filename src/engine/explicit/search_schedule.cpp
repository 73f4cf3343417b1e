// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From a stored state back to the run that leads to it. A record knows the state it was reached from but not how: that is
// found again by expanding the earlier state in full. Where threads were sorted (symmetry), the permutation is carried
// along so that the schedule names the threads of a real run.
#include "engine/explicit/search.h"
#include "support/check.h"

#include <algorithm>

namespace heddle::engine {
namespace {

using Kind = program::Request::Kind;

/// A continuation within an atomic section is followed for so many steps before a race in it is given up on.
constexpr unsigned kMaxSectionSteps = 10000;

} // namespace

memory::MachineState Search::replay(const execution::Schedule& schedule) const {
  memory::MachineState state;
  HEDDLE_CHECK(machine_->initial(state).is_none(), "a schedule for a run that does not start");
  for (const Transition& transition : schedule)
    HEDDLE_CHECK(machine_->is_enabled(state, transition) &&
                     machine_->apply(state, transition).is_none(),
                 "a rebuilt schedule does not run");
  return state;
}

execution::Schedule Search::schedule_to(StateId id, Permutation& permutation) {
  std::vector<StateId> chain;
  for (StateId i = id; i != kNoState; i = store_.parent(i))
    chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
  execution::Schedule schedule;
  permutation = identity_permutation();
  Tuple wanted;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    Tuple tuple;
    store_.read(chain[i], tuple);
    store_.read(chain[i + 1], wanted);
    stepper_.begin(tuple);
    stepper_.add_all();
    bool found = false;
    for (std::size_t s = 0; s < stepper_.successor_count() && !found; ++s) {
      Successor& successor = stepper_.successors()[s];
      Permutation from = identity_permutation();
      symmetry_.canonicalise(successor.tuple, &from);
      if (!(successor.tuple == wanted))
        continue;
      found = true;
      schedule.push_back(symmetry_.real(successor.transition, permutation));
      Permutation next = identity_permutation();
      for (std::size_t t = 0; t < next.size(); ++t)
        next[t] = permutation[from[t]];
      permutation = next;
    }
    HEDDLE_CHECK(found, "a stored state is no successor of the state it was reached from");
  }
  return schedule;
}

void Search::report(StateId id, const std::vector<Transition>& last, verdict::ViolationKind kind) {
  verdict::Violation violation;
  violation.property = *property_;
  violation.kind = kind;
  if (id != kNoState) {
    Permutation permutation;
    violation.schedule = schedule_to(id, permutation);
    for (const Transition& transition : last)
      violation.schedule.push_back(symmetry_.real(transition, permutation));
    if (auto* deadlock = std::get_if<verdict::Deadlock>(&violation.kind)) {
      std::uint64_t threads = 0;
      for (std::size_t t = 0; t < permutation.size(); ++t)
        if ((deadlock->threads >> t & 1U) != 0)
          threads |= 1ULL << permutation[t];
      deadlock->threads = threads;
    }
  }
  violation_ = std::move(violation);
}

bool Search::report_race(StateId id, ThreadIndex first, ThreadIndex second) {
  Tuple tuple;
  store_.read(id, tuple);
  Permutation permutation;
  execution::Schedule schedule = schedule_to(id, permutation);
  memory::MachineState state = replay(schedule);
  const ThreadIndex a = permutation[first];
  const ThreadIndex b = permutation[second];
  std::vector<Transition> steps;
  const auto step = [&](ThreadIndex thread) {
    steps.clear();
    machine_->steps(state, thread, interpreter_.request(state.core, thread), steps);
    if (steps.empty())
      return false;
    schedule.push_back(steps[0]);
    return machine_->apply(state, steps[0]).is_none();
  };
  // Both accesses, one right after the other; inside an atomic section its end comes in between.
  const auto first_index = static_cast<std::uint32_t>(schedule.size());
  bool reached = step(a);
  for (unsigned i = 0; reached && state.core.atomic_owner == static_cast<std::int32_t>(a); ++i) {
    if (i == kMaxSectionSteps || !state.core.threads[a].is_live()) {
      reached = false;
      break;
    }
    steps.clear();
    machine_->steps(state, a, interpreter_.request(state.core, a), steps);
    machine_->flushes(state, a, steps);
    reached = !steps.empty();
    if (reached) {
      schedule.push_back(steps[0]);
      reached = machine_->apply(state, steps[0]).is_none();
    }
  }
  if (reached) {
    steps.clear();
    machine_->steps(state, b, interpreter_.request(state.core, b), steps);
    reached = !steps.empty();
  }
  if (!reached) {
    store_.read(id, tuple);
    stepper_.begin(tuple); // the caller goes on with this state
    return false;
  }
  schedule.push_back(steps[0]);
  verdict::Violation violation;
  violation.property = spec::Property::kRace;
  violation.kind =
      verdict::Race{first_index, static_cast<std::uint32_t>(schedule.size() - 1)};
  violation.schedule = std::move(schedule);
  violation_ = std::move(violation);
  return true;
}

void Search::judge_hit(StateId id, const Stepper::Hit& hit) {
  Permutation permutation;
  execution::Schedule schedule = schedule_to(id, permutation);
  verdict::Violation violation;
  violation.property = *property_;
  violation.kind = verdict::NotRobust{};
  if (asks(spec::Property::kRace)) {
    // The other access is the last one of that thread that fits what the monitor remembers.
    memory::MachineState state;
    HEDDLE_CHECK(machine_->initial(state).is_none(), "a schedule for a run that does not start");
    std::optional<std::uint32_t> first;
    for (std::uint32_t i = 0; i < schedule.size(); ++i) {
      if (schedule[i].kind == Transition::Kind::kStep && schedule[i].thread == hit.hit.thread) {
        const auto request = interpreter_.request(state.core, hit.hit.thread);
        const bool writes = request.kind != Kind::kLoad && request.kind != Kind::kLoadExclusive;
        if (request.address == hit.hit.address && request.size == hit.hit.size &&
            writes == hit.hit.writes && request.kind != Kind::kSynchronize && request.size != 0)
          first = i;
      }
      HEDDLE_CHECK(machine_->apply(state, schedule[i]).is_none(), "a rebuilt schedule does not run");
    }
    HEDDLE_CHECK(first.has_value(), "the race monitor remembers an access that never happened");
    violation.kind = verdict::Race{*first, static_cast<std::uint32_t>(schedule.size())};
  }
  schedule.push_back(hit.transition);
  violation.schedule = std::move(schedule);
  violation_ = std::move(violation);
}

} // namespace heddle::engine
