// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What can be said of delayed stores before a graph is built: which loops store without ever
// emptying the buffer, and which stores have operands that are assigned again while they wait.
#include "program/analyse/liveness.h"
#include "support/overloaded.h"
#include "transform/buffers/store_buffer_graph.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <variant>

namespace heddle::transform {

using namespace program; // NOLINT: the family of actions is spelled out below

bool waits_for_empty_buffer(const Action& action) {
  return std::visit(Overloaded{
                        [](const Skip&) { return false; },
                        [](const Assign&) { return false; },
                        [](const AssignSequence&) { return false; },
                        [](const Nondet&) { return false; },
                        [](const Assume&) { return false; },
                        [](const Check&) { return false; },
                        [](const CheckNeighbourhood&) { return false; },
                        [](const Load& load) { return load.access.drains; },
                        [](const Store& store) { return store.access.drains; },
                        [](const LoadExclusive&) { return true; },
                        [](const StoreExclusive&) { return true; },
                        [](const ReadModifyWrite& update) {
                          return update.access.is_visible || update.access.drains;
                        },
                        [](const CompareExchange& update) {
                          return update.access.is_visible || update.access.drains;
                        },
                        [](const Fence& fence) { return fence.strength == Fence::Strength::kFull; },
                        [](const Allocate&) { return false; },
                        [](const Free&) { return false; },
                        [](const BlockSize&) { return false; },
                        [](const Call&) { return false; },
                        // Without calls a return is the end of the thread.
                        [](const Return&) { return true; },
                        [](const Synchronize& sync) { return sync.op != SyncOp::kSelf; },
                        [](const AtomicBegin&) { return true; },
                        [](const AtomicEnd&) { return true; },
                        [](const Hint&) { return false; },
                        [](const ThreadExit&) { return true; },
                        [](const Exit&) { return false; },
                        [](const Cut&) { return false; },
                        [](const Trap&) { return false; },
                    },
                    action);
}

namespace {

/// The edges that can follow one without the buffer having to be empty, itself left out.
class OpenPaths {
public:
  explicit OpenPaths(const Procedure& procedure) : procedure_(procedure) {
    for (const Edge& edge : procedure.edges)
      waits_.push_back(waits_for_empty_buffer(edge.action));
  }

  /// Calls `visit` for each edge that can be taken while the store of `start` is pending. Stops
  /// where it returns false. Breadth first; `parent` tells the way.
  template <class Visit>
  void follow(std::uint32_t start, const Visit& visit) {
    parent_.assign(procedure_.edges.size(), std::nullopt);
    std::deque<std::uint32_t> queue = {start};
    while (!queue.empty()) {
      const std::uint32_t at = queue.front();
      queue.pop_front();
      const LocationId to = procedure_.edges[at].to;
      if (!to.is_valid())
        continue;
      for (const std::uint32_t next : procedure_.locations[to].out) {
        if (waits_[next] || parent_[next])
          continue;
        parent_[next] = at;
        if (!visit(next))
          return;
        queue.push_back(next);
      }
    }
  }
  /// After `follow` came back to `start`: the edges of the cycle, `start` first.
  [[nodiscard]] std::vector<std::uint32_t> way_back_to(std::uint32_t start) const {
    std::vector<std::uint32_t> cycle;
    for (std::uint32_t at = *parent_[start]; at != start; at = *parent_[at])
      cycle.push_back(at);
    cycle.push_back(start);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

private:
  const Procedure& procedure_;
  std::vector<bool> waits_;
  std::vector<std::optional<std::uint32_t>> parent_;
};

} // namespace

PendingStores find_pending_stores(const Program& program, const Procedure& procedure) {
  const std::size_t count = procedure.edges.size();
  PendingStores found{std::vector<bool>(count, false),
                      std::vector<bool>(count, false),
                      std::vector<bool>(count, false),
                      std::vector<std::vector<std::uint32_t>>(count)};
  OpenPaths paths(procedure);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto* store = std::get_if<Store>(&procedure.edges[i].action);
    if (store == nullptr || !store->access.is_visible)
      continue;
    found.is_delayed[i] = true;
    std::set<std::uint32_t> assigned;
    bool comes_back = false;
    paths.follow(i, [&](std::uint32_t next) {
      const LocalUse use = local_use(program.terms, procedure.edges[next].action);
      assigned.insert(use.writes.begin(), use.writes.end());
      comes_back = comes_back || next == i;
      return true;
    });
    const auto is_assigned = [&](Term term) {
      const std::vector<std::uint64_t> variables = program.terms.variables(term);
      return std::ranges::any_of(variables, [&](std::uint64_t number) {
        return number != kSelfVariable && assigned.contains(static_cast<std::uint32_t>(number));
      });
    };
    found.redefines_address[i] = is_assigned(store->address);
    found.redefines_value[i] = is_assigned(store->value);
    if (comes_back)
      found.cycle[i] = paths.way_back_to(i);
  }
  return found;
}

} // namespace heddle::transform
