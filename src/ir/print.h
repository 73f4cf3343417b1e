// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The text form of a module (docs/ir.md). parse(print(m)) == m for every module that verifies.
#pragma once

#include "ir/ir.h"

#include <string>

namespace heddle::ir {

[[nodiscard]] std::string print(const Module& module);
/// One instruction, without location, as it stands in the text form: for messages and dumps.
[[nodiscard]] std::string
print(const Module& module, const Function& function, const Instruction& instruction);

} // namespace heddle::ir
