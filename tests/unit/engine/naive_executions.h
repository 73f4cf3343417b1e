// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small random litmus tests with the enumeration to believe: every value for every read, every
// source, every order of the writes, and only then the model, by the reference carrier.
#pragma once

#include "execution/execution.h"
#include "memory/core.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::engine_test {

/// One instruction; the register it loads has its position as number.
struct NaiveStep {
  enum class Kind : std::uint8_t { kLoad, kStore, kSwap, kFence, kSkipIf };
  Kind kind = Kind::kLoad;
  unsigned place = 0;
  std::uint64_t value = 0; // what it stores
  bool is_ordered = false; // load-acquire, store-release
  int address_from = -1;   // a load before it that its address seems to depend on
  int data_from = -1;      // the same for what it stores; kSkipIf: what it looks at
  bool skips_zero = false; // kSkipIf: skips the next step if that is 0, not if it is anything else
};
using NaiveThread = std::vector<NaiveStep>;
struct NaiveProgram {
  std::vector<NaiveThread> threads;
  unsigned places = 2;
  std::uint64_t most_value = 2;
};

[[nodiscard]] NaiveProgram random_naive_program();
/// As a test for AArch64 that observes every register loaded and every place.
[[nodiscard]] std::string print_litmus(const NaiveProgram& program);
/// The text of a model.
[[nodiscard]] std::string random_model_text();

struct NaiveOutcomes {
  std::map<std::map<std::string, std::uint64_t>, std::uint64_t> states; // with counts
  std::map<std::string, std::uint64_t> flags;
  bool operator==(const NaiveOutcomes&) const = default;
};
[[nodiscard]] NaiveOutcomes enumerate_naively(const NaiveProgram& program,
                                              const memory::Core& core);

} // namespace heddle::engine_test
