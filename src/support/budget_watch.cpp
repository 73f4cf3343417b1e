// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/budget_watch.h"

#include <algorithm>
#include <string>

namespace heddle {

namespace {

constexpr const char* kUsedUp = "LIMIT-001";

constexpr std::chrono::milliseconds kShort{1};
constexpr std::chrono::milliseconds kLong{20};

} // namespace

void Pace::adapt() {
  const Budget::Clock::time_point now = Budget::Clock::now();
  const auto passed = now - last_;
  if (passed < kShort)
    between_ = std::min(between_ * 2, kMost);
  else if (passed > kLong)
    between_ = std::max(between_ / 4, std::uint32_t{1});
  last_ = now;
  passed_ = 0;
}

Error budget_used_up(std::string_view during) {
  return Error{
      ErrorKind::kUnsupported, kUsedUp, "the budget is used up while " + std::string(during)};
}

bool is_budget_used_up(const Error& error) {
  return error.code == kUsedUp;
}

} // namespace heddle
