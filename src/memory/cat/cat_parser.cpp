// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The cursor of the parser, and what it says where something else was expected.
#include "memory/cat/cat_parser.h"

namespace heddle::memory::cat {

namespace {

constexpr std::size_t kDeepest = 120;

} // namespace

bool Parser::enter() {
  if (++depth_ <= kDeepest)
    return true;
  errors_.push_back({ErrorKind::kUnsupported,
                     "CAT-003",
                     "nested deeper than " + std::to_string(kDeepest) + " levels",
                     file_,
                     peek().line,
                     peek().column});
  return false;
}

bool Parser::take_symbol(std::string_view text) {
  if (!is_symbol(text))
    return false;
  advance();
  return true;
}

bool Parser::take_keyword(std::string_view text) {
  if (!is_keyword_at(text))
    return false;
  advance();
  return true;
}

void Parser::complain(std::string_view expected) {
  const Token& token = peek();
  std::string found = "'" + token.text + "'";
  if (token.kind == TokenKind::kEnd)
    found = "the end of the file";
  else if (token.kind == TokenKind::kString)
    found = "the string \"" + token.text + "\"";
  errors_.push_back({ErrorKind::kInput,
                     "CAT-002",
                     "expected " + std::string(expected) + ", found " + found,
                     file_,
                     token.line,
                     token.column});
}

bool Parser::expect_symbol(std::string_view text) {
  if (take_symbol(text))
    return true;
  complain("'" + std::string(text) + "'");
  return false;
}

bool Parser::expect_keyword(std::string_view text) {
  if (take_keyword(text))
    return true;
  complain("'" + std::string(text) + "'");
  return false;
}

std::optional<std::string> Parser::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::kName) {
    complain(what);
    return std::nullopt;
  }
  std::string name = peek().text;
  advance();
  return name;
}

std::optional<std::string> Parser::expect_string() {
  if (peek().kind != TokenKind::kString) {
    complain("a string");
    return std::nullopt;
  }
  std::string text = peek().text;
  advance();
  return text;
}

ExprPtr Parser::make(ExprKind kind, SourceLoc loc) const {
  auto made = std::make_unique<Expr>();
  made->kind = kind;
  made->loc = loc;
  return made;
}

} // namespace heddle::memory::cat
