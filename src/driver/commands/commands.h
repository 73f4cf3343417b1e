// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The commands, one function each; the result is the exit code, an error is printed by the caller.
#pragma once

#include "driver/options/options.h"
#include "driver/output/console.h"
#include "driver/output/exit_code.h"
#include "support/result.h"

namespace heddle::driver {

/// verify and outcomes.
[[nodiscard]] Result<ExitCode> run_verify(const Options& options, const Console& console);
/// litmus and executions.
[[nodiscard]] Result<ExitCode> run_litmus_command(const Options& options, const Console& console);
[[nodiscard]] Result<ExitCode> run_compare(const Options& options, const Console& console);
[[nodiscard]] Result<ExitCode> run_linearizable(const Options& options, const Console& console);
[[nodiscard]] Result<ExitCode> run_translate(const Options& options, const Console& console);
[[nodiscard]] Result<ExitCode> run_replay(const Options& options, const Console& console);
[[nodiscard]] Result<ExitCode> run_recheck(const Options& options, const Console& console);
[[nodiscard]] ExitCode run_models(const Console& console);
[[nodiscard]] ExitCode run_engines(const Options& options, const Console& console);

} // namespace heddle::driver
