// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A store-buffer graph as a procedure for SC. A choice between flushes and the thread's own step is
// a nondeterministic value and a branch. It is offered only where it can make a difference
// (store_buffer_graph_quiet.h).
#include "program/model/control_flow.h"
#include "support/check.h"
#include "transform/buffers/store_buffer_graph_emission.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

namespace heddle::transform {

using logic::Op;
using namespace program; // NOLINT: most of the family of actions is spelled out below

Emission::Emission(Program& program,
                   ProcedureId source,
                   const StoreBufferGraph& graph,
                   const StoreBufferOptions& options,
                   const ObjectBits* written_by_others)
    : program_(program), terms_(program.terms), source_(program.procedures[source]), graph_(graph),
      options_(options), quiet_(program, source_, graph.stores, options, written_by_others) {}

ReducedProcedure Emission::run() {
  Procedure& made = result_.procedure;
  made.name = source_.name;
  made.parameters = source_.parameters;
  made.result_width = source_.result_width;
  made.locals = source_.locals;
  made.loc = source_.loc;
  for (const GraphNode& node : graph_.nodes)
    places_.push_back(new_location(node.location.is_valid() ? source_.locations[node.location].loc
                                                            : SourceLoc{}));
  made.entry = places_.front();
  for (std::size_t at = 0; at < graph_.nodes.size(); ++at)
    emit_node(GraphNodeId{at});
  mark_loop_heads(made);
  return std::move(result_);
}

LocationId Emission::new_location(SourceLoc loc) {
  Location location;
  location.loc = loc;
  return result_.procedure.locations.push_back(std::move(location));
}
void Emission::edge(LocationId from, LocationId to, Action action, SourceLoc loc, Origin origin) {
  add_edge(result_.procedure, {from, to, std::move(action), loc});
  result_.origins.push_back(origin);
}
std::pair<LocationId, LocationId> Emission::branch(LocationId from, Term condition, SourceLoc loc) {
  const LocationId yes = new_location(loc);
  const LocationId no = new_location(loc);
  edge(from, yes, Assume{condition, true}, loc);
  edge(from, no, Assume{terms_.not_(condition), true}, loc);
  return {yes, no};
}
LocalId Emission::scratch(unsigned width) {
  const auto [entry, is_new] = scratch_.try_emplace(width);
  if (is_new)
    entry->second = result_.procedure.locals.push_back({"", static_cast<std::uint8_t>(width), {}});
  return entry->second;
}
Term Emission::value_of(LocalId local) {
  return terms_.variable(local.value, logic::Sort{result_.procedure.locals[local].width});
}
const Store& Emission::store_of(const SymbolicEntry& entry) const {
  return std::get<Store>(source_.edges[entry.store].action);
}
const EntryOperands& Emission::operands_of(const SymbolicEntry& entry) const {
  return graph_.operands[entry.store][entry.instance];
}
ByteRange Emission::range_of(const SymbolicEntry& entry) const {
  return {operands_of(entry).address, store_of(entry).access.size, store_of(entry).access.may};
}
LocalId Emission::second_byte() {
  if (!second_byte_.is_valid())
    second_byte_ = result_.procedure.locals.push_back({"", 8, {}});
  return second_byte_;
}
LocationId Emission::end() {
  if (!end_.is_valid())
    end_ = new_location({});
  return end_;
}

void Emission::emit_node(GraphNodeId at) {
  const GraphNode& node = graph_.nodes[at];
  std::vector<const GraphEdge*> flushes;
  std::vector<const GraphEdge*> steps;
  for (const std::uint32_t index : node.out) {
    const GraphEdge& edge = graph_.edges[index];
    (edge.kind == GraphEdge::Kind::kFlush ? flushes : steps).push_back(&edge);
  }
  LocationId here = places_[at.index()];
  if (flushes.empty()) {
    emit_steps(node, here, steps);
    return;
  }
  bool is_outside = false;
  if (!steps.empty() && !quiet_.is_head(node.location)) {
    if (std::ranges::all_of(steps, [&](const GraphEdge* step) {
          return step->kind != GraphEdge::Kind::kCut && quiet_.is_quiet(step->origin);
        })) {
      emit_steps(node, here, steps);
      return;
    }
    const GraphEdge& first = *steps.front();
    const SourceLoc loc = source_.edges[first.origin].loc;
    const LocationId to = places_[first.to.index()];
    if (const std::optional<Term> condition = quiet_.quiet_if(first.origin)) {
      const auto [holds, fails] = branch(here, *condition, loc);
      if (first.kind == GraphEdge::Kind::kStore)
        emit_buffering(node, holds, first.origin, to);
      else if (const auto* load = std::get_if<Load>(&source_.edges[first.origin].action))
        emit_load(node, holds, first.origin, *load, to);
      else
        edge(holds, to, Skip{}, loc, step_of(first.origin));
      here = fails;
      is_outside = first.kind == GraphEdge::Kind::kStore;
    }
  }
  choose(node, here, flushes, steps, is_outside);
}

void Emission::choose(const GraphNode& node,
                      LocationId here,
                      const std::vector<const GraphEdge*>& flushes,
                      const std::vector<const GraphEdge*>& steps,
                      bool is_outside) {
  const std::size_t ways = flushes.size() + (steps.empty() ? 0 : 1);
  if (ways == 1) {
    emit_flush(node, here, flushes, 0);
    return;
  }
  const SourceLoc loc = source_.locations[node.location].loc;
  const auto width = static_cast<unsigned>(std::bit_width(ways - 1));
  const LocalId chosen = scratch(width);
  const LocationId fork = new_location(loc);
  edge(here, fork, Nondet{chosen, "which pending store reaches memory, or none"}, loc);
  for (std::size_t way = 0; way < ways; ++way) {
    const Term number = terms_.constant(way, width);
    const Term condition = way + 1 == ways ? terms_.binary(Op::kULe, number, value_of(chosen))
                                           : terms_.equal(value_of(chosen), number);
    const LocationId to = new_location(loc);
    edge(fork, to, Assume{condition, true}, loc);
    if (way < flushes.size())
      emit_flush(node, to, flushes, way);
    else
      emit_steps(node, to, steps, is_outside);
  }
}

/// Where the run finds the entry behind an older one it shares a byte with, the oldest of all is
/// flushed instead, which is a way of its own anyhow.
void Emission::emit_flush(const GraphNode& node,
                          LocationId here,
                          const std::vector<const GraphEdge*>& flushes,
                          std::size_t way) {
  const GraphEdge& flush = *flushes[way];
  const SymbolicEntry& entry = node.buffer.entries[flush.entry];
  if (flush.is_guarded) {
    Term is_behind = terms_.boolean(false);
    for (std::uint32_t older = 0; older < flush.entry; ++older)
      if (const ByteRange range = range_of(node.buffer.entries[older]);
          overlap(program_, range_of(entry), range).kind == Overlap::Kind::kUnknown)
        is_behind = terms_.or_(is_behind, shares_byte(program_, range_of(entry), range));
    const auto [yes, no] = branch(here, is_behind, source_.edges[entry.store].loc);
    HEDDLE_CHECK(flushes.front()->entry == 0 && !flushes.front()->is_guarded,
                 "the oldest entry can always be flushed");
    emit_flush(node, yes, flushes, 0);
    here = no;
  }
  const EntryOperands& operands = operands_of(entry);
  Store store{operands.address, operands.value, store_of(entry).access};
  store.access.drains = false;
  edge(here,
       places_[flush.to.index()],
       std::move(store),
       source_.edges[entry.store].loc,
       {Origin::Kind::kFlush, entry.store, entry.instance});
}

void Emission::emit_steps(const GraphNode& node,
                          LocationId here,
                          const std::vector<const GraphEdge*>& steps,
                          bool is_outside) {
  if (steps.empty())
    return;
  const GraphEdge& first = *steps.front();
  const Edge& origin = source_.edges[first.origin];
  if (const auto* load = std::get_if<Load>(&origin.action);
      load != nullptr && load->access.is_visible) {
    emit_load(node, here, first.origin, *load, places_[first.to.index()]);
    return;
  }
  for (const GraphEdge* step : steps) {
    const Edge& from = source_.edges[step->origin];
    const LocationId to = places_[step->to.index()];
    if (step->kind == GraphEdge::Kind::kCut)
      edge(here,
           to,
           Cut{fmt::format("at most {} pending {} per thread",
                           options_.pending,
                           options_.pending == 1 ? "store" : "stores")},
           from.loc,
           step_of(step->origin));
    else if (step->kind == GraphEdge::Kind::kStore)
      emit_store(node, here, step->origin, to, is_outside);
    else if (std::holds_alternative<Fence>(from.action))
      edge(here, to, Skip{}, from.loc, step_of(step->origin));
    else
      edge(here, to, from.action, from.loc, step_of(step->origin));
  }
}

ReducedProcedure program_of(Program& program,
                            ProcedureId source,
                            const StoreBufferGraph& graph,
                            const StoreBufferOptions& options,
                            const ObjectBits* written_by_others) {
  return Emission(program, source, graph, options, written_by_others).run();
}

} // namespace heddle::transform
