// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>

namespace heddle::report {

namespace {

constexpr std::size_t kNumberWidth = 5;
constexpr std::size_t kMinimalColumn = 20;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestList = 40;
constexpr std::ptrdiff_t kHeadingLines = 2;
constexpr std::ptrdiff_t kMostLinesOfList = 2;

std::string padded(std::string text, std::size_t width) {
  const std::size_t shown = display_width(text);
  if (shown < width)
    text.append(width - shown, ' ');
  return text;
}

void add_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
}

std::vector<std::string> wrapped_lines(const Row& row, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : row.lines)
    for (std::string& part : wrapped(line, width))
      lines.push_back(std::move(part));
  return lines;
}

/// What each column needs if nothing is wrapped.
std::vector<std::size_t> natural_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& name : table.headings)
    widths.push_back(std::max(kMinimalColumn, display_width(name)));
  for (const Row& row : table.rows)
    for (const std::string& line : row.lines)
      widths[row.column] = std::max(widths[row.column], display_width(line));
  return widths;
}

/// Narrow columns get what they need, the wide ones share the rest.
std::vector<std::size_t> column_widths(const Table& table, std::size_t usable) {
  std::vector<std::size_t> widths = natural_widths(table);
  std::size_t left = usable - kGap * widths.size();
  std::vector<std::size_t> open(widths.size());
  for (std::size_t i = 0; i < open.size(); ++i)
    open[i] = i;
  for (bool changed = true; changed && !open.empty();) {
    changed = false;
    const std::size_t share = left / open.size();
    for (auto column = open.begin(); column != open.end();) {
      if (widths[*column] > share) {
        ++column;
        continue;
      }
      left -= widths[*column];
      column = open.erase(column);
      changed = true;
    }
  }
  for (const std::size_t column : open)
    widths[column] = left / open.size();
  return widths;
}

std::string as_columns(const Table& table, std::size_t usable) {
  const std::vector<std::size_t> widths = column_widths(table, usable);
  std::string out;
  std::string heading(kNumberWidth, ' ');
  std::string rule(kNumberWidth, ' ');
  std::vector<std::string> indents;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string& name = table.headings[i];
    indents.emplace_back(heading.size() - kNumberWidth, ' ');
    heading += padded(wrapped(name, widths[i]).front(), widths[i] + kGap);
    rule += padded(std::string(std::min(display_width(name), widths[i]), '-'), widths[i] + kGap);
  }
  add_line(out, heading);
  add_line(out, rule);
  for (const Row& row : table.rows) {
    bool is_first = true;
    for (const std::string& line : wrapped_lines(row, widths[row.column])) {
      const std::string number = is_first ? row.number + " " : "";
      add_line(out,
               std::string(kNumberWidth - std::min(kNumberWidth, number.size()), ' ') + number +
                   indents[row.column] + line);
      is_first = false;
    }
  }
  return out;
}

std::string as_list(const Table& table, std::size_t width) {
  std::string out;
  std::size_t name_width = 0;
  for (const std::string& name : table.headings)
    name_width = std::max(name_width, display_width(name));
  name_width = std::min(name_width, width / 3);
  const std::size_t used = kNumberWidth + name_width + kGap;
  const std::size_t rest = width > used + kMinimalColumn ? width - used : kMinimalColumn;
  for (const Row& row : table.rows) {
    bool is_first = true;
    for (const std::string& line : wrapped_lines(row, rest)) {
      const std::string number = is_first ? row.number + " " : "";
      const std::string name = is_first ? table.headings[row.column] : "";
      add_line(out,
               std::string(kNumberWidth - std::min(kNumberWidth, number.size()), ' ') + number +
                   padded(name, name_width + kGap) + line);
      is_first = false;
    }
  }
  return out;
}

} // namespace

std::size_t display_width(const std::string& text) {
  // Continuation bytes of UTF-8 take no place of their own.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::string lead;
  const auto finish = [&] {
    lines.push_back(line);
    lead = width > 8 ? "  " : "";
    line = lead;
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    std::string word = text.substr(at, end - at);
    at = end;
    if (display_width(line) + display_width(word) > width && line != lead) {
      finish();
      word.erase(
          0, word.find_first_not_of(' ') == std::string::npos ? 0 : word.find_first_not_of(' '));
    }
    while (display_width(line) + display_width(word) > width) {
      // A word longer than the line is broken, but never inside a character.
      std::size_t cut = width - display_width(line);
      while (cut > 1 && (static_cast<unsigned char>(word[cut]) & 0xc0U) == 0x80U)
        --cut;
      line += word.substr(0, cut);
      word.erase(0, cut);
      finish();
    }
    line += word;
  }
  if (line != lead || lines.empty())
    lines.push_back(line);
  return lines;
}

std::string layout(const Table& table, unsigned width) {
  const std::size_t columns = std::max<std::size_t>(1, table.headings.size());
  const std::size_t usable = width > kNumberWidth ? width - kNumberWidth : 0;
  const std::size_t share = usable / columns;
  std::string list = as_list(table, std::max<std::size_t>(width, kNarrowestList));
  if (share < kMinimalColumn + kGap)
    return list;
  std::string side_by_side = as_columns(table, usable);
  const std::ptrdiff_t lines = std::ranges::count(side_by_side, '\n') - kHeadingLines;
  return lines > kMostLinesOfList * std::ranges::count(list, '\n') ? list : side_by_side;
}

} // namespace heddle::report
