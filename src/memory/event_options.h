// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which events a model wants to see of a program.
#pragma once

#include "memory/core.h"
#include "program/events/event_set.h"
#include "support/result.h"

namespace heddle::memory {

/// Written as instructions of a processor, not lowered to them from C.
[[nodiscard]] bool is_assembly(const program::Program& program);

/// Does the model ask what was computed from what?
[[nodiscard]] bool takes_dependencies(const Core& core);

/// Fails if the model works out dependencies from registers that the program does not name.
[[nodiscard]] Result<program::EventSetOptions> event_options(const Core& core,
                                                             const program::Program& program);

} // namespace heddle::memory
