// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/code_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

// More threads than any test has, few enough for engines to refuse in their own words.
constexpr std::uint32_t kMaxThreads = 1000;

constexpr std::string_view kBlank = " \t\r\f\v\n";

struct Cell {
  std::string text; // comments and line ends as blanks, trimmed
  SourceLoc loc;
};

bool starts_final(Lexer& lexer) {
  static constexpr std::array<std::string_view, 5> kWords = {
      "exists", "forall", "final", "filter", "locations"};
  if (lexer.peek().kind == Token::Kind::kEnd)
    return true;
  if ((lexer.is_symbol("~") || lexer.is_name("not")) && lexer.is_name("exists", 1))
    return true;
  return std::any_of(
      kWords.begin(), kWords.end(), [&](std::string_view word) { return lexer.is_name(word); });
}

// Up to the next '|' or ';' outside comments, which is taken; `separator` says which, 0 at the end.
Cell take_cell(Lexer& lexer, char& separator) {
  Cell cell;
  separator = 0;
  lexer.skip_blank();
  cell.loc = lexer.loc();
  const std::string_view text = lexer.text();
  while (lexer.offset() < text.size()) {
    const std::size_t begin = lexer.offset();
    lexer.skip_blank();
    const std::size_t end = lexer.offset();
    cell.text.append(end - begin, ' ');
    if (end >= text.size())
      break;
    lexer.move_to(end + 1);
    if (text[end] == '|' || text[end] == ';') {
      separator = text[end];
      break;
    }
    cell.text += text[end];
  }
  cell.text.erase(cell.text.find_last_not_of(kBlank) + 1);
  return cell;
}

Result<std::vector<Cell>> take_row(Lexer& lexer) {
  std::vector<Cell> cells;
  const SourceLoc start = lexer.loc();
  char separator = '|';
  while (separator == '|')
    cells.push_back(take_cell(lexer, separator));
  if (separator == 0)
    return error_at(start, "LIT-010", "expected ';' at the end of this row of instructions");
  return cells;
}

Result<CodeColumn> read_name(const Cell& cell) {
  CodeColumn column;
  column.loc = cell.loc;
  std::size_t end = 1;
  while (end < cell.text.size() && cell.text[end] >= '0' && cell.text[end] <= '9')
    ++end;
  if (cell.text.empty() || cell.text[0] != 'P' || end < 2 || end > 7)
    return error_at(
        cell.loc, "LIT-011", fmt::format("expected the name of a thread, P0, not '{}'", cell.text));
  for (const char c : std::string_view(cell.text).substr(1, end - 1))
    column.thread = column.thread * 10 + static_cast<std::uint32_t>(c - '0');
  if (column.thread >= kMaxThreads)
    return error_at(cell.loc, "LIT-011", "the thread's number is too large");
  column.annotation = cell.text.substr(end);
  if (!column.annotation.empty() && column.annotation[0] != ':')
    return error_at(cell.loc,
                    "LIT-012",
                    fmt::format("'{}' is not supported: only threads P0, P1, …", cell.text),
                    ErrorKind::kUnsupported);
  return column;
}

bool is_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

CodeLine read_line(const Cell& cell) {
  CodeLine line;
  line.loc = cell.loc;
  line.text_loc = cell.loc;
  std::string_view rest = cell.text;
  for (;;) {
    std::size_t end = 0;
    while (end < rest.size() && is_label_character(rest[end]))
      ++end;
    const std::string_view label = rest.substr(0, end);
    const std::size_t colon = std::min(rest.find_first_not_of(kBlank, end), rest.size());
    if (label.empty() || colon >= rest.size() || rest[colon] != ':')
      break;
    line.labels.emplace_back(label);
    const std::size_t next = std::min(rest.find_first_not_of(kBlank, colon + 1), rest.size());
    line.text_loc.column += static_cast<std::uint32_t>(next);
    rest.remove_prefix(next);
  }
  line.text = rest;
  return line;
}

std::string text_of(const CodeLine& line) {
  std::string text;
  for (const std::string& label : line.labels)
    text += label + ": ";
  return text + line.text;
}

} // namespace

Result<std::vector<CodeColumn>> parse_table(Lexer& lexer) {
  std::vector<CodeColumn> columns;
  lexer.skip_blank();
  const Result<std::vector<Cell>> head = take_row(lexer);
  if (!head)
    return head.error();
  for (const Cell& cell : *head) {
    Result<CodeColumn> column = read_name(cell);
    if (!column)
      return column.error();
    for (const CodeColumn& other : columns)
      if (other.thread == column->thread)
        return error_at(
            cell.loc, "LIT-011", fmt::format("thread P{} occurs twice", column->thread));
    columns.push_back(std::move(*column));
  }
  while (!starts_final(lexer)) {
    lexer.skip_blank();
    const Result<std::vector<Cell>> row = take_row(lexer);
    if (!row)
      return row.error();
    for (std::size_t i = 0; i < row->size(); ++i) {
      const Cell& cell = (*row)[i];
      if (cell.text.empty())
        continue;
      if (i >= columns.size())
        return error_at(cell.loc, "LIT-013", "this row has more cells than there are threads");
      columns[i].lines.push_back(read_line(cell));
    }
  }
  return columns;
}

std::string print_table(const std::vector<CodeColumn>& columns) {
  std::vector<std::vector<std::string>> rows(1);
  for (const CodeColumn& column : columns)
    rows[0].push_back(fmt::format("P{}{}", column.thread, column.annotation));
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < columns[i].lines.size(); ++j) {
      if (rows.size() <= j + 1)
        rows.emplace_back(columns.size());
      rows[j + 1][i] = text_of(columns[i].lines[j]);
    }
  std::vector<std::size_t> widths(columns.size());
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{} {:<{}}", i == 0 ? "" : " |", row[i], widths[i]);
    text += " ;\n";
  }
  return text;
}

} // namespace heddle::frontend::litmus
