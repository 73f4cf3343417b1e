// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks what every later room relies on: ids in range, types that fit, each block ended by its
// only terminator, unique names, initial bytes of the right size, relocations inside their global.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

namespace heddle::ir {

[[nodiscard]] Status verify(const Module& module);

} // namespace heddle::ir
