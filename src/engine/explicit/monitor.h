// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A finite memory of the past of a run that travels with the state, for properties of runs rather
// than of states: data races by happens-before, and robustness. A monitor is a function of the run
// so far; its words are a component of the state, so two runs that a property must tell apart are
// two states.
#pragma once

#include "memory/machine/machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::engine {

/// What was found at a transition.
struct MonitorHit {
  /// For a race: the earlier access (who, where); the later one is the transition itself.
  program::ThreadIndex thread = 0;
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  bool writes = false;
  bool is_atomic = false;
};

class Monitor {
public:
  virtual ~Monitor() = default;
  [[nodiscard]] virtual std::vector<std::uint64_t> initial() const = 0;
  /// `words` describe the run up to `before`; afterwards up to `after`. The step did not fault, or
  /// it is the last one.
  [[nodiscard]] virtual std::optional<MonitorHit>
  update(std::vector<std::uint64_t>& words,
         const memory::MachineState& before,
         const memory::MachineState& after,
         const execution::Transition& transition,
         const memory::StepDetail& detail) const = 0;
};

} // namespace heddle::engine
