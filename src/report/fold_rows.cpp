// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/fold_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace heddle::report {

namespace {

/// Whoever reads fewer rows than this has no need of folding.
constexpr std::size_t kShortTable = 60;
constexpr std::size_t kLongestTurn = 40;
constexpr std::size_t kFewestTurns = 4;

/// What a row says apart from numbers.
std::string shape(const Row& row) {
  std::string text = std::to_string(row.column);
  for (const std::string& line : row.lines) {
    text += '\n';
    for (const char c : line)
      if (std::isdigit(static_cast<unsigned char>(c)) == 0)
        text += c;
      else if (text.back() != '0')
        text += '0';
  }
  return text;
}

/// Iterations that look like the first of them.
struct Repeated {
  std::size_t first = 0;  // row of the first one
  std::size_t length = 0; // in rows
  std::size_t times = 0;  // all of them
};

/// In order; none overlaps another.
std::vector<Repeated> find_repeated(const std::vector<Row>& rows,
                                    const std::set<std::size_t>& kept) {
  std::vector<Repeated> found;
  if (rows.size() < kShortTable)
    return found;
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> shapes;
  for (std::size_t i = 0; i < rows.size(); ++i)
    shapes.push_back(kept.contains(i)
                         ? rows.size() + i // like no other
                         : numbers.try_emplace(shape(rows[i]), numbers.size()).first->second);
  for (std::size_t at = 0; at < rows.size();) {
    // The turn that explains most rows from here on; the shortest of those.
    Repeated best{at, 0, 0};
    for (std::size_t length = 1; length <= kLongestTurn && at + length < rows.size(); ++length) {
      std::size_t same = 0;
      while (at + length + same < rows.size() && shapes[at + same] == shapes[at + length + same])
        ++same;
      const std::size_t times = same / length + 1;
      if (times >= kFewestTurns && times * length > best.times * best.length)
        best = {at, length, times};
    }
    at += std::max<std::size_t>(1, best.times * best.length);
    if (best.times != 0)
      found.push_back(best);
  }
  return found;
}

} // namespace

/// The first and the last turn stay.
std::vector<bool> rows_left_out(const Table& table, const std::set<std::size_t>& kept) {
  std::vector<bool> left_out(table.rows.size(), false);
  for (const Repeated& one : find_repeated(table.rows, kept))
    for (std::size_t i = one.length; i < (one.times - 1) * one.length; ++i)
      left_out[one.first + i] = true;
  return left_out;
}

Table folded(Table table, const std::set<std::size_t>& kept) {
  const std::vector<Row>& rows = table.rows;
  std::vector<Row> shown;
  std::size_t at = 0;
  const auto show_to = [&](std::size_t end) {
    for (; at < end; ++at)
      shown.push_back(rows[at]);
  };
  for (const Repeated& one : find_repeated(rows, kept)) {
    show_to(one.first + one.length);
    const std::size_t more = one.times - 2;
    const std::string& first = rows[one.first].number;
    shown.push_back(
        {"",
         rows[one.first].column,
         {one.length == 1
              ? fmt::format("... {} more steps like step {}", more, first)
              : fmt::format(
                    "... {} more iterations like steps {}-{}", more, first, rows[at - 1].number)}});
    at += more * one.length;
  }
  show_to(rows.size());
  table.rows = std::move(shown);
  return table;
}

} // namespace heddle::report
