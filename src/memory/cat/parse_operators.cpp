// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators from loose to tight: | (right), ++ (right), ; (right), \ (left), & (right); then * as a
// product, * + ? behind and ~ before, which do not mix without brackets; then ^-1; then
// application.
#include "memory/cat/cat_parser.h"

#include <array>

namespace heddle::memory::cat {

namespace {

struct Level {
  std::string_view symbol;
  ExprKind kind;
};
constexpr std::array<Level, 5> kLevels = {{
    {"|", ExprKind::kUnion},
    {"++", ExprKind::kAdd},
    {";", ExprKind::kSequence},
    {"\\", ExprKind::kDifference},
    {"&", ExprKind::kIntersection},
}};
constexpr std::size_t kLongestPostfix = 60;

} // namespace

ExprPtr Parser::parse_operators() {
  if (!enter()) {
    leave();
    return nullptr;
  }
  ExprPtr parsed = parse_chain(0);
  leave();
  return parsed;
}

ExprPtr Parser::parse_chain(std::size_t level) {
  if (level == kLevels.size())
    return parse_unary();
  const SourceLoc loc = here();
  ExprPtr first = parse_chain(level + 1);
  if (!first || !is_symbol(kLevels[level].symbol))
    return first;
  ExprPtr chain = make(kLevels[level].kind, loc);
  chain->parts.push_back(std::move(first));
  while (take_symbol(kLevels[level].symbol)) {
    ExprPtr next = parse_chain(level + 1);
    if (!next)
      return nullptr;
    chain->parts.push_back(std::move(next));
  }
  return chain;
}

ExprPtr Parser::parse_unary() {
  const SourceLoc loc = here();
  if (take_symbol("~")) {
    ExprPtr made = make(ExprKind::kComplement, loc);
    ExprPtr part;
    if (is_symbol("~")) {
      if (!enter()) {
        leave();
        return nullptr;
      }
      part = parse_unary();
      leave();
    } else {
      part = parse_inverted();
    }
    if (!part)
      return nullptr;
    if (is_symbol("*") || is_symbol("+") || is_symbol("?")) {
      complain("brackets: '~' and '" + peek().text + "' bind equally");
      return nullptr;
    }
    made->parts.push_back(std::move(part));
    return made;
  }
  ExprPtr value = parse_inverted();
  std::size_t length = 0;
  while (value) {
    ExprKind kind = ExprKind::kStar;
    if (is_symbol("+"))
      kind = ExprKind::kPlus;
    else if (is_symbol("?"))
      kind = ExprKind::kOptional;
    else if (starts_inverse())
      kind = ExprKind::kInverse;
    else if (!is_symbol("*"))
      break;
    if (++length > kLongestPostfix) {
      complain("fewer operators in a row");
      return nullptr;
    }
    if (kind != ExprKind::kInverse)
      advance();
    else if (!take_inverse())
      return nullptr;
    // `r* ~acyclic s` is a closure and a check that follows it.
    const bool is_complement = is_symbol("~") && peek(1).kind != TokenKind::kKeyword;
    if (kind == ExprKind::kStar && (starts_argument() || is_complement)) {
      ExprPtr product = make(ExprKind::kProduct, loc);
      product->parts.push_back(std::move(value));
      ExprPtr second;
      if (is_symbol("~")) {
        second = make(ExprKind::kComplement, here());
        advance();
        ExprPtr part = parse_inverted();
        if (!part)
          return nullptr;
        second->parts.push_back(std::move(part));
      } else {
        second = parse_inverted();
      }
      if (!second)
        return nullptr;
      if (is_symbol("*") || is_symbol("+") || is_symbol("?")) {
        complain("brackets: the product '*' and '" + peek().text + "' bind equally");
        return nullptr;
      }
      product->parts.push_back(std::move(second));
      return product;
    }
    ExprPtr made = make(kind, loc);
    made->parts.push_back(std::move(value));
    value = std::move(made);
  }
  return value;
}

bool Parser::take_inverse() {
  take_symbol("^");
  return expect_symbol("-1");
}

ExprPtr Parser::parse_inverted() {
  const SourceLoc loc = here();
  ExprPtr value = parse_application();
  std::size_t length = 0;
  while (value && starts_inverse()) {
    if (++length > kLongestPostfix) {
      complain("fewer operators in a row");
      return nullptr;
    }
    if (!take_inverse())
      return nullptr;
    ExprPtr made = make(ExprKind::kInverse, loc);
    made->parts.push_back(std::move(value));
    value = std::move(made);
  }
  return value;
}

bool Parser::starts_argument() const {
  const Token& token = peek();
  if (token.kind == TokenKind::kName || token.kind == TokenKind::kTag)
    return true;
  return is_symbol("(") || is_symbol("{") || is_symbol("[") || is_symbol("_") || is_symbol("0") ||
         is_keyword_at("begin");
}

ExprPtr Parser::parse_application() {
  const SourceLoc loc = here();
  if (peek().kind != TokenKind::kName)
    return parse_simple();
  ExprPtr value = parse_simple();
  std::size_t length = 0;
  while (value && starts_argument()) {
    if (++length > kLongestPostfix) {
      complain("fewer arguments");
      return nullptr;
    }
    ExprPtr argument = parse_simple();
    if (!argument)
      return nullptr;
    ExprPtr made = make(ExprKind::kApply, loc);
    made->parts.push_back(std::move(value));
    made->parts.push_back(std::move(argument));
    value = std::move(made);
  }
  return value;
}

ExprPtr Parser::parse_simple() {
  const Token& token = peek();
  ExprPtr made = make(ExprKind::kName, here());
  if (token.kind == TokenKind::kName || token.kind == TokenKind::kTag) {
    made->kind = token.kind == TokenKind::kName ? ExprKind::kName : ExprKind::kTag;
    made->name = token.text;
    advance();
    return made;
  }
  if (take_symbol("0")) {
    made->kind = ExprKind::kZero;
    return made;
  }
  if (take_symbol("_")) {
    made->kind = ExprKind::kUniverse;
    return made;
  }
  if (take_symbol("{")) {
    made->kind = ExprKind::kSet;
    return parse_list(made->parts, "}") ? std::move(made) : nullptr;
  }
  if (take_symbol("[")) {
    made->kind = ExprKind::kIdentityOn;
    ExprPtr part = parse_expression();
    if (!part || !expect_symbol("]"))
      return nullptr;
    made->parts.push_back(std::move(part));
    return made;
  }
  const bool is_begin = is_keyword_at("begin");
  if (is_begin || is_symbol("(")) {
    advance();
    if (!is_begin && take_symbol(")")) {
      made->kind = ExprKind::kTuple;
      return made;
    }
    ExprPtr inside = parse_expression();
    if (!inside || !(is_begin ? expect_keyword("end") : expect_symbol(")")))
      return nullptr;
    return inside;
  }
  complain("an expression");
  return nullptr;
}

bool Parser::parse_list(std::vector<ExprPtr>& parts, std::string_view end) {
  if (take_symbol(end))
    return true;
  do {
    ExprPtr part = parse_operators();
    if (!part)
      return false;
    parts.push_back(std::move(part));
  } while (take_symbol(","));
  return expect_symbol(end);
}

} // namespace heddle::memory::cat
