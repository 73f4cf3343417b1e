// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/pairs.h"

#include "program/control_flow.h"

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

class Pairs {
public:
  Pairs(Program& program, Procedure& procedure) : program_(program), procedure_(procedure) {
    for (const Edge& edge : procedure_.edges)
      ++entries_[edge.to.index()];
  }

  void offer_both_orders() {
    const std::size_t count = procedure_.edges.size();
    bool has_changed = false;
    for (std::uint32_t i = 0; i < count; ++i)
      if (const std::optional<std::uint32_t> second = second_half(i)) {
        offer_both_orders(i, *second);
        has_changed = true;
      }
    if (has_changed)
      tidy(procedure_);
  }

private:
  /// The step after this one, if the two are halves of one instruction.
  [[nodiscard]] std::optional<std::uint32_t> second_half(std::uint32_t first) const {
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

  void offer_both_orders(std::uint32_t first, std::uint32_t second) {
    const SourceLoc loc = procedure_.edges[first].loc;
    const LocationId from = procedure_.edges[first].from;
    const LocationId end = procedure_.edges[second].to;
    const auto add_location = [&] {
      entries_.push_back(1);
      return procedure_.locations.push_back(Location{{}, loc, {}, false});
    };
    const LocalId order = procedure_.locals.push_back(Local{"", 1, {}});
    const Term in_order =
        program_.terms.to_bool(program_.terms.variable(order.value, logic::Sort{1}));
    const LocationId chosen = add_location();
    const LocationId as_written = add_location();
    procedure_.locations[from].out.clear();
    procedure_.locations[as_written].out = {first};
    procedure_.edges[first].from = as_written;
    add_edge(procedure_, Edge{from, chosen, Nondet{order, "the order of a pair"}, loc});
    add_edge(procedure_, Edge{chosen, as_written, Assume{in_order, true}, loc});
    const LocationId reversed = add_location();
    const LocationId middle = add_location();
    add_edge(procedure_, Edge{chosen, reversed, Assume{program_.terms.not_(in_order), true}, loc});
    Action later = procedure_.edges[first].action;
    Action earlier = procedure_.edges[second].action;
    add_edge(procedure_, Edge{reversed, middle, std::move(earlier), loc});
    add_edge(procedure_, Edge{middle, end, std::move(later), loc});
  }

  Program& program_;
  Procedure& procedure_;
  std::vector<std::uint32_t> entries_ =
      std::vector<std::uint32_t>(procedure_.locations.size(), 0); // by location: edges to it
};

} // namespace

bool has_pairs(std::string_view vocabulary) {
  return vocabulary == "aarch64";
}

void offer_both_orders_of_pairs(Program& program) {
  for (Procedure& procedure : program.procedures)
    Pairs(program, procedure).offer_both_orders();
}

} // namespace heddle::transform
