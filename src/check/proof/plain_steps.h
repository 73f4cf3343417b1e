// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What can happen in a state, step by step as the machine does it, and whether something of it
// speaks against a proof. The judgement is this room's own: it may be stricter than an engine's
// (then there is no certificate), never milder.
#pragma once

#include "check/run/replayer.h"
#include "memory/machine/machine.h"
#include "spec/task.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::check {

class PlainSteps {
public:
  /// The task is one that `why_not_by_states` does not refuse, and outlives it.
  explicit PlainSteps(const spec::Task& task);

  [[nodiscard]] memory::MachineState initial() const;
  /// The states that one step leads to, each handed over; the error says what violates the
  /// property, or why nothing is shown.
  [[nodiscard]] Status
  take_all(const memory::MachineState& state,
           const std::function<Status(const memory::MachineState&)>& successor) const;
  [[nodiscard]] bool has_buffers() const { return ground_.machine().has_buffers(); }

private:
  [[nodiscard]] Status judge_fault(const program::Fault& fault) const;
  [[nodiscard]] Status judge_state(const memory::MachineState& state, bool is_terminal) const;
  [[nodiscard]] Status judge_races(const memory::MachineState& state) const;

  spec::Property property_;
  Ground ground_;
};

/// Why the property cannot be read off the states of this program, if it cannot.
[[nodiscard]] std::optional<std::string> why_not_by_states(const spec::Task& task);

} // namespace heddle::check
