// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// translate --to dot, svg and html: the store-buffer graphs of a program's threads, drawn.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/question.h"
#include "support/budget.h"
#include "support/result.h"

#include <string>

namespace heddle::driver {

/// The program of which graphs are made, without the calls that can be inlined; `what` says for
/// whom, where --via or the model is missing.
[[nodiscard]] Result<program::Program> program_for_graphs(const Asked& asked,
                                                          const Options& options,
                                                          const std::string& what,
                                                          const Budget& budget);

/// One graph for each procedure a thread may start with.
[[nodiscard]] Result<std::string>
draw_graphs(const Asked& asked, const Options& options, const Budget& budget);

} // namespace heddle::driver
