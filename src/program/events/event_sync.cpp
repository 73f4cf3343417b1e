// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads and locks as accesses: create and join are a release write and an acquire read of a
// hidden location, a lock is an acquire read-modify-write of its own word, an unlock a release
// write of it. The others are in event_sync_words.cpp.
#include "program/events/event_builder.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::program {

namespace {

constexpr std::uint8_t kWord = 4;

Access word_access(Order order, ObjectSetId may, const std::vector<std::string>& tags) {
  Access access;
  access.size = kWord;
  access.kind = AccessKind::kAtomic;
  access.order = order;
  access.may = may;
  access.tags = tags;
  return access;
}

const char* name_of(ir::SyncObject object) {
  switch (object) {
  case ir::SyncObject::kThread:
    return "a thread operation";
  case ir::SyncObject::kMutex:
  case ir::SyncObject::kSpinLock:
    return "a lock operation";
  case ir::SyncObject::kReadWriteLock:
    return "a read-write lock";
  case ir::SyncObject::kCondition:
    return "a condition variable";
  case ir::SyncObject::kSemaphore:
    return "a semaphore";
  case ir::SyncObject::kBarrier:
    return "a barrier";
  case ir::SyncObject::kOnce:
    return "pthread_once";
  }
  return "a synchronisation";
}

/// In a state that is looked at, waits of other kinds are not understood.
bool has_events_of_waits(ir::SyncObject object) {
  return object == ir::SyncObject::kThread || is_exclusive_lock(object);
}

} // namespace

std::optional<std::string> why_no_events(const Program& program, const EventSetOptions& options) {
  if (options.for_solver)
    return std::nullopt;
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      if (std::holds_alternative<AtomicBegin>(edge.action))
        return "atomic sections have no events";
    }
  return std::nullopt;
}

Error EventBuilder::refuse(SourceLoc loc, const std::string& what) const {
  return Error{
      ErrorKind::kUnsupported,
      "PRG-010",
      fmt::format("{}: {} has no events; the commands verify and outcomes can step through "
                  "it under sc, tso and pso",
                  context_.program.place(loc),
                  what)};
}

EventIndex EventBuilder::announce(std::uint32_t hidden, const std::optional<Known>& told) {
  state_.instruction = ++instructions_;
  Access access = word_access(Order::kRelease, {}, context_.program.synchronization.release);
  Term value = terms_.constant(1, 8U * kWord);
  if (told) {
    access.size = kResultBytes;
    value = terms_.binary(
        logic::Op::kBitXor, told->value, terms_.constant(kNoResult, 8U * kResultBytes));
    trap_where(terms_.equal(value, terms_.constant(0, 8U * kResultBytes)),
               "a thread with an argument or a result that stands for none");
  }
  StaticEvent event = memory_event(
      StaticEvent::Kind::kWrite,
      access,
      terms_.constant(hidden_address(context_.program, hidden), context_.program.pointer_bits()));
  event.value = value;
  event.is_hidden = true;
  const EventIndex index = add(std::move(event));
  depend(index, {}, told ? Origins{told->sources, told->chosen} : Origins{});
  return index;
}

Term EventBuilder::told_number(EventIndex read) {
  return terms_.binary(
      logic::Op::kBitXor, set_.events[read].value, terms_.constant(kNoResult, 8U * kResultBytes));
}

EventIndex EventBuilder::await(std::uint32_t hidden,
                               bool is_told,
                               std::optional<std::uint32_t> joined,
                               const Origins& address) {
  state_.instruction = ++instructions_;
  Access access = word_access(Order::kAcquire, {}, context_.program.synchronization.acquire);
  if (is_told)
    access.size = kResultBytes;
  const logic::Sort sort{static_cast<std::uint8_t>(8U * access.size)};
  StaticEvent event = memory_event(
      StaticEvent::Kind::kRead,
      access,
      terms_.constant(hidden_address(context_.program, hidden), context_.program.pointer_bits()));
  event.is_hidden = true;
  const EventIndex index = add(std::move(event));
  const Term value = terms_.variable(EventSet::variable_of(index), sort);
  set_.events[index].value = value;
  depend(index, address, {});
  const Term has_happened = terms_.not_(terms_.equal(value, terms_.constant(0, sort.width)));
  if (!joined) {
    assume(has_happened);
    return index;
  }
  StaticWait wait;
  wait.what = StaticWait::For::kThread;
  wait.reads = {index};
  wait.joined.emplace_back(*joined, terms_.boolean(true));
  wait_until(has_happened, std::move(wait));
  return index;
}

