// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From an execution to a schedule: the machine is walked along the order in which the events take
// effect, each thread led to the step its next event comes from, each pending store flushed where
// its write takes effect.
#pragma once

#include "encode/order/lock_sections.h"
#include "encode/order/skeleton.h"
#include "execution/run.h"
#include "memory/machine/machine.h"
#include "program/events/event_set.h"
#include "spec/task.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::engine::axiomatic {

using encode::Node;
using program::EventIndex;

/// An execution as a solver's model has it.
struct SolvedExecution {
  const program::EventSet* set = nullptr;
  const encode::Skeleton* skeleton = nullptr;
  /// Locks that the model has no events of: their sections are atomic in it.
  const std::vector<encode::LockSection>* lock_sections = nullptr;
  std::vector<Node> order; // those of its events that happen, as they take effect
  std::function<bool(EventIndex event)> happens;
  std::function<std::uint64_t(program::Term term)> value;
  /// The violated check: the run stops there. None: it goes as far as the order does.
  std::optional<EventIndex> end = {};
  /// Steps without a place in the order that are to be taken after all that.
  std::vector<EventIndex> last_steps = {};
  std::optional<std::uint32_t> ending = {}; // then this thread goes on to its end
  /// Threads that wait after all that: they are led there.
  std::vector<std::uint32_t> stuck = {};
  std::vector<std::uint32_t> turning = {}; // the same, in loops
  /// Waits on conditions, by the step that gives the mutex up, in which a signal finds the thread.
  /// From others it wakes for no reason at once.
  std::set<EventIndex> kept_waiting = {};
  std::map<EventIndex, std::uint32_t> woken = {}; // by signal: the thread
};

/// Is it a step that the thread takes before, or at, the event?
[[nodiscard]] bool
is_step_before(const encode::NodeInfo& node, std::uint32_t thread, EventIndex event);

/// As far as the machine follows; the checker finds out whether it is a violation. Fails where the
/// execution has more threads at a time than the machine.
[[nodiscard]] Result<execution::Schedule>
make_schedule(const SolvedExecution& solved, memory::MachineKind machine, const spec::Task& task);

} // namespace heddle::engine::axiomatic
