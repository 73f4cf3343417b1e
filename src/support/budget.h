// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run may use: time and memory. Asked often, so asking is cheap.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace heddle {

enum class Exhausted : std::uint8_t { kTime, kMemory, kInterrupted };

class Budget {
public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;
  /// `interrupt` may be null; if not, its owner keeps it alive as long as this budget is used.
  Budget(std::optional<std::chrono::milliseconds> time,
         std::uint64_t memory_bytes,
         const std::atomic<bool>* interrupt = nullptr);

  /// What ran out, if anything did. Engines that count their own memory pass the bytes they hold.
  [[nodiscard]] std::optional<Exhausted> exhausted(std::uint64_t bytes_held) const;
  [[nodiscard]] std::uint64_t memory_bytes() const { return memory_bytes_; }
  /// The same, with only that part of the time that is left.
  [[nodiscard]] Budget with_part_of_time(unsigned percent) const;

private:
  std::optional<Clock::time_point> deadline_;
  std::uint64_t memory_bytes_ = std::numeric_limits<std::uint64_t>::max();
  const std::atomic<bool>* interrupt_ = nullptr;
};

} // namespace heddle
