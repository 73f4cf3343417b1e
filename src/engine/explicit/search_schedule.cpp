// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From a stored state back to the run that leads to it. A record knows the state it was reached
// from but not how: that is found again by expanding the earlier state in full. Where threads were
// sorted (symmetry), the permutation is carried along so that the schedule names the threads of a
// real run.
#include "engine/explicit/state_search.h"
#include "support/check.h"

#include <algorithm>

namespace heddle::engine {

memory::MachineState Search::replay(const execution::Schedule& schedule) const {
  memory::MachineState state;
  HEDDLE_CHECK(machine_->initial(state).is_none(), "a schedule for a run that does not start");
  for (const Transition& transition : schedule)
    HEDDLE_CHECK(machine_->is_enabled(state, transition) &&
                     machine_->apply(state, transition).is_none(),
                 "a rebuilt schedule does not run");
  return state;
}

/// The real run beside the representatives. Where threads were sorted, the initial thread may be
/// past a join in the representative that it still waits in here; between joins it does nothing
/// anybody can see, so the join is owed until it can be made, at the latest when all threads have
/// ended.
class Search::RealRun {
public:
  explicit RealRun(const memory::Machine& machine) : machine_(machine) {
    HEDDLE_CHECK(machine_.initial(state_).is_none(), "a schedule for a run that does not start");
  }
  void take(const Transition& transition) {
    if (transition.thread == 0) {
      pay();
      if (owed_ > 0 || !machine_.is_enabled(state_, transition)) {
        ++owed_;
        return;
      }
    }
    apply(transition);
  }
  /// Makes the joins that can be made by now.
  void pay() {
    const Transition join{Transition::Kind::kStep, 0, 0};
    for (; owed_ > 0 && machine_.is_enabled(state_, join); --owed_)
      apply(join);
  }
  [[nodiscard]] execution::Schedule& schedule() { return schedule_; }
  [[nodiscard]] const memory::MachineState& state() const { return state_; }

private:
  void apply(const Transition& transition) {
    HEDDLE_CHECK(machine_.is_enabled(state_, transition) &&
                     machine_.apply(state_, transition).is_none(),
                 "a rebuilt schedule does not run");
    schedule_.push_back(transition);
  }

  const memory::Machine& machine_;
  memory::MachineState state_;
  execution::Schedule schedule_;
  unsigned owed_ = 0;
};

execution::Schedule Search::schedule_to(StateId id, Permutation& permutation) {
  std::vector<StateId> chain;
  for (StateId i = id; i != kNoState; i = store_.parent(i))
    chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
  RealRun run(*machine_);
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
      run.take(symmetry_.real(successor.transition, permutation));
      if (successor.then)
        run.take(symmetry_.real(*successor.then, permutation));
      Permutation next = identity_permutation();
      for (std::size_t t = 0; t < next.size(); ++t)
        next[t] = permutation[from[t]];
      permutation = next;
    }
    HEDDLE_CHECK(found, "a stored state is no successor of the state it was reached from");
  }
  run.pay();
  return std::move(run.schedule());
}

void Search::report(StateId id, const std::vector<Transition>& last, verdict::ViolationKind kind) {
  if (counter_abstraction_) {
    is_doubtful_ = true;
    return;
  }
  verdict::Violation violation;
  violation.property = *property_;
  violation.kind = kind;
  if (id != kNoState) {
    Permutation permutation;
    violation.schedule = schedule_to(id, permutation);
    for (const Transition& transition : last)
      violation.schedule.push_back(symmetry_.real(transition, permutation));
    auto* deadlock = std::get_if<verdict::Deadlock>(&violation.kind);
    if (deadlock != nullptr && asks(spec::Property::kDeadlock)) {
      // The initial thread may stand at an earlier join here than in the representative: joins of
      // ended threads come first, then the question is the same.
      memory::MachineState state = replay(violation.schedule);
      const Transition join{Transition::Kind::kStep, 0, 0};
      while (machine_->deadlocked(state) == 0 && machine_->is_enabled(state, join)) {
        violation.schedule.push_back(join);
        if (!machine_->apply(state, join).is_none())
          break;
      }
      std::uint64_t live = 0;
      for (ThreadIndex t = 0; t < state.core.threads.size(); ++t)
        live |= state.core.threads[t].is_live() ? 1ULL << t : 0;
      deadlock->threads = machine_->deadlocked(state);
      deadlock->is_partial = deadlock->threads != live;
      HEDDLE_CHECK(deadlock->threads != 0, "a deadlock is gone in the real run");
    }
  }
  violation_ = std::move(violation);
}

void Search::judge_hit(StateId id, const Stepper::Hit& hit) {
  Permutation permutation;
  execution::Schedule schedule = schedule_to(id, permutation);
  verdict::Violation violation;
  violation.property = *property_;
  violation.kind = verdict::NotRobust{};
  if (asks(spec::Property::kRace))
    violation.kind = verdict::Race{earlier_access(schedule, hit.hit),
                                   static_cast<std::uint32_t>(schedule.size())};
  schedule.push_back(hit.transition);
  violation.schedule = std::move(schedule);
  violation_ = std::move(violation);
}

} // namespace heddle::engine