EventBuilder::Reading EventBuilder::read_quietly(const Synchronize& action, const SyncWord& word) {
  Access access = word_access(Order::kRelaxed, action.may, {});
  access.size = word.size;
  Reading reading = read_word(action, word, access);
  state_.instruction = ++instructions_;
  return reading;
}

void EventBuilder::write_quietly(const Synchronize& action,
                                 const SyncWord& word,
                                 Term value,
                                 Term when) {
  Access access = word_access(Order::kRelaxed, action.may, {});
  access.size = word.size;
  write_word(action, word, access, value, when);
  state_.instruction = ++instructions_;
}

void EventBuilder::check_usable(const Synchronize& action, const Reading& reading) {
  if (!context_.destroyed.may_be_in(context_.program, action.may))
    return;
  const unsigned width = terms_.sort(reading.value).width;
  const std::uint64_t gone = width == 64 ? sync_layout::kGoneWide : sync_layout::kGone;
  check_that(terms_.not_(terms_.equal(reading.value, terms_.constant(gone, width))),
             "use of a lock that was destroyed");
}

bool EventBuilder::is_normal(const Synchronize& action) const {
  return context_.has_only_normal_mutexes ||
         facts_of(action.op).object == ir::SyncObject::kSpinLock;
}

EventBuilder::Taking
EventBuilder::take_lock(const Synchronize& action, std::size_t operand, Term may_take) {
  const Access access =
      word_access(Order::kAcquire, action.may, context_.program.synchronization.lock);
  const SyncWord word{operand, sync_layout::kMutexOwner, kWord};
  Term kind;
  if (!is_normal(action))
    kind =
        read_quietly(action, {operand, sync_layout::mutex_kind(context_.program.data_model), kWord})
            .value;
  const Reading reading = read_word(action, word, access);
  const Term is_free = terms_.equal(reading.value, terms_.constant(0, 8U * kWord));
  const Term takes = terms_.and_(may_take, is_free);
  const Term self = terms_.constant(thread_.thread + 1U, 8U * kWord);
  write_word(action, word, access, self, takes, &reading);
  fail_relaxed(reading, takes);
  check_usable(action, reading);
  Taking taking{reading, is_free, terms_.boolean(false)};
  if (!kind.is_valid())
    return taking;
  const auto is_own = [&](std::uint32_t wanted) {
    return terms_.and_(terms_.equal(reading.value, self),
                       terms_.equal(kind, terms_.constant(wanted, 8U * kWord)));
  };
  const Term again = is_own(sync_layout::kMutexRecursive);
  const Term before = state_.guard;
  state_.guard = terms_.and_(before, terms_.and_(may_take, again));
  state_.instruction = ++instructions_;
  const SyncWord depth{operand, sync_layout::kMutexDepth, kWord};
  const Term one_more = terms_.binary(
      logic::Op::kAdd, read_quietly(action, depth).value, terms_.constant(1, 8U * kWord));
  write_quietly(action, depth, one_more, terms_.boolean(true));
  state_.guard = before;
  taking.is_taken = terms_.or_(is_free, again);
  taking.is_refused = is_own(sync_layout::kMutexErrorCheck);
  return taking;
}

Term EventBuilder::wait_for_lock(const Synchronize& action, std::size_t operand) {
  const Taking taking = take_lock(action, operand, terms_.boolean(true));
  StaticWait wait;
  wait.what = StaticWait::For::kHolders;
  wait.reads = taking.reading.events;
  wait.holder = taking.reading.value;
  wait_until(terms_.or_(taking.is_taken, taking.is_refused), std::move(wait));
  return terms_.ite(
      taking.is_taken, number(action, 0), number(action, sync_layout::kErrorDeadlock));
}

