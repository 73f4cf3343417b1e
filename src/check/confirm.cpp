// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/confirm.h"

#include "check/execution/execution_misuse.h"
#include "check/execution/execution_replay.h"
#include "check/execution/execution_state.h"
#include "check/judge_claim.h"
#include "check/run/deadlock.h"
#include "check/run/find_cycle.h"
#include "check/run/namer.h"
#include "check/run/replayer.h"
#include "memory/judge.h"
#include "spec/property.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::check {

namespace {

using verdict::Evidence;
using verdict::Violation;

Error failure(std::string code, std::string message) {
  return Error{ErrorKind::kUnsupported, std::move(code), std::move(message)};
}

std::string describe(const execution::Transition& transition) {
  return fmt::format("{} of thread {} with choice {}",
                     transition.kind == execution::Transition::Kind::kFlush ? "flush" : "step",
                     transition.thread,
                     transition.choice);
}

/// Takes the whole schedule; an error where a transition is not enabled.
Status take_all(Replayer& replayer, const execution::Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (!replayer.run().fault.is_none())
      return failure("CHECK-002",
                     fmt::format("the run ends ({}) before transition {}",
                                 program::to_string(replayer.run().fault.kind),
                                 i + 1));
    if (!replayer.can_take(schedule[i]))
      return failure(
          "CHECK-001",
          fmt::format("transition {} ({}) is not enabled", i + 1, describe(schedule[i])));
    replayer.take(schedule[i]);
  }
  return Done{};
}

std::optional<program::Fault>
leak_at_end(const Ground& ground, const Replayer& replayer, spec::Property property) {
  if (property != spec::Property::kMemory && property != spec::Property::kCleanup)
    return std::nullopt;
  if (!ground.machine().is_final(replayer.state()))
    return std::nullopt;
  const program::State& state = replayer.state().core;
  const std::vector<std::uint64_t> blocks =
      ground.interpreter().leaked_blocks(state, property == spec::Property::kCleanup);
  if (blocks.empty())
    return std::nullopt;
  program::Fault fault;
  fault.kind = program::FaultKind::kLeak;
  fault.what = replayer.namer().name(state.memory, blocks.front());
  if (const auto place = ground.interpreter().place(state.memory, blocks.front());
      place && place->object.is_valid())
    fault.loc = ground.program().objects[place->object].loc;
  return fault;
}

std::string how(const HeldAddress& held) {
  switch (held.kind) {
  case LockKind::kMutex:
    return "mutex";
  case LockKind::kSpin:
    return "spin lock";
  case LockKind::kReadWrite:
    return held.hold == Hold::kRead ? "read lock" : "write lock";
  }
  HEDDLE_CHECK(false, "no such lock");
  return "";
}

void add_held(Evidence& evidence,
              const Replayer& replayer,
              program::ThreadIndex thread,
              const std::vector<HeldAddress>& held) {
  for (const HeldAddress& lock : held)
    evidence.held.push_back(
        {thread, replayer.namer().name(replayer.state().core.memory, lock.address, 1), how(lock)});
}

/// What the turn reads, and who could have written it.
void add_turn(verdict::Waiting& waiting, const Replayer& replayer, const Stuck::Entry& entry) {
  const program::MemoryState& memory = replayer.state().core.memory;
  for (const Stuck::Found& found : entry.found)
    waiting.name +=
        fmt::format("{}{} to be other than {}",
                    waiting.name.empty() ? "" : " or ",
                    replayer.namer().name(memory, found.address, found.size),
                    replayer.namer().value(memory, found.value, found.size, found.address));
}

