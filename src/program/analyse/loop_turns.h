// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How often a loop that counts can go round: `for (i = …; i < 6; ++i)` at most six times.
#pragma once

#include "program/model/control_flow.h"
#include "program/model/program.h"

#include <cstdint>
#include <optional>

namespace heddle::program {

/// No run goes round more often. Nothing if the loop is not one that goes on while an unsigned
/// local, or one plus a constant, is below a constant, and that is increased by a constant each
/// time round and set nowhere else in the loop; or a signed local that is set to constants from 0
/// on outside of it.
[[nodiscard]] std::optional<std::uint64_t>
most_turns(const Program& program, const Procedure& procedure, const Loop& loop);

} // namespace heddle::program
