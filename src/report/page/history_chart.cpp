// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/history_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::report {

HistoryChart chart(const history::History& history, const std::vector<history::Event>& events) {
  using Kind = history::Event::Kind;
  HistoryChart made;
  std::map<std::uint32_t, std::size_t> bar_of; // by operation
  std::size_t column = 0;
  for (const history::Event& event : events) {
    const history::Operation& operation = history.operations[event.operation];
    if (event.kind == Kind::kInvocation) {
      bar_of[event.operation] = made.bars.size();
      made.bars.push_back(
          {event.operation, operation.thread, 0, to_string(operation), column, 0, true});
    } else {
      HistoryChart::Bar& bar = made.bars[bar_of.at(event.operation)];
      column = std::max(column, bar.from + bar.label.size() + 3); // "[-label-]"
      bar.to = column;
      bar.is_pending = false;
    }
    ++column;
  }
  for (HistoryChart::Bar& bar : made.bars)
    if (bar.is_pending)
      bar.to = std::max(column, bar.from + bar.label.size() + 2);
  std::map<std::uint32_t, std::vector<std::size_t>> ends; // by thread: where each line is free
  for (HistoryChart::Bar& bar : made.bars) {
    std::vector<std::size_t>& own = ends[bar.thread];
    const auto line = std::ranges::find_if(own, [&](std::size_t end) { return end <= bar.from; });
    bar.line = static_cast<std::size_t>(line - own.begin());
    own.resize(std::max(own.size(), bar.line + 1));
    own[bar.line] = bar.to + 1;
  }
  return made;
}

std::string diagram(const HistoryChart& chart) {
  std::map<std::pair<std::uint32_t, std::size_t>, std::string> lines; // by thread and line
  for (const HistoryChart::Bar& bar : chart.bars) {
    std::string& line = lines[{bar.thread, bar.line}];
    line.resize(bar.from, ' ');
    line += "[-" + bar.label;
    line.resize(bar.to, '-');
    line += bar.is_pending ? ">" : "]";
  }
  std::string out;
  for (const auto& [place, line] : lines)
    out += fmt::format("  {}  {}\n",
                       place.second == 0 ? fmt::format("thread {}", place.first + 1)
                                         : std::string(8, ' '),
                       line);
  return out;
}

} // namespace heddle::report
