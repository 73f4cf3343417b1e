// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What can be said of guards without a solver. They grow by conjunction along a path, so that what
// dominates an event is found among the conjuncts of its guard.
#pragma once

#include "logic/term.h"

#include <unordered_map>
#include <vector>

namespace heddle::encode {

class Guards {
public:
  /// The store outlives it.
  explicit Guards(logic::TermStore& terms) : terms_(terms) {}

  /// Where `a` holds, `b` does. False: not known.
  [[nodiscard]] bool implies(logic::Term a, logic::Term b);
  /// At most one of them holds. False: not known.
  [[nodiscard]] bool exclude_each_other(logic::Term a, logic::Term b);

private:
  /// Sorted; of long guards not all.
  const std::vector<logic::Term>& conjuncts_of(logic::Term guard);

  logic::TermStore& terms_;
  std::unordered_map<std::uint32_t, std::vector<logic::Term>> conjuncts_;
};

} // namespace heddle::encode
