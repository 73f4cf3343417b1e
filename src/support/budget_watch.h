// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For loops that obey a budget: how they ask it, and how they say that it is used up.
#pragma once

#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <string_view>

namespace heddle {

/// The refusal of a part whose budget is used up, which is no fault of the input. Whoever gave the
/// budget asks it what ran out.
[[nodiscard]] Error budget_used_up(std::string_view during);
[[nodiscard]] bool is_budget_used_up(const Error& error);

/// When a loop should ask: the clock costs more than most iterations, and some take a second.
class Pace {
public:
  static constexpr std::uint32_t kMost = 256; // iterations between two looks
  /// To be asked in every iteration.
  [[nodiscard]] bool is_due() {
    if (++passed_ < between_)
      return false;
    adapt();
    return true;
  }

private:
  void adapt();

  std::uint32_t passed_ = 0;
  std::uint32_t between_ = 1;
  Budget::Clock::time_point last_ = Budget::Clock::now();
};

/// Asks a budget as often as that.
class BudgetWatch {
public:
  /// Null: no budget. It outlives this.
  explicit BudgetWatch(const Budget* budget) : budget_(budget) {}
  /// Is nothing left? Once it says so it always does.
  [[nodiscard]] bool is_used_up() {
    if (budget_ != nullptr && !is_used_up_ && pace_.is_due())
      is_used_up_ = budget_->exhausted(0).has_value();
    return is_used_up_;
  }

private:
  const Budget* budget_;
  Pace pace_;
  bool is_used_up_ = false;
};

} // namespace heddle
