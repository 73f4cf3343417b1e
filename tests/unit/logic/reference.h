// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A second definition of the operations on terms, bit by bit as in a textbook circuit, over trees
// that nothing simplifies. Random trees for the property tests.
#pragma once

#include "logic/term.h"
#include "support/rng.h"

#include <functional>
#include <vector>

namespace heddle::logic {

struct Tree {
  Op op = Op::kConstant;
  unsigned width = 0; // 0: Bool
  std::uint64_t value = 0;
  std::vector<Tree> parts = {};
};

using Assignment = std::function<std::uint64_t(std::uint64_t number)>;

/// The number of the k-th variable of a width.
[[nodiscard]] std::uint64_t variable_number(unsigned width, std::uint64_t k);
[[nodiscard]] Tree random_tree(Rng& rng, unsigned width, unsigned depth);
/// Interesting values more often than others.
[[nodiscard]] std::uint64_t random_value(Rng& rng, unsigned width);
[[nodiscard]] std::uint64_t reference_value(const Tree& tree, const Assignment& assignment);
[[nodiscard]] Term build(TermStore& store, const Tree& tree);

} // namespace heddle::logic
