// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A small deterministic source of random numbers (splitmix64): the same on every machine for the
// same seed.
#pragma once

#include "support/hash.h"

#include <cstdint>

namespace heddle {

class Rng {
public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }
  /// A number in [0, bound); `bound` is not 0. The bias is below 2^-32 for the small bounds used
  /// here.
  std::uint64_t below(std::uint64_t bound) { return (next() >> 32U) * bound >> 32U; }
  bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }

private:
  std::uint64_t state_;
};

} // namespace heddle
