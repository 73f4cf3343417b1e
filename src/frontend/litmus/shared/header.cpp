// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/header.h"

#include <algorithm>
#include <string_view>

namespace heddle::frontend::litmus {

namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string take_word(Lexer& lexer) {
  lexer.skip_blank();
  const std::size_t begin = lexer.offset();
  const std::size_t end =
      std::min(lexer.text().find_first_of(" \t\r\f\v\n{\"", begin), lexer.text().size());
  lexer.move_to(end);
  return std::string(lexer.text().substr(begin, end - begin));
}

// A line Key=Value, or a note of which nothing is kept.
void take_line(Lexer& lexer, Header& header) {
  const std::size_t begin = lexer.offset();
  const std::string_view rest = lexer.text().substr(begin);
  const std::size_t line = std::min(rest.find('\n'), rest.size());
  const std::size_t special = std::min(rest.find_first_of("={\""), rest.size());
  if (special < line && rest[special] == '=') {
    header.metadata.emplace_back(trim(rest.substr(0, special)),
                                 trim(rest.substr(special + 1, line - special - 1)));
    lexer.move_to(begin + line);
    return;
  }
  lexer.move_to(begin + std::max<std::size_t>(1, std::min(line, special)));
}

} // namespace

Result<Header> parse_header(Lexer& lexer) {
  Header header;
  header.architecture = take_word(lexer);
  if (header.architecture.empty())
    return lexer.expected("the architecture and the name of the test");
  header.name = take_word(lexer);
  if (header.name.empty())
    return lexer.expected("the name of the test");
  for (;;) {
    lexer.skip_blank();
    const std::size_t offset = lexer.offset();
    if (offset >= lexer.text().size() || lexer.text()[offset] == '{')
      return header;
    const std::size_t close = lexer.text().find('"', offset + 1);
    if (lexer.text()[offset] == '"' && close != std::string_view::npos) {
      if (!header.text.empty())
        header.text += '\n';
      header.text += lexer.text().substr(offset + 1, close - offset - 1);
      lexer.move_to(close + 1);
    } else {
      take_line(lexer, header);
    }
  }
}

std::string print_header(const Header& header) {
  std::string text = header.architecture + ' ' + header.name + '\n';
  if (!header.text.empty())
    text += '"' + header.text + "\"\n";
  for (const auto& [key, value] : header.metadata)
    text += key + '=' + value + '\n';
  return text;
}

} // namespace heddle::frontend::litmus
