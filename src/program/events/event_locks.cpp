// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locks and their kin in the events for a solver: reads and writes of their words, which lie as
// sync_layout.h says and mean what the interpreter makes of them (sync*.cpp). What would have to
// wait reads the words and narrows the guard of what follows to "it can go on".
//
// The generation of a barrier only grows here; the interpreter uses numbers again, which nobody can
// tell. A condition wait gives the mutex up and takes it back: a wake-up may always be spurious.
// Who wakes whom matters only in states that are looked at (EventSetOptions::keeps_waits).
#include "program/events/event_prefix.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

using namespace sync_layout;

namespace {

Access word_access(const Synchronize& action, std::uint8_t size, Order order) {
  Access access;
  access.size = size;
  access.kind = AccessKind::kAtomic;
  access.order = order;
  access.drains = action.drains;
  access.may = action.may;
  return access;
}

} // namespace

Term PrefixBuilder::word(std::uint64_t value) {
  return terms_.constant(value, 32);
}

Term PrefixBuilder::number(const Synchronize& action, std::uint64_t value) {
  return terms_.constant(value, action.dest ? procedure().locals[*action.dest].width : 32U);
}

void PrefixBuilder::give(const Synchronize& action, Term value) {
  if (action.dest)
    assign(*action.dest, widened(value, procedure().locals[*action.dest].width));
}

PrefixBuilder::Reading
PrefixBuilder::read_word(const Synchronize& action, std::size_t operand, std::uint64_t offset) {
  const Term address = evaluate(action.operands[operand]);
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.operands[operand], offset, 4);
  return read(
      place,
      word_access(action, 4, Order::kAcquire),
      terms_.binary(logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width)),
      guard());
}

/// The first word of a lock, which says whether the lock is there: it is not where nobody has
/// written it, or the lock was destroyed.
PrefixBuilder::LockReading PrefixBuilder::read_first(const Synchronize& action,
                                                     std::size_t operand) {
  const Term address = evaluate(action.operands[operand]);
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.operands[operand], 0, 4);
  std::vector<Term> marks; // of each piece
  LockReading result;
  result.is_written = terms_.boolean(true);
  if (context_.unwritten.may_be_found(place))
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      marks.push_back(fresh_choice(place.piece));
      result.is_written =
          terms_.and_(result.is_written, terms_.equal(marks.back(), no_marks(place.piece)));
    }
  static_cast<Reading&>(result) =
      read(place, word_access(action, 4, Order::kAcquire), address, guard(), marks);
  result.is_kept = terms_.boolean(true);
  if (context_.destroyed.may_be_in(context_.program, action.may))
    result.is_kept = terms_.not_(terms_.equal(result.value, word(kGone)));
  usable_ = terms_.and_(result.is_written, result.is_kept);
  return result;
}

/// To be called when the step is over, before the thread waits.
void PrefixBuilder::check_usable(const LockReading& reading) {
  check(reading.is_written,
        FaultKind::kBadSynchronisation,
        "use of a lock that was never initialised");
  check(reading.is_kept, FaultKind::kBadSynchronisation, "use of a lock that was destroyed");
}

/// Writes where `when` holds and the lock can be used; with a reading of the same word the two are
/// one update.
void PrefixBuilder::write_word(const Synchronize& action,
                               std::size_t operand,
                               std::uint64_t offset,
                               const Reading* reading,
                               Term value,
                               Term when) {
  when = terms_.and_(when, usable_);
  if (is_false(when))
    return;
  const Term address = evaluate(action.operands[operand]);
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.operands[operand], offset, 4);
  const std::vector<EventIndex> writes = write(
      place,
      word_access(action, 4, reading != nullptr ? Order::kAcqRel : Order::kRelease),
      terms_.binary(logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width)),
      value,
      terms_.and_(guard(), when));
  if (reading != nullptr)
    relate_update(*reading, writes);
}

void PrefixBuilder::open_step() {
  if (path_.section == 0)
    path_.section = ++context_.sections;
}

void PrefixBuilder::close_step() {
  if (path_.section_depth == 0)
    path_.section = 0;
}

