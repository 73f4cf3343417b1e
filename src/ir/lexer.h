// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the text form of a module into tokens. Internal to ir/.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::ir {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kWord,     // text
    kNumber,   // number
    kString,   // text, unescaped
    kName,     // @name: text, unescaped
    kRegister, // %number
    kSlot,     // $number
    kSymbol,   // text: one of the punctuation marks, "->", "..."
  };
  Kind kind = Kind::kEnd;
  std::string text = {};
  std::uint64_t number = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// All tokens, the last one being kEnd; or the first place that is no token.
[[nodiscard]] Result<std::vector<Token>> tokenize(std::string_view text,
                                                  std::string_view file_name);

} // namespace heddle::ir
