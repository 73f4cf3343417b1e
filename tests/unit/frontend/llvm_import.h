// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of C input share: source text in, ir text out.
#pragma once

#include "frontend/c/load.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// Writes the text to a fresh file whose name ends so, and returns its path.
std::string write_file(const std::string& text, const std::string& ending);

[[nodiscard]] Result<Loaded> load_c(const std::string& text, const Options& options = {});
/// The printed module without places, so that a test can name whole lines; the error's text if it
/// is refused.
[[nodiscard]] std::string import_c(const std::string& text, const Options& options = {});
[[nodiscard]] std::string import_files(const std::vector<std::string>& paths,
                                       const Options& options = {});

/// How many lines of `text`, without surrounding space, are exactly `line`.
[[nodiscard]] int lines_equal(std::string_view text, std::string_view line);
[[nodiscard]] int count(std::string_view text, std::string_view part);
/// The text of one function.
[[nodiscard]] std::string function(const std::string& text, const std::string& name);

} // namespace heddle::frontend
