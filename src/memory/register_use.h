// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model's axioms and flags ask of the registers of assembly: events of their own, or the
// dependencies through them as they are given.
#pragma once

#include "memory/core.h"

namespace heddle::memory {

struct AskedOfRegisters {
  bool registers = false;    // Rreg, Wreg, ADDR, DATA, same-gpr, iico_data or iico_ctrl
  bool dependencies = false; // addr, data or ctrl
};
[[nodiscard]] AskedOfRegisters asked_of_registers(const Core& core);

} // namespace heddle::memory
