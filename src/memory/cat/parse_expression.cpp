// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Expressions that begin with a keyword (let, fun, try, if, match), and tuples.
#include "memory/cat/cat_parser.h"

namespace heddle::memory::cat {

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

} // namespace heddle::memory::cat
