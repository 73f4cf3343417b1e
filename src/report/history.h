// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A history for people: a line for each thread over time, with each operation from its invocation
// to its response.
#pragma once

#include "history/history.h"

#include <string>
#include <vector>

namespace heddle::report {

/// `events` are all events of the history, in an order that has its order. Each event has a column
/// of its own, so what is left of what can be seen.
[[nodiscard]] std::string diagram(const history::History& history,
                                  const std::vector<history::Event>& events);

} // namespace heddle::report
