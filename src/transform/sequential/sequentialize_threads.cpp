// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of the threads of a program before they are put into one: how many there can be,
// and where each can stop.
#include "program/model/sync_kinds.h"
#include "transform/sequential/foreign_writes.h"
#include "transform/sequential/sequentialize.h"
#include "transform/sequential/shared_cells.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::transform {

namespace {

using program::LocationId;
using program::Procedure;
using program::ProcedureId;
using program::Synchronize;
using program::SyncOp;

/// More are not put into one program.
constexpr std::size_t kMostThreads = 1024;

/// What there is room for once per index of a thread (address_space.h), or once per bit of a word.
std::size_t most_threads(const program::Program& program) {
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (program.objects[program::ObjectId{i}].kind == program::Object::Kind::kThreadLocal)
      return program::kMaxThreads;
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const program::Edge& edge : program.procedures[ProcedureId{i}].edges)
      if (const auto* lock = std::get_if<Synchronize>(&edge.action);
          lock != nullptr && facts_of(lock->op).role == ir::SyncRole::kTakeShared)
        return program::kMaxThreads;
  return kMostThreads;
}

/// Can others tell whether the thread has done it, or may it end the whole run while they could
/// still go on?
bool is_stop(const program::Action& action) {
  if (const auto* assume = std::get_if<program::Assume>(&action))
    return !assume->is_branch;
  return program::is_visible(action) || std::holds_alternative<program::Return>(action) ||
         std::holds_alternative<program::Cut>(action) ||
         std::holds_alternative<program::Trap>(action);
}

bool has_stop_inside(const program::Action& action) {
  const auto* sync = std::get_if<Synchronize>(&action);
  return sync != nullptr && has_two_steps(sync->op);
}

} // namespace

std::optional<std::vector<LocationId>> topological_order(const Procedure& procedure) {
  std::vector<std::size_t> incoming(procedure.locations.size(), 0);
  std::vector<bool> is_reached(procedure.locations.size(), false);
  std::vector<LocationId> pending{procedure.entry};
  is_reached[procedure.entry.index()] = true;
  while (!pending.empty()) {
    const LocationId at = pending.back();
    pending.pop_back();
    for (const std::uint32_t index : procedure.locations[at].out) {
      const LocationId to = procedure.edges[index].to;
      ++incoming[to.index()];
      if (!is_reached[to.index()]) {
        is_reached[to.index()] = true;
        pending.push_back(to);
      }
    }
  }
  std::vector<LocationId> order;
  if (incoming[procedure.entry.index()] == 0)
    order.push_back(procedure.entry);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const std::uint32_t index : procedure.locations[order[next]].out)
      if (const LocationId to = procedure.edges[index].to; --incoming[to.index()] == 0)
        order.push_back(to);
  const auto reached =
      static_cast<std::size_t>(std::count(is_reached.begin(), is_reached.end(), true));
  if (order.size() != reached)
    return std::nullopt;
  return order;
}

Result<std::vector<SequentialThread>> find_threads(const program::Program& program) {
  const std::size_t most = most_threads(program);
  std::vector<SequentialThread> threads{{program.templates.front().entry}};
  for (std::uint32_t next = 0; next < threads.size(); ++next) {
    const Procedure& procedure = program.procedures[threads[next].procedure];
    for (std::uint32_t e = 0; e < procedure.edges.size(); ++e) {
      const program::Edge& edge = procedure.edges[e];
      const auto* create = std::get_if<Synchronize>(&edge.action);
      if (create == nullptr || create->op != SyncOp::kCreate)
        continue;
      if (create->targets.empty())
        return refuse("SEQ-001",
                      fmt::format("{}: which function the thread runs is not known",
                                  program.place(edge.loc)));
      for (const ProcedureId target : create->targets)
        threads.push_back({target, next, e});
      if (threads.size() > most)
        return refuse(
            "SEQ-002",
            fmt::format("{}: the program can create more than {} threads within the bounds{}",
                        program.place(edge.loc),
                        most - 1,
                        most == kMostThreads
                            ? ""
                            : ", and has thread-local variables or locks for reading"));
    }
  }
  return threads;
}

Error lift_lacks_room() {
  return Error{ErrorKind::kUnsupported,
               std::string(kLiftLacksRoom),
               fmt::format("more than {} threads at a time", program::kMaxThreads)};
}

