// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a C test becomes, as text, for tests.
#pragma once

#include "frontend/litmus/shared/test.h"

#include <string>
#include <vector>

namespace heddle::frontend::litmus {

/// The test, which must be right; its ir must verify.
[[nodiscard]] Test parse_right(const std::string& text, const std::string& macros = {});
/// "line:column code" of each error.
[[nodiscard]] std::vector<std::string> parse_wrong(const std::string& text,
                                                   const std::string& macros = {});

/// The instructions of a thread, one per line, without what sets locals to 0 at the start; names
/// instead of numbers for registers that have one.
[[nodiscard]] std::string code_of(const Test& test, const std::string& function);
/// The code of a test with the one thread "P0(int *x, int *y, int *z) { body }".
[[nodiscard]] std::string code_of_body(const std::string& body, const std::string& macros = {});

} // namespace heddle::frontend::litmus
