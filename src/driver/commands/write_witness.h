// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --witness: what has to be known before the search, and the file after it.
#pragma once

#include "driver/options/options.h"
#include "driver/output/console.h"
#include "driver/pipeline/question.h"
#include "report/subject.h"
#include "report/witness/witness.h"
#include "support/result.h"
#include "verdict/verdict.h"

namespace heddle::driver {

/// Reads the inputs, so that their hashes are those of what was checked. Refuses questions and
/// inputs that have no witness whatever the verdict will be.
[[nodiscard]] Result<report::WitnessTask> prepare_witness(const Options& options,
                                                          const Asked& asked);
/// Writes it if the verdict has one, and says so if it has none.
[[nodiscard]] Status write_witness(const Options& options,
                                   const report::WitnessTask& task,
                                   const verdict::Verdict& verdict,
                                   const report::Subject& subject,
                                   const Console& console);

} // namespace heddle::driver
