// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads in the events for a solver: a create makes a static thread for each function it may
// start, whose handle is its number plus one. A join goes on where the thread its handle names has
// come to its end; that end and what the thread returns are variables, defined when the thread has
// been written down.
#include "program/events/event_prefix.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::program {

namespace {

std::uint64_t ended_variable(std::uint32_t thread) {
  return kFirstDefinedVariable + 2ULL * thread;
}
std::uint64_t result_variable(std::uint32_t thread) {
  return kFirstDefinedVariable + 2ULL * thread + 1;
}

} // namespace

void PrefixBuilder::create(const Synchronize& action) {
  const Term function = evaluate(action.operands[0]);
  const Term argument = evaluate(action.operands[1]);
  std::vector<std::pair<Term, ProcedureId>> ways;
  Term is_known = terms_.boolean(false);
  for (const ProcedureId target : action.targets) {
    const Term condition =
        terms_.equal(function,
                     terms_.constant(context_.program.space().function_address(target.value),
                                     terms_.sort(function).width));
    if (is_false(condition))
      continue;
    ways.emplace_back(condition, target);
    is_known = terms_.or_(is_known, condition);
  }
  check(is_known, FaultKind::kInvalidAccess, "a thread starts at something that is no function");
  if (is_dead())
    return;
  std::optional<std::string> bound = bound_of_kept_threads(path_.kept_threads);
  if (!bound)
    bound = broken_bound(context_.program, context_.pieces, context_.created.size() + ways.size());
  if (bound) {
    stop(StaticEvent::Kind::kCut, FaultKind::kCut, *bound);
    return;
  }
  ++path_.kept_threads;
  const EventIndex created_at = endpoint(action.drains);
  Term handle;
  for (const auto& [condition, target] : ways) {
    PrefixContext::Created child;
    child.thread = static_cast<std::uint32_t>(context_.created.size());
    child.entry = target;
    child.argument = argument;
    child.guard = terms_.and_(guard(), condition);
    child.creator = thread_.thread;
    child.created_at = created_at;
    const Term its_handle = number(action, child.thread + 1U);
    handle = handle.is_valid() ? terms_.ite(condition, its_handle, handle) : its_handle;
    context_.created.push_back(child);
  }
  give(action, handle);
}

/// Whether this thread has joined or detached that one (a Bool).
std::uint32_t PrefixBuilder::joined_cell(std::uint32_t thread) {
  // In null's unit, where nothing lies.
  const std::uint32_t cell = cell_at(1 + thread, 1);
  cells_[cell].initial = terms_.boolean(false);
  return cell;
}

/// It may be a thread of this one.
void PrefixBuilder::give_up_one() {
  path_.kept_threads -= path_.kept_threads > 0 ? 1 : 0;
}

void PrefixBuilder::join(const Synchronize& action) {
  const Term handle = evaluate(action.operands[0]);
  const unsigned width = terms_.sort(handle).width;
  if (!terms_.is_constant(handle))
    context_.asked_for_threads = true;
  const std::uint32_t count =
      std::max(context_.plan.thread_count, static_cast<std::uint32_t>(context_.created.size()));
  struct Way {
    std::uint32_t thread = 0;
    Term is_meant;
  };
  std::vector<Way> ways;
  Term is_known = terms_.boolean(false);
  Term is_joined = terms_.boolean(false);
  Term has_ended = terms_.boolean(false);
  Term result = terms_.constant(0, 64);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Term is_meant = terms_.equal(handle, terms_.constant(i + 1U, width));
    if (is_false(is_meant))
      continue;
    is_known = terms_.or_(is_known, is_meant);
    if (i == thread_.thread)
      continue; // waits for itself
    ways.push_back({i, is_meant});
    context_.given_up.emplace_back(i, thread_.thread);
    is_joined = terms_.or_(is_joined, terms_.and_(is_meant, cell_value(joined_cell(i))));
    has_ended = terms_.or_(
        has_ended, terms_.and_(is_meant, terms_.variable(ended_variable(i), logic::Sort{})));
    result = terms_.ite(is_meant, terms_.variable(result_variable(i), logic::Sort{64}), result);
  }
  if (!context_.is_first || terms_.is_constant(handle))
    check(is_known, FaultKind::kBadSynchronisation, "join of a thread that was never started");
  check(terms_.not_(is_joined),
        FaultKind::kBadSynchronisation,
        "join of a thread that was joined or detached");
  if (is_dead())
    return;
  StaticWait wait;
  wait.what = StaticWait::For::kThread;
  for (const Way& way : ways)
    wait.joined.emplace_back(way.thread, way.is_meant);
  wait_until(has_ended, std::move(wait));
  narrow(has_ended);
  for (const Way& way : ways) {
    const std::uint32_t cell = joined_cell(way.thread);
    path_.cells =
        tables_.set(path_.cells, path_.owner, cell, terms_.or_(cell_value(cell), way.is_meant));
  }
  if (is_dead())
    return;
  give_up_one();
  const EventIndex joiner = endpoint(action.drains);
  for (const Way& way : ways)
    set_.joins.push_back({joiner, way.thread, way.is_meant});
  give(action, result);
}

