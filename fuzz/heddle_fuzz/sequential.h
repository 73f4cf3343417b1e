// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program without threads, made by lazy sequentialization, against the reference: with few rounds
// it has some of the final states, with enough all of them and no others.
#pragma once

#include "heddle_fuzz/compare.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::fuzz {

struct SequentialComparison {
  std::optional<Disagreement> disagreement;
  std::uint64_t compared = 0; // models under which the rounds were enough
  std::uint64_t subsets = 0;  // numbers of rounds that were not
  std::uint64_t violations_carried_back = 0;
  std::string refusal; // if it did not run under some model
};

[[nodiscard]] SequentialComparison compare_sequential(const Program& program,
                                                      const std::vector<ReferenceResult>& expected);

} // namespace heddle::fuzz
