// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A smallest set of fences with which a program has the property that it lacks without. Every run
// that violates it tells the places it passed while one of the thread's stores was still on its
// way: with no fence at any of these the same run is there, so every set that helps has one of
// them. A smallest set that hits all runs seen so far is tried; if there is another violation, it
// is one more run to hit (the implicit hitting sets of Moreno-Centeno and Karp, "The implicit
// hitting set approach to solve combinatorial optimization problems", 2013). So sizes only grow,
// and the first set that is verified is a smallest one. Knows nothing of what is verified.
#pragma once

#include "support/result.h"
#include "transform/basic/fence_places.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace heddle::driver {

/// What came of a program with fences.
struct FencesSuffice {};
struct FencesMissing {
  std::set<std::size_t> passed; // places that the run passed with stores on their way
};
struct FencesUndecided {
  std::string why;
};
using FenceTrial = std::variant<FencesSuffice, FencesMissing, FencesUndecided>;
using TryFences = std::function<Result<FenceTrial>(const std::vector<transform::FenceKind>& kinds)>;

struct FenceAdvice {
  enum class Outcome : std::uint8_t {
    kFound,
    kNone, // a run without any delay violates the property
    kUndecided,
  };
  Outcome outcome = Outcome::kUndecided;
  std::vector<transform::FenceKind> kinds; // per place; kFound
  std::string why;                         // kUndecided
  std::uint64_t tried = 0;                 // sets of fences, the empty one included
};

/// Is asked for a program that is known not to have the property without fences. With
/// `has_store_fences`, fences that only order stores take the place of full ones where they do.
[[nodiscard]] Result<FenceAdvice>
search_fences(std::size_t places, bool has_store_fences, const TryFences& attempt);

/// A smallest set with an element of each; of several, one with small elements. Each of them is not
/// empty.
[[nodiscard]] std::set<std::size_t>
smallest_hitting_set(const std::vector<std::set<std::size_t>>& sets);

} // namespace heddle::driver
