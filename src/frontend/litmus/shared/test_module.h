// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of all litmus tests have: names that do not clash, and `main`.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <vector>

namespace heddle::frontend::litmus {

/// Threads are functions, locations are globals, and the two share their names; `main` is still to
/// come. A location of which no place is known is told `otherwise`.
[[nodiscard]] std::vector<Error> find_name_clashes(const ir::Module& module, SourceLoc otherwise);

/// Adds `main`, which starts these functions (taking and returning a pointer) in this order and
/// then joins all.
void add_main(ir::Module& module, const std::vector<ir::FunctionId>& threads);

} // namespace heddle::frontend::litmus
