// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --invariant of `heddle linearizable`: a proof for any number of threads and calls. The invariant
// is tried on a small number of both first, and refuted by a run if it is false there.
#pragma once

#include "driver/console.h"
#include "driver/exit_code.h"
#include "driver/options.h"
#include "support/result.h"

namespace heddle::driver {

[[nodiscard]] Result<ExitCode> run_proof(const Options& options, const Console& console);

} // namespace heddle::driver
