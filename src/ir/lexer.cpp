// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/lexer.h"

#include "ir/names.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace heddle::ir {

namespace {

int hexadecimal_digit(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

class Lexer {
public:
  Lexer(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    while (true) {
      skip_space();
      Token token;
      token.line = line_;
      token.column = column();
      if (position_ < text_.size() && !read(token))
        return *error_;
      tokens.push_back(token);
      if (token.kind == Token::Kind::kEnd)
        return tokens;
    }
  }

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  [[nodiscard]] std::uint32_t column() const {
    return static_cast<std::uint32_t>(position_ - line_start_ + 1);
  }
  bool fail(std::string code, std::string message) {
    error_ = Error{ErrorKind::kInput,
                   std::move(code),
                   std::move(message),
                   std::string(file_name_),
                   line_,
                   column()};
    return false;
  }

  void skip_space() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') {
        ++line_;
        line_start_ = position_ + 1;
      } else if (c == ';') {
        while (position_ < text_.size() && text_[position_] != '\n')
          ++position_;
        continue;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
      ++position_;
    }
  }

  bool read(Token& token) {
    const char c = peek();
    if (is_letter(c)) {
      token.kind = Token::Kind::kWord;
      while (position_ < text_.size() && is_word_character(peek()))
        token.text += text_[position_++];
      return true;
    }
    if (is_digit(c)) {
      token.kind = Token::Kind::kNumber;
      return read_number(token);
    }
    if (c == '"') {
      token.kind = Token::Kind::kString;
      return read_string(token);
    }
    if (c == '@') {
      ++position_;
      token.kind = Token::Kind::kName;
      return read_name(token);
    }
    if (c == '%' || c == '$') {
      ++position_;
      token.kind = c == '%' ? Token::Kind::kRegister : Token::Kind::kSlot;
      return is_digit(peek()) ? read_number(token)
                              : fail("IR-002", fmt::format("expected a number after '{}'", c));
    }
    return read_symbol(token);
  }

  bool read_symbol(Token& token) {
    token.kind = Token::Kind::kSymbol;
    for (const std::string_view longer : {std::string_view("->"), std::string_view("...")}) {
      if (text_.substr(position_, longer.size()) == longer) {
        token.text = longer;
        position_ += longer.size();
        return true;
      }
    }
    constexpr std::string_view kSymbols = "(){}[]=:,+-!";
    const char c = peek();
    if (kSymbols.find(c) == std::string_view::npos)
      return fail("IR-001",
                  fmt::format("expected a token of the ir text form, found the byte 0x{:02x}",
                              static_cast<unsigned char>(c)));
    token.text = c;
    ++position_;
    return true;
  }

  bool read_name(Token& token) {
    if (peek() == '"')
      return read_string(token);
    if (!is_name_character(peek()) || is_digit(peek()))
      return fail("IR-002", "expected a name or a quoted name after '@'");
    while (position_ < text_.size() && is_name_character(peek()))
      token.text += text_[position_++];
    return true;
  }

  bool read_number(Token& token) {
    const bool is_hexadecimal = peek() == '0' && peek(1) == 'x' && hexadecimal_digit(peek(2)) >= 0;
    const std::uint64_t base = is_hexadecimal ? 16 : 10;
    if (is_hexadecimal)
      position_ += 2;
    while (true) {
      const int digit = hexadecimal_digit(peek());
      if (digit < 0 || static_cast<std::uint64_t>(digit) >= base)
        break;
      const auto value = static_cast<std::uint64_t>(digit);
      if (token.number > (std::numeric_limits<std::uint64_t>::max() - value) / base)
        return fail("IR-003", "expected a number of at most 64 bits");
      token.number = token.number * base + value;
      ++position_;
    }
    if (is_letter(peek()))
      return fail("IR-003", "expected a space between a number and a word");
    return true;
  }

  bool read_string(Token& token) {
    ++position_;
    while (true) {
      const char c = peek();
      if (position_ >= text_.size() || c == '\n')
        return fail("IR-004", "expected '\"' at the end of a string, in the same line");
      ++position_;
      if (c == '"')
        return true;
      if (c != '\\') {
        token.text += c;
        continue;
      }
      const char escaped = peek();
      if (escaped == '"' || escaped == '\\') {
        token.text += escaped;
        ++position_;
        continue;
      }
      const int high = hexadecimal_digit(peek(1));
      const int low = hexadecimal_digit(peek(2));
      if (escaped != 'x' || high < 0 || low < 0)
        return fail("IR-004", "expected \\\", \\\\ or \\xNN after '\\' in a string");
      token.text += static_cast<char>(high * 16 + low);
      position_ += 3;
    }
  }

  std::string_view text_;
  std::string_view file_name_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::optional<Error> error_;
};

} // namespace

Result<std::vector<Token>> tokenize(std::string_view text, std::string_view file_name) {
  return Lexer(text, file_name).run();
}

} // namespace heddle::ir
