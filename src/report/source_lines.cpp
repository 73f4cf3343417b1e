// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/source_lines.h"

#include <fstream>

namespace heddle::report {

namespace {

/// More than this is no source a person reads.
constexpr std::size_t kMaxLines = 1'000'000;

std::vector<std::string> read(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; lines.size() < kMaxLines && std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos)
    return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

} // namespace

std::optional<std::string> SourceLines::whole_line(const std::string& file, std::uint32_t number) {
  if (file.empty() || number == 0)
    return std::nullopt;
  auto found = files_.find(file);
  if (found == files_.end())
    found = files_.emplace(file, read(file)).first;
  if (number > found->second.size())
    return std::nullopt;
  const std::string& text = found->second[number - 1];
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::optional<std::string> SourceLines::line(const std::string& file, std::uint32_t number) {
  const std::optional<std::string> whole = whole_line(file, number);
  if (!whole)
    return std::nullopt;
  std::string text = trimmed(*whole);
  if (text.empty())
    return std::nullopt;
  return text;
}

} // namespace heddle::report
