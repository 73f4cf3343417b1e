// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What this process holds of the machine's memory, for budgets of parts that cannot count what they
// allocate themselves.
#pragma once

#include <cstdint>

namespace heddle {

/// 0 if the system does not say. It takes some microseconds.
[[nodiscard]] std::uint64_t resident_bytes();

} // namespace heddle
