// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/program/unrolled.h"

#include "support/budget_watch.h"
#include "transform/basic/idle.h"

#include <utility>
#include <variant>

namespace heddle::encode {

namespace {

bool has_calls(const program::Program& program) {
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (std::holds_alternative<program::Call>(edge.action))
        return true;
  return false;
}

transform::IdleTurns kept_turns(spec::Property property) {
  if (property == spec::Property::kRace)
    return transform::IdleTurns::kOne;
  if (property == spec::Property::kDeadlock)
    return transform::IdleTurns::kSignalled;
  return property == spec::Property::kLiveness ? transform::IdleTurns::kTurning
                                               : transform::IdleTurns::kNone;
}

} // namespace

std::unique_ptr<transform::Transform> skip_idle_iterations(spec::Property property) {
  const bool is_of_steps =
      property == spec::Property::kReach || property == spec::Property::kOverflow;
  return is_of_steps ? transform::skip_unseen_turns()
                     : transform::skip_idle_turns(kept_turns(property));
}

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

} // namespace heddle::encode
