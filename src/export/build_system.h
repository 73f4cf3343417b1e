// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From a program, and the machine it runs on, to plain processes (system.h). Without store buffers
// a thread becomes one process. With them it has a second one that moves its pending stores to
// memory, whenever the machine allows it; the buffer holds a fixed number, and a run that needs
// more fails visibly.
#pragma once

#include "export/system.h"
#include "memory/model.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>

namespace heddle::exports {

struct SystemOptions {
  memory::MachineKind machine = memory::MachineKind::kSequential;
  std::uint32_t buffer = 4; // pending stores of a thread
  std::uint32_t pool = 4;   // blocks of an allocation in a loop
  /// Reading memory that was never written gives any value; otherwise it is a visible failure.
  bool chooses_unwritten = true;
  bool reuses_blocks = true; // malloc may return a freed block: free is refused then
};

/// Of a program without calls, lowered to the machine. What it cannot say it refuses, with the
/// place.
[[nodiscard]] Result<System> build_system(const program::Program& program,
                                          const SystemOptions& options);

} // namespace heddle::exports
