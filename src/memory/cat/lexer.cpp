// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The lexer of CAT: names may contain '.', '-' and '_'; comments are (* nested *), /* … */, and
// lines from // or #.
#include "memory/cat/token.h"

#include <algorithm>
#include <array>

namespace heddle::memory::cat {

namespace {

constexpr std::array<std::string_view, 36> kKeywords = {"let",
                                                        "rec",
                                                        "and",
                                                        "when",
                                                        "acyclic",
                                                        "irreflexive",
                                                        "empty",
                                                        "show",
                                                        "unshow",
                                                        "as",
                                                        "fun",
                                                        "in",
                                                        "undefined_unless",
                                                        "flag",
                                                        "assert",
                                                        "include",
                                                        "begin",
                                                        "end",
                                                        "procedure",
                                                        "call",
                                                        "enum",
                                                        "debug",
                                                        "match",
                                                        "with",
                                                        "forall",
                                                        "from",
                                                        "do",
                                                        "try",
                                                        "if",
                                                        "then",
                                                        "else",
                                                        "instructions",
                                                        "default",
                                                        "subset",
                                                        "scopes",
                                                        "showall"};

// Longest first.
constexpr std::array<std::string_view, 25> kSymbols = {
    "||", "&&", "++", "-1", "->", "(", ")",  "{", "}", "[", "]", "_", "0",
    "|",  "&",  "*",  "~",  "+",  "^", "\\", "?", "=", ";", ",", ":"};

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_part(char c) {
  return is_alpha(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
}

class Lexer {
public:
  Lexer(std::string_view text, const std::string& file, std::vector<Error>& errors)
      : text_(text), file_(file), errors_(errors) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() /
                    3); // enough for most files: words, comments and blanks are longer
    while (true) {
      skip_blanks();
      line_ = here_line_;
      column_ = here_column_;
      if (at_ >= text_.size())
        break;
      next();
    }
    tokens_.push_back(make(TokenKind::kEnd, ""));
    return std::move(tokens_);
  }

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }
  void advance(std::size_t count = 1) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      if (text_[at_] == '\n') {
        ++here_line_;
        here_column_ = 1;
      } else {
        ++here_column_;
      }
    }
  }
  [[nodiscard]] Token make(TokenKind kind, std::string text) const {
    return {kind, std::move(text), line_, column_};
  }
  void complain(std::string message) {
    errors_.push_back(
        {ErrorKind::kInput, "CAT-001", std::move(message), file_, here_line_, here_column_});
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
        advance();
      } else if (c != '#' && c != '/' && c != '(') {
        return;
      } else if (c == '#' || starts("//")) {
        while (at_ < text_.size() && peek() != '\n')
          advance();
      } else if (starts("(*")) {
        skip_nested();
      } else if (starts("/*")) {
        skip_flat();
      } else {
        return;
      }
    }
  }
  void skip_nested() {
    const std::size_t start = at_;
    const std::uint32_t line = here_line_;
    const std::uint32_t column = here_column_;
    std::size_t depth = 0;
    do {
      if (at_ >= text_.size()) {
        // Comments nest; one with a stray "(*" in its prose ends at its first "*)" if at all.
        const std::size_t end = text_.find("*)", start);
        if (end == std::string_view::npos) {
          errors_.push_back(
              {ErrorKind::kInput, "CAT-001", "this comment does not end", file_, line, column});
          return;
        }
        at_ = start;
        here_line_ = line;
        here_column_ = column;
        while (at_ < end + 2)
          advance();
        return;
      }
      if (peek() == '(' && starts("(*")) {
        ++depth;
        advance(2);
      } else if (peek() == '*' && starts("*)")) {
        --depth;
        advance(2);
      } else {
        advance();
      }
    } while (depth > 0);
  }
  void skip_flat() {
    const std::uint32_t line = here_line_;
    const std::uint32_t column = here_column_;
    advance(2);
    while (at_ < text_.size() && !starts("*/"))
      advance();
    if (at_ >= text_.size())
      errors_.push_back(
          {ErrorKind::kInput, "CAT-001", "this comment does not end", file_, line, column});
    advance(2);
  }

  /// A name at the cursor, or nothing.
  std::string take_name() {
    std::size_t length = 0;
    if (peek() == '_')
      length = 1;
    if (!is_alpha(peek(length)))
      return {};
    while (is_name_part(peek(length)))
      ++length;
    if (peek(length) == '\'')
      ++length;
    std::string name(text_.substr(at_, length));
    advance(length);
    return name;
  }

  void next() {
    const char c = peek();
    if (c == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) {
        complain("this string does not end");
        advance(text_.size());
        return;
      }
      tokens_.push_back(
          make(TokenKind::kString, std::string(text_.substr(at_ + 1, end - at_ - 1))));
      advance(end + 1 - at_);
      return;
    }
    if (c == '\'') {
      advance();
      std::string name = take_name();
      if (name.empty())
        complain("expected the name of a tag after \"'\"");
      else
        tokens_.push_back(make(TokenKind::kTag, std::move(name)));
      return;
    }
    if (std::string name = take_name(); !name.empty()) {
      const TokenKind kind = is_keyword(name) ? TokenKind::kKeyword : TokenKind::kName;
      tokens_.push_back(make(kind, std::move(name)));
      return;
    }
    for (const std::string_view symbol : kSymbols) {
      if (c == symbol.front() && starts(symbol)) {
        tokens_.push_back(make(TokenKind::kSymbol, std::string(symbol)));
        advance(symbol.size());
        return;
      }
    }
    complain("a character that CAT does not use");
    advance();
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Error>& errors_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t here_line_ = 1;
  std::uint32_t here_column_ = 1;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

} // namespace

bool is_keyword(std::string_view word) {
  for (const std::string_view keyword : kKeywords)
    if (keyword.size() == word.size() && keyword.front() == word.front() && keyword == word)
      return true;
  return false;
}

std::vector<Token>
tokenize(std::string_view text, const std::string& file, std::vector<Error>& errors) {
  return Lexer(text, file, errors).run();
}

} // namespace heddle::memory::cat
