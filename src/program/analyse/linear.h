// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A bit-vector term as a sum: constant + Σ coefficient · atom, modulo its width. Addresses are
// compared this way: same atoms means a constant distance. Terms that are no sums are one atom.
#pragma once

#include "logic/term.h"

#include <cstdint>
#include <map>

namespace heddle::program {

struct LinearForm {
  unsigned width = 0;
  std::uint64_t constant = 0;
  std::map<logic::Term, std::uint64_t> coefficients = {}; // none is 0
  auto operator<=>(const LinearForm&) const = default;

  /// The same without its constant.
  [[nodiscard]] LinearForm variable_part() const { return {width, 0, coefficients}; }
  /// The constant as a signed distance.
  [[nodiscard]] std::int64_t offset() const { return logic::sign_extended(constant, width); }
};

[[nodiscard]] LinearForm linear_form(const logic::TermStore& terms, logic::Term term);

} // namespace heddle::program
