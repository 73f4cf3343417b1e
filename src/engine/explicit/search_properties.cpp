// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a state, or a fault that ends a run, means for what is asked (design: docs/semantics.md).
#include "engine/explicit/state_search.h"
#include "memory/machine/standstill.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <bit>
#include <variant>

namespace heddle::engine {
namespace {

using program::FaultKind;
using spec::Property;

bool is_fault_of(Property property, FaultKind kind) {
  switch (property) {
  case Property::kReach:
    return kind == FaultKind::kAssertion || kind == FaultKind::kErrorCall;
  case Property::kMemory:
    return program::is_memory_safety(kind);
  case Property::kOverflow:
    return kind == FaultKind::kSignedOverflow;
  case Property::kRace:
  case Property::kDeadlock:
  case Property::kCleanup:
  case Property::kRobustness:
  case Property::kLiveness:
    return false;
  }
  return false;
}

} // namespace

void Search::judge_end(StateId id, const Stepper::End& end) {
  const Fault& fault = end.fault;
  if (property_ && is_fault_of(*property_, fault.kind)) {
    std::vector<Transition> last;
    if (id != kNoState)
      last.push_back(end.transition);
    report(id, last, verdict::FaultReached{});
    return;
  }
  if (fault.kind == FaultKind::kCut)
    cuts_.insert(fault.what);
  else if (fault.kind == FaultKind::kTrap && !trap_)
    trap_ = fault;
  else if (program::is_undefined_behaviour(fault.kind) && !undefined_)
    undefined_ = fault;
}

void Search::judge_state(StateId id) {
  if (tests_adjacency_) {
    judge_races(id);
    if (is_done())
      return;
  }
  const bool is_terminal =
      tuple_.has_ended() || (stepper_.successor_count() == 0 && stepper_.ends().empty());
  if (asks(Property::kDeadlock) && !tuple_.has_ended()) {
    bool someone_waits = is_terminal;
    for (ThreadIndex t = 0; t < tuple_.thread_count() && !someone_waits; ++t)
      someone_waits = stepper_.view(t).waits;
    if (someone_waits) {
      const memory::MachineState& state = stepper_.state();
      const std::uint64_t threads = machine_->deadlocked(state);
      if (threads != 0) {
        std::uint64_t live = 0;
        for (ThreadIndex t = 0; t < state.core.threads.size(); ++t)
          live |= state.core.threads[t].is_live() ? 1ULL << t : 0;
        report(id, {}, verdict::Deadlock{threads, threads != live});
        return;
      }
    }
  }
  if (asks(Property::kLiveness) && !tuple_.has_ended()) {
    const memory::Standstill found = memory::find_standstill(*machine_, stepper_.state());
    if (found.turning != 0) {
      report(id, {}, verdict::Deadlock{found.turning | found.blocked, false});
      return;
    }
  }
  if (!is_terminal)
    return;
  const memory::MachineState& state = stepper_.state();
  if (machine_->is_final(state))
    judge_final(id, state);
}

void Search::judge_final(StateId id, const memory::MachineState& state) {
  some_run_completes_ = true;
  if (!property_) {
    add_outcome(state);
    return;
  }
  if (asks(Property::kMemory) && !interpreter_.leaked_blocks(state.core, false).empty())
    report(id, {}, verdict::FaultReached{});
  else if (asks(Property::kCleanup) && !interpreter_.leaked_blocks(state.core, true).empty())
    report(id, {}, verdict::FaultReached{});
}

void Search::add_outcome(const memory::MachineState& state) {
  verdict::Outcome outcome;
  for (const spec::ObservedPlace& observed : observed_)
    outcome[observed.name] = interpreter_.read(state.core.memory, observed.address, observed.size);
  outcomes_.insert(std::move(outcome));
}

} // namespace heddle::engine
