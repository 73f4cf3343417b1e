// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lines of the analysed program's source files, for excerpts. A file that cannot be read has no
// lines; nothing fails.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

class SourceLines {
public:
  /// The line (from 1) without surrounding blanks; nothing if there is none.
  [[nodiscard]] std::optional<std::string> line(const std::string& file, std::uint32_t number);
  /// The same with its indentation.
  [[nodiscard]] std::optional<std::string> whole_line(const std::string& file,
                                                      std::uint32_t number);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace heddle::report
