// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/execution_skeleton.h"

#include "engine/enumerate/thread_evaluator.h"
#include "memory/execution_values.h"

#include <algorithm>
#include <map>

namespace heddle::engine::enumerate {

namespace {

using execution::Event;
using program::EventIndex;
using program::EventSet;
using program::StaticEvent;

/// Does the condition hold in the runs of that shape?
bool holds(const EventSet& set,
           const std::vector<logic::Term>& conditions,
           const Shape& shape,
           logic::Term condition) {
  if (set.terms.is_constant(condition))
    return set.terms.node(condition).value != 0;
  const auto at = std::find(conditions.begin(), conditions.end(), condition);
  return at != conditions.end() && shape.edges[static_cast<std::size_t>(at - conditions.begin())];
}

/// Does what is read flow into the write, or does it only decide on the way there?
bool takes_part(const execution::Execution& execution, std::size_t read, std::size_t write) {
  const auto has = [&](const relation::BitMatrix& relation) {
    return relation.bound() != 0 && relation.contains(read, write);
  };
  // The halves of an update have no dependency between them.
  return has(execution.data) || has(execution.addr) || has(execution.rmw) ||
         execution.events[read].instruction == execution.events[write].instruction;
}

bool is_of_register(const StaticEvent& event) {
  return event.kind == StaticEvent::Kind::kRegisterRead ||
         event.kind == StaticEvent::Kind::kRegisterWrite;
}

} // namespace

Skeleton make_skeleton(const EventSet& set,
                       const Traces& traces,
                       const Conditions& conditions,
                       const std::vector<std::size_t>& shapes) {
  const std::string& vocabulary = set.program->vocabulary;
  Skeleton skeleton;
  execution::Execution& execution = skeleton.execution;
  std::map<std::uint64_t, std::uint8_t> pieces;
  for (std::size_t t = 0; t < shapes.size(); ++t)
    for (const TraceEvent& one : traces.threads[t].shapes[shapes[t]].events)
      if (set.is_memory(one.event))
        pieces[one.address] = set.events[one.event].size;
  std::size_t events = pieces.size();
  for (std::size_t t = 0; t < shapes.size(); ++t)
    events += traces.threads[t].shapes[shapes[t]].events.size();
  execution.events.reserve(events);
  skeleton.places.reserve(pieces.size());
  std::map<std::uint64_t, std::size_t> place_of;
  for (const auto& [address, size] : pieces) {
    Event event;
    event.kind = Event::Kind::kInitialWrite;
    event.address = address;
    event.size = size;
    event.value = program::initial_bytes(set, address, size).value_or(0);
    place_of[address] = skeleton.places.size();
    skeleton.places.push_back({address, size, execution.events.size(), {}});
    execution.events.push_back(std::move(event));
  }
  // Where each static event of the program is, if it happens.
  std::vector<std::size_t> index(set.events.size(), SIZE_MAX);
  for (std::size_t t = 0; t < shapes.size(); ++t) {
    skeleton.first_event.push_back(execution.events.size());
    const Shape& shape = traces.threads[t].shapes[shapes[t]];
    for (const TraceEvent& one : shape.events) {
      const StaticEvent& from = set.events[one.event];
      const bool has_succeeded =
          !from.success.is_valid() || holds(set, conditions[t], shape, from.success);
      Event event = memory::event_of(vocabulary, from, has_succeeded);
      event.address = one.address;
      index[one.event] = execution.events.size();
      if (event.kind == Event::Kind::kRead)
        skeleton.reads.push_back(
            {execution.events.size(), place_of.at(one.address), from.is_probe});
      if (event.kind == Event::Kind::kWrite)
        skeleton.places[place_of.at(one.address)].writes.push_back(execution.events.size());
      execution.events.push_back(std::move(event));
    }
  }
  const std::size_t count = execution.events.size();
  skeleton.computed_from.resize(count);
  execution.po = relation::BitMatrix(count);
  execution.rmw = relation::BitMatrix(count);
  for (std::size_t t = 0; t < shapes.size(); ++t) {
    const std::size_t first = skeleton.first_event[t];
    const std::size_t last = t + 1 < shapes.size() ? skeleton.first_event[t + 1] : count;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = i + 1; j < last; ++j)
        if (memory::are_in_program_order(vocabulary, execution.events[i], execution.events[j]))
          execution.po.insert(i, j);
  }
  const auto copy = [&](const std::vector<program::StaticEdge>& edges, relation::BitMatrix& to) {
    if (!edges.empty() && to.bound() != count)
      to = relation::BitMatrix(count);
    for (const program::StaticEdge& edge : edges) {
      const std::size_t from = index[edge.from];
      const std::size_t target = index[edge.to];
      if (from == SIZE_MAX || target == SIZE_MAX)
        continue;
      const std::uint32_t thread = set.events[edge.to].thread;
      if (holds(set, conditions[thread], traces.threads[thread].shapes[shapes[thread]], edge.guard))
        to.insert(from, target);
    }
  };
  copy(set.addr, execution.addr);
  copy(set.data, execution.data);
  copy(set.ctrl, execution.ctrl);
  copy(set.intra_data, execution.intra_data);
  copy(set.intra_control, execution.intra_control);
  copy(set.amo, execution.rmw);
  copy(set.exclusive, execution.rmw);
  const bool has_updates = !set.amo.empty() || !set.exclusive.empty();
  if (has_updates)
    for (const auto& [read, write] : execution.rmw.pairs())
      for (const std::size_t half : {read, write})
        for (const char* tag : memory::update_tags(vocabulary))
          memory::add_tag(execution.events[half], tag);
  // A model that computes dependencies from registers is not asked: there, all that a term speaks
  // of takes part.
  const bool has_registers = std::any_of(set.events.begin(), set.events.end(), is_of_register);
  for (EventIndex i = 0; i < set.events.size(); ++i)
    if (index[i] != SIZE_MAX)
      for (const EventIndex source : traces.sources[i])
        if (index[source] != SIZE_MAX &&
            (has_registers || takes_part(execution, index[source], index[i])))
          skeleton.computed_from[index[i]].push_back(index[source]);
  return skeleton;
}

} // namespace heddle::engine::enumerate
