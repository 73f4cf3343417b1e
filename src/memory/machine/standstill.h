// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait by going around a loop, as docs/semantics.md defines them: a turn is a way of
// the thread alone, by steps that leave it no choice, back to the same state, in which nothing is
// stored where others can see it and nothing that they can see is changed.
#pragma once

#include "memory/machine/machine.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::memory {

/// Whatever memory the step changes, and those that are taken with it, no other thread can see it.
[[nodiscard]] bool changes_only_its_own(const program::Request& request);

/// `steps` are empty if there is none. The first `lead` of them come to where the turn begins:
/// between two looks at a thread that nobody sees it may be anywhere, and not yet in the last of
/// its ways around.
struct IdleTurn {
  std::vector<Transition> steps = {};
  std::size_t lead = 0;
};
/// A turn that the thread comes to from this state, if nobody else moves.
[[nodiscard]] IdleTurn
idle_turn(const Machine& machine, const MachineState& state, ThreadIndex thread);

/// A state in which every live thread waits for ever, and some of them in loops. Bit masks.
struct Standstill {
  std::uint64_t turning = 0; // 0: there is no standstill
  std::uint64_t blocked = 0;
};
[[nodiscard]] Standstill find_standstill(const Machine& machine, const MachineState& state);

} // namespace heddle::memory
