// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/slices/sliced_events.h"

#include "encode/slices/slot_order.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;
using program::StaticEvent;

/// There is a literal for each slot and node, and a circuit for each slot and class of steps.
constexpr std::size_t kMostSlots = 128;
/// Fewer steps that compute are no matter for any encoding.
constexpr std::size_t kFewestSteps = 6;

/// Each kind of step is a circuit in every slot.
constexpr std::size_t kMostKinds = 8;

bool has_arithmetic(const logic::TermStore& terms, Term root) {
  std::set<Term> known{root};
  std::vector<Term> pending{root};
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    switch (terms.node(term).op) {
    case logic::Op::kAdd:
    case logic::Op::kSub:
    case logic::Op::kNegate:
    case logic::Op::kMul:
      return true;
    default:
      break;
    }
    for (const Term part : terms.arguments(term))
      if (known.insert(part).second)
        pending.push_back(part);
  }
  return false;
}

} // namespace

SlicedEvents make_sliced_events(const program::EventSet& set, const Skeleton& skeleton) {
  SlicedEvents sliced;
  std::map<std::pair<std::uint64_t, std::uint8_t>, PlaceIndex> known;
  sliced.place_of.assign(set.events.size(), 0);
  sliced.events.resize(skeleton.nodes.size());
  for (EventIndex e = 0; e < set.events.size(); ++e) {
    if (!set.is_memory(e))
      continue;
    const StaticEvent& event = set.events[e];
    HEDDLE_CHECK(set.terms.is_constant(event.address), "an address that is known");
    const auto [entry, is_new] =
        known.try_emplace({set.terms.node(event.address).value, event.size}, sliced.places.size());
    if (is_new)
      sliced.places.emplace_back();
    SlicePlace& place = sliced.places[entry->second];
    (event.kind == Kind::kRead ? place.reads : place.writes).push_back(e);
    sliced.place_of[e] = entry->second;
    sliced.events[skeleton.node_of[e]].push_back(e);
  }
  const auto threads_of = [&](const std::vector<EventIndex>& events) {
    std::set<std::uint32_t> threads;
    for (const EventIndex e : events)
      threads.insert(set.events[e].thread);
    return threads;
  };
  for (SlicePlace& place : sliced.places) {
    const std::set<std::uint32_t> readers = threads_of(place.reads);
    const std::set<std::uint32_t> writers = threads_of(place.writes);
    place.is_shared = !readers.empty() && !writers.empty() &&
                      (readers.size() > 1 || writers.size() > 1 || readers != writers);
  }
  for (Node node = 0; node < skeleton.nodes.size(); ++node)
    if (std::any_of(sliced.events[node].begin(), sliced.events[node].end(), [&](EventIndex e) {
          return set.events[e].kind == Kind::kWrite && sliced.is_shared(e);
        }))
      sliced.writers.push_back(node);
  return sliced;
}

std::optional<EventIndex> event_of(std::uint64_t variable) {
  if (variable < program::kFirstEventVariable || variable >= program::kFirstDefinedVariable)
    return std::nullopt;
  return static_cast<EventIndex>(variable - program::kFirstEventVariable);
}

std::set<EventIndex> reads_in(const program::EventSet& set, Term term) {
  std::set<EventIndex> result;
  for (const std::uint64_t number : set.terms.variables(term))
    if (const std::optional<EventIndex> event = event_of(number);
        event && set.events[*event].kind == Kind::kRead)
      result.insert(*event);
  return result;
}

std::optional<std::string> why_not_sliced(const program::EventSet& set, const Skeleton& skeleton) {
  bool delays = false;
  for (EventIndex e = 0; e < set.events.size(); ++e) {
    const StaticEvent& event = set.events[e];
    const Node node = skeleton.node_of[e];
    if (event.kind == Kind::kFree)
      return "memory is freed";
    if (set.is_memory(e) && !set.terms.is_constant(event.address))
      return "an address is computed";
    if (event.kind == Kind::kRead && event.marks.is_valid())
      return "memory that nobody has written may be copied";
    delays = delays || (node != kNoNode && skeleton.nodes[node].is_delayed_write);
  }
  if (!sorted_by_all_arcs(skeleton))
    return "threads may wait for each other";
  const SlicedEvents sliced = make_sliced_events(set, skeleton);
  if (sliced.writers.size() > kMostSlots)
    return "there are too many writes";
  // A step that reads and writes finds memory, and none of its thread's pending writes.
  for (const Node node : sliced.writers)
    for (const EventIndex e : sliced.events[node])
      if (const StaticEvent& event = set.events[e];
          delays && event.kind == Kind::kRead && !event.drains && event.section == 0)
        return "an atomic update does not wait for earlier writes";
  return std::nullopt;
}

bool is_made_for_slices(program::EventSet& set, const Skeleton& skeleton) {
  if (why_not_sliced(set, skeleton))
    return false;
  const SlicedEvents sliced = make_sliced_events(set, skeleton);
  // What a thread finds among its own pending writes and those of others is not shared.
  const auto is_forwarded = [&](EventIndex read) {
    const std::vector<EventIndex>& writes = sliced.places[sliced.place_of[read]].writes;
    const auto own = std::count_if(writes.begin(), writes.end(), [&](EventIndex write) {
      return set.events[write].thread == set.events[read].thread;
    });
    return own != 0 && static_cast<std::size_t>(own) != writes.size();
  };
  const auto computes = [&](EventIndex e) {
    const Term value = set.events[e].value;
    if (set.events[e].kind != Kind::kWrite || !sliced.is_shared(e) ||
        !reads_in(set, set.events[e].guard).empty() || !has_arithmetic(set.terms, value))
      return false;
    const std::set<EventIndex> reads = reads_in(set, value);
    return std::any_of(reads.begin(), reads.end(), [&](EventIndex read) {
      return sliced.is_shared(read) &&
             (!skeleton.nodes[skeleton.node_of[e]].is_delayed_write || !is_forwarded(read));
    });
  };
  // Steps that write what they compute from shared memory, whatever they find there. Where what is
  // found decides on the way of a thread (locks, flags), other encodings are better.
  std::size_t computing = 0;
  std::set<Term> kinds; // what they compute, with the places instead of what was read there
  const auto place_for = [&](std::uint64_t number, logic::Sort sort) {
    const std::optional<EventIndex> event = event_of(number);
    return event && set.events[*event].kind == Kind::kRead
               ? set.terms.variable(kFirstPlaceVariable + sliced.place_of[*event], sort)
               : Term{};
  };
  for (const Node node : sliced.writers) {
    bool is_computing = false;
    for (const EventIndex e : sliced.events[node])
      if (computes(e)) {
        is_computing = true;
        kinds.insert(set.terms.substitute(set.events[e].value, place_for));
      }
    computing += is_computing ? 1 : 0;
  }
  return computing >= kFewestSteps && 2 * computing >= sliced.writers.size() &&
         kinds.size() <= kMostKinds;
}

} // namespace heddle::encode
