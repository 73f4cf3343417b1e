// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/budget.h"

namespace heddle {

Budget::Budget(std::optional<std::chrono::milliseconds> time,
               std::uint64_t memory_bytes,
               const std::atomic<bool>* interrupt)
    : memory_bytes_(memory_bytes), interrupt_(interrupt) {
  if (time)
    deadline_ = Clock::now() + *time;
}

Budget Budget::with_part_of_time(unsigned percent) const {
  Budget part = *this;
  const Clock::time_point now = Clock::now();
  if (deadline_ && *deadline_ > now)
    part.deadline_ = now + (*deadline_ - now) * percent / 100;
  return part;
}

std::optional<Exhausted> Budget::exhausted(std::uint64_t bytes_held) const {
  if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed))
    return Exhausted::kInterrupted;
  if (bytes_held > memory_bytes_)
    return Exhausted::kMemory;
  if (deadline_ && Clock::now() >= *deadline_)
    return Exhausted::kTime;
  return std::nullopt;
}

} // namespace heddle
