// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What can be said of guards with a solver that knows nothing of memory: reads may have any value
// but those that were told.
#pragma once

#include "logic/bit_blast.h"
#include "logic/gates.h"
#include "solve/sat.h"

#include <cstdint>
#include <memory>
#include <span>

namespace heddle::encode {

class GuardSolver {
public:
  /// The store outlives it.
  explicit GuardSolver(const logic::TermStore& terms);

  /// From now on it holds (Bool).
  void tell(logic::Term fact) { blaster_.require(fact); }
  /// Can the terms (Bool) not hold at once? False: not known. Each question is given little time,
  /// and there is an end to questions.
  [[nodiscard]] bool exclude_each_other(std::span<const logic::Term> terms);

private:
  std::unique_ptr<solve::Sat> sat_;
  logic::Gates gates_;
  logic::BitBlaster blaster_;
  std::uint32_t questions_ = 0;
};

} // namespace heddle::encode
