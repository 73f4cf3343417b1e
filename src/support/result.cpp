// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/result.h"

#include <fmt/format.h>

namespace heddle {

std::string Error::to_string() const {
  std::string text;
  if (!file.empty()) {
    text += file;
    if (line != 0)
      text += fmt::format(":{}", line);
    if (line != 0 && column != 0)
      text += fmt::format(":{}", column);
    text += ": ";
  }
  text += message;
  if (!code.empty())
    text += fmt::format(" [{}]", code);
  return text;
}

} // namespace heddle
