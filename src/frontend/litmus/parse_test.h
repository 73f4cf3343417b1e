// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads a litmus test of any kind: the one place that knows assembly and C.
#pragma once

#include "frontend/litmus/shared/test.h"

#include <string>
#include <variant>

namespace heddle::frontend::litmus {

/// Never fails in another way than by diagnostics, whatever the text.
[[nodiscard]] std::variant<Test, Diagnostics>
parse(const std::string& text, const std::string& file, const ParseOptions& options = {});

} // namespace heddle::frontend::litmus
