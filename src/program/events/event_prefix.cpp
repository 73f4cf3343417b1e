// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of all threads for a solver. Creators come before those they create. Some of what is
// needed is only known at the end: all blocks, all threads, the private objects that cannot be
// followed. Then everything is written down again.
#include "program/events/event_prefix.h"

#include "program/model/sync_layout.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// Passes in which the plan may grow; more than a few are not expected.
constexpr unsigned kMostPasses = 10;

/// May different threads join or detach one thread? That it happens twice is not looked for across
/// threads.
bool is_joined_by_several(const PrefixContext& context) {
  std::map<std::uint32_t, std::uint32_t> joined_by;
  return std::ranges::any_of(context.given_up, [&](const auto& given_up) {
    const auto& [thread, by] = given_up;
    return joined_by.try_emplace(thread, by).first->second != by;
  });
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
  const DestroyedLocks destroyed(program);
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
    PrefixContext context{program, set, plan, *pieces, *unwritten, destroyed};
    context.orders = IdVector<ProcedureId, std::vector<LocationId>>(program.procedures.size());
    context.is_first = pass == 0;
    context.has_only_normal_mutexes = pieces->has_only_normal_mutexes();
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
      if (is_joined_by_several(context))
        set.approximations.push_back(
            {Approximation::Kind::kAssumed, "no thread is joined or detached twice", {}});
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
