// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bounds that a program is rewritten with, and that the user did not give: they grow as long as
// they cut runs and time is left.
#pragma once

#include "driver/pipeline/pipeline.h"

namespace heddle::driver {

/// Are there bounds for the pipeline to choose?
[[nodiscard]] bool has_bounds_to_choose(const Options& options);

/// Prepares and answers again and again, from small bounds on. `prepared` was made with the first
/// ones (first_bounds), and is replaced by what the answer is about.
[[nodiscard]] Options first_bounds(const Options& options);
[[nodiscard]] Result<std::variant<verdict::Verdict, Unconfirmed>>
answer_growing(const Asked& asked,
               const Options& options,
               Prepared& prepared,
               const Budget& budget,
               const Listener& listener);

} // namespace heddle::driver
