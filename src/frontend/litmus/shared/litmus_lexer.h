// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the parts of a litmus test that are not code (initial state, condition) into tokens, on
// demand: the parts of one file are read in different ways, so one object walks through the text
// and can also hand out raw stretches of it (code_table.h, header.h).
#pragma once

#include "support/result.h"
#include "support/source_loc.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kName,   // letters, digits, _, $, %; no digit first
    kNumber, // decimal or hexadecimal
    kString, // "…", without the quotes
    kSymbol, // one of /\ \/ => == != << >> or a single character
  };
  Kind kind = Kind::kEnd;
  std::string_view text = {}; // as written (a string: without its quotes)
  std::uint64_t number = 0;   // kNumber
  bool too_large = false;     // kNumber: more than 64 bits
  SourceLoc loc = {};         // file 1
  std::size_t begin = 0;      // offsets into the text
  std::size_t end = 0;
};

/// Comments are (* … *), which nest, // … and /* … */. The text must outlive the lexer and its
/// tokens.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  [[nodiscard]] Token peek(std::size_t ahead = 0) { return look(ahead); }
  Token take();
  [[nodiscard]] bool is_symbol(std::string_view symbol, std::size_t ahead = 0) {
    const Token& token = look(ahead);
    return token.kind == Token::Kind::kSymbol && token.text.front() == symbol.front() &&
           token.text == symbol;
  }
  [[nodiscard]] bool is_name(std::string_view name, std::size_t ahead = 0);
  /// Takes it if it is there.
  bool accept_symbol(std::string_view symbol) {
    const bool is_there = is_symbol(symbol);
    if (is_there)
      (void)take();
    return is_there;
  }
  bool accept_name(std::string_view name);
  [[nodiscard]] Status expect_symbol(std::string_view symbol);

  // Raw reading, by characters; only what no peek has looked at yet is lost by it, so it goes back
  // to the first token looked at.
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t offset();
  [[nodiscard]] SourceLoc loc();
  /// Goes on at that offset, which must not be before the present one.
  void move_to(std::size_t offset);
  /// Over white space and comments.
  void skip_blank();

  /// "expected …, not '…'" at the next token.
  [[nodiscard]] Error expected(std::string_view what, std::string_view code = "LIT-001");

private:
  [[nodiscard]] Token read();
  /// Valid until the next look or take.
  [[nodiscard]] const Token& look(std::size_t ahead) {
    while (ahead_.size() <= ahead)
      ahead_.push_back(read());
    return ahead_[ahead];
  }
  void advance(std::size_t count);
  void rewind();

  std::string_view text_;
  std::size_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  std::vector<Token> ahead_;
};

/// An error at a place of the test (the caller fills in the file's name).
[[nodiscard]] Error
error_at(SourceLoc loc, std::string code, std::string message, ErrorKind kind = ErrorKind::kInput);

} // namespace heddle::frontend::litmus
