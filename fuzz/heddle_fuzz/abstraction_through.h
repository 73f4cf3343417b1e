// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Final states of a generated program by one of the tool's sequentializations over a shared-memory
// abstraction.
#pragma once

#include "heddle_fuzz/program.h"

#include <cstdint>
#include <set>
#include <string>

namespace heddle::fuzz {

struct ThroughTool {
  std::set<FinalState> states;
  bool is_complete = false; // says the tool
  bool ran_out = false;     // of time
  std::string error;
};

struct ToolBounds {
  std::uint64_t rounds = 1;
  std::uint64_t writes = 2;
  std::uint64_t queue = 1;
  std::uint64_t clock = 2;
};

[[nodiscard]] ThroughTool through_tool(const Program& program,
                                       Model model,
                                       const std::string& abstraction,
                                       bool is_asynchronous,
                                       const ToolBounds& bounds,
                                       std::uint64_t seconds);

/// By the machine of the model.
[[nodiscard]] ThroughTool by_machine(const Program& program, Model model);

} // namespace heddle::fuzz
