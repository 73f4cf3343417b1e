// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locks and their kin as accesses of words, for models with axioms. What an operation looks at is
// one word (sync_layout.h), so that it is one access: a read and, where the operation goes through,
// the write that makes an update of it. What takes something acquires where it succeeds, what gives
// something back releases; updates in between keep the release sequence. So a semaphore's wait
// comes after all posts before it, a writer after all who had the lock, and who leaves a barrier
// after all who have arrived in its generation.
//
// Readers of a read-write lock come after writers only, as the standard has it: their update of the
// word is relaxed, and they acquire from a second word that writers tell their turn in when they
// give the lock back.
//
// Who leaves a barrier reads the very write that has opened it. A thread that looks later might see
// the next generation; but nothing that it did before can have come after that, so that it might as
// well have looked at once.
//
// A condition wait gives the mutex up and takes it back: it may always wake up for no reason. What
// a condition holds does not matter, but it has to be there, which reads of it tell (probe).
#include "program/events/event_builder.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

using namespace sync_layout;

namespace {

constexpr SyncWord kCount{0, 0, 4}; // of a semaphore; the state of pthread_once
constexpr SyncWord kReadWrite{0, 0, 8};
constexpr SyncWord kTold{0, kReadWriteTold, 4};
constexpr SyncWord kBarrier{0, 0, 8};
constexpr std::uint8_t kWriterWidth = kReadWriteTurnBit - kReadWriteWriterBit;
constexpr std::uint8_t kTurnWidth = 64 - kReadWriteTurnBit;
constexpr std::uint8_t kArrivedWidth = kBarrierGenerationBit - kBarrierArrivedBit;
constexpr std::uint8_t kGenerationWidth = 64 - kBarrierGenerationBit;

Access
access_by(Order order, const std::vector<std::string>& tags, std::uint8_t size, ObjectSetId may) {
  Access access;
  access.size = size;
  access.kind = AccessKind::kAtomic;
  access.order = order;
  access.may = may;
  access.tags = tags;
  return access;
}

} // namespace

void EventBuilder::give(const Synchronize& action, Term value) {
  if (action.dest)
    assign(*action.dest, value, merges() ? reads_in(value) : Sources{});
}

Term EventBuilder::number(const Synchronize& action, std::uint64_t value) {
  return terms_.constant(value, action.dest ? procedure_.locals[*action.dest].width : 32U);
}

EventBuilder::Reading
EventBuilder::read_word(const Synchronize& action, const SyncWord& word, const Access& access) {
  const Term operand = action.operands[word.operand];
  const Term address = evaluate(operand);
  Reading reading = emit_read(
      context_.pieces.place(thread_.entry, operand, word.offset, word.size),
      half_of(access, 'R'),
      terms_.binary(
          logic::Op::kAdd, address, terms_.constant(word.offset, terms_.sort(address).width)),
      origins_of(operand));
  looked_at_.insert(looked_at_.end(), reading.events.begin(), reading.events.end());
  return reading;
}

void EventBuilder::write_word(const Synchronize& action,
                              const SyncWord& word,
                              const Access& access,
                              Term value,
                              Term when,
                              const Reading* first) {
  const Term operand = action.operands[word.operand];
  const Term address = evaluate(operand);
  const std::vector<EventIndex> writes = emit_write(
      context_.pieces.place(thread_.entry, operand, word.offset, word.size),
      half_of(access, 'W'),
      terms_.binary(
          logic::Op::kAdd, address, terms_.constant(word.offset, terms_.sort(address).width)),
      value,
      origins_of(operand),
      {},
      terms_.and_(state_.guard, when));
  // By a branch; what an update finds and writes is related by rmw.
  if (!context_.options.register_events)
    for (const EventIndex looked : looked_at_)
      if (first == nullptr || std::ranges::find(first->events, looked) == first->events.end())
        for (const EventIndex write : writes)
          set_.ctrl.push_back({looked, write, terms_.boolean(true)});
  if (first == nullptr)
    return;
  HEDDLE_CHECK(first->events.size() == writes.size(), "the halves of an update differ");
  for (std::size_t i = 0; i < writes.size(); ++i)
    set_.amo.push_back({first->events[i], writes[i], terms_.boolean(true)});
}

/// An operation that does not go through synchronises with nobody.
void EventBuilder::fail_relaxed(const Reading& reading, Term succeeds) {
  for (const EventIndex event : reading.events) {
    set_.events[event].success = succeeds;
    set_.events[event].failure_order = Order::kRelaxed;
  }
}

void EventBuilder::probe(const Synchronize& action) {
  const Reading reading = read_quietly(action, kCount);
  for (const EventIndex event : reading.events)
    set_.events[event].is_probe = true;
  check_usable(action, reading);
}