void add_waits(Evidence& evidence,
               const Ground& ground,
               const Replayer& replayer,
               spec::Property property) {
  const memory::MachineState& state = replayer.state();
  const Stuck stuck = property == spec::Property::kLiveness ? find_turning(ground, state)
                                                            : find_stuck(ground, state);
  evidence.is_partial = stuck.is_partial;
  for (const Stuck::Entry& entry : stuck.waits) {
    verdict::Waiting waiting;
    waiting.thread = entry.thread;
    waiting.reason = entry.is_turning ? "in a loop" : to_string(entry.wait.reason);
    waiting.loc = entry.loc;
    for (program::ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread)
      if ((entry.wait.releasers >> thread & 1U) != 0 && thread != entry.thread &&
          state.core.threads[thread].is_live())
        waiting.for_threads.push_back(thread);
    if (entry.is_turning) {
      add_turn(waiting, replayer, entry);
    } else if (entry.wait.reason == program::Wait::Reason::kJoin) {
      if (!waiting.for_threads.empty())
        waiting.name = evidence.threads[waiting.for_threads.front()];
    } else if (entry.wait.reason != program::Wait::Reason::kAtomicSection) {
      waiting.name = replayer.namer().name(state.core.memory, entry.wait.address, 1);
    }
    evidence.waiting.push_back(std::move(waiting));
  }
  for (program::ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread)
    add_held(evidence, replayer, thread, replayer.held_now().of(thread));
}

Evidence collect(const Ground& ground,
                 const Replayer& replayer,
                 spec::Property property,
                 const verdict::ViolationKind& kind) {
  Evidence evidence;
  evidence.threads = replayer.thread_names();
  evidence.steps = replayer.texts();
  std::visit(Overloaded{
                 [](const verdict::FaultReached&) {},
                 [&](const verdict::Race& race) {
                   for (const std::uint32_t step : {race.first, race.second})
                     add_held(evidence,
                              replayer,
                              replayer.run().steps[step].transition.thread,
                              replayer.held_at(step));
                 },
                 [&](const verdict::Deadlock&) { add_waits(evidence, ground, replayer, property); },
                 [&](const verdict::NotRobust&) { evidence.cycle = find_cycle(replayer); },
             },
             kind);
  return evidence;
}

/// An execution instead of a schedule, under a model that has axioms only.
Result<Violation> confirm_execution(const spec::Task& task, Violation violation) {
  if (task.model.core == nullptr)
    return failure("CHECK-015", "there are no axioms to check the execution by");
  ExecutionReplay replay(task, *violation.execution);
  if (Status status = replay.run(); !status)
    return status.error();
  const auto plan = std::make_shared<const memory::EvaluationPlan>(*task.model.core, false);
  memory::Judge judge(plan);
  const memory::Judgement judgement = judge.judge(replay.execution());
  if (judgement.error)
    return *judgement.error;
  if (!judgement.is_allowed)
    return failure("CHECK-016",
                   fmt::format("the model '{}' forbids the execution", task.model.name));
  violation.execution = replay.execution();
  violation.run = replay.steps();
  violation.run->fault = replay.fault();
  if (violation.property == spec::Property::kMemory && replay.fault().is_none())
    if (std::optional<program::Fault> misuse = find_misuse(replay, task.model, judge))
      violation.run->fault = std::move(*misuse);
  if ((violation.property == spec::Property::kMemory ||
       violation.property == spec::Property::kCleanup) &&
      violation.run->fault.is_none())
    if (const std::vector<std::uint64_t> lost =
            replay.lost_blocks(violation.property == spec::Property::kCleanup);
        !lost.empty())
      violation.run->fault = replay.leak_of(lost.front());
  violation.evidence = {};
  violation.evidence.threads = replay.thread_names();
  violation.evidence.steps = replay.texts();
  if (violation.property == spec::Property::kDeadlock ||
      violation.property == spec::Property::kLiveness) {
    const Result<verdict::Deadlock> waits =
        confirm_waits(task, replay, violation.property, violation.evidence);
    if (!waits)
      return waits.error();
    violation.kind = *waits;
    return violation;
  }
  if (violation.property == spec::Property::kRobustness) {
    violation.evidence.cycle = find_cycle(replay.execution(), replay.steps().steps.size());
    if (violation.evidence.cycle.empty())
      return failure("CHECK-017", "the execution is allowed, and sequential consistency allows it");
    violation.kind = verdict::NotRobust{};
    return violation;
  }
  if (violation.property != spec::Property::kRace) {
    if (violation.run->fault.is_none())
      return failure("CHECK-017",
                     fmt::format("the execution is allowed, but shows no violation of {}",
                                 spec::to_string(violation.property)));
    violation.kind = verdict::FaultReached{};
    return violation;
  }
  for (const memory::Axiom& axiom : task.model.core->axioms)
    for (std::size_t i = 0; i < judgement.flags.size(); ++i)
      if (memory::tells_race(axiom) && judgement.flags[i] == memory::flag_name(axiom) &&
          judgement.flagged[i]) {
        const std::vector<execution::Event>& events = violation.execution->events;
        violation.kind = verdict::Race{events[judgement.flagged[i]->first].step,
                                       events[judgement.flagged[i]->second].step};
        return violation;
      }
  return failure("CHECK-017", "the execution is allowed, and the model tells no race of it");
}

} // namespace