/// Is there an object large enough for what the synchronisation needs?
void PrefixBuilder::judge_object(const Synchronize& action,
                                 std::size_t operand,
                                 std::uint64_t size) {
  AccessPlace place;
  const auto words = sync_words(action.op, context_.program.data_model, LockWords::kFields);
  const auto is_here = [&](const SyncWord& one) { return one.operand == operand; };
  const auto first = std::find_if(words.begin(), words.end(), is_here);
  if (first != words.end()) {
    place = context_.pieces.place(
        frames_.back().procedure, action.operands[operand], first->offset, first->size);
    for (auto& [object, offsets] : place.targets)
      offsets = offsets.shifted(-static_cast<std::int64_t>(first->offset));
    place.piece = 1; // misaligned words do not exist
  } else if (action.may.is_valid()) {
    for (const ObjectId object : context_.program.object_sets[action.may])
      place.targets.emplace_back(object, Offsets::anywhere());
  } else {
    place.is_any = true;
    place.piece = 1;
  }
  judge(place, evaluate(action.operands[operand]), size, true);
}

/// A condition must not have been freed or destroyed: a read tells. What else it holds does not
/// matter.
void PrefixBuilder::touch_condition(const Synchronize& action) {
  const auto is_heap = [&](ObjectId object) {
    return context_.program.objects[object].kind == Object::Kind::kHeapSite;
  };
  const bool may_be_gone = context_.destroyed.may_be_in(context_.program, action.may);
  if (action.may.is_valid() && !may_be_gone) {
    const std::vector<ObjectId>& objects = context_.program.object_sets[action.may];
    if (std::none_of(objects.begin(), objects.end(), is_heap))
      return;
  }
  LockReading found = read_first(action, 0);
  found.is_kept = terms_.or_(terms_.not_(found.is_written), found.is_kept);
  check(found.is_kept, FaultKind::kBadSynchronisation, "use of a lock that was destroyed");
}

void PrefixBuilder::wait_until(Term can,
                               StaticWait::For what,
                               const std::vector<const Reading*>& readings) {
  StaticWait wait;
  wait.what = what;
  for (const Reading* reading : readings)
    wait.reads.insert(wait.reads.end(), reading->events.begin(), reading->events.end());
  wait_until(can, std::move(wait));
}

// Mutexes and spin locks.

/// May the lock not be there?
bool PrefixBuilder::may_be_unusable(const Synchronize& action, std::size_t operand) {
  return context_.destroyed.may_be_in(context_.program, action.may) ||
         context_.unwritten.may_be_found(
             context_.pieces.place(frames_.back().procedure, action.operands[operand], 0, 4));
}

/// Is the mutex known to be of the ordinary kind?
bool PrefixBuilder::is_normal(const Synchronize& action, std::size_t operand) {
  return context_.has_only_normal_mutexes ||
         objects_of(action.op)[operand] == ir::SyncObject::kSpinLock;
}

PrefixBuilder::Mutex PrefixBuilder::read_mutex(const Synchronize& action, std::size_t operand) {
  Mutex mutex;
  mutex.owner = read_first(action, operand);
  mutex.is_free = terms_.equal(mutex.owner.value, word(0));
  mutex.is_mine = terms_.equal(mutex.owner.value, word(thread_.thread + 1U));
  mutex.is_recursive = terms_.boolean(false);
  mutex.is_checking = terms_.boolean(false);
  if (is_normal(action, operand))
    return mutex;
  mutex.kind = read_word(action, operand, mutex_kind(context_.program.data_model));
  mutex.is_recursive = terms_.equal(mutex.kind->value, word(kMutexRecursive));
  mutex.is_checking = terms_.equal(mutex.kind->value, word(kMutexErrorCheck));
  mutex.depth = read_word(action, operand, kMutexDepth);
  return mutex;
}

void PrefixBuilder::wait_for_mutex(Term can, const Mutex& mutex) {
  StaticWait wait;
  wait.what = StaticWait::For::kHolders;
  wait.holder = mutex.owner.value;
  wait.reads = mutex.owner.events;
  if (mutex.kind)
    wait.reads.insert(wait.reads.end(), mutex.kind->events.begin(), mutex.kind->events.end());
  wait_until(can, std::move(wait));
}

