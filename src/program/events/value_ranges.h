// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What reads can find, from what the writes they may read from can write. A counter that n steps
// increment is at most n: no value comes from itself, so that each read is on a chain of values at
// most once. Ranges make circuits narrow and checks of indices trivial.
#pragma once

#include "logic/range.h"
#include "program/events/event_set.h"

#include <unordered_map>
#include <vector>

namespace heddle::program {

/// The terms of which a read takes one where it happens: those of its candidates, and what is there
/// at first.
struct ReadValues {
  EventIndex read = 0;
  std::vector<Term> values;
};

/// By the variables of the reads. Nothing for those that may have any value; all of them where
/// there is too much to look at. `others` and `conditions` as for logic::flow_ranges.
[[nodiscard]] std::unordered_map<Term, logic::Range>
value_ranges(const EventSet& set,
             const std::vector<ReadValues>& reads,
             const logic::VariableRanges& others = {},
             logic::Conditions conditions = logic::Conditions::kKnown);

} // namespace heddle::program
