// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which names of a recursion follow which: the graph that decides whether it is well founded.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::memory::cat {

/// How a value follows that of a name: more of the name gives more, or may give less.
struct Influence {
  bool positive = false;
  bool negative = false;
  [[nodiscard]] bool is_any() const { return positive || negative; }
};

/// By the name defined and the name used.
using InfluenceGraph = std::vector<std::vector<Influence>>;

/// A cycle that avoids the names skipped, with a negative influence on it if `only_negative`.
[[nodiscard]] bool
has_cycle(const InfluenceGraph& edges, const std::vector<bool>& skipped, bool only_negative);

} // namespace heddle::memory::cat
