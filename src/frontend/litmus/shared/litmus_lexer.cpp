// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/litmus_lexer.h"

#include "support/check.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
int digit_value(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 99;
}

constexpr std::array<std::string_view, 8> kSymbols = {
    "/\\", "\\/", "=>", "==", "!=", "<>", "<<", ">>"};

// What a comment opened there spans, the rest of the text if it is not closed; 0 if there is none.
std::size_t comment_length(std::string_view rest) {
  if (rest.front() != '/' && rest.front() != '(')
    return 0;
  if (rest.starts_with("//")) {
    const std::size_t end = rest.find('\n');
    return end == std::string_view::npos ? rest.size() : end;
  }
  if (rest.starts_with("/*")) {
    const std::size_t end = rest.find("*/", 2);
    return end == std::string_view::npos ? rest.size() : end + 2;
  }
  if (!rest.starts_with("(*"))
    return 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i + 1 < rest.size();) {
    if (rest.substr(i, 2) == "(*") {
      ++depth;
      i += 2;
    } else if (rest.substr(i, 2) == "*)") {
      i += 2;
      if (--depth == 0)
        return i;
    } else {
      ++i;
    }
  }
  return rest.size();
}

void read_number(std::string_view rest, Token& token) {
  const bool is_hex = rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X') &&
                      digit_value(rest[2]) < 16;
  const unsigned base = is_hex ? 16 : 10;
  std::size_t length = is_hex ? 2 : 0;
  for (; length < rest.size() && digit_value(rest[length]) < static_cast<int>(base); ++length) {
    const auto digit = static_cast<std::uint64_t>(digit_value(rest[length]));
    if (token.number > (~std::uint64_t{0} - digit) / base)
      token.too_large = true;
    token.number = token.number * base + digit;
  }
  token.kind = Token::Kind::kNumber;
  token.text = rest.substr(0, length);
}

} // namespace

Error error_at(SourceLoc loc, std::string code, std::string message, ErrorKind kind) {
  return {kind, std::move(code), std::move(message), {}, loc.line, loc.column};
}

void Lexer::advance(std::size_t count) {
  const std::string_view passed = text_.substr(offset_, count);
  offset_ += count;
  std::size_t line_begin = 0;
  for (std::size_t newline = passed.find('\n'); newline != std::string_view::npos;
       newline = passed.find('\n', line_begin)) {
    ++line_;
    column_ = 1;
    line_begin = newline + 1;
  }
  column_ += static_cast<std::uint32_t>(passed.size() - line_begin);
}

void Lexer::rewind() {
  if (ahead_.empty())
    return;
  offset_ = ahead_.front().begin;
  line_ = ahead_.front().loc.line;
  column_ = ahead_.front().loc.column;
  ahead_.clear();
}

void Lexer::skip_blank() {
  rewind();
  while (offset_ < text_.size()) {
    if (is_space(text_[offset_]))
      advance(1);
    else if (const std::size_t length = comment_length(text_.substr(offset_)); length > 0)
      advance(length);
    else
      return;
  }
}

std::size_t Lexer::offset() {
  rewind();
  return offset_;
}

SourceLoc Lexer::loc() {
  rewind();
  return {1, line_, column_};
}

void Lexer::move_to(std::size_t offset) {
  rewind();
  HEDDLE_CHECK(offset >= offset_ && offset <= text_.size(), "a lexer moved backwards");
  advance(offset - offset_);
}

Token Lexer::read() {
  while (offset_ < text_.size()) {
    if (is_space(text_[offset_]))
      advance(1);
    else if (const std::size_t length = comment_length(text_.substr(offset_)); length > 0)
      advance(length);
    else
      break;
  }
  Token token;
  token.loc = {1, line_, column_};
  token.begin = offset_;
  const std::string_view rest = text_.substr(offset_);
  if (rest.empty()) {
    token.end = offset_;
    return token;
  }
  if (starts_name(rest[0])) {
    std::size_t length = 1;
    while (length < rest.size() && continues_name(rest[length]))
      ++length;
    token.kind = Token::Kind::kName;
    token.text = rest.substr(0, length);
    advance(length);
  } else if (is_digit(rest[0])) {
    read_number(rest, token);
    advance(token.text.size());
  } else if (const std::size_t close = rest[0] == '"' ? rest.find('"', 1) : std::string_view::npos;
             close != std::string_view::npos) {
    token.kind = Token::Kind::kString;
    token.text = rest.substr(1, close - 1);
    advance(close + 1);
  } else {
    token.kind = Token::Kind::kSymbol;
    token.text = rest.substr(0, 1);
    for (const std::string_view symbol : kSymbols)
      if (rest[0] == symbol[0] && rest.starts_with(symbol))
        token.text = symbol;
    advance(token.text.size());
  }
  token.end = offset_;
  return token;
}

Token Lexer::take() {
  const Token token = look(0);
  ahead_.erase(ahead_.begin());
  return token;
}

bool Lexer::is_name(std::string_view name, std::size_t ahead) {
  const Token& token = look(ahead);
  return token.kind == Token::Kind::kName && token.text.front() == name.front() &&
         token.text == name;
}

bool Lexer::accept_name(std::string_view name) {
  if (!is_name(name))
    return false;
  (void)take();
  return true;
}

Status Lexer::expect_symbol(std::string_view symbol) {
  if (!accept_symbol(symbol))
    return expected(fmt::format("'{}'", symbol));
  return Done{};
}

Error Lexer::expected(std::string_view what, std::string_view code) {
  const Token& token = look(0);
  const std::string found =
      token.kind == Token::Kind::kEnd ? "the end of the file" : fmt::format("'{}'", token.text);
  return error_at(token.loc, std::string(code), fmt::format("expected {}, not {}", what, found));
}

} // namespace heddle::frontend::litmus
