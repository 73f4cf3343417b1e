// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A generated program in the languages people write: C with pthreads, C that runs itself on this
// machine many times and prints what it saw, and a C litmus test.
#pragma once

#include "heddle_fuzz/program.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::fuzz {

[[nodiscard]] std::string to_c(const Program& program);
/// At most so many rounds, in about so much time.
struct NativeRun {
  int rounds = 20000;
  double seconds = 0.2;
  std::uint64_t seed = 1;
};
/// Runs the threads again and again with random delays and prints each final state on a line,
/// values in hexadecimal; then a line "end".
[[nodiscard]] std::string to_native_c(const Program& program, const NativeRun& run);
/// Nothing if the program uses something litmus tests in C do not have (loops, mixed sizes,
/// condition variables, …).
[[nodiscard]] std::optional<std::string> to_litmus(const Program& program, const std::string& name);

} // namespace heddle::fuzz
