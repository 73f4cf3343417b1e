// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions. Operators from loose to tight: | (right), ++ (right), ; (right), \ (left), &
// (right); then * as a product, * + ? behind and ~ before, which do not mix without brackets; then
// ^-1; then application.
#include "memory/cat/parser.h"

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
constexpr std::size_t kDeepest = 120;
constexpr std::size_t kLongestPostfix = 60;

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

ExprPtr Parser::parse_expression() {
  if (!enter()) {
    leave();
    return nullptr;
  }
  ExprPtr parsed = parse_expression_inside();
  leave();
  return parsed;
}

ExprPtr Parser::parse_expression_inside() {
  if (peek().kind == TokenKind::kKeyword) {
    if (is_keyword_at("let"))
      return parse_binding_expression();
    if (is_keyword_at("fun"))
      return parse_function();
    if (is_keyword_at("try"))
      return parse_try();
    if (is_keyword_at("if"))
      return parse_if();
    if (is_keyword_at("match"))
      return parse_match();
  }
  const SourceLoc loc = here();
  ExprPtr first = parse_operators();
  if (!first || !is_symbol(","))
    return first;
  ExprPtr tuple = make(ExprKind::kTuple, loc);
  tuple->parts.push_back(std::move(first));
  while (take_symbol(",")) {
    ExprPtr next = parse_operators();
    if (!next)
      return nullptr;
    tuple->parts.push_back(std::move(next));
  }
  return tuple;
}

ExprPtr Parser::parse_binding_expression() {
  const SourceLoc loc = here();
  advance();
  const bool is_recursive = take_keyword("rec");
  ExprPtr made = make(is_recursive ? ExprKind::kLetRec : ExprKind::kLet, loc);
  if (!parse_bindings(made->bindings) || !expect_keyword("in"))
    return nullptr;
  ExprPtr body = parse_expression();
  if (!body)
    return nullptr;
  made->parts.push_back(std::move(body));
  return made;
}

ExprPtr Parser::parse_function() {
  ExprPtr made = make(ExprKind::kFunction, here());
  advance();
  std::optional<Pattern> pattern = parse_pattern();
  if (!pattern || !expect_symbol("->"))
    return nullptr;
  made->pattern = std::move(*pattern);
  ExprPtr body = parse_expression();
  if (!body)
    return nullptr;
  made->parts.push_back(std::move(body));
  return made;
}

ExprPtr Parser::parse_try() {
  ExprPtr made = make(ExprKind::kTry, here());
  advance();
  ExprPtr first = parse_expression();
  if (!first || !expect_keyword("with"))
    return nullptr;
  ExprPtr second = parse_expression();
  if (!second)
    return nullptr;
  made->parts.push_back(std::move(first));
  made->parts.push_back(std::move(second));
  return made;
}

ExprPtr Parser::parse_if() {
  ExprPtr made = make(ExprKind::kIf, here());
  advance();
  made->condition = parse_condition();
  if (!made->condition || !expect_keyword("then"))
    return nullptr;
  ExprPtr first = parse_expression();
  if (!first || !expect_keyword("else"))
    return nullptr;
  ExprPtr second = parse_expression();
  if (!second)
    return nullptr;
  made->parts.push_back(std::move(first));
  made->parts.push_back(std::move(second));
  return made;
}

ExprPtr Parser::parse_match() {
  ExprPtr made = make(ExprKind::kMatchTag, here());
  advance();
  ExprPtr what = parse_expression();
  if (!what || !expect_keyword("with"))
    return nullptr;
  made->parts.push_back(std::move(what));
  take_symbol("||");
  const bool is_tags = peek().kind == TokenKind::kTag || (is_symbol("_") && is_symbol("->", 1));
  if (is_tags) {
    do {
      if (peek().kind != TokenKind::kTag && !is_symbol("_")) {
        complain("a tag or '_'");
        return nullptr;
      }
      made->tags.push_back(peek().kind == TokenKind::kTag ? peek().text : "");
      advance();
      if (!expect_symbol("->"))
        return nullptr;
      ExprPtr body = parse_expression();
      if (!body)
        return nullptr;
      made->parts.push_back(std::move(body));
    } while (!made->tags.back().empty() && take_symbol("||"));
    return expect_keyword("end") ? std::move(made) : nullptr;
  }
  made->kind = ExprKind::kMatchSet;
  ExprPtr when_empty;
  ExprPtr when_element;
  if (!parse_set_clause(*made, when_empty, when_element) || !expect_symbol("||") ||
      !parse_set_clause(*made, when_empty, when_element))
    return nullptr;
  if (!when_empty || !when_element) {
    complain("one clause for {} and one for an element");
    return nullptr;
  }
  made->parts.push_back(std::move(when_empty));
  made->parts.push_back(std::move(when_element));
  return expect_keyword("end") ? std::move(made) : nullptr;
}

bool Parser::parse_set_clause(Expr& match, ExprPtr& when_empty, ExprPtr& when_element) {
  if (take_symbol("{")) {
    if (!expect_symbol("}") || !expect_symbol("->"))
      return false;
    when_empty = parse_expression();
    return when_empty != nullptr;
  }
  match.pattern = {true, {}};
  std::optional<Pattern> word = parse_pattern_word();
  if (!word)
    return false;
  match.pattern.names.push_back(word->names[0]);
  if (take_symbol("|")) {
    word = parse_pattern_word();
    if (!word)
      return false;
    match.pattern.names.push_back(word->names[0]);
  }
  if (!expect_symbol("++"))
    return false;
  word = parse_pattern_word();
  if (!word || !expect_symbol("->"))
    return false;
  match.pattern.names.push_back(word->names[0]);
  when_element = parse_expression();
  return when_element != nullptr;
}

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
    else if (is_symbol("^"))
      kind = ExprKind::kInverse;
    else if (!is_symbol("*"))
      break;
    if (++length > kLongestPostfix) {
      complain("fewer operators in a row");
      return nullptr;
    }
    advance();
    if (kind == ExprKind::kInverse && !expect_symbol("-1"))
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

ExprPtr Parser::parse_inverted() {
  const SourceLoc loc = here();
  ExprPtr value = parse_application();
  std::size_t length = 0;
  while (value && is_symbol("^")) {
    if (++length > kLongestPostfix) {
      complain("fewer operators in a row");
      return nullptr;
    }
    advance();
    if (!expect_symbol("-1"))
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
