// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/check.h"

#include <cstdio>
#include <cstdlib>

namespace heddle {

void check_failed(std::string_view condition,
                  std::string_view text,
                  std::string_view file,
                  int line) {
  std::fprintf(
      stderr,
      "heddle: internal error at %.*s:%d: %.*s (%.*s)\n"
      "heddle: this is a bug in Heddle, not in your program; please report it with the input\n",
      static_cast<int>(file.size()),
      file.data(),
      line,
      static_cast<int>(text.size()),
      text.data(),
      static_cast<int>(condition.size()),
      condition.data());
  std::fflush(nullptr);
  std::_Exit(70);
}

} // namespace heddle