Term EventBuilder::release_lock(const Synchronize& action, std::size_t operand, bool needs_owner) {
  const SyncWord word{operand, sync_layout::kMutexOwner, kWord};
  Term is_refused = terms_.boolean(false);
  Term is_deeper = terms_.boolean(false);
  const bool is_simple = is_normal(action);
  if (!is_simple || needs_owner || context_.destroyed.may_be_in(context_.program, action.may)) {
    Term kind;
    if (!is_simple)
      kind = read_quietly(action,
                          {operand, sync_layout::mutex_kind(context_.program.data_model), kWord})
                 .value;
    const Reading owner = read_quietly(action, word);
    check_usable(action, owner);
    const Term is_mine =
        terms_.equal(owner.value, terms_.constant(thread_.thread + 1U, 8U * kWord));
    if (needs_owner)
      check_that(is_mine, "a condition wait without holding the mutex");
    if (!is_simple) {
      const Term is_recursive =
          terms_.equal(kind, terms_.constant(sync_layout::kMutexRecursive, 8U * kWord));
      const Term is_checking =
          terms_.equal(kind, terms_.constant(sync_layout::kMutexErrorCheck, 8U * kWord));
      is_refused = terms_.and_(terms_.not_(is_mine), terms_.or_(is_recursive, is_checking));
      const Term may_be_deeper = terms_.and_(is_mine, is_recursive);
      const Term before = state_.guard;
      state_.guard = terms_.and_(before, may_be_deeper);
      const SyncWord depth{operand, sync_layout::kMutexDepth, kWord};
      const Term count = read_quietly(action, depth).value;
      is_deeper = terms_.and_(may_be_deeper,
                              terms_.not_(terms_.equal(count, terms_.constant(0, 8U * kWord))));
      write_quietly(action,
                    depth,
                    terms_.binary(logic::Op::kSub, count, terms_.constant(1, 8U * kWord)),
                    is_deeper);
      state_.guard = before;
    }
  }
  write_word(action,
             word,
             word_access(Order::kRelease, action.may, context_.program.synchronization.release),
             terms_.constant(0, 8U * kWord),
             terms_.not_(terms_.or_(is_refused, is_deeper)));
  return is_refused;
}

void EventBuilder::init_mutex(const Synchronize& action) {
  const auto clear = [&](std::uint64_t offset, Term value) {
    write_quietly(action, {0, offset, kWord}, value, terms_.boolean(true));
  };
  clear(sync_layout::kMutexOwner, terms_.constant(0, 8U * kWord));
  if (!is_normal(action)) {
    const Term kind = evaluate(action.operands[1]);
    clear(sync_layout::kMutexDepth, terms_.constant(0, 8U * kWord));
    clear(sync_layout::mutex_kind(context_.program.data_model),
          terms_.sort(kind).width > 8U * kWord ? terms_.extract(kind, 0, 8U * kWord)
                                               : terms_.zero_extend(kind, 8U * kWord));
  }
  give(action, number(action, 0));
}

void EventBuilder::destroy_mutex(const Synchronize& action) {
  const SyncWord word{0, sync_layout::kMutexOwner, kWord};
  const Reading owner = read_quietly(action, word);
  const Term is_free = terms_.equal(owner.value, terms_.constant(0, 8U * kWord));
  check_usable(action, owner);
  write_quietly(action, word, terms_.constant(sync_layout::kGone, 8U * kWord), is_free);
  has_loose_read_ = true;
  if (action.dest)
    assign(*action.dest,
           terms_.ite(is_free, number(action, 0), number(action, sync_layout::kErrorBusy)),
           from_events(owner.events, terms_.boolean(true)));
}

