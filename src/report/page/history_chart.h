// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A history for people: a line for each thread over time, with each operation from its invocation
// to its response.
#pragma once

#include "history/history.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

/// Operations as bars over time. Each event has a column of its own, so what is left of what can be
/// seen; a bar has room for its label.
struct HistoryChart {
  struct Bar {
    std::uint32_t operation = 0;
    std::uint32_t thread = 0;
    std::size_t line = 0; // of its thread: operations may overlap, as their ends may be delayed
    std::string label = {};
    std::size_t from = 0; // column of the invocation
    std::size_t to = 0;   // column of the response; of a pending operation, the end of the chart
    bool is_pending = false;
  };
  std::vector<Bar> bars; // in the order of their invocations
};

/// `events` are all events of the history, in an order that has its order.
[[nodiscard]] HistoryChart chart(const history::History& history,
                                 const std::vector<history::Event>& events);

[[nodiscard]] std::string diagram(const HistoryChart& chart);

} // namespace heddle::report