void EventBuilder::check_that(Term condition, const char* what) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kCheck;
  event.value = condition;
  event.text = what;
  event.fault = FaultKind::kBadSynchronisation;
  add(std::move(event));
}

Term EventBuilder::is_late() {
  const Term late = terms_.to_bool(fresh_choice(1));
  set_.events.back().text = "out of time";
  return late;
}

void EventBuilder::wait_on_condition(const Synchronize& action) {
  probe(action);
  state_.instruction = ++instructions_;
  (void)release_lock(action, 1, true);
  looked_at_.clear();
  state_.instruction = ++instructions_;
  const Term late = is_timed(action.op) ? is_late() : terms_.boolean(false);
  (void)wait_for_lock(action, 1);
  give(action, terms_.ite(late, number(action, kErrorTimedOut), number(action, 0)));
}

void EventBuilder::finish_read_write_lock(const Synchronize& action,
                                          Term word,
                                          Term can,
                                          Term late) {
  const bool blocks = !is_attempt(action.op);
  const bool is_timed = ir::is_timed(action.op);
  if (blocks)
    assume(terms_.or_(can,
                      terms_.equal(terms_.extract(word, kReadWriteWriterBit, kWriterWidth),
                                   terms_.constant(thread_.thread + 1U, kWriterWidth))));
  if (is_timed)
    assume(terms_.or_(late, can));
  const Term result =
      terms_.ite(can, number(action, 0), number(action, blocks ? kErrorDeadlock : kErrorBusy));
  give(action, terms_.ite(late, number(action, kErrorTimedOut), result));
}

void EventBuilder::take_read_lock(const Synchronize& action) {
  if (thread_.thread >= kMostReadingThreads) {
    error_ = Error{ErrorKind::kUnsupported, "PRG-011", bound_of_reading_threads()};
    return;
  }
  const Term late = is_timed(action.op) ? is_late() : terms_.boolean(false);
  const Access access =
      access_by(Order::kRelaxed, context_.program.synchronization.lock, 8, action.may);
  const Reading reading = read_word(action, kReadWrite, access);
  const Term can = terms_.equal(terms_.extract(reading.value, kReadWriteWriterBit, kWriterWidth),
                                terms_.constant(0, kWriterWidth));
  const Term takes = terms_.and_(can, terms_.not_(late));
  const Term bit = terms_.constant(std::uint64_t{1} << thread_.thread, 64);
  trap_where(
      terms_.and_(takes,
                  terms_.not_(terms_.equal(terms_.binary(logic::Op::kBitAnd, reading.value, bit),
                                           terms_.constant(0, 64)))),
      "a thread that takes a lock for reading again");
  write_word(action,
             kReadWrite,
             access,
             terms_.binary(logic::Op::kBitOr, reading.value, bit),
             takes,
             &reading);
  check_usable(action, reading);
  has_loose_read_ = true;
  finish_read_write_lock(action, reading.value, can, late);
  const Term before = state_.guard;
  state_.guard = terms_.and_(before, takes);
  state_.instruction = ++instructions_;
  const Reading told = read_word(
      action,
      kTold,
      access_by(Order::kAcquire, context_.program.synchronization.acquire, 4, action.may));
  assume(terms_.equal(terms_.extract(told.value, 0, kTurnWidth),
                      terms_.extract(reading.value, kReadWriteTurnBit, kTurnWidth)));
  state_.guard = before;
}

void EventBuilder::take_write_lock(const Synchronize& action) {
  if (thread_.thread + 1U >= 1U << kWriterWidth) {
    error_ = refuse(state_.loc, "a read-write lock of so many threads");
    return;
  }
  const Term late = is_timed(action.op) ? is_late() : terms_.boolean(false);
  const Access access =
      access_by(Order::kAcquire, context_.program.synchronization.lock, 8, action.may);
  const Reading reading = read_word(action, kReadWrite, access);
  const Term can = terms_.equal(terms_.extract(reading.value, 0, kReadWriteTurnBit),
                                terms_.constant(0, kReadWriteTurnBit));
  const Term takes = terms_.and_(can, terms_.not_(late));
  write_word(action,
             kReadWrite,
             access,
             terms_.binary(logic::Op::kBitOr,
                           reading.value,
                           terms_.constant((thread_.thread + 1ULL) << kReadWriteWriterBit, 64)),
             takes,
             &reading);
  check_usable(action, reading);
  fail_relaxed(reading, takes);
  finish_read_write_lock(action, reading.value, can, late);
}

