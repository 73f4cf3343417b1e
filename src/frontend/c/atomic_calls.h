// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations that the compiler left as calls of its support library: __atomic_load_8,
// __atomic_exchange, …
#pragma once

#include "frontend/c/editor.h"
#include "ir/ir.h"

#include <string>

namespace heddle::frontend {

[[nodiscard]] bool is_atomic_call(const std::string& name);
/// False, and nothing emitted, if the size or the order is not supported.
[[nodiscard]] bool
replace_atomic_call(Editor& editor, const ir::Call& call, const std::string& name);

} // namespace heddle::frontend
