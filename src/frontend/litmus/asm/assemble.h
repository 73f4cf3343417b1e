// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From an assembly test as written to a program and a question: threads by their dialect, locations
// as globals with sizes, main that starts and joins the threads, the condition.
#pragma once

#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/asm/parsed_test.h"
#include "frontend/litmus/shared/test.h"

#include <string>
#include <variant>

namespace heddle::frontend::litmus {

/// The errors carry no file name.
[[nodiscard]] std::variant<Test, Diagnostics>
assemble(const ParsedTest& parsed, const Dialect& dialect, const std::string& file);

} // namespace heddle::frontend::litmus