void EventBuilder::release_read_write_lock(const Synchronize& action) {
  if (thread_.thread + 1U >= 1U << kWriterWidth) {
    error_ = refuse(state_.loc, "a read-write lock of so many threads");
    return;
  }
  const Access access =
      access_by(Order::kRelease, context_.program.synchronization.give, 8, action.may);
  const Reading reading = read_word(action, kReadWrite, access);
  const Term writes = terms_.equal(terms_.extract(reading.value, kReadWriteWriterBit, kWriterWidth),
                                   terms_.constant(thread_.thread + 1U, kWriterWidth));
  // None of the threads beyond the first ones reads.
  const Term bit = terms_.constant(
      thread_.thread < kMostReadingThreads ? std::uint64_t{1} << thread_.thread : 0, 64);
  const Term reads =
      terms_.and_(terms_.not_(writes),
                  terms_.not_(terms_.equal(terms_.binary(logic::Op::kBitAnd, reading.value, bit),
                                           terms_.constant(0, 64))));
  const Term turn = terms_.binary(logic::Op::kAdd,
                                  terms_.extract(reading.value, kReadWriteTurnBit, kTurnWidth),
                                  terms_.constant(1, kTurnWidth));
  // A writer is alone: nobody reads.
  const Term after =
      terms_.ite(writes,
                 terms_.concat(turn, terms_.constant(0, kReadWriteTurnBit)),
                 terms_.binary(logic::Op::kBitAnd, reading.value, terms_.bit_not(bit)));
  const Term is_held = terms_.or_(writes, reads);
  write_word(action, kReadWrite, access, after, is_held, &reading);
  check_usable(action, reading);
  check_that(is_held, "a read-write lock is released that the thread does not hold");
  const Term before = state_.guard;
  state_.guard = terms_.and_(before, writes);
  state_.instruction = ++instructions_;
  write_word(action,
             kTold,
             access_by(Order::kRelease, context_.program.synchronization.release, 4, action.may),
             terms_.zero_extend(turn, 32),
             terms_.boolean(true));
  state_.guard = before;
  give(action, number(action, 0));
}

void EventBuilder::take_semaphore(const Synchronize& action) {
  const Term late = is_timed(action.op) ? is_late() : terms_.boolean(false);
  const Access access =
      access_by(Order::kAcquire, context_.program.synchronization.lock, 4, action.may);
  const Reading count = read_word(action, kCount, access);
  const Term can = terms_.not_(terms_.equal(count.value, terms_.constant(0, 32)));
  const Term takes = terms_.and_(can, terms_.not_(late));
  write_word(action,
             kCount,
             access,
             terms_.binary(logic::Op::kSub, count.value, terms_.constant(1, 32)),
             takes,
             &count);
  check_usable(action, count);
  fail_relaxed(count, takes);
  if (action.op != SyncOp::kSemaphoreTryWait)
    assume(terms_.or_(late, can));
  const Term result = terms_.ite(can, number(action, 0), number(action, kErrorAgain));
  give(action, terms_.ite(late, number(action, kErrorTimedOut), result));
}

void EventBuilder::post_semaphore(const Synchronize& action) {
  const Access access =
      access_by(Order::kRelease, context_.program.synchronization.give, 4, action.may);
  const Reading count = read_word(action, kCount, access);
  write_word(action,
             kCount,
             access,
             terms_.binary(logic::Op::kAdd, count.value, terms_.constant(1, 32)),
             terms_.boolean(true),
             &count);
  check_usable(action, count);
  give(action, number(action, 0));
}

void EventBuilder::init_barrier(const Synchronize& action) {
  const Term given = evaluate(action.operands[1]);
  const Term threshold =
      terms_.sort(given).width > 32 ? terms_.extract(given, 0, 32) : terms_.zero_extend(given, 32);
  const Term is_good = terms_.not_(terms_.equal(threshold, terms_.constant(0, 32)));
  // Destroyed: no threshold. Who still has to leave reads what has opened it.
  const Term is_gone = terms_.equal(threshold, terms_.constant(kGone, 32));
  write_quietly(action,
                kBarrier,
                terms_.ite(is_gone, terms_.constant(0, 64), terms_.zero_extend(threshold, 64)),
                is_good);
  give(action, terms_.ite(is_good, number(action, 0), number(action, kErrorInvalid)));
}

