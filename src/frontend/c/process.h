// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs another program without a shell and collects what it says.
#pragma once

#include "support/budget.h"
#include "support/result.h"

#include <span>
#include <string>

namespace heddle::frontend {

struct Finished {
  int exit_code = 0;    // 128 + the signal, if one ended it
  std::string output;   // of stdout
  std::string messages; // of stderr
};

/// `arguments[0]` is looked up on PATH. An error only if the program could not be started, or was
/// ended because the budget is used up.
[[nodiscard]] Result<Finished> run_program(std::span<const std::string> arguments,
                                           const Budget& budget);

} // namespace heddle::frontend
