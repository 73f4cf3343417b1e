// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs that do what programs should not: faults, frees, bad synchronisation, updates in loops,
// threads by condition and many in turn, flags of inline assembly. No reference: the tool itself is
// run on every property and model and must neither end in an internal error, nor give a verdict
// without a bound, nor contradict itself.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::fuzz {

struct HostileRun {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  std::uint64_t properties = 8; // of each program, in turn
  std::string binary = "build/dev/bin/heddle";
  std::string save = ".";
};

/// The C program of a seed.
[[nodiscard]] std::string hostile_program(std::uint64_t seed);
/// Prints what went wrong, one line each, and keeps the programs. Was nothing?
[[nodiscard]] bool fuzz_hostile(const HostileRun& run);

} // namespace heddle::fuzz
