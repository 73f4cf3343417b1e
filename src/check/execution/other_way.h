// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a thread would have computed, had it gone another way at a branch: walked on values, from
// the branch to where its arms meet or the procedure returns. What then differs from what the
// thread did compute was chosen by the branch. Only short straight ways on which nothing is read
// that others may write are walked; of the others nothing is said.
#pragma once

#include "program/run/interpreter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::check {

struct OtherWay {
  /// Of the frame of the branch, at the meeting point; empty after a return.
  IdVector<program::LocalId, std::uint64_t> locals;
  std::optional<std::uint64_t> returned; // after a return, the value
  bool has_returned = false;
  std::map<std::uint64_t, std::uint8_t> written; // bytes of memory of the thread's own
  std::set<std::uint64_t> visible;               // where it writes in memory that others see
};

/// All ways that `thread`, which is about to take the edge of a branch, could have gone instead.
/// `until` is where they meet; none: at the return of the procedure.
[[nodiscard]] std::vector<OtherWay> other_ways(const program::Interpreter& interpreter,
                                               const program::State& state,
                                               program::ThreadIndex thread,
                                               const program::Edge& taken,
                                               program::LocationId until);

} // namespace heddle::check
