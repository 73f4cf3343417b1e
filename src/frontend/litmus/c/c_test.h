// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tests in C: with the atomics of C11, or with the primitives of the Linux kernel.
#pragma once

#include "frontend/litmus/shared/header.h"
#include "frontend/litmus/shared/litmus_lexer.h"
#include "frontend/litmus/shared/test.h"

#include <string>
#include <string_view>
#include <variant>

namespace heddle::frontend::litmus {

/// The lexer stands at the opening brace of the initial state. Errors may or may not carry the
/// file's name; those of macro definitions carry "<macros>".
[[nodiscard]] std::variant<Test, Diagnostics> parse_c_test(const Header& header,
                                                           Lexer& lexer,
                                                           const std::string& file,
                                                           const ParseOptions& options);

/// The definitions of the Linux primitives that hold where the user gives no others
/// (models/lkmm.def).
[[nodiscard]] std::string_view linux_definitions();

} // namespace heddle::frontend::litmus
