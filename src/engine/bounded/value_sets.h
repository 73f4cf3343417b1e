// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values a term can have, one by one, where they are few: pointers are choices between
// addresses, indices have small ranges. Says where an access through a computed address may go.
#pragma once

#include "logic/range.h"
#include "logic/term.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle::engine::bounded {

class ValueSets {
public:
  /// The terms must outlive it. A set never has more than `most` values.
  ValueSets(const logic::TermStore& terms, logic::VariableRanges variables, std::size_t most)
      : terms_(terms), ranges_(terms, std::move(variables)), most_(most) {}

  /// A superset of its values, sorted; null: too many. Valid until the next question.
  [[nodiscard]] const std::vector<std::uint64_t>* of(logic::Term term);
  [[nodiscard]] const logic::Range& range(logic::Term term) { return ranges_.range(term); }

private:
  struct Set {
    bool is_known = false;
    std::vector<std::uint64_t> values = {};
  };
  [[nodiscard]] Set compute(logic::Term term);
  [[nodiscard]] Set in_range(logic::Term term);

  const logic::TermStore& terms_;
  logic::RangeAnalysis ranges_;
  std::size_t most_;
  std::unordered_map<logic::Term, Set> known_;
};

} // namespace heddle::engine::bounded