void PrefixBuilder::lock_mutex(const Synchronize& action) {
  const bool is_try = facts_of(action.op).attempt == ir::SyncAttempt::kTries;
  const bool is_timed = ir::is_timed(action.op);
  const Term is_late = is_timed ? terms_.to_bool(fresh_choice(1)) : terms_.boolean(false);
  const Term in_time = terms_.not_(is_late);
  const bool has_words = !is_normal(action, 0);
  if (has_words)
    open_step();
  const Mutex mutex = read_mutex(action, 0);
  const Term again = terms_.and_(mutex.is_mine, mutex.is_recursive);
  const Term refused = terms_.and_(mutex.is_mine, mutex.is_checking);
  write_word(action,
             0,
             kMutexOwner,
             &mutex.owner,
             word(thread_.thread + 1U),
             terms_.and_(in_time, mutex.is_free));
  if (mutex.depth)
    write_word(action,
               0,
               kMutexDepth,
               &*mutex.depth,
               terms_.binary(logic::Op::kAdd, mutex.depth->value, word(1)),
               terms_.and_(in_time, again));
  if (has_words)
    close_step();
  check_usable(mutex.owner);
  if (is_dead())
    return;
  const Term taken = terms_.or_(mutex.is_free, again);
  if (!is_try) {
    const Term can = terms_.or_(taken, refused);
    if (!is_timed)
      wait_for_mutex(can, mutex);
    narrow(terms_.or_(is_late, can));
  }
  Term result =
      terms_.ite(taken, number(action, 0), number(action, is_try ? kErrorBusy : kErrorDeadlock));
  if (is_timed)
    result = terms_.ite(is_late, number(action, kErrorTimedOut), result);
  give(action, result);
}

/// Gives the mutex up once, where `when` holds.
void PrefixBuilder::write_unlocked(const Synchronize& action,
                                   std::size_t operand,
                                   const Mutex& mutex,
                                   Term when) {
  Term is_deeper = terms_.boolean(false);
  if (mutex.depth) {
    is_deeper =
        terms_.and_(mutex.is_recursive, terms_.not_(terms_.equal(mutex.depth->value, word(0))));
    write_word(action,
               operand,
               kMutexDepth,
               &*mutex.depth,
               terms_.binary(logic::Op::kSub, mutex.depth->value, word(1)),
               terms_.and_(when, is_deeper));
  }
  write_word(action,
             operand,
             kMutexOwner,
             &mutex.owner,
             word(0),
             terms_.and_(when, terms_.not_(is_deeper)));
}

void PrefixBuilder::unlock_mutex(const Synchronize& action) {
  if (is_normal(action, 0)) { // whoever holds it
    std::optional<LockReading> owner;
    if (may_be_unusable(action, 0)) {
      open_step();
      owner = read_first(action, 0);
    }
    write_word(action, 0, kMutexOwner, nullptr, word(0), terms_.boolean(true));
    if (owner) {
      close_step();
      check_usable(*owner);
      if (is_dead())
        return;
    }
    give(action, number(action, 0));
    return;
  }
  open_step();
  const Mutex mutex = read_mutex(action, 0);
  const Term refused =
      terms_.and_(terms_.not_(mutex.is_mine), terms_.or_(mutex.is_recursive, mutex.is_checking));
  write_unlocked(action, 0, mutex, terms_.not_(refused));
  close_step();
  check_usable(mutex.owner);
  if (is_dead())
    return;
  give(action, terms_.ite(refused, number(action, kErrorPerm), number(action, 0)));
}

/// A thread that waited on a condition takes the mutex back.
EventIndex PrefixBuilder::take_again(const Synchronize& action) {
  const bool is_large = context_.keeps_waits || !is_normal(action, 1);
  if (is_large)
    open_step();
  const EventIndex again = next_event();
  if (context_.keeps_waits)
    endpoint(action.drains);
  const Mutex mutex = read_mutex(action, 1);
  const Term is_held = terms_.not_(
      terms_.or_(mutex.is_free,
                 terms_.and_(mutex.is_mine, terms_.or_(mutex.is_recursive, mutex.is_checking))));
  const Term takes = terms_.not_(is_held);
  write_word(action,
             1,
             kMutexOwner,
             &mutex.owner,
             word(thread_.thread + 1U),
             terms_.and_(takes, terms_.not_(mutex.is_mine)));
  if (mutex.depth)
    write_word(action,
               1,
               kMutexDepth,
               &*mutex.depth,
               terms_.binary(logic::Op::kAdd, mutex.depth->value, word(1)),
               terms_.and_(takes, mutex.is_mine));
  if (is_large)
    close_step();
  check(mutex.owner.is_kept, FaultKind::kBadSynchronisation, "use of a lock that was destroyed");
  wait_for_mutex(takes, mutex);
  narrow(takes);
  return again;
}

