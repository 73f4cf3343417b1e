// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the text form of a module (docs/ir.md). The result is well-formed text, not yet a verified
// module: see verify.h.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <string_view>

namespace heddle::ir {

/// `file_name` is used in messages only.
[[nodiscard]] Result<Module> parse(std::string_view text, std::string_view file_name);

} // namespace heddle::ir
