// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

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
  // Where operations of one thread overlap (their ends may be delayed), it has several lines.
  std::map<std::uint32_t, std::vector<std::string>> lines;
  for (const history::Event& event : events) {
    if (event.kind != Kind::kInvocation)
      continue;
    const Span& span = spans[event.operation];
    const history::Operation& operation = history.operations[event.operation];
    std::vector<std::string>& own = lines[operation.thread];
    auto line = std::ranges::find_if(
        own, [&](const std::string& text) { return text.size() <= span.from; });
    if (line == own.end())
      line = own.insert(own.end(), "");
    line->resize(span.from, ' ');
    *line += "[-" + to_string(operation);
    line->resize(std::max(line->size(), span.to == 0 ? column : span.to), '-');
    *line += span.to == 0 ? ">" : "]";
  }
  std::string out;
  for (const auto& [thread, own] : lines)
    for (std::size_t i = 0; i < own.size(); ++i)
      out += fmt::format("  {}  {}\n",
                         i == 0 ? fmt::format("thread {}", thread + 1) : std::string(8, ' '),
                         own[i]);
  return out;
}

} // namespace heddle::report
