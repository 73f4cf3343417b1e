// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Puts several modules into one, as a C linker would: declarations meet definitions, internal names
// are kept apart, two definitions of one external name are an error (tentative definitions
// excepted: all-zero globals merge).
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <vector>

namespace heddle::ir {

[[nodiscard]] Result<Module> link(std::vector<Module> modules);
/// Drops the functions and globals that `roots` cannot reach (through calls, operands and
/// relocations).
[[nodiscard]] Module keep_reachable(const Module& module, const std::vector<std::string>& roots);

} // namespace heddle::ir
