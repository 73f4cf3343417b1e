// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/print_format.h"

#include <cctype>

namespace heddle::frontend {

std::optional<std::vector<PrintedArgument>> print_format(std::string_view format) {
  using Kind = PrintedArgument::Kind;
  std::vector<PrintedArgument> out;
  std::size_t i = 0;
  const auto at = [&]() { return i < format.size() ? format[i] : '\0'; };
  const auto number = [&]() {
    std::uint64_t value = 0;
    for (; std::isdigit(static_cast<unsigned char>(at())) != 0; ++i) {
      value = value * 10 + static_cast<std::uint64_t>(at() - '0');
    }
    return value;
  };
  for (; i < format.size(); ++i) {
    if (format[i] != '%') {
      continue;
    }
    ++i;
    while (std::string_view("-+ #0'").find(at()) != std::string_view::npos && at() != '\0') {
      ++i;
    }
    PrintedArgument argument;
    if (at() == '*') {
      out.emplace_back();
      ++i;
    } else {
      number();
    }
    if (at() == '.') {
      ++i;
      if (at() == '*') {
        out.emplace_back();
        argument.is_limited_by_argument = true;
        ++i;
      } else {
        argument.limit = number();
      }
    }
    bool is_wide = false;
    for (; at() == 'h' || at() == 'l' || at() == 'z' || at() == 't' || at() == 'j'; ++i) {
      is_wide = is_wide || at() == 'l';
    }
    switch (at()) {
    case '%':
      continue;
    case 's':
      if (is_wide) {
        return std::nullopt;
      }
      argument.kind = Kind::kText;
      break;
    case 'n':
      argument = {Kind::kTarget};
      break;
    case 'm': // the message of errno takes none
      continue;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'c':
    case 'p':
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      argument = {};
      break;
    default:
      return std::nullopt;
    }
    out.push_back(argument);
  }
  return out;
}

} // namespace heddle::frontend
