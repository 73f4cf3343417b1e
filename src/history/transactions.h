// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operations of a transactional memory: each is one whole transaction, named by what it does:
// "w0r1" writes its argument to cell 0, then reads cell 1. The values read, each in 16 bits, the
// first lowest, are the result.
#pragma once

#include "history/object.h"

#include <optional>
#include <string_view>

namespace heddle::history {

inline constexpr unsigned kTransactionCells = 10;
inline constexpr unsigned kTransactionReadBits = 16;

[[nodiscard]] bool is_transaction(std::string_view name);
[[nodiscard]] bool writes_a_cell(std::string_view transaction);
/// Cells are changed in place; the result is what the reads give.
[[nodiscard]] std::int64_t
run_transaction(std::string_view transaction, std::int64_t argument, ObjectState& cells);

} // namespace heddle::history
