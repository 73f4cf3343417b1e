// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/model/control_flow.h"

#include "program/model/print_program.h"
#include "support/check.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace heddle::program {

void add_edge(Procedure& procedure, Edge edge) {
  const auto index = static_cast<std::uint32_t>(procedure.edges.size());
  procedure.locations[edge.from].out.push_back(index);
  procedure.edges.push_back(std::move(edge));
}

namespace {

/// The edge that does nothing and is the only one, if the location has such.
const Edge* only_skip(const Procedure& procedure, LocationId location) {
  const Location& place = procedure.locations[location];
  if (place.out.size() != 1)
    return nullptr;
  const Edge& edge = procedure.edges[place.out[0]];
  return std::holds_alternative<Skip>(edge.action) ? &edge : nullptr;
}

/// Where a chain of Skip edges leads. A cycle of nothing but Skips leads to its smallest location.
LocationId behind_skips(const Procedure& procedure, LocationId start) {
  LocationId current = start;
  for (std::size_t steps = 0; steps <= procedure.locations.size(); ++steps) {
    const Edge* edge = only_skip(procedure, current);
    if (edge == nullptr)
      return current;
    current = edge->to;
  }
  LocationId smallest = current;
  for (const Edge* edge = only_skip(procedure, current); edge->to != current;
       edge = only_skip(procedure, edge->to))
    smallest = std::min(smallest, edge->to);
  return smallest;
}

} // namespace

void remove_skips(Procedure& procedure) {
  IdVector<LocationId, LocationId> renumbered(procedure.locations.size());
  IdVector<LocationId, LocationId> behind(procedure.locations.size());
  const auto find_behind = [&](LocationId location) {
    if (!behind[location].is_valid())
      behind[location] = behind_skips(procedure, location);
    return behind[location];
  };
  std::vector<LocationId> pending;
  std::vector<LocationId> order; // old numbers, by new number
  order.reserve(procedure.locations.size());
  const auto visit = [&](LocationId old) {
    if (!renumbered[old].is_valid()) {
      renumbered[old] = LocationId{order.size()};
      order.push_back(old);
      pending.push_back(old);
    }
  };
  const LocationId entry = find_behind(procedure.entry);
  visit(entry);
  while (!pending.empty()) {
    const LocationId old = pending.back();
    pending.pop_back();
    const std::vector<std::uint32_t>& out = procedure.locations[old].out;
    // Pushed in reverse: the first out-edge is followed first.
    for (auto edge = out.rbegin(); edge != out.rend(); ++edge)
      visit(find_behind(procedure.edges[*edge].to));
  }
  IdVector<LocationId, Location> locations(order.size());
  std::vector<Edge> edges;
  edges.reserve(procedure.edges.size());
  for (const LocationId old : order) {
    Location& location = locations[renumbered[old]];
    location = std::move(procedure.locations[old]);
    for (std::uint32_t& index : location.out) {
      Edge& edge = edges.emplace_back(std::move(procedure.edges[index]));
      edge.to = renumbered[behind[edge.to]];
      edge.from = renumbered[old];
      index = static_cast<std::uint32_t>(edges.size() - 1);
    }
  }
  procedure.entry = renumbered[entry];
  procedure.locations = std::move(locations);
  procedure.edges = std::move(edges);
}

namespace {

/// The edges that lead back to where the depth-first search, in edge order, still is.
std::vector<std::uint32_t> find_back_edges(const Procedure& procedure) {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<std::uint32_t> found;
  IdVector<LocationId, Mark> marks(procedure.locations.size(), Mark::kNew);
  std::vector<std::pair<LocationId, std::size_t>> path;
  path.reserve(procedure.locations.size());
  path.emplace_back(procedure.entry, 0);
  marks[procedure.entry] = Mark::kOnPath;
  while (!path.empty()) {
    auto& [location, next] = path.back();
    const std::vector<std::uint32_t>& out = procedure.locations[location].out;
    if (next == out.size()) {
      marks[location] = Mark::kDone;
      path.pop_back();
      continue;
    }
    const std::uint32_t index = out[next++];
    const LocationId target = procedure.edges[index].to;
    if (marks[target] == Mark::kOnPath)
      found.push_back(index);
    if (marks[target] == Mark::kNew) {
      marks[target] = Mark::kOnPath;
      path.emplace_back(target, 0);
    }
  }
  return found;
}

} // namespace

void mark_loop_heads(Procedure& procedure) {
  for (Location& location : procedure.locations)
    location.is_loop_head = false;
  for (const std::uint32_t index : find_back_edges(procedure))
    procedure.locations[procedure.edges[index].to].is_loop_head = true;
}

std::vector<Loop> find_loops(const Procedure& procedure) {
  std::map<LocationId, std::vector<std::uint32_t>> by_head;
  for (const std::uint32_t index : find_back_edges(procedure))
    by_head[procedure.edges[index].to].push_back(index);
  if (by_head.empty())
    return {};
  IdVector<LocationId, std::vector<LocationId>> before(procedure.locations.size());
  for (const Edge& edge : procedure.edges)
    before[edge.to].push_back(edge.from);
  std::vector<Loop> loops;
  for (auto& [head, back_edges] : by_head) {
    Loop loop{head, std::vector<bool>(procedure.locations.size(), false), std::move(back_edges)};
    loop.body[head.index()] = true;
    std::vector<LocationId> pending;
    const auto add = [&](LocationId at) {
      if (!loop.body[at.index()]) {
        loop.body[at.index()] = true;
        pending.push_back(at);
      }
    };
    for (const std::uint32_t index : loop.back_edges)
      add(procedure.edges[index].from);
    while (!pending.empty()) {
      const LocationId at = pending.back();
      pending.pop_back();
      for (const LocationId earlier : before[at])
        add(earlier);
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

void assign_keys(const Program& program, Procedure& procedure) {
  std::map<std::string, unsigned> ordinals;
  for (Location& location : procedure.locations) {
    std::string text;
    for (const std::uint32_t index : location.out) {
      if (!text.empty())
        text += " | ";
      text += to_key_text(program, procedure, procedure.edges[index].action);
    }
    const unsigned ordinal = ordinals[text]++;
    location.key = fmt::format("{}: {} #{}", procedure.name, text.empty() ? "end" : text, ordinal);
  }
}

void tidy(Procedure& procedure) {
  remove_skips(procedure);
  mark_loop_heads(procedure);
}

} // namespace heddle::program
