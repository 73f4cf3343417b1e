// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A generated program in the languages people write: C with pthreads, C that runs itself on this
// machine many times and prints what it saw, and a C litmus test.
#pragma once

#include "heddle_fuzz/program.h"

#include <optional>
#include <string>

namespace heddle::fuzz {

[[nodiscard]] std::string to_c(const Program& program);
/// Runs the threads `rounds` times with random delays and prints each final state on a line, values
/// in hexadecimal.
[[nodiscard]] std::string to_native_c(const Program& program, int rounds, std::uint64_t seed);
/// Nothing if the program uses something litmus tests in C do not have (loops, mixed sizes,
/// condition variables, …).
[[nodiscard]] std::optional<std::string> to_litmus(const Program& program, const std::string& name);

} // namespace heddle::fuzz
