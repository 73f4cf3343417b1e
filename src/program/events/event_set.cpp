// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_set.h"

#include "program/events/event_builder.h"
#include "program/events/event_pieces.h"
#include "program/events/event_prefix.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// How often the events are written down before what is found out on the way is given up.
constexpr int kMostThreadPasses = 8;

/// Can a thread be created after another has been joined?
bool creates_after_join(const Procedure& procedure) {
  const auto is = [](const Edge& edge, SyncOp op) {
    const auto* sync = std::get_if<Synchronize>(&edge.action);
    return sync != nullptr && sync->op == op;
  };
  std::vector<LocationId> pending;
  for (const Edge& edge : procedure.edges)
    if (is(edge, SyncOp::kJoin))
      pending.push_back(edge.to);
  IdVector<LocationId, bool> seen(procedure.locations.size(), false);
  while (!pending.empty()) {
    const LocationId location = pending.back();
    pending.pop_back();
    if (seen[location])
      continue;
    seen[location] = true;
    for (const std::uint32_t index : procedure.locations[location].out) {
      if (is(procedure.edges[index], SyncOp::kCreate))
        return true;
      pending.push_back(procedure.edges[index].to);
    }
  }
  return false;
}

/// Is there a join whose value is not the same in every run?
bool joins_take_results(const Program& program) {
  const auto takes_result = [](const Edge& edge) {
    const auto* sync = std::get_if<Synchronize>(&edge.action);
    return sync != nullptr && sync->op == SyncOp::kJoin && sync->dest;
  };
  return std::any_of(program.procedures.begin(),
                     program.procedures.end(),
                     [&](const Procedure& procedure) {
                       return std::any_of(
                           procedure.edges.begin(), procedure.edges.end(), takes_result);
                     }) &&
         std::any_of(
             program.templates.begin() + 1,
             program.templates.end(),
             [&](const ThreadTemplate& one) { return !constant_result(program, one.entry); });
}

bool allocates(const Program& program) {
  return std::any_of(program.objects.begin(), program.objects.end(), [](const Object& object) {
    return object.kind == Object::Kind::kHeapSite;
  });
}

/// Create and join order something only if the initial thread does something else that others see,
/// may stop on its way (then what it would have created is not there) or fail after a join, if it
/// creates threads after it has joined others, or if other threads create or join.
bool needs_announcements(const Program& program) {
  if (joins_take_results(program))
    return true;
  const ProcedureId main = program.templates.front().entry;
  if (creates_after_join(program.procedures[main]))
    return true;
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges) {
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      const bool is_main = ProcedureId{i} == main;
      const auto* assume = std::get_if<Assume>(&edge.action);
      if (is_main &&
          ((assume != nullptr && !assume->is_branch) ||
           std::holds_alternative<Check>(edge.action) || std::holds_alternative<Trap>(edge.action)))
        return true;
      if (is_main && sync == nullptr && is_visible(edge.action) &&
          !std::holds_alternative<Exit>(edge.action) &&
          !std::holds_alternative<Fence>(edge.action) &&
          !std::holds_alternative<ThreadExit>(edge.action))
        return true;
      if (sync != nullptr && sync->op != SyncOp::kSelf && is_main != is_thread_operation(sync->op))
        if (is_main || is_thread_operation(sync->op))
          return true;
    }
  return false;
}

} // namespace

Term rmw_result(logic::TermStore& terms, RmwOp op, Term old_value, Term operand) {
  using logic::Op;
  const auto pick = [&](Op less) {
    return terms.ite(terms.binary(less, old_value, operand), old_value, operand);
  };
  switch (op) {
  case RmwOp::kExchange:
    return operand;
  case RmwOp::kAdd:
    return terms.binary(Op::kAdd, old_value, operand);
  case RmwOp::kSub:
    return terms.binary(Op::kSub, old_value, operand);
  case RmwOp::kAnd:
    return terms.binary(Op::kBitAnd, old_value, operand);
  case RmwOp::kNand:
    return terms.bit_not(terms.binary(Op::kBitAnd, old_value, operand));
  case RmwOp::kOr:
    return terms.binary(Op::kBitOr, old_value, operand);
  case RmwOp::kXor:
    return terms.binary(Op::kBitXor, old_value, operand);
  case RmwOp::kMax:
    return terms.ite(terms.binary(Op::kSLt, old_value, operand), operand, old_value);
  case RmwOp::kMin:
    return pick(Op::kSLt);
  case RmwOp::kUMax:
    return terms.ite(terms.binary(Op::kULt, old_value, operand), operand, old_value);
  case RmwOp::kUMin:
    return pick(Op::kULt);
  }
  HEDDLE_CHECK(false, "an update that is none");
  return {};
}

std::uint64_t hidden_address(const Program& program, std::uint32_t number) {
  // The last unit of the heap of the last thread, which is the last one of 32-bit addresses: a
  // thread with that many blocks has no finite set of events.
  const std::uint64_t end =
      AddressSpace::kFirstHeapUnit + kMaxThreads * AddressSpace::kHeapUnitsPerThread;
  return program.space().base_of(end - 1) + 8ULL * number;
}

