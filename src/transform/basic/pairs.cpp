// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/pairs.h"

#include "program/model/control_flow.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::transform {

namespace {

using namespace program; // NOLINT: most of what is named here is from there

/// A load into a local that the other half does not use, or a store.
bool is_independent(const Program& program, const Action& first, const Action& second) {
  if (std::holds_alternative<Store>(first) && std::holds_alternative<Store>(second))
    return true;
  const auto* load = std::get_if<Load>(&first);
  const auto* next = std::get_if<Load>(&second);
  if (load == nullptr || next == nullptr || load->dest == next->dest)
    return false;
  const std::vector<std::uint64_t> used = program.terms.variables(next->address);
  return !std::binary_search(used.begin(), used.end(), load->dest.value);
}

/// The accesses of one instruction that follow each other, by edge.
using Group = std::vector<std::uint32_t>;

class Pairs {
public:
  Pairs(Program& program, Procedure& procedure) : program_(program), procedure_(procedure) {
    for (const Edge& edge : procedure_.edges)
      ++entries_[edge.to.index()];
  }

  void offer_all_orders() {
    std::vector<bool> is_in_group(procedure_.edges.size(), false);
    std::vector<Group> groups;
    for (std::uint32_t i = 0; i < is_in_group.size(); ++i) {
      if (is_in_group[i] || is_continued(i))
        continue;
      Group group = group_from(i);
      for (const std::uint32_t member : group)
        is_in_group[member] = true;
      if (group.size() > 1)
        groups.push_back(std::move(group));
    }
    for (const Group& group : groups)
      offer_all_orders(group);
    if (!groups.empty())
      tidy(procedure_);
  }

private:
  /// The access after this one, if both are of one instruction.
  [[nodiscard]] std::optional<std::uint32_t> next_of(std::uint32_t first) const {
    const Edge& edge = procedure_.edges[first];
    const std::vector<std::uint32_t>& out = procedure_.locations[edge.to].out;
    if (!edge.loc.is_known() || out.size() != 1 || entries_[edge.to.index()] != 1 ||
        procedure_.locations[edge.from].out.size() != 1)
      return std::nullopt;
    const Edge& next = procedure_.edges[out.front()];
    if (next.loc != edge.loc || !is_independent(program_, edge.action, next.action))
      return std::nullopt;
    return out.front();
  }

  /// Is it the continuation of another? Then its group begins there.
  [[nodiscard]] bool is_continued(std::uint32_t edge) const {
    for (std::uint32_t i = 0; i < procedure_.edges.size(); ++i)
      if (procedure_.edges[i].to == procedure_.edges[edge].from && next_of(i) == edge)
        return true;
    return false;
  }

  [[nodiscard]] Group group_from(std::uint32_t first) const {
    Group group = {first};
    while (const std::optional<std::uint32_t> next = next_of(group.back())) {
      for (const std::uint32_t member : group)
        if (!is_independent(
                program_, procedure_.edges[member].action, procedure_.edges[*next].action))
          return group;
      group.push_back(*next);
    }
    return group;
  }

  LocationId add_location(SourceLoc loc) {
    return procedure_.locations.push_back(Location{{}, loc, {}, false});
  }

  /// A location for each set of accesses that have been made; what comes next there is chosen.
  void offer_all_orders(const Group& group) {
    const SourceLoc loc = procedure_.edges[group.front()].loc;
    std::vector<Action> actions;
    for (const std::uint32_t member : group)
      actions.push_back(procedure_.edges[member].action);
    const std::size_t all = (std::size_t{1} << group.size()) - 1;
    std::vector<LocationId> after(all + 1);
    after.front() = procedure_.edges[group.front()].from;
    after.back() = procedure_.edges[group.back()].to;
    for (std::size_t made = 1; made < all; ++made)
      after[made] = add_location(loc);
    procedure_.locations[after.front()].out.clear();
    // The edges there were leave from nowhere and go when the procedure is tidied up.
    const LocationId nowhere = add_location(loc);
    for (const std::uint32_t member : group)
      procedure_.edges[member].from = nowhere;
    for (std::size_t made = 0; made < all; ++made) {
      LocationId at = after[made];
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::size_t with = made | (std::size_t{1} << i);
        if (with == made)
          continue;
        const bool has_choice = has_later(made, i, group.size());
        if (!has_choice) {
          add_edge(procedure_, Edge{at, after[with], actions[i], loc});
          break;
        }
        const auto [taken, rest] = choose(at, loc);
        add_edge(procedure_, Edge{taken, after[with], actions[i], loc});
        at = rest;
      }
    }
  }

  /// Is there an access after this one that is not yet made?
  [[nodiscard]] static bool has_later(std::size_t made, std::size_t access, std::size_t count) {
    for (std::size_t i = access + 1; i < count; ++i)
      if ((made & (std::size_t{1} << i)) == 0)
        return true;
    return false;
  }

  /// Two ways to go on.
  std::pair<LocationId, LocationId> choose(LocationId at, SourceLoc loc) {
    const LocalId order = procedure_.locals.push_back(Local{"", 1, {}});
    const Term condition =
        program_.terms.to_bool(program_.terms.variable(order.value, logic::Sort{1}));
    const LocationId chosen = add_location(loc);
    const LocationId taken = add_location(loc);
    const LocationId rest = add_location(loc);
    add_edge(procedure_, Edge{at, chosen, Nondet{order, "the order of a pair"}, loc});
    add_edge(procedure_, Edge{chosen, taken, Assume{condition, true}, loc});
    add_edge(procedure_, Edge{chosen, rest, Assume{program_.terms.not_(condition), true}, loc});
    return {taken, rest};
  }

  Program& program_;
  Procedure& procedure_;
  std::vector<std::uint32_t> entries_ =
      std::vector<std::uint32_t>(procedure_.locations.size(), 0); // by location: edges to it
};

} // namespace

bool has_pairs(std::string_view vocabulary) {
  return vocabulary == "aarch64" || vocabulary == "arm";
}

void offer_all_orders_of_pairs(Program& program) {
  for (Procedure& procedure : program.procedures)
    Pairs(program, procedure).offer_all_orders();
}

} // namespace heddle::transform
