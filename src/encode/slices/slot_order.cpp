// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/slices/slot_order.h"

#include "support/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::encode {

using relation::BitSet;

std::optional<std::vector<Node>> sorted_by_all_arcs(const Skeleton& skeleton) {
  const std::size_t count = skeleton.nodes.size();
  std::vector<std::vector<Node>> next(count);
  std::vector<std::uint32_t> incoming(count, 0);
  for (const Arc& arc : skeleton.arcs) {
    next[arc.from].push_back(arc.to);
    ++incoming[arc.to];
  }
  std::vector<Node> sorted;
  for (Node node = 0; node < count; ++node)
    if (incoming[node] == 0)
      sorted.push_back(node);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (const Node to : next[sorted[i]])
      if (--incoming[to] == 0)
        sorted.push_back(to);
  if (sorted.size() != count)
    return std::nullopt;
  return sorted;
}

SlotOrder::SlotOrder(const Skeleton& skeleton,
                     logic::Gates& gates,
                     std::vector<Writer> writers,
                     const BitSet& others)
    : skeleton_(skeleton), gates_(gates), writers_(std::move(writers)),
      writing_(skeleton.nodes.size()), certain_(skeleton.nodes.size()),
      positions_(skeleton.nodes.size()) {
  for (Position& position : positions_)
    position.writes = gates_.constant(false);
  for (const Writer& writer : writers_) {
    writing_.insert(writer.node);
    positions_[writer.node].writes = writer.writes;
    if (gates_.is_true(writer.writes))
      certain_.insert(writer.node);
  }
  const BitSet nodes = writing_ | others;
  for (const std::size_t node : nodes.elements())
    make_position(static_cast<Node>(node));
  // What follows from other pairs needs no clauses.
  for (const std::size_t from : nodes.elements()) {
    const BitSet after = skeleton_.must[from] & nodes;
    BitSet next = after;
    for (const std::size_t between : after.elements())
      next -= skeleton_.must[between];
    for (const std::size_t to : next.elements())
      arc(static_cast<Node>(from), static_cast<Node>(to), gates_.constant(true));
  }
}

/// Nobody before it but those that need not come after it.
void SlotOrder::make_position(Node node) {
  Position& position = positions_[node];
  position.is_there = true;
  for (const std::size_t before : certain_.elements())
    position.first += skeleton_.must[before].contains(node) ? 1 : 0;
  position.last =
      slots() - (skeleton_.must[node] & writing_).size() - (writing_.contains(node) ? 1 : 0);
  for (std::size_t s = position.first + 1; s <= position.last; ++s) {
    const Literal next = gates_.fresh();
    if (!position.at_least.empty())
      gates_.require_any(std::vector{~next, position.at_least.back()});
    position.at_least.push_back(next);
  }
}

Literal SlotOrder::at_least(Node node, std::size_t position) const {
  const Position& known = positions_[node];
  HEDDLE_CHECK(known.is_there, "a node with a position");
  if (position <= known.first)
    return gates_.constant(true);
  if (position > known.last)
    return gates_.constant(false);
  return known.at_least[position - known.first - 1];
}

void SlotOrder::arc(Node from, Node to, Literal when) {
  if (gates_.is_false(when))
    return;
  const Literal writes = positions_[from].writes;
  for (std::size_t s = first(from); s <= last(from); ++s) {
    if (!gates_.is_true(writes))
      gates_.require_any(std::vector{~when, ~at_least(from, s), at_least(to, s)});
    gates_.require_any(std::vector{~when, ~writes, ~at_least(from, s), at_least(to, s + 1)});
  }
}

Literal SlotOrder::at(Node node, std::size_t position) {
  return gates_.and_(at_least(node, position), ~at_least(node, position + 1));
}

Literal SlotOrder::is_not_after(Node a, Node b) {
  if (last(a) <= first(b))
    return gates_.constant(true);
  if (last(b) < first(a))
    return gates_.constant(false);
  const auto [entry, is_new] =
      compared_.try_emplace((std::uint64_t{a} << 32U) | b, gates_.constant(true));
  if (is_new) {
    const Literal result = gates_.fresh();
    entry->second = result;
    for (std::size_t s = 0; s <= slots(); ++s) {
      gates_.require_any(std::vector{~result, ~at_least(a, s), at_least(b, s)});
      gates_.require_any(std::vector{result, ~at_least(b, s), at_least(a, s + 1)});
    }
  }
  return entry->second;
}

void SlotOrder::finish() {
  Literal before = gates_.constant(true);
  for (std::size_t slot = 0; slot < slots(); ++slot) {
    std::map<std::uint32_t, std::vector<Literal>> by_chain;
    for (const Writer& writer : writers_)
      if (const Literal takes = gates_.and_(at(writer.node, slot), writer.writes);
          !gates_.is_false(takes))
        by_chain[skeleton_.nodes[writer.node].chain].push_back(takes);
    std::vector<Literal> moves;
    for (const auto& [chain, takers] : by_chain)
      moves.push_back(gates_.or_(takers));
    gates_.require_at_most_one(moves);
    const Literal is_taken = gates_.or_(moves);
    if (slot < certain_.size())
      gates_.require(is_taken);
    gates_.require_any(std::vector{~is_taken, before});
    before = is_taken;
  }
}

std::size_t SlotOrder::position(Node node, const logic::LiteralValues& model) const {
  std::size_t result = positions_[node].first;
  for (const Literal literal : positions_[node].at_least)
    result += model(literal) ? 1 : 0;
  return result;
}

std::vector<Node> SlotOrder::linearise(const logic::LiteralValues& model,
                                       const std::vector<bool>& happens) const {
  const std::optional<std::vector<Node>> sorted = sorted_by_all_arcs(skeleton_);
  HEDDLE_CHECK(sorted.has_value(), "arcs that can be sorted");
  struct Place {
    std::size_t position = 0;
    bool writes = false;
    std::size_t index = 0; // in `sorted`
    Node node = 0;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places(skeleton_.nodes.size());
  std::vector<std::vector<Node>> before(skeleton_.nodes.size());
  for (const Arc& arc : skeleton_.arcs)
    if (skeleton_.must[arc.from].contains(arc.to))
      before[arc.to].push_back(arc.from);
  for (std::size_t i = 0; i < sorted->size(); ++i) {
    const Node node = (*sorted)[i];
    Place& place = places[node];
    place.index = i;
    place.node = node;
    if (positions_[node].is_there) {
      place.position = position(node, model);
      place.writes = model(positions_[node].writes);
    } else { // as early as it can be
      for (const Node other : before[node])
        place.position =
            std::max(place.position, places[other].position + (places[other].writes ? 1 : 0));
    }
  }
  std::sort(places.begin(), places.end());
  std::vector<Node> result;
  for (const Place& place : places)
    if (happens[place.node])
      result.push_back(place.node);
  return result;
}

} // namespace heddle::encode
