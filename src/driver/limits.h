// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the process as a whole obeys: Ctrl-C, and a hard limit on memory behind the engines' own
// counting.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::driver {

/// The flag that Ctrl-C (SIGINT) and SIGTERM set from now on. The second signal ends the process.
[[nodiscard]] const std::atomic<bool>& catch_interrupts();

/// Three quarters of the machine's memory.
[[nodiscard]] std::uint64_t default_memory_bytes();
/// A little more than the budget; allocations beyond it fail with std::bad_alloc.
void limit_memory(std::uint64_t budget_bytes);

} // namespace heddle::driver