std::optional<std::uint64_t>
initial_bytes(const EventSet& set, std::uint64_t address, std::uint8_t size) {
  const AddressSpace space = set.program->space();
  if (address >= hidden_address(*set.program, 0))
    return 0;
  for (const EventSet::Block& block : set.blocks)
    if (address >= block.address && address + size <= block.address + block.size)
      return block.is_zeroed ? std::optional<std::uint64_t>(0) : std::nullopt;
  for (const Object& object : set.program->objects) {
    if (object.kind != Object::Kind::kGlobal && object.kind != Object::Kind::kThreadLocal)
      continue;
    const std::uint64_t stride = space.units_for(object.size) * space.unit_size();
    const std::uint64_t base = space.base_of(object.unit);
    const std::uint64_t instances =
        object.kind == Object::Kind::kGlobal ? 1 : std::uint64_t{kMaxThreads};
    if (address < base || address >= base + instances * stride)
      continue;
    const std::uint64_t offset = (address - base) % stride;
    if (offset + size > object.size)
      return std::nullopt;
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < size; ++i)
      if (offset + i < object.initial.size())
        bytes |= std::uint64_t{object.initial[offset + i]} << (8 * i);
    return bytes;
  }
  return std::nullopt;
}

bool EventSet::may_be_missing(std::uint32_t thread) const {
  for (; threads[thread].created_at; thread = threads[thread].creator) {
    const Term guard = events[*threads[thread].created_at].guard;
    if (!terms.is_constant(guard) || terms.node(guard).value == 0)
      return true;
  }
  return false;
}

namespace {

/// What is found out by writing the events down, and then has to be known from the beginning.
struct ThreadPlan {
  bool announces = true; // create and join need events of their own
  std::vector<ProcedureId> threads = {};
};

/// Nothing: with the plan as it is now, again.
Result<std::optional<EndedEvents>> make_thread_events(const Program& program,
                                                      const EventSetOptions& options,
                                                      const std::vector<EndedPlace>& ended_places,
                                                      ThreadPlan& plan) {
  EventSet set;
  set.program = &program;
  set.terms = program.terms;
  const AccessPieces pieces(program, {}, LockWords::kWhole);
  EventContext context{program,
                       options,
                       pieces,
                       set,
                       {},
                       1,
                       plan.threads,
                       false,
                       plan.announces,
                       false,
                       joins_take_results(program),
                       {},
                       DestroyedLocks(program),
                       pieces.has_only_normal_mutexes(),
                       ended_places};
  EventContext::Created main;
  main.entry = program.templates.front().entry;
  main.guard = set.terms.boolean(true);
  context.created.push_back(std::move(main));
  for (std::size_t i = 0; i < context.created.size(); ++i) {
    if (const std::optional<std::string> bound = broken_bound(program, pieces, i + 1))
      return Error{ErrorKind::kUnsupported, "PRG-011", *bound};
    const EventContext::Created thread = context.created[i];
    set.threads.resize(std::max<std::size_t>(set.threads.size(), thread.thread + 1U));
    StaticThread& made = set.threads[thread.thread];
    made.name = program.procedures[thread.entry].name;
    made.entry = thread.entry;
    made.creator = thread.creator;
    made.created_at = thread.announced_at;
    if (Status status = EventBuilder(context, thread).build(); !status)
      return status.error();
    if (context.needs_announcements && !plan.announces) {
      plan.announces = true;
      return std::optional<EndedEvents>();
    }
  }
  std::vector<ProcedureId> threads;
  for (const EventContext::Created& created : context.created)
    threads.push_back(created.entry);
  if (context.asked_for_threads && threads != plan.threads) {
    plan.threads = std::move(threads);
    return std::optional<EndedEvents>();
  }
  return std::optional(EndedEvents{std::move(set), std::move(context.stores_of_frees)});
}

} // namespace

Result<EventSet> make_events(const Program& program, const EventSetOptions& options) {
  if (options.for_solver)
    return make_prefix_events(program, options);
  Result<EndedEvents> events = make_ended_events(program, options, {});
  if (!events)
    return events.error();
  return std::move(events->set);
}

Result<EndedEvents> make_ended_events(const Program& program,
                                      const EventSetOptions& options,
                                      const std::vector<EndedPlace>& places) {
  // Whether main has joined a thread that frees memory matters at the end.
  ThreadPlan plan{options.keeps_waits || (options.keeps_frees && allocates(program)) ||
                  needs_announcements(program)};
  // A join of an unknown thread may give what a thread returns that is found later, and decide what
  // that one does.
  for (int pass = 0; pass < kMostThreadPasses; ++pass) {
    Result<std::optional<EndedEvents>> events = make_thread_events(program, options, places, plan);
    if (!events)
      return events.error();
    if (*events)
      return std::move(**events);
  }
  return Error{
      ErrorKind::kUnsupported, "PRG-012", "the threads of the program could not be counted"};
}

} // namespace heddle::program
