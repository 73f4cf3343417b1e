// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Is there an order of a history's operations that the sequential object allows and that keeps the
// history's order? Pending operations may take effect or not (Herlihy and Wing 1990, section 2.2).
#pragma once

#include "history/history.h"
#include "history/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::history {

struct Linearization {
  std::vector<std::uint32_t> order; // indices of operations; pending ones without effect are absent
};

/// Wing and Gong's search (1993) with the memory of Lowe (2017, "Testing for linearizability",
/// section 4): a pair of operations done and state reached is looked at once, since what can follow
/// depends on nothing else.
[[nodiscard]] std::optional<Linearization> linearize(const History& history,
                                                     const SequentialObject& object);

} // namespace heddle::history
