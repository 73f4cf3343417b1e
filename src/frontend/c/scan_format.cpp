// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/scan_format.h"

#include <cctype>

namespace heddle::frontend {

std::optional<std::vector<unsigned>> scan_format(std::string_view format, unsigned long_bits) {
  std::vector<unsigned> out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      continue;
    }
    ++i;
    const auto at = [&]() { return i < format.size() ? format[i] : '\0'; };
    if (at() == '%') {
      continue;
    }
    const bool is_dropped = at() == '*';
    i += is_dropped ? 1 : 0;
    bool has_width = false;
    while (std::isdigit(static_cast<unsigned char>(at())) != 0) {
      has_width = true;
      ++i;
    }
    unsigned bits = 32;
    if (at() == 'h') {
      ++i;
      bits = 16;
      if (at() == 'h') {
        ++i;
        bits = 8;
      }
    } else if (at() == 'l') {
      ++i;
      bits = long_bits;
      if (at() == 'l') {
        ++i;
        bits = 64;
      }
    } else if (at() == 'z' || at() == 't') {
      ++i;
      bits = long_bits;
    } else if (at() == 'j') {
      ++i;
      bits = 64;
    }
    switch (at()) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      break;
    case 'c':
      if (has_width) {
        return std::nullopt;
      }
      bits = 8;
      break;
    default:
      return std::nullopt;
    }
    if (!is_dropped) {
      out.push_back(bits);
    }
  }
  return out;
}

} // namespace heddle::frontend
