// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Patterns, bindings, and the conditions of `if`.
#include "memory/cat/cat_parser.h"

namespace heddle::memory::cat {

namespace {

constexpr std::size_t kMostParameters = 60;

} // namespace

std::optional<Pattern> Parser::parse_pattern_word() {
  if (take_symbol("_"))
    return Pattern{false, {""}};
  std::optional<std::string> name = expect_name("a name or '_'");
  if (!name)
    return std::nullopt;
  return Pattern{false, {std::move(*name)}};
}

std::optional<Pattern> Parser::parse_pattern() {
  if (!take_symbol("("))
    return parse_pattern_word();
  Pattern pattern = {true, {}};
  if (!take_symbol(")")) {
    do {
      std::optional<Pattern> word = parse_pattern_word();
      if (!word)
        return std::nullopt;
      pattern.names.push_back(std::move(word->names[0]));
    } while (take_symbol(","));
    if (!expect_symbol(")"))
      return std::nullopt;
  }
  pattern.is_tuple = pattern.names.size() != 1;
  return pattern;
}

std::optional<Binding> Parser::parse_binding() {
  Binding binding;
  binding.loc = here();
  std::optional<Pattern> pattern = parse_pattern();
  if (!pattern)
    return std::nullopt;
  binding.pattern = std::move(*pattern);
  if (!binding.pattern.is_tuple && is_symbol(",")) {
    binding.pattern.is_tuple = true;
    while (take_symbol(",")) {
      std::optional<Pattern> word = parse_pattern_word();
      if (!word)
        return std::nullopt;
      binding.pattern.names.push_back(std::move(word->names[0]));
    }
  }
  std::vector<ExprPtr> functions;
  while (!is_symbol("=") && !binding.pattern.is_tuple && functions.size() < kMostParameters) {
    ExprPtr made = make(ExprKind::kFunction, here());
    std::optional<Pattern> parameters = parse_pattern();
    if (!parameters)
      return std::nullopt;
    made->pattern = std::move(*parameters);
    functions.push_back(std::move(made));
  }
  if (!expect_symbol("="))
    return std::nullopt;
  binding.value = parse_expression();
  if (!binding.value)
    return std::nullopt;
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    (*function)->parts.push_back(std::move(binding.value));
    binding.value = std::move(*function);
  }
  return binding;
}

bool Parser::parse_bindings(std::vector<Binding>& bindings) {
  do {
    std::optional<Binding> binding = parse_binding();
    if (!binding)
      return false;
    bindings.push_back(std::move(*binding));
  } while (take_keyword("and"));
  return true;
}

bool Parser::starts_variant() const {
  std::size_t ahead = 0;
  while (is_symbol("(", ahead))
    ++ahead;
  return peek(ahead).kind == TokenKind::kString || peek(ahead).is(TokenKind::kName, "not");
}

ConditionPtr Parser::parse_condition() {
  if (!enter()) {
    leave();
    return nullptr;
  }
  const SourceLoc loc = here();
  ConditionPtr first = parse_condition_and();
  while (first && take_symbol("||")) {
    ConditionPtr second = parse_condition_and();
    if (!second) {
      first = nullptr;
      break;
    }
    if (first->kind == ConditionKind::kOr && first->loc == loc) {
      first->conditions.push_back(std::move(second));
      continue;
    }
    auto made = std::make_unique<Condition>();
    made->kind = ConditionKind::kOr;
    made->loc = loc;
    made->conditions.push_back(std::move(first));
    made->conditions.push_back(std::move(second));
    first = std::move(made);
  }
  leave();
  return first;
}

ConditionPtr Parser::parse_condition_and() {
  const SourceLoc loc = here();
  ConditionPtr first = parse_condition_atom();
  if (!first || !is_symbol("&&"))
    return first;
  auto made = std::make_unique<Condition>();
  made->kind = ConditionKind::kAnd;
  made->loc = loc;
  made->conditions.push_back(std::move(first));
  while (take_symbol("&&")) {
    ConditionPtr next = parse_condition_atom();
    if (!next)
      return nullptr;
    made->conditions.push_back(std::move(next));
  }
  return made;
}

ConditionPtr Parser::parse_condition_atom() {
  auto made = std::make_unique<Condition>();
  made->loc = here();
  if (peek().kind == TokenKind::kString) {
    made->name = peek().text;
    advance();
    return made;
  }
  if (peek().is(TokenKind::kName, "not") && starts_variant()) {
    advance();
    made->kind = ConditionKind::kNot;
    if (!enter()) {
      leave();
      return nullptr;
    }
    ConditionPtr part = parse_condition_atom();
    leave();
    if (!part)
      return nullptr;
    made->conditions.push_back(std::move(part));
    return made;
  }
  if (is_symbol("(") && starts_variant()) {
    advance();
    ConditionPtr inside = parse_condition();
    if (!inside || !expect_symbol(")"))
      return nullptr;
    inside->loc = {}; // a chain inside brackets is not the chain around them
    return inside;
  }
  ExprPtr first = parse_expression();
  if (!first)
    return nullptr;
  if (take_symbol("=")) {
    made->kind = ConditionKind::kEqual;
  } else if (take_keyword("subset")) {
    made->kind = ConditionKind::kSubset;
  } else if (take_keyword("in")) {
    made->kind = ConditionKind::kMember;
  } else {
    complain("'=', 'subset' or 'in'");
    return nullptr;
  }
  ExprPtr second = parse_expression();
  if (!second)
    return nullptr;
  made->parts.push_back(std::move(first));
  made->parts.push_back(std::move(second));
  return made;
}

} // namespace heddle::memory::cat
