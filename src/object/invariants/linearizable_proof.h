// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --invariant of `heddle linearizable`: a proof for any number of threads and calls. The invariant
// is tried on a small number of both first, and refuted by a run if it is false there.
#pragma once

#include "driver/options/options.h"
#include "driver/output/console.h"
#include "driver/output/exit_code.h"
#include "support/result.h"

namespace heddle::object {

[[nodiscard]] Result<driver::ExitCode> run_proof(const driver::Options& options,
                                                 const driver::Console& console);

} // namespace heddle::object
