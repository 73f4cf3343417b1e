// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/witness/witness_source.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::report {

namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/// Words that stand before a parenthesis without being called.
constexpr std::array<std::string_view, 14> kNotCalled = {"if",
                                                         "while",
                                                         "for",
                                                         "switch",
                                                         "return",
                                                         "sizeof",
                                                         "else",
                                                         "do",
                                                         "case",
                                                         "_Alignof",
                                                         "__alignof__",
                                                         "__attribute__",
                                                         "__typeof__",
                                                         "typeof"};

} // namespace

/// Reads the tokens once and notes where statements begin.
class WitnessSource::StatementFinder {
public:
  explicit StatementFinder(const WitnessSource& source) : source_(source) {}

  std::vector<Region> run() {
    for (at_ = 0; at_ < source_.tokens_.size() && is_balanced_; ++at_) {
      const Token& token = source_.tokens_[at_];
      if (expects_statement_ && begins_nothing(token))
        continue;
      if (expects_statement_)
        begin_statement(token);
      if (!token.is_word)
        bracket(source_.sign_of(token));
    }
    if (!is_balanced_ || !open_.empty())
      return {};
    return std::move(regions_);
  }

private:
  using Kind = Region::Kind;
  /// What a bracket that is open belongs to.
  enum class Open : std::uint8_t {
    kBlock,
    kDoBlock,    // the body of a do statement
    kExpression, // a statement in an expression: ({ … })
    kList,       // of an initialiser, a struct or an enum
    kParenthesis,
    kHead, // of if, while, for, switch: a statement follows
  };

  /// Blocks, labels and the words before a statement; reads them.
  bool begins_nothing(const Token& token) {
    const std::string text = source_.text_of(token);
    if (text == ";")
      return true;
    if (text == "{") {
      open_.push_back(after_do_ ? Open::kDoBlock : Open::kBlock);
      after_do_ = false;
      return true;
    }
    if (text == "}")
      return false;
    if (text == "else")
      return true;
    if (text == "do") {
      after_do_ = true;
      ++open_does_;
      return true;
    }
    if (text == "case" || text == "default") {
      while (at_ + 1 < source_.tokens_.size() && source_.sign_of(source_.tokens_[at_]) != ':')
        ++at_;
      return true;
    }
    if (token.is_word && at_ + 1 < source_.tokens_.size() &&
        source_.sign_of(source_.tokens_[at_ + 1]) == ':') {
      ++at_;
      return true;
    }
    return false;
  }

  void begin_statement(const Token& token) {
    const std::string text = source_.text_of(token);
    if (text == "}")
      return;
    expects_statement_ = false;
    Kind kind = Kind::kStatement;
    if (text == "while" && ended_do_block_) {
      // The end of a do statement begins none.
      kind = Kind::kNone;
      --open_does_;
    } else if (text == "while" && open_does_ > 0 && !after_do_) {
      // It may end a do statement whose body is no block.
      kind = Kind::kNone;
      heads_next_ = true;
    } else if (text == "while" || text == "for") {
      kind = Kind::kLoopHead;
      heads_next_ = true;
    } else if (text == "if" || text == "switch") {
      heads_next_ = true;
    }
    after_do_ = false;
    ended_do_block_ = false;
    regions_.push_back({token.begin, token.begin, kind});
  }

  void bracket(char sign) {
    switch (sign) {
    case '(':
    case '[':
      open_.push_back(heads_next_ ? Open::kHead : Open::kParenthesis);
      heads_next_ = false;
      break;
    case ')':
    case ']':
      close_parenthesis();
      break;
    case '{':
      open_brace();
      break;
    case '}':
      close_brace();
      break;
    case ';':
      if (!open_.empty() && is_body(open_.back()))
        expects_statement_ = true;
      break;
    default:
      break;
    }
  }

  void close_parenthesis() {
    if (open_.empty() || (open_.back() != Open::kParenthesis && open_.back() != Open::kHead)) {
      is_balanced_ = false;
      return;
    }
    const bool is_head = open_.back() == Open::kHead;
    open_.pop_back();
    if (is_head)
      expects_statement_ = true;
  }

  /// Braces that open no statement's block: a function's body, ({ … }), or a list.
  void open_brace() {
    const char before = at_ == 0 ? '\0' : source_.sign_of(source_.tokens_[at_ - 1]);
    if (open_.empty() && before == ')') {
      open_.push_back(Open::kBlock);
      expects_statement_ = true;
    } else if (!open_.empty() && before == '(') {
      open_.push_back(Open::kExpression);
      expects_statement_ = true;
    } else {
      open_.push_back(Open::kList);
    }
  }

  void close_brace() {
    if (open_.empty() || open_.back() == Open::kParenthesis || open_.back() == Open::kHead) {
      is_balanced_ = false;
      return;
    }
    const Open closed = open_.back();
    open_.pop_back();
    const std::size_t here = source_.tokens_[at_].begin;
    switch (closed) {
    case Open::kBlock:
    case Open::kDoBlock:
      regions_.push_back({here, here, Kind::kNone});
      expects_statement_ = !open_.empty();
      ended_do_block_ = closed == Open::kDoBlock;
      if (open_.empty())
        open_does_ = 0;
      break;
    case Open::kExpression:
      // The rest of the outer statement: that one was reached long ago.
      expects_statement_ = false;
      regions_.push_back({here, here, Kind::kNone});
      break;
    case Open::kList:
    case Open::kParenthesis:
    case Open::kHead:
      break;
    }
  }

