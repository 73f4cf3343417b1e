// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/model.h"
#include "transform/basic/transform.h"

#include <cstdint>
#include <memory>

namespace heddle::program {
struct InterpreterOptions;
} // namespace heddle::program

namespace heddle::transform {

/// For machines with store buffers: they are empty at every call, or at every return from one. Runs
/// are missing, and the approximation says so. `replay` is how the checker runs the program.
enum class Boundary : std::uint8_t { kCalls, kReturns };
[[nodiscard]] std::unique_ptr<Transform> empty_at_boundaries(
    Boundary boundary, memory::MachineKind kind, const program::InterpreterOptions& replay);

} // namespace heddle::transform
