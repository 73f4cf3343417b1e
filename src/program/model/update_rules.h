// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What differs between architectures in atomic updates: what an exclusive load reserves, and what
// the writes of updates wait for. Not the events themselves: event_actions.cpp makes
// those.
#pragma once

#include "program/model/program.h"

namespace heddle::program {

/// May a store-conditional succeed at another address than the load-reserve before it? RISC-V
/// leaves the size of a reservation set to the implementation, which may take all of memory, and
/// requires only that the set holds the address of the load. The two are then no update (`rmw`):
/// their places differ. Everywhere else the addresses must be the same.
[[nodiscard]] inline bool reservations_cover_memory(const Program& program) {
  return program.vocabulary == "riscv";
}

/// Does what an arithmetic update writes depend on what it read as on data, so that a later read of
/// the write in the same thread does, too? Arm counts dependencies inside instructions.
[[nodiscard]] inline bool updates_carry_data(const Program& program) {
  return program.vocabulary == "aarch64";
}

/// Does the write of a compare-and-swap wait for the two values that are compared, as for a
/// condition? Arm has it so (pick dependencies).
[[nodiscard]] inline bool compares_decide_writes(const Program& program) {
  return program.vocabulary == "aarch64";
}
/// What a compare-exchange of C11 compares with is known before it reads, for models that say so
/// (casdep): inside it, it decides with what was read.
[[nodiscard]] inline bool compares_with_what_was_read(const Program& program) {
  return program.vocabulary == "c11";
}

} // namespace heddle::program
