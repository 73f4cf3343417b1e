// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/parsed_test.h"

#include <algorithm>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

bool is_same_value(const LiteralValue& a, const LiteralValue& b) {
  if (a.content.index() != b.content.index())
    return false;
  if (const auto* number = std::get_if<NumberValue>(&a.content))
    return *number == std::get<NumberValue>(b.content);
  if (const auto* name = std::get_if<NameValue>(&a.content))
    return *name == std::get<NameValue>(b.content);
  const auto& left = std::get<std::vector<LiteralValue>>(a.content);
  const auto& right = std::get<std::vector<LiteralValue>>(b.content);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), is_same_value);
}

bool is_same_entry(const InitialEntry& a, const InitialEntry& b) {
  return a.type == b.type && a.place.is_same(b.place) && a.elements == b.elements &&
         a.value.has_value() == b.value.has_value() &&
         (!a.value || is_same_value(*a.value, *b.value));
}

bool is_same_formula(const Formula& a, const Formula& b) {
  if (a.kind != b.kind || a.right.index() != b.right.index())
    return false;
  if (a.kind == Proposition::Kind::kEquals || a.kind == Proposition::Kind::kNotEquals) {
    if (!a.left.is_same(b.left))
      return false;
    const auto* place = std::get_if<Place>(&a.right);
    if (place != nullptr
            ? !place->is_same(std::get<Place>(b.right))
            : !is_same_value(std::get<LiteralValue>(a.right), std::get<LiteralValue>(b.right)))
      return false;
  }
  return std::equal(
      a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(), is_same_formula);
}

bool is_same_column(const CodeColumn& a, const CodeColumn& b) {
  return a.thread == b.thread && a.annotation == b.annotation &&
         std::equal(a.lines.begin(),
                    a.lines.end(),
                    b.lines.begin(),
                    b.lines.end(),
                    [](const CodeLine& x, const CodeLine& y) {
                      return x.labels == y.labels && x.text == y.text;
                    });
}

} // namespace

Result<ParsedTest> parse_body(Header header, Lexer& lexer) {
  ParsedTest test;
  test.header = std::move(header);
  Result<std::vector<InitialEntry>> initial = parse_initial_state(lexer);
  if (!initial)
    return initial.error();
  test.initial = std::move(*initial);
  Result<std::vector<CodeColumn>> threads = parse_table(lexer);
  if (!threads)
    return threads.error();
  test.threads = std::move(*threads);
  Result<FinalSection> section = parse_final(lexer);
  if (!section)
    return section.error();
  test.final_section = std::move(*section);
  return test;
}

Result<ParsedTest> parse_syntax(std::string_view text) {
  Lexer lexer(text);
  Result<Header> header = parse_header(lexer);
  if (!header)
    return header.error();
  return parse_body(std::move(*header), lexer);
}

std::string print(const ParsedTest& test) {
  return print_header(test.header) + print_initial_state(test.initial) + print_table(test.threads) +
         print_final(test.final_section);
}

bool is_same(const ParsedTest& a, const ParsedTest& b) {
  const FinalSection& left = a.final_section;
  const FinalSection& right = b.final_section;
  return a.header == b.header &&
         std::equal(a.initial.begin(),
                    a.initial.end(),
                    b.initial.begin(),
                    b.initial.end(),
                    is_same_entry) &&
         std::equal(a.threads.begin(),
                    a.threads.end(),
                    b.threads.begin(),
                    b.threads.end(),
                    is_same_column) &&
         std::equal(left.locations.begin(),
                    left.locations.end(),
                    right.locations.begin(),
                    right.locations.end(),
                    [](const Place& x, const Place& y) { return x.is_same(y); }) &&
         left.filter.has_value() == right.filter.has_value() &&
         (!left.filter || is_same_formula(*left.filter, *right.filter)) &&
         left.quantifier == right.quantifier && is_same_formula(left.condition, right.condition);
}

} // namespace heddle::frontend::litmus
