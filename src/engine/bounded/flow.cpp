// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/flow.h"

#include <algorithm>
#include <cstddef>

namespace heddle::engine::bounded {

namespace {

using program::LocationId;
using program::Procedure;

/// Strongly connected components (R. E. Tarjan 1972, without recursion), and those again without
/// their heads. Loops are nested less deeply than procedures are long, so only that recurs.
class Ordering {
public:
  explicit Ordering(const Procedure& procedure)
      : procedure_(procedure), region_(procedure.locations.size(), 1) {}

  /// Of the locations of the region that can be reached from these.
  std::vector<FlowElement> order(const std::vector<LocationId>& starts, std::uint32_t region) {
    std::vector<FlowElement> result;
    std::vector<std::vector<LocationId>> components = components_of(starts, region);
    std::reverse(components.begin(), components.end());
    for (const std::vector<LocationId>& component : components)
      result.push_back(element(component));
    return result;
  }

private:
  struct Visit {
    LocationId at;
    std::size_t next = 0;
  };

  std::vector<std::vector<LocationId>> components_of(const std::vector<LocationId>& starts,
                                                     std::uint32_t region) {
    const std::size_t count = procedure_.locations.size();
    std::vector<std::uint32_t> number(count, 0); // 0: not seen
    std::vector<std::uint32_t> low(count, 0);
    std::vector<bool> is_open(count, false);
    std::vector<LocationId> stack;
    std::vector<std::vector<LocationId>> components;
    std::uint32_t next_number = 0;
    std::vector<Visit> visits;
    const auto enter = [&](LocationId at) {
      number[at.index()] = low[at.index()] = ++next_number;
      is_open[at.index()] = true;
      stack.push_back(at);
      visits.push_back({at, 0});
    };
    for (const LocationId start : starts) {
      if (number[start.index()] != 0)
        continue;
      enter(start);
      while (!visits.empty()) {
        const LocationId at = visits.back().at;
        const std::vector<std::uint32_t>& out = procedure_.locations[at].out;
        if (visits.back().next < out.size()) {
          const LocationId to = procedure_.edges[out[visits.back().next++]].to;
          if (region_[to.index()] != region)
            continue;
          if (number[to.index()] == 0)
            enter(to);
          else if (is_open[to.index()])
            low[at.index()] = std::min(low[at.index()], number[to.index()]);
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) {
          const std::size_t before = visits.back().at.index();
          low[before] = std::min(low[before], low[at.index()]);
        }
        if (low[at.index()] != number[at.index()])
          continue;
        // The head, which was seen first, comes first.
        auto first = stack.end();
        do
          is_open[(--first)->index()] = false;
        while (*first != at);
        components.emplace_back(first, stack.end());
        stack.erase(first, stack.end());
      }
    }
    return components;
  }

  FlowElement element(const std::vector<LocationId>& component) {
    FlowElement result;
    result.at = component.front();
    const auto leads_to = [&](LocationId from, auto is_meant) {
      return std::ranges::any_of(procedure_.locations[from].out, [&](std::uint32_t edge) {
        return is_meant(procedure_.edges[edge].to);
      });
    };
    const bool is_alone = component.size() == 1;
    if (is_alone && !leads_to(result.at, [&](LocationId to) { return to == result.at; }))
      return result;
    result.is_loop = true;
    result.members.assign(procedure_.locations.size(), false);
    for (const LocationId member : component)
      result.members[member.index()] = true;
    for (const LocationId member : component)
      result.is_left = result.is_left ||
                       leads_to(member, [&](LocationId to) { return !result.members[to.index()]; });
    const std::uint32_t region = ++regions_;
    for (const LocationId member : component)
      region_[member.index()] = region;
    region_[result.at.index()] = 0;
    result.rest = order({component.begin() + 1, component.end()}, region);
    return result;
  }

  const Procedure& procedure_;
  std::vector<std::uint32_t> region_; // by location: the innermost loop whose rest it is in
  std::uint32_t regions_ = 1;
};

} // namespace

std::vector<FlowElement> flow_of(const Procedure& procedure) {
  return Ordering(procedure).order({procedure.entry}, 1);
}

} // namespace heddle::engine::bounded
