// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/fold_rows.h"

#include <fmt/format.h>

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

} // namespace

Table folded(Table table, const std::set<std::size_t>& kept) {
  const std::vector<Row>& rows = table.rows;
  if (rows.size() < kShortTable)
    return table;
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> shapes;
  for (std::size_t i = 0; i < rows.size(); ++i)
    shapes.push_back(kept.contains(i)
                         ? rows.size() + i // like no other
                         : numbers.try_emplace(shape(rows[i]), numbers.size()).first->second);
  std::vector<Row> shown;
  for (std::size_t at = 0; at < rows.size();) {
    // The turn that explains most rows from here on; the shortest of those.
    std::size_t turn = 0;
    std::size_t covered = 0;
    for (std::size_t length = 1; length <= kLongestTurn && at + length < rows.size(); ++length) {
      std::size_t same = 0;
      while (at + length + same < rows.size() && shapes[at + same] == shapes[at + length + same])
        ++same;
      const std::size_t turns = same / length + 1;
      if (turns >= kFewestTurns && turns * length > covered) {
        turn = length;
        covered = turns * length;
      }
    }
    if (covered <= 3 * turn || turn == 0) {
      shown.push_back(rows[at]);
      ++at;
      continue;
    }
    const std::size_t more = covered / turn - 2;
    shown.insert(shown.end(),
                 rows.begin() + static_cast<std::ptrdiff_t>(at),
                 rows.begin() + static_cast<std::ptrdiff_t>(at + turn));
    shown.push_back(
        {"",
         rows[at].column,
         {turn == 1 ? fmt::format("... {} more steps like step {}", more, rows[at].number)
                    : fmt::format("... {} more iterations like steps {}-{}",
                                  more,
                                  rows[at].number,
                                  rows[at + turn - 1].number)}});
    at += covered - turn;
    shown.insert(shown.end(),
                 rows.begin() + static_cast<std::ptrdiff_t>(at),
                 rows.begin() + static_cast<std::ptrdiff_t>(at + turn));
    at += turn;
  }
  table.rows = std::move(shown);
  return table;
}

} // namespace heddle::report
