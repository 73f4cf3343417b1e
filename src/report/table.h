// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lays out a table: a narrow column of numbers and one column per heading, each row filling one of
// them; long lines are wrapped. Knows nothing of runs.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

struct Row {
  std::string number;
  std::size_t column = 0;
  std::vector<std::string> lines;
};

struct Table {
  std::vector<std::string> headings;
  std::vector<Row> rows;
};

/// Columns side by side if each gets at least 20 characters and wrapping in them does not make the
/// table more than twice as long; otherwise a list with the heading on each row. No line is longer
/// than `width`; no line ends in blanks.
[[nodiscard]] std::string layout(const Table& table, unsigned width);

/// Breaks at blanks where it can, and leads the lines after the first with two blanks.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);
/// How many characters a terminal shows for UTF-8 text.
[[nodiscard]] std::size_t display_width(const std::string& text);

} // namespace heddle::report
