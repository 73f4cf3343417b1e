// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of our own invariants: always on, in every build. A failed check is a bug of ours, never
// of the input.
#pragma once

#include <string_view>

namespace heddle {

/// Prints the place and the text to stderr and ends the process with the exit code for "our bug"
/// (70).
[[noreturn]] void
check_failed(std::string_view condition, std::string_view text, std::string_view file, int line);

} // namespace heddle

#define HEDDLE_CHECK(condition, text)                                                              \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::heddle::check_failed(#condition, (text), __FILE__, __LINE__))
