// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which accesses are linearization points? Runs tell which are not: in each, every operation has to
// pass one, and the order in which the last ones are passed has to be one that the object allows. A
// smallest set that does for all runs seen so far is proposed; whoever verifies it comes back with
// a run that it does not explain, or is satisfied. A set that lacks something in a run, or fails in
// it, can only be mended by an access that the run passes, so nothing else is tried. Knows nothing
// of programs.
#pragma once

#include "history/object.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::object {

using PointSet = std::set<std::size_t>; // numbers of points, the preferred ones small

/// A run, as far as points can be in it.
struct PassingRun {
  struct Pass {
    std::size_t point = 0;
    std::size_t when = 0; // different ones at different moments, unless two points are one access
  };
  struct Call {
    history::Operation operation; // with its result
    std::vector<Pass> passes;     // in the order of the thread
  };
  std::vector<Call> calls;
  std::string scenario;
};

/// Whether every call passes one of the points, and the object allows the order of the last ones.
[[nodiscard]] bool
explains(const PointSet& points, const PassingRun& run, const history::SequentialObject& object);

/// Whether the object allows an order in which each call takes effect at some access of its own.
/// The one that is `free` may do so at any moment.
[[nodiscard]] bool can_be_explained(const PassingRun& run,
                                    const history::SequentialObject& object,
                                    std::optional<std::size_t> free = {});

class PointSearch {
public:
  /// `object` outlives it.
  explicit PointSearch(const history::SequentialObject& object) : object_(object) {}

  void add(PassingRun run) { runs_.push_back(std::move(run)); }
  /// That set will not do, although no run says so.
  void exclude(PointSet points) { excluded_.insert(std::move(points)); }

  /// A smallest set that explains all runs; nothing if there is none of at most kMostPoints, or
  /// none was found with kMostSets tries.
  [[nodiscard]] std::optional<PointSet> next() const;
  /// Why there is no set, in words.
  [[nodiscard]] std::string why_none() const;

  static constexpr std::size_t kMostPoints = 8;
  static constexpr std::size_t kMostSets = 300'000;

private:
  [[nodiscard]] bool extend(PointSet& points, std::size_t left, std::set<PointSet>& seen) const;

  const history::SequentialObject& object_;
  std::vector<PassingRun> runs_;
  std::set<PointSet> excluded_;
};

} // namespace heddle::object