std::optional<std::uint64_t> constant_result(const Program& program, ProcedureId entry) {
  std::optional<std::uint64_t> result;
  for (const Edge& edge : program.procedures[entry].edges) {
    const auto* end = std::get_if<Return>(&edge.action);
    const auto* exit = std::get_if<ThreadExit>(&edge.action);
    if (end == nullptr && exit == nullptr)
      continue;
    const std::optional<Term> given = end != nullptr ? end->value : exit->value;
    if (given && !program.terms.is_constant(*given))
      return std::nullopt;
    const std::uint64_t value = given ? program.terms.node(*given).value : 0;
    if (result && *result != value)
      return std::nullopt;
    result = value;
  }
  return result.value_or(0);
}

std::optional<ProcedureId> EventBuilder::entry_of(std::uint32_t thread) const {
  for (const EventContext::Created& created : context_.created)
    if (created.thread == thread)
      return created.entry;
  if (thread < context_.planned.size())
    return context_.planned[thread];
  return std::nullopt;
}

/// What the thread returns, if that is one constant.
std::optional<std::uint64_t> EventBuilder::result_of(std::uint32_t thread) const {
  const std::optional<ProcedureId> entry = entry_of(thread);
  return entry ? constant_result(context_.program, *entry) : std::nullopt;
}

bool EventBuilder::tells_result(std::uint32_t thread) const {
  return context_.tells_results && thread != 0 && !result_of(thread);
}

void EventBuilder::keep_result(const std::optional<Term>& value) {
  if (value && tells_result(thread_.thread)) {
    Origins origins = origins_of(*value);
    state_.result = {terms_.zero_extend(evaluate(*value), 8U * kResultBytes),
                     std::move(origins.from),
                     0,
                     std::move(origins.chosen)};
  }
}

void EventBuilder::give_up(std::uint32_t thread, const char* what) {
  Term was = terms_.boolean(false);
  bool is_by_others = false;
  for (const EventContext::GivenUp& before : context_.given_up)
    if (before.thread == thread && before.by == thread_.thread)
      was = terms_.or_(was, before.guard);
    else if (before.thread == thread)
      is_by_others = true; // whose conditions are theirs
  if (!terms_.is_constant(was) || terms_.node(was).value != 0)
    check_that(terms_.not_(was), what);
  const Approximation assumed{
      Approximation::Kind::kAssumed, "no thread is joined or detached twice", {}};
  if (is_by_others && std::ranges::find(set_.approximations, assumed) == set_.approximations.end())
    set_.approximations.push_back(assumed);
  context_.given_up.push_back({thread, thread_.thread, state_.guard});
}

/// A thread for each function that it may start. What the argument was computed from is the
/// creator's: where that matters, the thread takes it from the event that tells of it.
void EventBuilder::create_thread(const Synchronize& action) {
  if (const std::optional<std::string> bound = bound_of_kept_threads(state_.kept_threads)) {
    error_ = Error{ErrorKind::kUnsupported, "PRG-011", *bound};
    return;
  }
  ++state_.kept_threads;
  const Term function = evaluate(action.operands[0]);
  const Term argument = evaluate(action.operands[1]);
  std::vector<std::pair<Term, ProcedureId>> ways;
  Term is_known = terms_.boolean(false);
  for (const ProcedureId target : action.targets) {
    const Term is_meant =
        terms_.equal(function,
                     terms_.constant(context_.program.space().function_address(target.value),
                                     terms_.sort(function).width));
    if (is_always_false(is_meant))
      continue;
    ways.emplace_back(is_meant, target);
    is_known = terms_.or_(is_known, is_meant);
  }
  if (!is_always_true(is_known)) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kCheck;
    event.value = is_known;
    event.text = "a thread starts at something that is no function";
    event.fault = FaultKind::kInvalidAccess;
    add(std::move(event));
  }
  const Term before = state_.guard;
  Term handle = number(action, 0);
  for (const auto& [is_meant, target] : ways) {
    state_.guard = terms_.and_(before, is_meant);
    EventContext::Created child;
    child.thread = context_.thread_count++;
    child.entry = target;
    child.creator = thread_.thread;
    child.guard = terms_.boolean(true);
    child.is_told_argument = !terms_.variables(argument).empty();
    if (!child.is_told_argument)
      child.arguments = {argument};
    context_.needs_announcements = context_.needs_announcements || child.is_told_argument ||
                                   state_.guard != terms_.boolean(true);
    std::optional<Known> told;
    if (child.is_told_argument) {
      Origins origins = origins_of(action.operands[1]);
      told = Known{terms_.zero_extend(argument, 8U * kResultBytes),
                   std::move(origins.from),
                   0,
                   std::move(origins.chosen)};
    }
    if (context_.announces)
      child.announced_at = announce(start_number(child.thread), told);
    context_.created.push_back(child);
    handle = terms_.ite(is_meant, number(action, child.thread + 1U), handle);
  }
  state_.guard = before;
  give(action, handle);
}

