// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The words of CAT, with their places.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::memory::cat {

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,
  kKeyword, // a name the grammar keeps for itself: let, acyclic, …
  kTag,     // 'name; the text is without the quote
  kString,  // the text is without the quotes
  kSymbol,  // operators and brackets; "-1" is one
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  [[nodiscard]] bool is(TokenKind wanted, std::string_view word) const {
    return kind == wanted && text == word;
  }
};

/// Never fails: what is no word of CAT is left out and reported in `errors`. Ends with one kEnd.
[[nodiscard]] std::vector<Token>
tokenize(std::string_view text, const std::string& file, std::vector<Error>& errors);
[[nodiscard]] bool is_keyword(std::string_view word);

} // namespace heddle::memory::cat
