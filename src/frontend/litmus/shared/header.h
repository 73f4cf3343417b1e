// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What stands before the initial state of a test: architecture and name, then a quoted text and
// lines Key=Value, both optional; anything else there is a note for people.
#pragma once

#include "frontend/litmus/shared/litmus_lexer.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::frontend::litmus {

struct Header {
  std::string architecture; // "X86", "AArch64", "C", …
  std::string name;
  std::string text = {}; // between quotes; may have several lines
  std::vector<std::pair<std::string, std::string>> metadata = {};
  bool operator==(const Header&) const = default;
};

/// Leaves the lexer at the opening brace of the initial state, or at the end of the file.
[[nodiscard]] Result<Header> parse_header(Lexer& lexer);

[[nodiscard]] std::string print_header(const Header& header);

} // namespace heddle::frontend::litmus