std::optional<Shown> judge(const Ground& ground,
                           const Replayer& replayer,
                           spec::Property property,
                           const verdict::ViolationKind& claim) {
  return std::visit(
      Overloaded{
          [&](const verdict::FaultReached& reached) -> std::optional<Shown> {
            program::Fault fault = replayer.run().fault;
            if (fault.is_none()) {
              std::optional<program::Fault> leak = leak_at_end(ground, replayer, property);
              if (!leak)
                return std::nullopt;
              fault = std::move(*leak);
            }
            if (!spec::violates(property, fault.kind))
              return std::nullopt;
            return Shown{reached, std::move(fault)};
          },
          [&](const verdict::Race& race) -> std::optional<Shown> {
            const std::vector<RacingPair>& races = replayer.races();
            if (property != spec::Property::kRace || races.empty())
              return std::nullopt;
            const RacingPair claimed{std::min(race.first, race.second),
                                     std::max(race.first, race.second)};
            const RacingPair& pair =
                std::ranges::find(races, claimed) != races.end() ? claimed : races.front();
            return Shown{verdict::Race{pair.first, pair.second}, replayer.run().fault};
          },
          [&](const verdict::Deadlock&) -> std::optional<Shown> {
            if (!replayer.run().fault.is_none())
              return std::nullopt;
            if (property == spec::Property::kLiveness) {
              const Stuck stuck = find_turning(ground, replayer.state());
              return stuck.threads == 0
                         ? std::nullopt
                         : std::optional(Shown{verdict::Deadlock{stuck.threads, false}, {}});
            }
            if (property != spec::Property::kDeadlock)
              return std::nullopt;
            const Stuck stuck = find_stuck(ground, replayer.state());
            // Two independent decisions of the same question: what the machine says must be in what
            // is found here.
            const std::uint64_t machine = ground.machine().deadlocked(replayer.state());
            if (machine == 0 || (machine & ~stuck.threads) != 0)
              return std::nullopt;
            return Shown{verdict::Deadlock{stuck.threads, stuck.is_partial}, {}};
          },
          [&](const verdict::NotRobust& cycle) -> std::optional<Shown> {
            if (property != spec::Property::kRobustness || find_cycle(replayer).empty())
              return std::nullopt;
            return Shown{cycle, replayer.run().fault};
          },
      },
      claim);
}

Result<execution::Run> replay(const spec::Task& task, const execution::Schedule& schedule) {
  const Ground ground(task);
  Replayer replayer(ground, Detail::kReport, spec::Property::kReach);
  if (Status status = take_all(replayer, schedule); !status)
    return status.error();
  return replayer.run();
}

Result<Violation> confirm(const spec::Task& task, Violation violation) {
  if (violation.execution)
    return confirm_execution(task, std::move(violation));
  const Ground ground(task);
  Replayer replayer(ground, Detail::kReport, violation.property);
  if (Status status = take_all(replayer, violation.schedule); !status)
    return status.error();
  std::optional<Shown> shown = judge(ground, replayer, violation.property, violation.kind);
  if (!shown)
    return failure(
        "CHECK-003",
        fmt::format("the run can be replayed, but shows no violation of {} (it ends with: {})",
                    spec::to_string(violation.property),
                    replayer.run().fault.is_none()
                        ? "nothing"
                        : program::to_string(replayer.run().fault.kind)));
  violation.kind = shown->kind;
  violation.run = replayer.run();
  violation.run->fault = shown->fault;
  violation.evidence = collect(ground, replayer, violation.property, violation.kind);
  return violation;
}

} // namespace heddle::check
