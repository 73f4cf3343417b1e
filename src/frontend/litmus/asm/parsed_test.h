// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A test as written, in its parts, before any of it is understood; read and printed so that what is
// printed is read as the same. C tests are not among them (c_test.h).
#pragma once

#include "frontend/litmus/asm/code_table.h"
#include "frontend/litmus/shared/condition.h"
#include "frontend/litmus/shared/header.h"
#include "frontend/litmus/shared/initial_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

struct ParsedTest {
  Header header;
  std::vector<InitialEntry> initial;
  std::vector<CodeColumn> threads;
  FinalSection final_section;
};

/// What follows the header. The error carries no file name.
[[nodiscard]] Result<ParsedTest> parse_body(Header header, Lexer& lexer);

[[nodiscard]] Result<ParsedTest> parse_syntax(std::string_view text);

[[nodiscard]] std::string print(const ParsedTest& test);

/// Equal but for the places in the file.
[[nodiscard]] bool is_same(const ParsedTest& a, const ParsedTest& b);

} // namespace heddle::frontend::litmus