void PrefixBuilder::detach(const Synchronize& action) {
  const Term handle = evaluate(action.operands[0]);
  const unsigned width = terms_.sort(handle).width;
  const std::uint32_t count =
      std::max(context_.plan.thread_count, static_cast<std::uint32_t>(context_.created.size()));
  if (!terms_.is_constant(handle))
    context_.asked_for_threads = true;
  Term is_known = terms_.boolean(false);
  Term is_joined = terms_.boolean(false);
  std::vector<std::pair<std::uint32_t, Term>> flags;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Term is_meant = terms_.equal(handle, terms_.constant(i + 1U, width));
    if (is_false(is_meant))
      continue;
    is_known = terms_.or_(is_known, is_meant);
    const std::uint32_t cell = joined_cell(i);
    is_joined = terms_.or_(is_joined, terms_.and_(is_meant, cell_value(cell)));
    flags.emplace_back(cell, is_meant);
    context_.given_up.emplace_back(i, thread_.thread);
  }
  if (!context_.is_first || terms_.is_constant(handle))
    check(is_known, FaultKind::kBadSynchronisation, "detach of a thread that was never started");
  check(terms_.not_(is_joined),
        FaultKind::kBadSynchronisation,
        "detach of a thread that was joined or detached");
  if (is_dead())
    return;
  give_up_one();
  endpoint(action.drains);
  for (const auto& [cell, is_meant] : flags)
    path_.cells =
        tables_.set(path_.cells, path_.owner, cell, terms_.or_(cell_value(cell), is_meant));
  give(action, number(action, 0));
}

/// Others may still know where the thread's own variables were.
void PrefixBuilder::end_thread_locals() {
  const AddressSpace space = context_.program.space();
  for (std::size_t i = 0; i < context_.program.objects.size(); ++i) {
    const Object& object = context_.program.objects[ObjectId{i}];
    if (object.kind != Object::Kind::kThreadLocal || context_.pieces.is_followed(ObjectId{i}))
      continue; // so that the thread has an area of its own (broken_bound)
    StaticEvent event;
    event.kind = StaticEvent::Kind::kFree;
    event.address =
        pointer(space.base_of(object.unit + thread_.thread * space.units_for(object.size)));
    event.text = "no thread-local variable is used after the end of its thread";
    event.fault = FaultKind::kCut; // the machines do not go on from there
    add(std::move(event));
  }
}

void PrefixBuilder::end_thread() {
  StaticThread& thread = set_.threads[thread_.thread];
  const Term ended = terms_.variable(ended_variable(thread_.thread), logic::Sort{});
  const Term result = terms_.variable(result_variable(thread_.thread), logic::Sort{64});
  edge_ = nullptr;
  if (ends_.empty()) {
    set_.definitions.push_back({ended, terms_.boolean(false)});
    set_.definitions.push_back({result, terms_.constant(0, 64)});
    return;
  }
  path_ = merge(std::exchange(ends_, {}));
  ++instruction_;
  end_thread_locals();
  thread.end = endpoint(true);
  thread.returns = returns_;
  set_.definitions.push_back({ended, set_.events[*thread.end].guard});
  set_.definitions.push_back({result, path_.result});
  tables_.for_each(path_.cells, [&](std::uint32_t index, Term value) {
    const Cell& cell = cells_[index];
    if (cell.size != 0 && !terms_.sort(value).is_bool())
      thread.finals.push_back({cell.address, cell.size, value});
  });
}

} // namespace heddle::program