Result<std::vector<std::optional<unsigned>>> find_sections(const program::Program& program,
                                                           ProcedureId id) {
  const Procedure& procedure = program.procedures[id];
  const auto order = topological_order(procedure);
  if (!order)
    return refuse("SEQ-003",
                  fmt::format("'{}' has a loop that is not cut (--unwind)", procedure.name));
  std::vector<std::optional<unsigned>> depths(procedure.locations.size());
  depths[procedure.entry.index()] = 0;
  for (const LocationId at : *order) {
    const unsigned depth = *depths[at.index()];
    for (const std::uint32_t index : procedure.locations[at].out) {
      const program::Edge& edge = procedure.edges[index];
      if (std::holds_alternative<program::Call>(edge.action))
        return refuse("SEQ-007",
                      fmt::format("{}: a call that cannot be inlined", program.place(edge.loc)));
      if (std::holds_alternative<program::LoadExclusive>(edge.action) ||
          std::holds_alternative<program::StoreExclusive>(edge.action))
        return refuse("SEQ-008",
                      fmt::format("{}: an exclusive load or store", program.place(edge.loc)));
      if (depth == 0 && std::holds_alternative<program::AtomicEnd>(edge.action))
        return refuse("SEQ-009",
                      fmt::format("{}: the end of an atomic section that is not open",
                                  program.place(edge.loc)));
      if (depth != 0 && has_stop_inside(edge.action))
        return refuse("SEQ-004",
                      fmt::format("{}: a wait inside an atomic section", program.place(edge.loc)));
      unsigned after = depth;
      if (std::holds_alternative<program::AtomicBegin>(edge.action))
        ++after;
      else if (std::holds_alternative<program::AtomicEnd>(edge.action))
        --after;
      std::optional<unsigned>& there = depths[edge.to.index()];
      const bool is_end = procedure.locations[edge.to].out.empty();
      if (there && *there != after && !is_end)
        return refuse("SEQ-005",
                      fmt::format("{}: an atomic section is open on some ways here and not on "
                                  "others",
                                  program.place(edge.loc)));
      there = after;
    }
  }
  return depths;
}

Result<std::vector<SliceLabel>> find_labels(const program::Program& program,
                                            const std::vector<SequentialThread>& threads,
                                            std::uint32_t thread,
                                            const ForeignWrites& foreign) {
  const ProcedureId id = threads[thread].procedure;
  const Result<std::vector<std::optional<unsigned>>> depths = find_sections(program, id);
  if (!depths)
    return depths.error();
  const Procedure& procedure = program.procedures[id];
  std::vector<SliceLabel> labels{{procedure.entry}};
  const auto order = topological_order(procedure);
  for (const LocationId at : *order) {
    const std::vector<std::uint32_t>& out = procedure.locations[at].out;
    if (out.empty() || *(*depths)[at.index()] != 0)
      continue;
    const program::Action& action = procedure.edges[out.front()].action;
    if (is_stop(action) && !foreign.is_unaffected(thread, action) && at != procedure.entry)
      labels.push_back({at});
    if (has_stop_inside(action))
      labels.push_back({at, true});
  }
  return labels;
}

std::optional<OutlivedLocal> find_outlived_local(const program::Program& program,
                                                 const std::vector<SequentialThread>& threads) {
  using Dangling = program::Object::Dangling;
  for (const SequentialThread& thread : threads)
    for (const program::Edge& edge : program.procedures[thread.procedure].edges)
      if (const auto* slot = std::get_if<program::Allocate>(&edge.action);
          slot != nullptr && slot->where == ir::Allocate::Where::kFrame &&
          program.objects[slot->site].dangling != Dangling::kNever)
        return OutlivedLocal{slot->site, thread.procedure};
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const program::Object& object = program.objects[program::ObjectId{i}];
    if (object.kind == program::Object::Kind::kThreadLocal &&
        object.dangling == Dangling::kAnyThread && threads.size() > 1)
      return OutlivedLocal{program::ObjectId{i}, {}};
  }
  return std::nullopt;
}

Approximations assumed_of_locals(const program::Program& program,
                                 const std::vector<SequentialThread>& threads) {
  const std::optional<OutlivedLocal> local = find_outlived_local(program, threads);
  if (!local)
    return {};
  return {{Approximation::Kind::kAssumed,
           fmt::format("locals such as '{}' ({}) are not used after their function has ended",
                       program.objects[local->object].name,
                       program.place(program.objects[local->object].loc)),
           {}}};
}

Result<AbstractionSizes> measure_for_abstraction(const program::Program& program) {
  const Result<std::vector<SequentialThread>> threads = find_threads(program);
  if (!threads)
    return threads.error();
  for (const SequentialThread& thread : *threads) // what is refused anyway is refused first
    if (const auto sections = find_sections(program, thread.procedure); !sections)
      return sections.error();
  const Result<SharedCells> cells = SharedCells::find(program, *threads);
  if (!cells)
    return cells.error();
  return AbstractionSizes{static_cast<std::uint32_t>(threads->size()),
                          std::max<std::uint32_t>(1, cells->count()),
                          cells->next_unit()};
}

} // namespace heddle::transform