void EventBuilder::wait_at_barrier(const Synchronize& action) {
  const Access access =
      access_by(Order::kAcqRel, context_.program.synchronization.meet, 8, action.may);
  const Reading reading = read_word(action, kBarrier, access);
  const Term threshold = terms_.extract(reading.value, 0, 32);
  const Term is_usable = terms_.not_(terms_.equal(threshold, terms_.constant(0, 32)));
  const Term arrived =
      terms_.binary(logic::Op::kAdd,
                    terms_.extract(reading.value, kBarrierArrivedBit, kArrivedWidth),
                    terms_.constant(1, kArrivedWidth));
  const Term is_last =
      terms_.not_(terms_.binary(logic::Op::kULt, terms_.zero_extend(arrived, 32), threshold));
  const Term generation = terms_.extract(reading.value, kBarrierGenerationBit, kGenerationWidth);
  const Term next =
      terms_.binary(logic::Op::kAdd, generation, terms_.constant(1, kGenerationWidth));
  const Term opened =
      terms_.concat(next, terms_.concat(terms_.constant(0, kArrivedWidth), threshold));
  const Term counted = terms_.concat(generation, terms_.concat(arrived, threshold));
  write_word(action, kBarrier, access, terms_.ite(is_last, opened, counted), is_usable, &reading);
  check_that(is_usable, "use of a lock that was never initialised");
  const Term before = state_.guard;
  state_.guard = terms_.and_(before, terms_.and_(is_usable, terms_.not_(is_last)));
  state_.instruction = ++instructions_;
  const Reading later = read_word(
      action,
      kBarrier,
      access_by(Order::kAcquire, context_.program.synchronization.acquire, 8, action.may));
  assume(terms_.equal(later.value, opened));
  state_.guard = before;
  give(action, terms_.ite(is_last, number(action, ~0ULL), number(action, 0)));
}

void EventBuilder::enter_once(const Synchronize& action) {
  const Access access =
      access_by(Order::kAcquire, context_.program.synchronization.lock, 4, action.may);
  const Reading state = read_word(action, kCount, access);
  const Term is_first = terms_.equal(state.value, terms_.constant(0, 32));
  write_word(action, kCount, access, terms_.constant(1, 32), is_first, &state);
  assume(terms_.not_(terms_.equal(state.value, terms_.constant(1, 32))));
  give(action, terms_.ite(is_first, number(action, 1), number(action, 0)));
}

void EventBuilder::perform(const Synchronize& action) {
  const std::vector<std::string>& release = context_.program.synchronization.release;
  switch (action.op) {
  case SyncOp::kCreate:
    return create_thread(action);
  case SyncOp::kJoin:
    return join_thread(action);
  case SyncOp::kDetach:
    return detach_thread(action);
  case SyncOp::kSelf:
    return give(action, number(action, thread_.thread + 1U));
  case SyncOp::kMutexInit:
    return init_mutex(action);
  case SyncOp::kMutexDestroy:
    return destroy_mutex(action);
  case SyncOp::kMutexLock:
  case SyncOp::kSpinLock:
    return give(action, wait_for_lock(action, 0));
  case SyncOp::kMutexTryLock:
  case SyncOp::kSpinTryLock: {
    const Taking taking = take_lock(action, 0, terms_.boolean(true));
    return give(action, terms_.ite(taking.is_taken, number(action, 0), number(action, kErrorBusy)));
  }
  case SyncOp::kMutexTimedLock: {
    const Term late = is_late();
    const Taking taking = take_lock(action, 0, terms_.not_(late));
    assume(terms_.or_(late, terms_.or_(taking.is_taken, taking.is_refused)));
    const Term result =
        terms_.ite(taking.is_taken, number(action, 0), number(action, kErrorDeadlock));
    return give(action, terms_.ite(late, number(action, kErrorTimedOut), result));
  }
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock:
    return give(
        action,
        terms_.ite(release_lock(action, 0, false), number(action, kErrorPerm), number(action, 0)));
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
    return take_read_lock(action);
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
    return take_write_lock(action);
  case SyncOp::kReadWriteUnlock:
    return release_read_write_lock(action);
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return wait_on_condition(action);
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
    probe(action);
    return give(action, number(action, 0));
  case SyncOp::kSemaphoreInit: {
    const Term count = evaluate(action.operands[1]);
    write_quietly(action,
                  kCount,
                  terms_.sort(count).width > 32 ? terms_.extract(count, 0, 32)
                                                : terms_.zero_extend(count, 32),
                  terms_.boolean(true));
    return give(action, number(action, 0));
  }
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
    return take_semaphore(action);
  case SyncOp::kSemaphorePost:
    return post_semaphore(action);
  case SyncOp::kSemaphoreValue: {
    const Reading count = read_quietly(action, kCount);
    check_usable(action, count);
    has_loose_read_ = true;
    if (action.dest)
      assign(*action.dest, count.value, from_events(count.events, terms_.boolean(true)));
    return;
  }
  case SyncOp::kBarrierInit:
    return init_barrier(action);
  case SyncOp::kBarrierWait:
    return wait_at_barrier(action);
  case SyncOp::kOnceEnter:
    return enter_once(action);
  case SyncOp::kOnceLeave:
    write_word(action,
               kCount,
               access_by(Order::kRelease, release, 4, action.may),
               terms_.constant(2, 32),
               terms_.boolean(true));
    return give(action, number(action, 0));
  }
  HEDDLE_CHECK(false, "no such synchronisation");
}

} // namespace heddle::program
