// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Generated programs through store-buffer graphs: the reduced program under SC against the
// reference's TSO and PSO, final states and verdicts, and every violation carried back to the
// machine.
#pragma once

#include "heddle_fuzz/compare.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::fuzz {

struct ReductionComparison {
  std::optional<Disagreement> disagreement;
  bool ran = false;                // under TSO and PSO
  std::string refusal;             // if not
  bool compares_addresses = false; // when the program runs, under either
  bool copies_operands = false;    // of stores that are pending when these are assigned again
  std::uint64_t violations_carried_back = 0;
  std::uint64_t states = 0;         // of the reduced program
  std::uint64_t machine_states = 0; // of the original on the machine, by the same engine
};

[[nodiscard]] ReductionComparison compare_reduction(const Program& program,
                                                    const std::vector<ReferenceResult>& expected);

} // namespace heddle::fuzz
