// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation as reads and writes of the words it consists of. The interpreter's definitions
// (program/sync*.cpp) are what this repeats for a thread that is not the running one; a thread that
// waits on a condition may wake for no reason at any time, so signals do nothing.
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"
#include "transform/sequential/sequentialize_memory.h"
#include "transform/sequential/sequentialize_writer.h"

#include <algorithm>

namespace heddle::transform {

using program::LocalId;
using program::Synchronize;
using program::SyncOp;
using program::Term;
using namespace program::sync_layout;

Term SequentialSync::address(Term object, std::uint64_t offset) {
  return terms().binary(
      logic::Op::kAdd, object, terms().constant(offset, terms().sort(object).width));
}

Term SequentialSync::source_operand(Term operand) const {
  for (std::size_t i = 0; i < action_->operands.size(); ++i)
    if (action_->operands[i] == operand)
      return source_->operands[i];
  HEDDLE_CHECK(false, "a word of something that is no operand");
}

void SequentialSync::begin() {
  if (memory_ == nullptr || is_in_section_)
    return;
  memory_->begin_section(thread_);
  memory_->set_in_step(true);
}
void SequentialSync::end() {
  if (memory_ == nullptr || is_in_section_)
    return;
  memory_->end_section(thread_);
  memory_->set_in_step(false);
}

bool SequentialSync::may_be_unwritten() const {
  if (!action_->may.is_valid())
    return true;
  return std::ranges::any_of(
      writer_.program().object_sets[action_->may], [&](program::ObjectId object) {
        const program::Object::Kind kind = writer_.program().objects[object].kind;
        return kind != program::Object::Kind::kGlobal &&
               kind != program::Object::Kind::kThreadLocal;
      });
}

Term SequentialSync::first_word(Term object, bool needs_init) {
  Term value;
  if (memory_ == nullptr && may_be_unwritten()) {
    const LocalId local = writer_.local("", 32);
    const LocalId marks = writer_.local("", 8);
    program::Load load{local, object, {.size = 4}};
    load.marks = marks;
    writer_.step(load);
    value = writer_.value(local); // 0 where it is unwritten
    if (needs_init)
      writer_.trap_unless(terms().equal(writer_.value(marks), terms().constant(0, 8)),
                          "use of a lock that was never initialised");
  } else {
    value = word(object, 0);
  }
  if (may_be_destroyed_ || (memory_ != nullptr && may_be_unwritten()))
    writer_.trap_unless(terms().not_(terms().equal(value, number(kGone))),
                        "use of a lock that was destroyed or never initialised");
  return value;
}

/// It must not have been freed or destroyed.
void SequentialSync::touch_condition(const Synchronize& action) {
  if (may_be_destroyed_ || may_be_unwritten())
    (void)first_word(action.operands[0], false);
}

Term SequentialSync::word(Term object, std::uint64_t offset) {
  if (memory_ != nullptr)
    return memory_->read(
        memory_->place(procedure_, source_operand(object), object, offset, 4), 4, thread_);
  const LocalId local = writer_.local("", 32);
  writer_.step(program::Load{local, address(object, offset), {.size = 4}});
  return writer_.value(local);
}

void SequentialSync::set_word(Term object, std::uint64_t offset, Term value) {
  if (memory_ != nullptr)
    return memory_->write(
        memory_->place(procedure_, source_operand(object), object, offset, 4), value, thread_);
  writer_.step(program::Store{address(object, offset), value, {.size = 4}});
}

Term SequentialSync::is_late() {
  if (late_.is_valid())
    return late_;
  const LocalId late = writer_.local("", 1);
  writer_.step(program::Nondet{late, "time runs out"});
  late_ = terms().to_bool(writer_.value(late));
  return late_;
}

void SequentialSync::give(const Synchronize& action, Term value) {
  if (!action.dest)
    return;
  const unsigned width = writer_.procedure().locals[*action.dest].width;
  if (width < 32)
    value = terms().extract(value, 0, width);
  else if (width > 32)
    value = terms().sign_extend(value, width);
  writer_.assign(*action.dest, value);
}

SequentialSync::Mutex SequentialSync::read_mutex(Term mutex, bool is_spin) {
  Mutex result;
  result.owner = first_word(mutex);
  result.is_free = terms().equal(result.owner, number(0));
  result.is_mine = terms().equal(result.owner, self());
  if (is_spin || (memory_ != nullptr && memory_->has_plain_mutexes())) {
    result.depth = number(0);
    result.is_recursive = terms().boolean(false);
    result.is_checking = terms().boolean(false);
    return result;
  }
  result.depth = word(mutex, kMutexDepth);
  const Term kind = word(mutex, mutex_kind(writer_.program().data_model));
  result.is_recursive = terms().equal(kind, number(kMutexRecursive));
  result.is_checking = terms().equal(kind, number(kMutexErrorCheck));
  return result;
}

void SequentialSync::lock(const Synchronize& action) {
  const bool is_spin = facts_of(action.op).object == ir::SyncObject::kSpinLock;
  const bool is_try = facts_of(action.op).attempt == ir::SyncAttempt::kTries;
  const Term late = is_timed(action.op) ? is_late() : terms().boolean(false);
  const Term mutex = action.operands[0];
  const Mutex was = read_mutex(mutex, is_spin);
  const Term again = terms().and_(was.is_mine, was.is_recursive);
  const Term refused = terms().and_(was.is_mine, was.is_checking);
  const Term in_time = terms().not_(late);
  if (!is_try)
    writer_.assume(terms().or_(late, terms().or_(was.is_free, terms().or_(again, refused))));
  set_word(mutex, kMutexOwner, terms().ite(terms().and_(in_time, was.is_free), self(), was.owner));
  if (!is_spin && !is_plain())
    set_word(mutex,
             kMutexDepth,
             terms().ite(terms().and_(in_time, again),
                         terms().binary(logic::Op::kAdd, was.depth, number(1)),
                         was.depth));
  const Term is_taken = terms().or_(was.is_free, again);
  Term result = terms().ite(is_taken, number(0), number(is_try ? kErrorBusy : kErrorDeadlock));
  result = terms().ite(late, number(kErrorTimedOut), result);
  give(action, result);
}

/// Gives the error number.
Term SequentialSync::unlock(Term mutex, bool is_spin) {
  const Mutex was = read_mutex(mutex, is_spin);
  const Term is_foreign =
      terms().and_(terms().not_(was.is_mine), terms().or_(was.is_recursive, was.is_checking));
  const Term stays = terms().and_(
      terms().and_(was.is_recursive, terms().not_(terms().equal(was.depth, number(0)))),
      terms().not_(is_foreign));
  if (!is_spin && !is_plain())
    set_word(mutex,
             kMutexDepth,
             terms().ite(stays, terms().binary(logic::Op::kSub, was.depth, number(1)), was.depth));
  set_word(mutex, kMutexOwner, terms().ite(terms().or_(is_foreign, stays), was.owner, number(0)));
  return terms().ite(is_foreign, number(kErrorPerm), number(0));
}

void SequentialSync::read_write_lock(const Synchronize& action) {
  const bool reads = facts_of(action.op).role == ir::SyncRole::kTakeShared;
  const bool waits = !is_attempt(action.op);
  const Term late = is_timed(action.op) ? is_late() : terms().boolean(false);
  const Term lock = action.operands[0];
  const Term writer = first_word(lock);
  const Term readers = word(lock, kReadWriteReaders);
  Term can = terms().equal(writer, number(0));
  if (!reads)
    can = terms().and_(can, terms().equal(readers, number(0)));
  const Term is_mine = terms().equal(writer, self());
  if (waits)
    writer_.assume(terms().or_(can, is_mine));
  else if (is_timed(action.op))
    writer_.assume(terms().or_(late, can));
  const Term takes = terms().and_(can, terms().not_(late));
  if (reads) {
    const Term bit = number(1ULL << thread_);
    const Term is_set =
        terms().not_(terms().equal(terms().binary(logic::Op::kBitAnd, readers, bit), number(0)));
    writer_.trap_unless(terms().not_(terms().and_(takes, is_set)),
                        "a thread that takes a read lock it already has");
    set_word(lock,
             kReadWriteReaders,
             terms().ite(takes, terms().binary(logic::Op::kBitOr, readers, bit), readers));
  } else {
    set_word(lock, kReadWriteWriter, terms().ite(takes, self(), writer));
  }
  Term result = terms().ite(can, number(0), number(waits ? kErrorDeadlock : kErrorBusy));
  give(action, terms().ite(late, number(kErrorTimedOut), result));
}

void SequentialSync::read_write_unlock(const Synchronize& action) {
  const Term lock = action.operands[0];
  const Term writer = first_word(lock);
  const Term readers = word(lock, kReadWriteReaders);
  const Term bit = number(1ULL << thread_);
  const Term writes = terms().equal(writer, self());
  const Term reads =
      terms().not_(terms().equal(terms().binary(logic::Op::kBitAnd, readers, bit), number(0)));
  writer_.trap_unless(terms().or_(writes, reads),
                      "a read-write lock is released that the thread does not hold");
  set_word(lock, kReadWriteWriter, terms().ite(writes, number(0), writer));
  set_word(lock,
           kReadWriteReaders,
           terms().ite(
               writes, readers, terms().binary(logic::Op::kBitAnd, readers, terms().bit_not(bit))));
  give(action, 0);
}

/// Unlocks, and takes the mutex again later.
void SequentialSync::wait(const Synchronize& action, const Inside& inside) {
  if (is_timed(action.op))
    writer_.assign(inside.kept, terms().ite(is_late(), number(1), number(0)));
  touch_condition(action);
  const Term mutex = action.operands[1];
  const Term owner = first_word(mutex);
  writer_.trap_unless(terms().equal(owner, self()), "a condition wait without holding the mutex");
  (void)unlock(mutex, false);
  stop(inside);
  const Mutex was = read_mutex(mutex, false);
  writer_.assume(terms().or_(was.is_free, terms().and_(was.is_mine, was.is_recursive)));
  set_word(mutex, kMutexOwner, self());
  if (!is_plain())
    set_word(
        mutex,
        kMutexDepth,
        terms().ite(was.is_mine, terms().binary(logic::Op::kAdd, was.depth, number(1)), was.depth));
  const Term was_late = terms().equal(writer_.value(inside.kept), number(1));
  give(action,
       is_timed(action.op) ? terms().ite(was_late, number(kErrorTimedOut), number(0)) : number(0));
}

void SequentialSync::stop(const Inside& inside) {
  end();
  writer_.jump(inside.stop);
  writer_.go_on_at(inside.resume);
  writer_.stand_for(inside.rest, inside.loc);
  if (memory_ != nullptr)
    writer_.step(program::Skip{}); // stands for the rest, whatever beginning it takes
  begin();
}

void SequentialSync::semaphore(const Synchronize& action) {
  const Term object = action.operands[0];
  const Term late = is_timed(action.op) ? is_late() : terms().boolean(false);
  if (action.op == SyncOp::kSemaphoreInit) {
    set_word(object, kSemaphoreCount, terms().extract(action.operands[1], 0, 32));
    return give(action, 0);
  }
  const Term count = first_word(object);
  if (action.op == SyncOp::kSemaphoreValue)
    return give(action, count);
  if (action.op == SyncOp::kSemaphorePost) {
    set_word(object, kSemaphoreCount, terms().binary(logic::Op::kAdd, count, number(1)));
    return give(action, 0);
  }
  const Term is_empty = terms().equal(count, number(0));
  if (action.op != SyncOp::kSemaphoreTryWait)
    writer_.assume(terms().or_(late, terms().not_(is_empty)));
  set_word(object,
           kSemaphoreCount,
           terms().ite(terms().or_(late, is_empty),
                       count,
                       terms().binary(logic::Op::kSub, count, number(1))));
  give(action,
       terms().ite(
           late, number(kErrorTimedOut), terms().ite(is_empty, number(kErrorAgain), number(0))));
}

void SequentialSync::barrier(const Synchronize& action, const Inside& inside) {
  const Term object = action.operands[0];
  if (action.op == SyncOp::kBarrierInit) {
    const Term threshold = terms().extract(action.operands[1], 0, 32);
    const Term is_bad = terms().equal(threshold, number(0));
    const program::LocationId fails = writer_.location();
    writer_.branch(terms().not_(is_bad), fails); // it writes nothing
    const program::LocationId is_new = writer_.location();
    writer_.branch(terms().equal(threshold, number(kGone)), is_new);
    set_word(object, kBarrierThreshold, number(0)); // destroyed; threads may still have to leave
    const program::LocationId done = writer_.location();
    writer_.jump(done);
    writer_.go_on_at(is_new);
    set_word(object, kBarrierThreshold, threshold);
    set_word(object, kBarrierArrived, number(0));
    set_word(object, kBarrierGeneration, number(0));
    writer_.jump(done);
    writer_.go_on_at(fails);
    writer_.jump(done);
    return give(action, terms().ite(is_bad, number(kErrorInvalid), number(0)));
  }
  const Term needed = first_word(object);
  writer_.trap_unless(terms().not_(terms().equal(needed, number(0))),
                      "use of a lock that was never initialised");
  const Term arrived = terms().binary(logic::Op::kAdd, word(object, kBarrierArrived), number(1));
  const Term generation = word(object, kBarrierGeneration);
  const Term is_last = terms().binary(logic::Op::kULe, needed, arrived);
  set_word(object, kBarrierArrived, terms().ite(is_last, number(0), arrived));
  // Numbers are not used again: the run is finite.
  const Term next = terms().binary(logic::Op::kAdd, generation, number(1));
  set_word(object, kBarrierGeneration, terms().ite(is_last, next, generation));
  const program::LocationId waits = writer_.location();
  writer_.branch(is_last, waits);
  give(action, 0xffffffff); // PTHREAD_BARRIER_SERIAL_THREAD
  const program::LocationId leaves = writer_.at();
  writer_.go_on_at(waits);
  writer_.assign(inside.kept, generation);
  stop(inside);
  const Term now = word(object, kBarrierGeneration);
  writer_.assume(terms().not_(terms().equal(now, writer_.value(inside.kept))));
  give(action, 0);
  writer_.jump(leaves);
}

void SequentialSync::once(const Synchronize& action) {
  const Term object = action.operands[0];
  if (action.op == SyncOp::kOnceLeave) {
    set_word(object, kOnceState, number(2));
    return give(action, 0);
  }
  const Term state = first_word(object);
  const Term is_first = terms().equal(state, number(0));
  writer_.assume(terms().not_(terms().equal(state, number(1))));
  set_word(object, kOnceState, terms().ite(is_first, number(1), state));
  give(action, terms().ite(is_first, number(1), number(0)));
}

bool SequentialSync::is_plain() const {
  return memory_ != nullptr && memory_->has_plain_mutexes();
}

/// A plain mutex needs no section: it is one update of one word.
bool SequentialSync::write_simply(const Synchronize& action) {
  const ir::SyncFacts& facts = facts_of(action.op);
  const bool is_spin = facts.object == ir::SyncObject::kSpinLock;
  const bool locks = takes_exclusive_lock(action.op) && !is_attempt(action.op);
  const bool unlocks = gives_exclusive_lock(action.op);
  if (memory_ == nullptr || is_in_section_ || may_be_destroyed_ || may_be_unwritten() ||
      !(locks || unlocks) || !(is_spin || is_plain()))
    return false;
  const Term mutex = action.operands[0];
  const SequentialMemory::Place place =
      memory_->place(procedure_, source_operand(mutex), mutex, kMutexOwner, 4);
  if (locks)
    memory_->lock(place, thread_);
  else // whoever holds it
    (void)memory_->update(place, thread_, 4, [&](Term) { return number(0); });
  give(action, 0);
  return true;
}

void SequentialSync::write(const Synchronize& action, const Inside& inside) {
  action_ = &action;
  if (action.op == SyncOp::kConditionSignal || action.op == SyncOp::kConditionBroadcast) {
    if (memory_ != nullptr)
      memory_->fence(thread_);
    writer_.step(program::Skip{});
    touch_condition(action);
    return give(action, 0);
  }
  if (write_simply(action))
    return;
  if (memory_ != nullptr && is_timed(action.op))
    (void)is_late();
  begin();
  write_words(action, inside);
  end();
}

void SequentialSync::write_words(const Synchronize& action, const Inside& inside) {
  switch (action.op) {
  case SyncOp::kCreate:
  case SyncOp::kJoin:
  case SyncOp::kDetach:
  case SyncOp::kSelf:
    HEDDLE_CHECK(false, "threads are the schedule's affair");
  case SyncOp::kMutexInit:
    set_word(action.operands[0], kMutexOwner, number(0));
    if (!is_plain()) {
      set_word(action.operands[0], kMutexDepth, number(0));
      set_word(action.operands[0],
               mutex_kind(writer_.program().data_model),
               terms().extract(action.operands[1], 0, 32));
    }
    return give(action, 0);
  case SyncOp::kMutexDestroy: {
    const Term owner = first_word(action.operands[0], false);
    const Term is_free = terms().equal(owner, number(0));
    set_word(action.operands[0], kMutexOwner, terms().ite(is_free, number(kGone), owner));
    return give(action, terms().ite(is_free, number(0), number(kErrorBusy)));
  }
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
    return lock(action);
  case SyncOp::kMutexUnlock:
    return give(action, unlock(action.operands[0], false));
  case SyncOp::kSpinUnlock:
    return give(action, unlock(action.operands[0], true));
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
    return read_write_lock(action);
  case SyncOp::kReadWriteUnlock:
    return read_write_unlock(action);
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return wait(action, inside);
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
    HEDDLE_CHECK(false, "signals touch no words");
  case SyncOp::kSemaphoreInit:
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
  case SyncOp::kSemaphorePost:
  case SyncOp::kSemaphoreValue:
    return semaphore(action);
  case SyncOp::kBarrierInit:
  case SyncOp::kBarrierWait:
    return barrier(action, inside);
  case SyncOp::kOnceEnter:
  case SyncOp::kOnceLeave:
    return once(action);
  }
}

} // namespace heddle::transform
