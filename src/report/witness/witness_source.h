// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where statements and calls of a C text begin and end, as witnesses name places: debug information
// knows where in a statement an access stands ("=" of "x = 1"), witnesses want the statement's
// first character and the parenthesis that ends a call. Found by reading tokens, braces and
// parentheses; nothing is expanded or included. A text whose brackets do not match has no
// statements: a witness then says less, and nothing wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

/// Line and column, both from 1; columns count characters, a tab is one.
struct TextPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  auto operator<=>(const TextPlace&) const = default;
};

/// The statement around an access.
struct StatementPlace {
  TextPlace start;
  /// The access is in the head of a while or for statement, which is evaluated again in each round
  /// though the statement is reached once.
  bool is_loop_head = false;
};

/// A call `name(…)`.
struct CallPlace {
  std::string name;
  TextPlace end; // its closing parenthesis
  bool is_only_call_of_line = false;
};

class WitnessSource {
public:
  explicit WitnessSource(std::string text);

  /// The innermost statement or declaration that the byte belongs to. Columns here are a
  /// compiler's: bytes from 1.
  [[nodiscard]] std::optional<StatementPlace> statement_at(std::uint32_t line,
                                                           std::uint32_t column) const;
  /// The call whose name begins there.
  [[nodiscard]] std::optional<CallPlace> call_at(std::uint32_t line, std::uint32_t column) const;

private:
  struct Token {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_word = false;
  };
  /// From `from` on, the text belongs to the statement that begins at `start`.
  struct Region {
    enum class Kind : std::uint8_t { kNone, kStatement, kLoopHead };
    std::size_t from = 0;
    std::size_t start = 0;
    Kind kind = Kind::kNone;
  };
  class StatementFinder;

  void find_tokens();
  [[nodiscard]] std::string text_of(const Token& token) const;
  [[nodiscard]] char sign_of(const Token& token) const; // 0 for words
  [[nodiscard]] bool is_call(std::size_t token) const;
  [[nodiscard]] std::optional<std::size_t> offset_of(std::uint32_t line,
                                                     std::uint32_t column) const;
  [[nodiscard]] TextPlace place_of(std::size_t offset) const;

  std::string text_;
  std::vector<std::size_t> lines_; // where each begins
  std::vector<Token> tokens_;
  std::vector<Region> regions_; // by `from`
};

} // namespace heddle::report
