// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/closed_states.h"

#include "check/proof/plain_steps.h"
#include "check/proof/state_set.h"
#include "support/budget_watch.h"

#include <fmt/format.h>

#include <vector>

namespace heddle::check {

namespace {

/// More take minutes, and files of gigabytes.
constexpr std::uint32_t kMostStates = 5'000'000;

Status refuse(const spec::Task& task) {
  if (const std::optional<std::string> why = why_not_by_states(task))
    return Error{ErrorKind::kUnsupported, kNotCertifiable, *why};
  return Done{};
}

} // namespace

Result<verdict::ClosedStates> collect_states(const spec::Task& task, const Budget& budget) {
  if (const Status status = refuse(task); !status)
    return status.error();
  const PlainSteps steps(task);
  StateSet set(steps.has_buffers());
  set.insert(steps.initial());
  Pace pace;
  for (std::uint32_t id = 0; id < set.size(); ++id) {
    if (set.size() > kMostStates)
      return Error{ErrorKind::kUnsupported,
                   kNotCertifiable,
                   fmt::format("more than {} states without reduction", kMostStates)};
    if (pace.is_due() && budget.exhausted(set.bytes()))
      return budget_used_up(fmt::format("states are collected ({} so far)", set.size()));
    const Status status =
        steps.take_all(set.state(id), [&](const memory::MachineState& next) -> Status {
          set.insert(next);
          return Done{};
        });
    if (!status)
      return status.error();
  }
  return verdict::ClosedStates{set.to_text()};
}

Result<Rechecked> recheck_states(const spec::Task& task,
                                 const verdict::ClosedStates& certificate,
                                 const Budget& budget) {
  if (const Status status = refuse(task); !status)
    return status.error();
  const PlainSteps steps(task);
  const Result<StateSet> set = StateSet::from_text(certificate.states, steps.has_buffers(), budget);
  if (!set)
    return set.error();
  const auto missing = [](const char* which) {
    return Error{
        ErrorKind::kInput, kContradicted, fmt::format("{} is not in the set of states", which)};
  };
  Rechecked result;
  std::vector<bool> is_reached(set->size(), false);
  std::vector<std::uint32_t> open;
  const auto reach = [&](const memory::MachineState& state) {
    const std::optional<std::uint32_t> id = set->find(state);
    if (id && !is_reached[*id]) {
      is_reached[*id] = true;
      open.push_back(*id);
    }
    return id.has_value();
  };
  if (!reach(steps.initial()))
    return missing("the initial state");
  Pace pace;
  while (!open.empty()) {
    if (pace.is_due() && budget.exhausted(set->bytes()))
      return budget_used_up("states are checked");
    const std::uint32_t id = open.back();
    open.pop_back();
    ++result.states;
    const Status status =
        steps.take_all(set->state(id), [&](const memory::MachineState& next) -> Status {
          ++result.steps;
          if (!reach(next))
            return missing("a state that a step leads to");
          return Done{};
        });
    if (!status)
      return status.error();
  }
  if (result.states != set->size())
    return Error{ErrorKind::kInput, kContradicted, "there are states that nothing leads to"};
  return result;
}

} // namespace heddle::check
