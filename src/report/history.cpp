// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::report {

std::string diagram(const history::History& history, const std::vector<history::Event>& events) {
  using Kind = history::Event::Kind;
  struct Span {
    std::size_t from = 0;
    std::size_t to = 0; // of the response; 0 while there is none
  };
  std::vector<Span> spans(history.operations.size());
  std::size_t column = 0;
  for (const history::Event& event : events) {
    Span& span = spans[event.operation];
    if (event.kind == Kind::kInvocation) {
      span.from = column;
    } else {
      // Room for "[-label-]".
      const std::size_t needed = to_string(history.operations[event.operation]).size() + 3;
      column = std::max(column, span.from + needed);
      span.to = column;
    }
    ++column;
  }
  std::map<std::uint32_t, std::string> lines;
  const auto grow = [](std::string& line, std::size_t width, char with) {
    if (line.size() < width)
      line.resize(width, with);
  };
  for (const history::Event& event : events) {
    if (event.kind != Kind::kInvocation)
      continue;
    const Span& span = spans[event.operation];
    const history::Operation& operation = history.operations[event.operation];
    std::string& line = lines[operation.thread];
    grow(line, span.from, ' ');
    line += "[-" + to_string(operation) + "-";
    if (span.to == 0) {
      grow(line, column, '-');
      line += " …";
    } else {
      grow(line, span.to, '-');
      line += "]";
    }
  }
  std::string out;
  for (const auto& [thread, line] : lines)
    out += fmt::format("  thread {}  {}\n", thread + 1, line);
  return out;
}

} // namespace heddle::report
