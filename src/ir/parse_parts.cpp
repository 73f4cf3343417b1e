// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The elements and fields of a variable, in the text form.
#include "ir/parser.h"

#include <fmt/format.h>

#include <limits>

namespace heddle::ir {

namespace {

/// Parts within parts are read by recursion. C has no use for more.
constexpr unsigned kMostNesting = 32;
constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

} // namespace

std::vector<Part> Parser::parts(unsigned nesting) {
  std::vector<Part> list;
  if (!accept_word("parts"))
    return list;
  if (nesting == kMostNesting)
    fail(peek(), "IR-027", fmt::format("expected at most {} parts within each other", nesting));
  expect_symbol("[");
  while (!error_ && !at_symbol("]")) {
    if (!list.empty())
      expect_symbol(",");
    Part part;
    const bool is_field = peek().kind == Token::Kind::kString;
    if (is_field)
      part.field = next().text;
    part.offset = expect_number("an offset in bytes", kLargest);
    expect_symbol(":");
    part.size = expect_number("a size in bytes", kLargest);
    if (!is_field) {
      if (!accept_word("x"))
        expected("'x' and the number of elements, or a field's name in quotes before the offset");
      part.count = expect_number("a number of elements", kLargest);
    }
    if (at_word("signed") || at_word("unsigned")) {
      part.scalar_signed = next().text == "signed";
      part.scalar_bits = static_cast<std::uint8_t>(expect_number("a width in bits", 255));
    }
    part.parts = parts(nesting + 1);
    list.push_back(std::move(part));
  }
  expect_symbol("]");
  return list;
}

} // namespace heddle::ir
