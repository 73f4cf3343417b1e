// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an exclusive load reserves. Not the events themselves: event_actions.cpp makes those.
#pragma once

#include "program/program.h"

namespace heddle::program {

/// May a store-conditional succeed at another address than the load-reserve before it? RISC-V
/// leaves the size of a reservation set to the implementation, which may take all of memory, and
/// requires only that the set holds the address of the load. The two are then no update (`rmw`):
/// their places differ. Everywhere else the addresses must be the same.
[[nodiscard]] inline bool reservations_cover_memory(const Program& program) {
  return program.vocabulary == "riscv";
}

} // namespace heddle::program
