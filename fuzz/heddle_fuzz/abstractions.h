// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The shared-memory abstractions of runtime/sma, compiled natively, against the machines: every run
// of a program's sequential form over each of them is explored. With sizes that are large enough
// the final states are those of the machine, with small ones some of them, and then the abstraction
// says which bound was exceeded. Some programs also go through the tool's own sequentializations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::fuzz {

struct AbstractionRun {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  std::uint64_t through_every = 0; // every n-th program also through the tool; 0: none
  std::uint64_t seconds = 8;       // for one abstraction, there
  std::vector<std::string> only;   // these abstractions; empty: all
  std::string sources;             // the folder of the C files; empty: ours
};

/// Prints disagreements and a summary. One program at a time: an abstraction keeps its state in
/// variables of its own.
[[nodiscard]] bool fuzz_abstractions(const AbstractionRun& run);

} // namespace heddle::fuzz
