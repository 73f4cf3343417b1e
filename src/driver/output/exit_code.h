// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The exit codes, in one place. Scripts test the number, people read the sentence.
#pragma once

#include "support/result.h"
#include "verdict/verdict.h"

namespace heddle::driver {

enum class ExitCode : int {
  kProved = 0,
  kHoldsWithinBounds = 1,
  kUsage = 2,
  kInput = 3,
  kAssertion = 10,
  kRace = 11,
  kDeadlock = 12,
  kMemorySafety = 13,
  kOverflow = 14,
  kLiveness = 15,
  kNotLinearizable = 16,
  kNotRobust = 17,
  kUnknown = 30,
  kTime = 31,
  kMemory = 32,
  kOurBug = 70,
};

[[nodiscard]] ExitCode exit_code(const verdict::Verdict& verdict);
[[nodiscard]] ExitCode exit_code(const Error& error);

} // namespace heddle::driver
