// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From an assembly test as written to a program and a question: threads by their dialect, locations
// as globals with sizes, main that starts and joins the threads, the condition.
#pragma once

#include "frontend/litmus/dialect.h"
#include "frontend/litmus/print.h"
#include "frontend/litmus/test.h"

#include <string>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// The errors carry no file name.
[[nodiscard]] std::variant<Test, Diagnostics>
assemble(const ParsedTest& parsed, const Dialect& dialect, const std::string& file);

/// Threads are functions, locations are globals, and the two share their names; `main` is still to
/// come. A location of which no place is known is told `otherwise`.
[[nodiscard]] std::vector<Error> find_name_clashes(const ir::Module& module, SourceLoc otherwise);

/// Adds `main`, which starts these functions (taking and returning a pointer) in this order and
/// then joins all.
void add_main(ir::Module& module, const std::vector<ir::FunctionId>& threads);

/// The initial bytes of `elements` values of `bits` bits, little endian.
void put_bytes(ir::Global& global, std::uint64_t offset, std::uint64_t value, unsigned bits);

} // namespace heddle::frontend::litmus
