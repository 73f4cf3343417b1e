// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_lexer.h"

#include <array>

namespace heddle::frontend::litmus {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::string_view kPunctuation = "+-*/%&|^~!<>=?:;,.()[]{}";
// Longest first.
constexpr std::array<std::string_view, 22> kLongPunctuation = {
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--", "->"};

int digit_value(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 99;
}

} // namespace

CLexer::CLexer(std::string_view text, std::size_t offset, SourceLoc start)
    : text_(text), position_(offset), loc_(start) {
  advance();
}

CToken CLexer::take() {
  const CToken taken = token_;
  taken_end_ = taken.end;
  advance();
  return taken;
}

char CLexer::at(std::size_t ahead) const {
  return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
}

void CLexer::step() {
  if (text_[position_] == '\n') {
    ++loc_.line;
    loc_.column = 1;
  } else {
    ++loc_.column;
  }
  ++position_;
}

void CLexer::step_in_line(std::size_t count) {
  position_ += count;
  loc_.column += static_cast<std::uint32_t>(count);
}

void CLexer::skip_space() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      step();
    } else if (c == '/' && at(1) == '/') {
      while (position_ < text_.size() && text_[position_] != '\n')
        step();
    } else if (c == '/' && at(1) == '*') {
      step();
      step();
      while (position_ < text_.size() && !(text_[position_] == '*' && at(1) == '/'))
        step();
      for (int i = 0; i < 2 && position_ < text_.size(); ++i)
        step();
    } else {
      return;
    }
  }
}

void CLexer::read_number() {
  token_.kind = CToken::Kind::kNumber;
  std::uint64_t base = 10;
  if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X')) {
    base = 16;
    step();
    step();
  } else if (at(0) == '0' && is_digit(at(1))) {
    base = 8;
  }
  const std::size_t first_digit = position_;
  while (digit_value(at(0)) < static_cast<int>(base)) {
    const auto digit = static_cast<std::uint64_t>(digit_value(at(0)));
    if (token_.value > (UINT64_MAX - digit) / base)
      token_.has_overflow = true;
    token_.value = token_.value * base + digit;
    step();
  }
  if (position_ == first_digit)
    token_.kind = CToken::Kind::kBad;
  while (at(0) == 'u' || at(0) == 'U' || at(0) == 'l' || at(0) == 'L')
    step();
  while (is_letter(at(0)) || is_digit(at(0))) {
    token_.kind = CToken::Kind::kBad;
    step();
  }
}

void CLexer::advance() {
  token_ = {};
  skip_space();
  token_.loc = loc_;
  token_.begin = position_;
  token_.end = position_;
  if (position_ >= text_.size())
    return;
  const char c = text_[position_];
  if (is_letter(c)) {
    token_.kind = CToken::Kind::kWord;
    std::size_t length = 1;
    while (is_letter(at(length)) || is_digit(at(length)))
      ++length;
    step_in_line(length);
  } else if (is_digit(c)) {
    read_number();
  } else {
    const bool is_punctuation = kPunctuation.find(c) != std::string_view::npos;
    token_.kind = is_punctuation ? CToken::Kind::kPunctuation : CToken::Kind::kBad;
    std::size_t length = 1;
    // All that is longer goes on with one of these.
    if (is_punctuation && std::string_view("<>.=&|+-").find(at(1)) != std::string_view::npos) {
      const std::string_view rest = text_.substr(position_);
      for (const std::string_view candidate : kLongPunctuation) {
        if (rest.starts_with(candidate)) {
          length = candidate.size();
          break;
        }
      }
    }
    step_in_line(length); // also over a character that is none of ours: newlines are skipped above
  }
  token_.end = position_;
  token_.text = text_.substr(token_.begin, token_.end - token_.begin);
}

} // namespace heddle::frontend::litmus
