// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why is a history not linearizable? Histories of runs that have not come to their end are
// linearizable if those of longer ones are (Herlihy and Wing 1990, section 3.1), so there is a
// first return after which no order explains what has been seen: people look there first. Says
// nothing about the other criteria, where what comes later may explain what was seen before.
#pragma once

#include "history/history.h"
#include "history/object.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::history {

struct FirstUnexplained {
  std::uint32_t operation = 0; // whose return it is
  /// What it could have returned instead, of the values that were tried; ascending.
  std::vector<std::int64_t> explained = {};
  /// Operations that take effect, in the order that explains everything until then: with the first
  /// of those results, or as if it had not returned.
  std::vector<std::uint32_t> order = {};
};

/// Nothing if the history is linearizable. `tried` are values that the operation might return.
[[nodiscard]] std::optional<FirstUnexplained>
first_unexplained(const History& history,
                  std::span<const Event> events,
                  const SequentialObject& object,
                  std::span<const std::int64_t> tried);

} // namespace heddle::history
