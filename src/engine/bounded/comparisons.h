// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of small numbers with constants, such as the labels of a sequentialization. Where the
// number is a choice between two, so is the comparison: the same few comparisons are then asked of
// the numbers that were chosen, wherever these went.
#pragma once

#include "logic/term.h"

#include <unordered_map>

namespace heddle::engine::bounded {

class Comparisons {
public:
  /// The terms must outlive it.
  explicit Comparisons(logic::TermStore& terms) : terms_(terms) {}

  /// The same condition, with comparisons inside of choices.
  [[nodiscard]] logic::Term inside_choices(logic::Term condition) { return moved(condition, 0); }

private:
  [[nodiscard]] logic::Term moved(logic::Term term, unsigned depth);

  logic::TermStore& terms_;
  std::unordered_map<logic::Term, logic::Term> known_;
};

} // namespace heddle::engine::bounded