void PrefixBuilder::wait_on_condition(const Synchronize& action) {
  touch_condition(action);
  const bool is_large = context_.keeps_waits || !is_normal(action, 1);
  StaticConditionWait wait;
  if (is_large)
    open_step();
  wait.given = next_event();
  if (context_.keeps_waits)
    endpoint(action.drains);
  if (const std::optional<std::uint32_t> point =
          context_.keeps_waits ? point_before(true) : std::nullopt) {
    if (const auto turn = open_turns_.find(*point); turn != open_turns_.end())
      set_.wait_turns[turn->second].next_given = wait.given;
    last_waits_[name_of_point(*point)] = set_.condition_waits.size();
  }
  const Mutex mutex = read_mutex(action, 1);
  write_unlocked(action, 1, mutex, mutex.is_mine);
  if (is_large)
    close_step();
  check_usable(mutex.owner);
  check(
      mutex.is_mine, FaultKind::kBadSynchronisation, "a condition wait without holding the mutex");
  if (is_dead())
    return;
  const bool is_timed = ir::is_timed(action.op);
  const Term is_late = is_timed ? terms_.to_bool(fresh_choice(1)) : terms_.boolean(false);
  wait.begins = guard();
  if (context_.keeps_waits && !is_timed) {
    const Term goes_on = terms_.to_bool(fresh_choice(1));
    StaticWait lasting;
    lasting.what = StaticWait::For::kSignal;
    wait_until(goes_on, std::move(lasting));
    wait.wait = set_.waits.size() - 1;
    narrow(goes_on);
  }
  ++instruction_;
  wait.again = take_again(action);
  if (context_.keeps_waits) {
    wait.thread = thread_.thread;
    wait.address = evaluate(action.operands[0]);
    wait.is_late = is_late;
    set_.condition_waits.push_back(std::move(wait));
  }
  give(action, terms_.ite(is_late, number(action, kErrorTimedOut), number(action, 0)));
}

// Read-write locks: the writer, a bit per reading thread, and how often it reads beyond that.