  static bool is_body(Open open) {
    return open == Open::kBlock || open == Open::kDoBlock || open == Open::kExpression;
  }

  const WitnessSource& source_;
  std::vector<Region> regions_;
  std::vector<Open> open_;
  std::size_t at_ = 0;
  unsigned open_does_ = 0; // do statements whose while has not been read
  bool after_do_ = false;
  bool ended_do_block_ = false;
  bool expects_statement_ = false;
  bool heads_next_ = false;
  bool is_balanced_ = true;
};

WitnessSource::WitnessSource(std::string text) : text_(std::move(text)) {
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n')
      lines_.push_back(i + 1);
  find_tokens();
  regions_ = StatementFinder(*this).run();
}

/// Words, strings and single signs; comments and lines of the preprocessor are left out.
void WitnessSource::find_tokens() {
  bool is_line_start = true;
  for (std::size_t i = 0; i < text_.size();) {
    const char c = text_[i];
    const std::string_view rest = std::string_view(text_).substr(i);
    if (c == '\n') {
      is_line_start = true;
      ++i;
    } else if (is_blank(c) || rest.starts_with("\\\n")) {
      i += c == '\\' ? 2 : 1;
    } else if (rest.starts_with("//")) {
      i = std::min(text_.find('\n', i), text_.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text_.find("*/", i + 2);
      i = end == std::string::npos ? text_.size() : end + 2;
    } else if (c == '#' && is_line_start) {
      for (; i < text_.size() && text_[i] != '\n'; ++i)
        if (text_[i] == '\\' && i + 1 < text_.size())
          ++i; // the line goes on
    } else {
      is_line_start = false;
      const std::size_t begin = i;
      if (c == '"' || c == '\'') {
        for (++i; i < text_.size() && text_[i] != c && text_[i] != '\n'; ++i)
          if (text_[i] == '\\')
            ++i;
        i = std::min(i + 1, text_.size());
      } else if (is_word_char(c)) {
        while (i < text_.size() && is_word_char(text_[i]))
          ++i;
      } else {
        ++i;
      }
      tokens_.push_back({begin, i, is_word_char(c)});
    }
  }
}

std::string WitnessSource::text_of(const Token& token) const {
  return text_.substr(token.begin, token.end - token.begin);
}

char WitnessSource::sign_of(const Token& token) const {
  return token.is_word ? '\0' : text_[token.begin];
}

bool WitnessSource::is_call(std::size_t token) const {
  return token + 1 < tokens_.size() && tokens_[token].is_word &&
         sign_of(tokens_[token + 1]) == '(' &&
         std::ranges::find(kNotCalled, text_of(tokens_[token])) == kNotCalled.end();
}

std::optional<std::size_t> WitnessSource::offset_of(std::uint32_t line,
                                                    std::uint32_t column) const {
  if (line == 0 || column == 0 || line > lines_.size())
    return std::nullopt;
  const std::size_t offset = lines_[line - 1] + column - 1;
  const std::size_t end = line < lines_.size() ? lines_[line] : text_.size();
  if (offset >= end)
    return std::nullopt;
  return offset;
}

TextPlace WitnessSource::place_of(std::size_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - 1;
  const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(*line);
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(offset);
  // Bytes that continue a character of UTF-8 are none of their own.
  const auto characters = std::count_if(
      begin, end, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
  return {static_cast<std::uint32_t>(line - lines_.begin() + 1),
          static_cast<std::uint32_t>(characters + 1)};
}

std::optional<StatementPlace> WitnessSource::statement_at(std::uint32_t line,
                                                          std::uint32_t column) const {
  const std::optional<std::size_t> offset = offset_of(line, column);
  if (!offset)
    return std::nullopt;
  const auto after = std::ranges::upper_bound(regions_, *offset, {}, &Region::from);
  if (after == regions_.begin() || std::prev(after)->kind == Region::Kind::kNone)
    return std::nullopt;
  const Region& region = *std::prev(after);
  return StatementPlace{place_of(region.start), region.kind == Region::Kind::kLoopHead};
}

std::optional<CallPlace> WitnessSource::call_at(std::uint32_t line, std::uint32_t column) const {
  const std::optional<std::size_t> offset = offset_of(line, column);
  if (!offset)
    return std::nullopt;
  const auto found = std::ranges::lower_bound(tokens_, *offset, {}, &Token::begin);
  const auto first = static_cast<std::size_t>(found - tokens_.begin());
  if (found == tokens_.end() || found->begin != *offset || !is_call(first))
    return std::nullopt;
  std::size_t depth = 0;
  std::size_t last = first + 1;
  for (; last < tokens_.size(); ++last) {
    const char sign = sign_of(tokens_[last]);
    if (sign == '(')
      ++depth;
    else if (sign == ')' && --depth == 0)
      break;
  }
  if (last == tokens_.size())
    return std::nullopt;
  CallPlace call{text_of(*found), place_of(tokens_[last].begin), true};
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (i != first && is_call(i) && place_of(tokens_[i].begin).line == line)
      call.is_only_call_of_line = false;
  return call;
}

} // namespace heddle::report
