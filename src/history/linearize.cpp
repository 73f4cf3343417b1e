// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/linearize.h"

#include "support/check.h"

#include <unordered_set>

namespace heddle::history {

namespace {

struct Reached {
  OperationSet done = 0;
  ObjectState state;
  bool operator==(const Reached&) const = default;
};

struct ReachedHash {
  std::size_t operator()(const Reached& reached) const noexcept {
    std::uint64_t hash = reached.done * 0x9fb21c651e98df25ULL;
    for (const std::int64_t word : reached.state)
      hash = (hash ^ static_cast<std::uint64_t>(word) ^ (hash >> 29U)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::size_t>(hash ^ hash >> 32U);
  }
};

/// A point of the search, and which operation to try next from there.
struct Frame {
  Reached reached;
  std::uint32_t next = 0;
};

} // namespace

std::optional<Linearization> linearize(const History& history, const SequentialObject& object) {
  const auto count = static_cast<std::uint32_t>(history.operations.size());
  HEDDLE_CHECK(count <= kMaxOperations && history.before.size() == count, "not a history");
  OperationSet required = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (history.operations[i].has_returned)
      required |= OperationSet{1} << i;

  std::unordered_set<Reached, ReachedHash> seen;
  std::vector<Frame> path;
  Linearization found; // what leads along the path
  path.push_back({{0, object.initial()}, 0});
  while (!path.empty()) {
    Frame& frame = path.back();
    if ((required & ~frame.reached.done) == 0)
      return found;
    if (frame.next == count) {
      path.pop_back();
      if (!found.order.empty())
        found.order.pop_back();
      continue;
    }
    const std::uint32_t operation = frame.next++;
    const OperationSet bit = OperationSet{1} << operation;
    if ((frame.reached.done & bit) != 0 || (history.before[operation] & ~frame.reached.done) != 0)
      continue;
    std::optional<ObjectState> after =
        object.apply(frame.reached.state, history.operations[operation]);
    if (!after)
      continue;
    Reached next{frame.reached.done | bit, std::move(*after)};
    if (!seen.insert(next).second)
      continue;
    found.order.push_back(operation);
    path.push_back({std::move(next), 0});
  }
  return std::nullopt;
}

} // namespace heddle::history