void PrefixBuilder::read_write_lock(const Synchronize& action) {
  const bool is_read = facts_of(action.op).role == ir::SyncRole::kTakeShared;
  const bool is_timed = ir::is_timed(action.op);
  const bool blocks = !is_attempt(action.op);
  if (is_read && thread_.thread >= kMostReadingThreads) {
    stop(StaticEvent::Kind::kCut, FaultKind::kCut, bound_of_reading_threads());
    return;
  }
  const Term is_late = is_timed ? terms_.to_bool(fresh_choice(1)) : terms_.boolean(false);
  const Term in_time = terms_.not_(is_late);
  open_step();
  const LockReading writer = read_first(action, 0);
  const Reading readers = read_word(action, 0, kReadWriteReaders);
  const Term has_writer = terms_.not_(terms_.equal(writer.value, word(0)));
  Term can = terms_.not_(has_writer);
  if (is_read) {
    const Term bit = word(1U << area_of(thread_.thread));
    const Term reads =
        terms_.not_(terms_.equal(terms_.binary(logic::Op::kBitAnd, readers.value, bit), word(0)));
    const bool may_read_already = read_locks_++ > 0;
    Term first = terms_.boolean(true);
    if (may_read_already) {
      first = terms_.not_(reads);
      const std::uint64_t at = kReadWriteReadersExtra + thread_.thread / 2;
      const Term address = evaluate(action.operands[0]);
      const Term place_of_extra =
          terms_.binary(logic::Op::kAdd, address, terms_.constant(at, terms_.sort(address).width));
      const AccessPlace& place =
          context_.pieces.place(frames_.back().procedure, action.operands[0], at, 1);
      const Reading extra =
          read(place, word_access(action, 1, Order::kAcquire), place_of_extra, guard());
      const Term one = terms_.constant(thread_.thread % 2 == 0 ? 1 : 16, 8);
      const Term more = terms_.and_(terms_.and_(terms_.and_(in_time, can), reads), usable_);
      relate_update(extra,
                    write(place,
                          word_access(action, 1, Order::kAcqRel),
                          place_of_extra,
                          terms_.binary(logic::Op::kAdd, extra.value, one),
                          terms_.and_(guard(), more)));
      const Term count = terms_.extract(extra.value, thread_.thread % 2 == 0 ? 0 : 4, 4);
      const Term is_full = terms_.and_(more, terms_.equal(count, terms_.constant(15, 4)));
      if (!is_false(is_full) && read_locks_ > 16) {
        StaticEvent event;
        event.kind = StaticEvent::Kind::kCut;
        event.fault = FaultKind::kCut;
        event.text = "at most 16 read locks of one thread on one lock";
        event.guard = terms_.and_(guard(), is_full);
        add(std::move(event));
        narrow(terms_.not_(is_full));
      }
    }
    write_word(action,
               0,
               kReadWriteReaders,
               &readers,
               terms_.binary(logic::Op::kBitOr, readers.value, bit),
               terms_.and_(terms_.and_(in_time, can), first));
  } else {
    can = terms_.and_(can, terms_.equal(readers.value, word(0)));
    write_word(
        action, 0, kReadWriteWriter, &writer, word(thread_.thread + 1U), terms_.and_(in_time, can));
  }
  close_step();
  check_usable(writer);
  if (is_dead())
    return;
  const Term is_mine = terms_.equal(writer.value, word(thread_.thread + 1U));
  if (blocks) {
    StaticWait wait;
    wait.what = StaticWait::For::kHolders;
    wait.holder = writer.value;
    wait.reads = writer.events;
    if (!is_read) {
      wait.readers = readers.value;
      wait.reads.insert(wait.reads.end(), readers.events.begin(), readers.events.end());
    }
    wait_until(terms_.or_(can, is_mine), std::move(wait));
    narrow(terms_.or_(can, is_mine));
  }
  if (is_timed)
    narrow(terms_.or_(is_late, can));
  Term result =
      terms_.ite(can, number(action, 0), number(action, blocks ? kErrorDeadlock : kErrorBusy));
  if (is_timed)
    result = terms_.ite(is_late, number(action, kErrorTimedOut), result);
  give(action, result);
}

void PrefixBuilder::read_write_unlock(const Synchronize& action) {
  open_step();
  const LockReading writer = read_first(action, 0);
  const Reading readers = read_word(action, 0, kReadWriteReaders);
  const Term writes = terms_.equal(writer.value, word(thread_.thread + 1U));
  // None of the threads beyond the first ones reads.
  const Term bit = word(thread_.thread < kMostReadingThreads ? 1U << area_of(thread_.thread) : 0U);
  const Term reads = terms_.and_(
      terms_.and_(terms_.not_(writes), usable_),
      terms_.not_(terms_.equal(terms_.binary(logic::Op::kBitAnd, readers.value, bit), word(0))));
  write_word(action, 0, kReadWriteWriter, &writer, word(0), writes);
  Term last = reads;
  if (read_locks_ > 1) {
    const std::uint64_t at = kReadWriteReadersExtra + thread_.thread / 2;
    const Term address = evaluate(action.operands[0]);
    const Term place_of_extra =
        terms_.binary(logic::Op::kAdd, address, terms_.constant(at, terms_.sort(address).width));
    const AccessPlace& place =
        context_.pieces.place(frames_.back().procedure, action.operands[0], at, 1);
    const Reading extra =
        read(place, word_access(action, 1, Order::kAcquire), place_of_extra, guard());
    const Term one = terms_.constant(thread_.thread % 2 == 0 ? 1 : 16, 8);
    const Term has_more = terms_.not_(terms_.equal(
        terms_.extract(extra.value, thread_.thread % 2 == 0 ? 0 : 4, 4), terms_.constant(0, 4)));
    relate_update(extra,
                  write(place,
                        word_access(action, 1, Order::kAcqRel),
                        place_of_extra,
                        terms_.binary(logic::Op::kSub, extra.value, one),
                        terms_.and_(guard(), terms_.and_(reads, has_more))));
    last = terms_.and_(reads, terms_.not_(has_more));
  }
  write_word(action,
             0,
             kReadWriteReaders,
             &readers,
             terms_.binary(logic::Op::kBitAnd, readers.value, terms_.bit_not(bit)),
             last);
  close_step();
  check_usable(writer);
  check(terms_.or_(writes, reads),
        FaultKind::kBadSynchronisation,
        "a read-write lock is released that the thread does not hold");
  give(action, number(action, 0));
}

