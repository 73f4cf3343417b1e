// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One transition of a replay with the machine's states around it: what the checks of a run work on.
#pragma once

#include "check/run/provenance.h"
#include "execution/run.h"
#include "memory/machine/machine.h"

#include <cstdint>
#include <optional>

namespace heddle::check {

/// References are to the replay's own states and live as long as the call they are passed to.
struct Observed {
  std::uint32_t step = 0;
  const execution::Transition& transition;
  const program::Request& request; // of the stepping thread, before; not for flushes
  const memory::MachineState& before;
  const memory::MachineState& after;
  const Sources& sources; // of what was read
  bool reads = false;
  bool writes = false; // memory or buffer
  std::optional<program::ThreadIndex> created = {};
  std::optional<program::ThreadIndex> joined = {};
};

} // namespace heddle::check
