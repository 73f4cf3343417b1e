// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where an answer is not exact. Front ends and transforms add these, verdicts carry them, engines
// cannot drop them.
#pragma once

#include "support/source_loc.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct Approximation {
  enum class Kind : std::uint8_t {
    kUnder, // some behaviour may be missing: forbids "proved"
    kOver, // some behaviour may be added: forbids "violated" unless it replays on the first program
    kAssumed, // something the user asked us to believe: stands in the verdict line
  };
  Kind kind = Kind::kUnder;
  std::string what; // a phrase that fits after "assuming …" or "because …"
  SourceLoc where = {};
  auto operator<=>(const Approximation&) const = default;
};

using Approximations = std::vector<Approximation>;

} // namespace heddle
