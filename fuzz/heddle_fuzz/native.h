// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The hardware as oracle: compiles a program without optimisation, runs it many times on this
// machine, and returns the final states seen. On x86 each must be in the TSO set.
#pragma once

#include "heddle_fuzz/print.h"
#include "heddle_fuzz/program.h"
#include "support/result.h"

#include <set>
#include <string>

namespace heddle::fuzz {

/// Works in `directory`, which exists and is the caller's.
[[nodiscard]] Result<std::set<FinalState>>
run_on_hardware(const Program& program, const NativeRun& run, const std::string& directory);

} // namespace heddle::fuzz