// The others.

void PrefixBuilder::semaphore(const Synchronize& action) {
  if (action.op == SyncOp::kSemaphoreInit) {
    write_word(action,
               0,
               kSemaphoreCount,
               nullptr,
               widened(evaluate(action.operands[1]), 32),
               terms_.boolean(true));
    give(action, number(action, 0));
    return;
  }
  const bool is_timed = ir::is_timed(action.op);
  const Term is_late = is_timed ? terms_.to_bool(fresh_choice(1)) : terms_.boolean(false);
  const LockReading count = read_first(action, 0);
  if (action.op == SyncOp::kSemaphoreValue) {
    check_usable(count);
    give(action, count.value);
    return;
  }
  if (action.op == SyncOp::kSemaphorePost) {
    write_word(action,
               0,
               kSemaphoreCount,
               &count,
               terms_.binary(logic::Op::kAdd, count.value, word(1)),
               terms_.boolean(true));
    check_usable(count);
    give(action, number(action, 0));
    return;
  }
  const Term can = terms_.not_(terms_.equal(count.value, word(0)));
  write_word(action,
             0,
             kSemaphoreCount,
             &count,
             terms_.binary(logic::Op::kSub, count.value, word(1)),
             terms_.and_(can, terms_.not_(is_late)));
  check_usable(count);
  if (is_dead())
    return;
  if (action.op == SyncOp::kSemaphoreWait)
    wait_until(can, StaticWait::For::kAnybody, {&count});
  if (action.op != SyncOp::kSemaphoreTryWait)
    narrow(terms_.or_(is_late, can));
  Term result = terms_.ite(can, number(action, 0), number(action, kErrorAgain));
  if (is_timed)
    result = terms_.ite(is_late, number(action, kErrorTimedOut), result);
  give(action, result);
}

void PrefixBuilder::barrier_wait(const Synchronize& action) {
  open_step();
  const LockReading threshold = read_first(action, 0);
  const Reading arrived = read_word(action, 0, kBarrierArrived);
  const Reading generation = read_word(action, 0, kBarrierGeneration);
  const Term is_usable = terms_.not_(terms_.equal(threshold.value, word(0)));
  const Term now = terms_.binary(logic::Op::kAdd, arrived.value, word(1));
  const Term is_last = terms_.not_(terms_.binary(logic::Op::kULt, now, threshold.value));
  write_word(action, 0, kBarrierArrived, &arrived, terms_.ite(is_last, word(0), now), is_usable);
  write_word(action,
             0,
             kBarrierGeneration,
             &generation,
             terms_.binary(logic::Op::kAdd, generation.value, word(1)),
             terms_.and_(is_usable, is_last));
  close_step();
  check(threshold.is_written,
        FaultKind::kBadSynchronisation,
        "use of a lock that was never initialised");
  check(is_usable, FaultKind::kBadSynchronisation, "use of a lock that was never initialised");
  if (is_dead())
    return;
  ++instruction_;
  const Term address = evaluate(action.operands[0]);
  const Reading later = read(
      context_.pieces.place(frames_.back().procedure, action.operands[0], kBarrierGeneration, 4),
      word_access(action, 4, Order::kAcquire),
      terms_.binary(logic::Op::kAdd,
                    address,
                    terms_.constant(kBarrierGeneration, terms_.sort(address).width)),
      terms_.and_(guard(), terms_.not_(is_last)));
  const Term is_open =
      terms_.or_(is_last, terms_.not_(terms_.equal(later.value, generation.value)));
  wait_until(is_open, StaticWait::For::kAnybody, {&later});
  narrow(is_open);
  give(action, terms_.ite(is_last, number(action, ~0ULL), number(action, 0)));
}

