// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locals of programs that compute before they know what with (transform/sequential/run_ahead.h).
// They have names that no C variable has.
#pragma once

#include "program/model/program.h"

#include <string_view>

namespace heddle::program {

/// It depends on guesses: whether it needs too many bits is found out later.
inline constexpr std::string_view kGuessedName = "(guessed)";
/// It is set in one place at most, for later. A bit that is set to 1 says whether control came
/// there; all others are only read where they were set.
inline constexpr std::string_view kKeptName = "(kept)";

[[nodiscard]] inline bool is_guessed(const Local& local) {
  return local.name == kGuessedName;
}
[[nodiscard]] inline bool is_kept(const Local& local) {
  return local.name == kKeptName;
}

} // namespace heddle::program
