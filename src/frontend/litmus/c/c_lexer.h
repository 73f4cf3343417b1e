// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tokens of the C inside a litmus test and of macro definitions. Read on demand, since what follows
// the last thread is no C any more.
#pragma once

#include "support/source_loc.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::frontend::litmus {

struct CToken {
  enum class Kind : std::uint8_t { kWord, kNumber, kPunctuation, kBad, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text; // a number as it is written, a bad character as it is
  std::uint64_t value = 0;
  bool has_overflow = false; // the number does not fit in 64 bits
  SourceLoc loc;
  std::size_t begin = 0; // offsets into the text
  std::size_t end = 0;

  [[nodiscard]] bool is(std::string_view punctuation) const {
    return kind == Kind::kPunctuation && text.front() == punctuation.front() && text == punctuation;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return kind == Kind::kWord && text == word;
  }
};

class CLexer {
public:
  /// `text` must outlive the lexer and its tokens. The place of the character at `offset` is
  /// `start`.
  CLexer(std::string_view text, std::size_t offset, SourceLoc start);

  [[nodiscard]] const CToken& peek() const { return token_; }
  CToken take();

  /// The offset behind the last token that was taken.
  [[nodiscard]] std::size_t taken_end() const { return taken_end_; }

private:
  void advance();
  void step();
  void step_in_line(std::size_t count); // where there is no newline
  [[nodiscard]] char at(std::size_t ahead) const;
  void skip_space();
  void read_number();

  std::string_view text_;
  std::size_t position_;
  SourceLoc loc_;
  CToken token_;
  std::size_t taken_end_ = 0;
};

} // namespace heddle::frontend::litmus
