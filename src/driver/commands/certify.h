// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// --proof and --certify: the certificate of what was proved.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/pipeline.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>

namespace heddle::driver {

/// Makes the certificate of a proof, writes and rechecks it as the options say, and notes in the
/// verdict what came of it. The text says why the proof is wrong, which is our bug.
[[nodiscard]] Result<std::optional<std::string>> certify_proof(verdict::Verdict& verdict,
                                                               const Options& options,
                                                               const Asked& asked,
                                                               const Prepared& prepared,
                                                               const Budget& budget);

} // namespace heddle::driver
