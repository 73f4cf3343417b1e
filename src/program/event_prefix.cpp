// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of all threads for a solver. Creators come before those they create. Some of what is
// needed is only known at the end: all blocks, all threads, the private objects that cannot be
// followed. Then everything is written down again.
#include "program/event_prefix.h"

#include "program/sync_layout.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// Passes in which the plan may grow; more than a few are not expected.
constexpr unsigned kMostPasses = 10;

/// May different threads join one thread? That it happens twice is not looked for across threads.
bool is_joined_by_several(const EventSet& set) {
  std::map<std::uint32_t, std::uint32_t> joined_by;
  for (const StaticJoin& join : set.joins) {
    const std::uint32_t by = set.events[join.joiner].thread;
    if (joined_by.try_emplace(join.thread, by).first->second != by)
      return true;
  }
  return false;
}

/// Is every mutex of the normal kind? Judged by initial bytes and pthread_mutex_init; a mutex that
/// is copied over another one by plain stores is not looked for (copying one is undefined).
bool has_only_normal_mutexes(const Program& program) {
  std::set<ObjectId> mutexes;
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      if (sync == nullptr || sync_bytes(sync->op, program.data_model) == 0)
        continue;
      if (sync->op == SyncOp::kMutexInit &&
          (!program.terms.is_constant(sync->operands[1]) ||
           program.terms.node(sync->operands[1]).value != sync_layout::kMutexNormal))
        return false;
      const auto words = sync_words(sync->op, program.data_model, LockWords::kFields);
      const bool is_mutex = std::any_of(words.begin(), words.end(), [&](const SyncWord& word) {
        return word.offset == sync_layout::mutex_kind(program.data_model);
      });
      if (!is_mutex)
        continue;
      if (!sync->may.is_valid())
        return false;
      const std::vector<ObjectId>& objects = program.object_sets[sync->may];
      mutexes.insert(objects.begin(), objects.end());
    }
  for (const ObjectId id : mutexes) {
    const Object& object = program.objects[id];
    if (std::any_of(object.initial.begin(), object.initial.end(), [](std::uint8_t byte) {
          return byte != 0;
        }))
      return false;
  }
  return true;
}

} // namespace

PrefixBuilder::PrefixBuilder(PrefixContext& context, const PrefixContext::Created& thread)
    : context_(context), set_(context.set), terms_(context.set.terms), thread_(thread),
      guards_(context.set.terms, thread.guard) {
  path_.owner = tables_.new_owner();
}

Status PrefixBuilder::build() {
  StaticThread& thread = set_.threads[thread_.thread];
  const Procedure& entry = context_.program.procedures[thread_.entry];
  thread.name = entry.name;
  thread.entry = thread_.entry;
  thread.creator = thread_.creator;
  thread.created_at = thread_.created_at;
  thread.first = static_cast<EventIndex>(set_.events.size());
  thread.start = endpoint(false);
  TermTables::Root locals = 0;
  if (!entry.parameters.empty() && thread_.argument.is_valid()) {
    const LocalId parameter = entry.parameters.front();
    locals = tables_.set(locals,
                         path_.owner,
                         parameter.value,
                         widened(thread_.argument, entry.locals[parameter].width));
  }
  if (Status status = walk(thread_.entry, locals); !status)
    return status;
  end_thread();
  if (error_)
    return *error_;
  set_.threads[thread_.thread].last = static_cast<EventIndex>(set_.events.size());
  return Done{};
}

Result<EventSet> make_prefix_events(const Program& program, const EventSetOptions& options) {
  const bool keeps_waits = options.keeps_waits;
  PrefixPlan plan;
  for (std::size_t i = 0; i < program.objects.size() && keeps_waits; ++i)
    if (program.objects[ObjectId{i}].kind == Object::Kind::kHeapSite)
      plan.with_events.insert(ObjectId{i});
  const bool is_normal = has_only_normal_mutexes(program);
  std::optional<AccessPieces> pieces;
  std::optional<UnwrittenObjects> unwritten;
  for (unsigned pass = 0; pass < kMostPasses; ++pass) {
    if (!pieces) {
      pieces.emplace(program, plan.with_events);
      unwritten.emplace(program, *pieces);
    }
    EventSet set;
    set.program = &program;
    set.terms = program.terms;
    PrefixContext context{program, set, plan, *pieces, *unwritten};
    context.orders = IdVector<ProcedureId, std::vector<LocationId>>(program.procedures.size());
    context.is_first = pass == 0;
    context.has_only_normal_mutexes = is_normal;
    context.keeps_waits = keeps_waits;
    context.budget = options.budget;
    for (const PrefixBlock& block : plan.blocks)
      context.blocks_of[block.site].push_back(block);
    PrefixContext::Created main;
    main.entry = program.templates.front().entry;
    main.guard = set.terms.boolean(true);
    context.created.push_back(main);
    for (std::size_t i = 0; i < context.created.size(); ++i) {
      set.threads.emplace_back();
      if (Status status = PrefixBuilder(context, context.created[i]).build(); !status)
        return status.error();
    }
    const auto thread_count = static_cast<std::uint32_t>(set.threads.size());
    const bool is_right =
        context.too_hard.empty() &&
        !(context.asked_for_blocks && (pass == 0 || context.blocks != plan.blocks)) &&
        !(context.asked_for_threads && thread_count != plan.thread_count);
    if (is_right) {
      if (is_joined_by_several(set))
        set.approximations.push_back(
            {Approximation::Kind::kAssumed, "no thread is joined twice", {}});
      if (context.has_freed && context.allocates_late)
        set.approximations.push_back(
            {Approximation::Kind::kAssumed, "freed memory is not used again", {}});
      return set;
    }
    if (!context.too_hard.empty()) {
      plan.with_events.insert(context.too_hard.begin(), context.too_hard.end());
      pieces.reset();
    }
    plan.blocks = std::move(context.blocks);
    plan.thread_count = thread_count;
  }
  return Error{ErrorKind::kUnsupported,
               "PRG-012",
               "the blocks and threads of the program could not be counted"};
}

} // namespace heddle::program