void PrefixBuilder::once(const Synchronize& action) {
  if (action.op == SyncOp::kOnceLeave) {
    write_word(action, 0, kOnceState, nullptr, word(2), terms_.boolean(true));
    give(action, number(action, 0));
    return;
  }
  const LockReading state = read_first(action, 0);
  const Term is_first = terms_.equal(state.value, word(0));
  write_word(action, 0, kOnceState, &state, word(1), is_first);
  check_usable(state);
  if (is_dead())
    return;
  const Term is_decided = terms_.not_(terms_.equal(state.value, word(1)));
  wait_until(is_decided, StaticWait::For::kAnybody, {&state});
  narrow(is_decided);
  give(action, terms_.ite(is_first, number(action, 1), number(action, 0)));
}

Status PrefixBuilder::synchronize(const Synchronize& action) {
  usable_ = terms_.boolean(true);
  const auto objects = objects_of(action.op);
  for (std::size_t i = 0; i < objects.size(); ++i)
    judge_object(action, i, sync_layout::size_of(objects[i], context_.program.data_model));
  if (is_dead())
    return Done{};
  switch (action.op) {
  case SyncOp::kCreate:
    create(action);
    break;
  case SyncOp::kJoin:
    join(action);
    break;
  case SyncOp::kDetach:
    detach(action);
    break;
  case SyncOp::kSelf:
    give(action, number(action, thread_.thread + 1U));
    break;
  case SyncOp::kMutexInit:
    if (!is_normal(action, 0))
      open_step();
    write_word(action, 0, kMutexOwner, nullptr, word(0), terms_.boolean(true));
    if (!is_normal(action, 0)) {
      write_word(action, 0, kMutexDepth, nullptr, word(0), terms_.boolean(true));
      write_word(action,
                 0,
                 mutex_kind(context_.program.data_model),
                 nullptr,
                 widened(evaluate(action.operands[1]), 32),
                 terms_.boolean(true));
      close_step();
    }
    give(action, number(action, 0));
    break;
  case SyncOp::kMutexDestroy: {
    const LockReading owner = read_first(action, 0);
    const Term is_free =
        terms_.or_(terms_.not_(owner.is_written), terms_.equal(owner.value, word(0)));
    usable_ = terms_.boolean(true); // nobody asks whether it was initialised
    write_word(action, 0, kMutexOwner, &owner, word(kGone), is_free);
    check(terms_.or_(terms_.not_(owner.is_written), owner.is_kept),
          FaultKind::kBadSynchronisation,
          "use of a lock that was destroyed");
    give(action, terms_.ite(is_free, number(action, 0), number(action, kErrorBusy)));
    break;
  }
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
    lock_mutex(action);
    break;
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock:
    unlock_mutex(action);
    break;
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
    read_write_lock(action);
    break;
  case SyncOp::kReadWriteUnlock:
    read_write_unlock(action);
    break;
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    wait_on_condition(action);
    break;
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
    touch_condition(action);
    if (const EventIndex event = endpoint(action.drains); context_.keeps_waits)
      set_.signals.push_back(
          {event, evaluate(action.operands[0]), action.op == SyncOp::kConditionBroadcast});
    give(action, number(action, 0));
    break;
  case SyncOp::kSemaphoreInit:
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
  case SyncOp::kSemaphorePost:
  case SyncOp::kSemaphoreValue:
    semaphore(action);
    break;
  case SyncOp::kBarrierInit: {
    const Term count = widened(evaluate(action.operands[1]), 32);
    const Term is_good = terms_.not_(terms_.equal(count, word(0)));
    const Term is_gone = terms_.equal(count, word(kGone)); // threads may still have to leave
    const Term is_new = terms_.and_(is_good, terms_.not_(is_gone));
    open_step();
    write_word(action, 0, kBarrierThreshold, nullptr, terms_.ite(is_gone, word(0), count), is_good);
    write_word(action, 0, kBarrierArrived, nullptr, word(0), is_new);
    write_word(action, 0, kBarrierGeneration, nullptr, word(0), is_new);
    close_step();
    give(action, terms_.ite(is_good, number(action, 0), number(action, kErrorInvalid)));
    break;
  }
  case SyncOp::kBarrierWait:
    barrier_wait(action);
    break;
  case SyncOp::kOnceEnter:
  case SyncOp::kOnceLeave:
    once(action);
    break;
  }
  return Done{};
}

} // namespace heddle::program
