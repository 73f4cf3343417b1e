// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The text report for the console, and how it gets there.
#pragma once

#include "driver/options/options.h"
#include "driver/output/console.h"
#include "report/subject.h"
#include "support/result.h"
#include "verdict/verdict.h"

#include <string>
#include <string_view>

namespace heddle::driver {

[[nodiscard]] std::string report_text(const verdict::Verdict& verdict,
                                      const report::Subject& subject,
                                      const Options& options,
                                      const Console& console);
/// Prints to the standard output; fails if it cannot take it all (a full disk).
[[nodiscard]] Status print_output(std::string_view text, const Console& console);

} // namespace heddle::driver