/// Of the threads that there are, those that may be the one whose number the handle is.
std::vector<EventBuilder::Named> EventBuilder::named_threads(const Synchronize& action,
                                                             const char* if_none) {
  const Term handle = evaluate(action.operands[0]);
  const unsigned width = terms_.sort(handle).width;
  if (!terms_.is_constant(handle)) {
    context_.asked_for_threads = true;
    context_.needs_announcements = true;
  }
  const std::uint32_t count =
      std::max(context_.thread_count, static_cast<std::uint32_t>(context_.planned.size()));
  std::vector<Named> ways;
  Term is_known = terms_.boolean(false);
  for (std::uint32_t thread = 0; thread < count; ++thread) {
    const Term is_meant = terms_.equal(handle, terms_.constant(thread + 1U, width));
    if (is_always_false(is_meant))
      continue;
    ways.push_back({thread, is_meant});
    is_known = terms_.or_(is_known, is_meant);
  }
  if (!is_always_true(is_known))
    check_that(is_known, if_none);
  return ways;
}

void EventBuilder::detach_thread(const Synchronize& action) {
  state_.kept_threads -= state_.kept_threads > 0 ? 1 : 0;
  const Term before = state_.guard;
  for (const auto& [thread, is_meant] :
       named_threads(action, "detach of a thread that was never started")) {
    state_.guard = terms_.and_(before, is_meant);
    give_up(thread, "detach of a thread that was joined or detached");
  }
  state_.guard = before;
  give(action, number(action, 0));
}

void EventBuilder::join_thread(const Synchronize& action) {
  state_.kept_threads -= state_.kept_threads > 0 ? 1 : 0;
  const Origins named_by = origins_of(action.operands[0]);
  const std::vector<Named> ways = named_threads(action, "join of a thread that was never started");
  const Term before = state_.guard;
  Term result = number(action, 0);
  Sources sources;
  for (const auto& [thread, is_meant] : ways) {
    state_.guard = terms_.and_(before, is_meant);
    give_up(thread, "join of a thread that was joined or detached");
    const std::optional<std::uint64_t> known = result_of(thread);
    std::optional<EventIndex> end;
    if (context_.announces)
      end = await(end_number(thread), tells_result(thread), thread, named_by);
    if (!action.dest)
      continue;
    Term one = number(action, known.value_or(0));
    if (!known && end && tells_result(thread)) {
      one = terms_.extract(told_number(*end), 0, procedure_.locals[*action.dest].width);
      sources.push_back({*end, is_meant});
    } else if (!known) {
      trap_where(terms_.boolean(true), "a join that takes what main has computed");
    }
    result = terms_.ite(is_meant, one, result);
  }
  state_.guard = before;
  if (action.dest)
    assign(*action.dest, result, {std::move(sources), {}});
}

Status EventBuilder::synchronize(const Synchronize& action, SourceLoc loc) {
  const ir::SyncObject object = facts_of(action.op).object;
  if (context_.options.keeps_waits && !has_events_of_waits(object))
    return refuse(loc, std::string(name_of(object)) + " in a question about who waits");
  looked_at_.clear();
  perform(action);
  return Done{};
}

} // namespace heddle::program
