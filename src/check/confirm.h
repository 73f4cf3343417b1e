// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The second opinion: replays a violation step by step on the machine, without the engine that
// found it, and fills in what each step did. Nothing is printed as a violation that has not passed
// here; one that does not pass is our bug.
#pragma once

#include "check/run/lacks_room.h"
#include "memory/machine/machine.h"
#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/verdict.h"

namespace heddle::check {

/// The run the schedule makes, with reads-from, buffers and assigned variables. Fails where a
/// transition is not enabled.
[[nodiscard]] Result<execution::Run> replay(const spec::Task& task,
                                            const execution::Schedule& schedule);

/// Replays and confirms that the claimed violation is one: the fault, the race (by its own
/// happens-before), the deadlock, the cycle. The result carries the run. A violation with an
/// execution instead of a schedule is run thread by thread (execution_replay.h) and judged by the
/// axioms; its run has a step for each access.
[[nodiscard]] Result<verdict::Violation> confirm(const spec::Task& task,
                                                 verdict::Violation violation);

/// The same violation with fewer context switches, then fewer steps, then fewer delayed flushes;
/// confirmed again. When the budget is used up, the smallest that has been found.
[[nodiscard]] verdict::Violation
minimise(const spec::Task& task, verdict::Violation violation, const Budget& budget);

} // namespace heddle::check
