// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Long tables made readable: turns of a loop that look alike but for their numbers become one row.
#pragma once

#include "report/table.h"

#include <cstddef>
#include <set>
#include <vector>

namespace heddle::report {

/// The same table, with "38 more iterations like steps 12-15" for rows that repeat others (the
/// first and the last turn stay). Short tables and the rows in `kept` stay as they are.
[[nodiscard]] Table folded(Table table, const std::set<std::size_t>& kept);

/// Which rows that leaves out.
[[nodiscard]] std::vector<bool> rows_left_out(const Table& table,
                                              const std::set<std::size_t>& kept);

} // namespace heddle::report
