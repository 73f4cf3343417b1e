// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation: which operation is undefined, blocked, open to choice, and what it does. Locks,
// conditions with barriers, and threads have files of their own. The state of a lock is in its
// object's bytes (sync_layout.h).
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <bit>

namespace heddle::program {

namespace {

using ir::SyncObject;

constexpr const char* kUseOfDestroyed = "use of a lock that was destroyed";

} // namespace

std::uint64_t Interpreter::Code::sync_size(SyncOp op) const {
  return sync_layout::size_of(ir::facts_of(op).object, program.data_model);
}

bool Interpreter::Code::is_gone(const State& state, std::uint64_t lock) const {
  return memory.unwritten(state.memory, lock, 4) == 0 && word(state, lock) == sync_layout::kGone;
}

std::uint64_t Interpreter::Code::live_others(const State& state, ThreadIndex thread) const {
  std::uint64_t mask = 0;
  for (ThreadIndex i = 0; i < state.threads.size(); ++i)
    if (i != thread && state.threads[i].is_live())
      mask |= 1ULL << i;
  return mask;
}

Fault Interpreter::Code::sync_fault(const State& state,
                                    ThreadIndex thread,
                                    const Request& request) const {
  const ThreadState& self = state.threads[thread];
  const SyncOp op = edge(self).sync;
  const SyncObject object = ir::facts_of(op).object;
  if (object == SyncObject::kThread)
    return {}; // judged by create, join and detach
  const std::uint64_t size = sync_size(op);
  if (Fault found = access_fault(state, thread, request.address, size, true); !found.is_none())
    return found;
  const auto is_fresh = [&](std::uint64_t offset) {
    return memory.unwritten(state.memory, request.address + offset, 4) != 0;
  };
  if (!is_initialisation(op) && object != SyncObject::kBarrier && is_gone(state, request.address))
    return fault(FaultKind::kBadSynchronisation, kUseOfDestroyed, self);
  bool is_uninitialised = false;
  if (!is_initialisation(op) && object != SyncObject::kCondition && op != SyncOp::kMutexDestroy) {
    is_uninitialised =
        is_fresh(0) || (object == SyncObject::kMutex && is_fresh(size - 4)) ||
        (object == SyncObject::kReadWriteLock && is_fresh(sync_layout::kReadWriteReaders)) ||
        (object == SyncObject::kBarrier &&
         word(state, request.address + sync_layout::kBarrierThreshold) == 0);
  }
  if (is_uninitialised)
    return fault(FaultKind::kBadSynchronisation, "use of a lock that was never initialised", self);
  if (op == SyncOp::kConditionWait || op == SyncOp::kConditionTimedWait) {
    const std::uint64_t mutex_size = sync_size(SyncOp::kMutexLock);
    if (Fault found = access_fault(state, thread, request.value, mutex_size, true);
        !found.is_none())
      return found;
    if (word(state, request.value + sync_layout::kMutexOwner) != thread + 1)
      return fault(
          FaultKind::kBadSynchronisation, "a condition wait without holding the mutex", self);
  }
  return {};
}

std::optional<Wait> Interpreter::Code::sync_blocked(const State& state,
                                                    ThreadIndex thread,
                                                    const Request& request) const {
  const auto owner_of = [&](std::uint64_t lock) {
    const std::uint32_t owner = word(state, lock);
    return owner == 0 || owner > kMaxThreads ? 0ULL : 1ULL << (owner - 1);
  };
  const CompiledEdge& at = edge(state.threads[thread]);
  switch (request.kind) {
  case Request::Kind::kWakeUp:
    if (at.sync == SyncOp::kConditionTimedWait)
      return std::nullopt;
    return Wait{Wait::Reason::kCondition, request.address, live_others(state, thread)};
  case Request::Kind::kReacquire:
    // The thread gave the mutex up; a recursive one may still be its own.
    if (is_gone(state, request.address))
      return std::nullopt; // it can go on: into the fault
    if (mutex_outcome(state, thread, request.address, false) == Taken::kHeld)
      return Wait{Wait::Reason::kMutex, request.address, owner_of(request.address)};
    return std::nullopt;
  case Request::Kind::kLeaveBarrier:
    if (word(state, request.address + sync_layout::kBarrierGeneration) ==
        state.threads[thread].words[layout::kExtra])
      return Wait{Wait::Reason::kBarrier, request.address, live_others(state, thread)};
    return std::nullopt;
  case Request::Kind::kSynchronize:
    break;
  default:
    return std::nullopt;
  }
  if (at.sync != SyncOp::kJoin && !sync_fault(state, thread, request).is_none())
    return std::nullopt; // it can go on: into the fault
  switch (at.sync) {
  case SyncOp::kMutexLock:
  case SyncOp::kSpinLock:
    if (mutex_outcome(state, thread, request.address, at.sync == SyncOp::kSpinLock) == Taken::kHeld)
      return Wait{Wait::Reason::kMutex, request.address, owner_of(request.address)};
    return std::nullopt;
  case SyncOp::kReadLock:
    if (!can_read_lock(state, request.address) &&
        word(state, request.address + sync_layout::kReadWriteWriter) != thread + 1)
      return Wait{Wait::Reason::kReadWriteLock, request.address, owner_of(request.address)};
    return std::nullopt;
  case SyncOp::kWriteLock:
    if (!can_write_lock(state, request.address) &&
        word(state, request.address + sync_layout::kReadWriteWriter) != thread + 1)
      return Wait{Wait::Reason::kReadWriteLock,
                  request.address,
                  owner_of(request.address) |
                      word(state, request.address + sync_layout::kReadWriteReaders)};
    return std::nullopt;
  case SyncOp::kSemaphoreWait:
    if (word(state, request.address) == 0)
      return Wait{Wait::Reason::kSemaphore, request.address, live_others(state, thread)};
    return std::nullopt;
  case SyncOp::kOnceEnter:
    if (word(state, request.address) == 1)
      return Wait{Wait::Reason::kOnce, request.address, live_others(state, thread)};
    return std::nullopt;
  case SyncOp::kJoin: {
    const std::uint64_t target = request.address - 1;
    if (target < state.threads.size() && state.threads[target].is_live() &&
        (state.threads[target].words[layout::kHeader] & layout::kDetached) == 0)
      return Wait{Wait::Reason::kJoin, request.address, 1ULL << target};
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void Interpreter::Code::sync_choices(const State& state,
                                     ThreadIndex thread,
                                     const Request& request,
                                     std::vector<std::uint64_t>& out) const {
  const SyncOp op = edge(state.threads[thread]).sync;
  if (request.kind == Request::Kind::kWakeUp) {
    out.push_back(0);
    if (op == SyncOp::kConditionTimedWait)
      out.push_back(kChoiceFails);
    return;
  }
  if (sync_blocked(state, thread, request))
    return;
  if (request.kind != Request::Kind::kSynchronize ||
      !sync_fault(state, thread, request).is_none()) {
    out.push_back(0);
    return;
  }
  // A timed operation goes through if it can, and may run out of time in any case.
  const auto timed = [&](bool can_succeed) {
    if (can_succeed)
      out.push_back(0);
    out.push_back(kChoiceFails);
  };
  switch (op) {
  case SyncOp::kMutexTimedLock:
    timed(mutex_outcome(state, thread, request.address, false) != Taken::kHeld);
    return;
  case SyncOp::kTimedReadLock:
    timed(can_read_lock(state, request.address));
    return;
  case SyncOp::kTimedWriteLock:
    timed(can_write_lock(state, request.address));
    return;
  case SyncOp::kSemaphoreTimedWait:
    timed(word(state, request.address) != 0);
    return;
  case SyncOp::kConditionSignal: {
    const std::size_t before = out.size();
    for (ThreadIndex i = 0; i < state.threads.size(); ++i)
      if (is_waiting_on(state, i, request.address))
        out.push_back(i);
    if (out.size() == before)
      out.push_back(0); // nobody waits: nothing happens
    return;
  }
  default:
    out.push_back(0);
    return;
  }
}

Fault Interpreter::Code::sync_execute(State& state,
                                      ThreadIndex thread,
                                      const Request& request,
                                      std::uint64_t choice,
                                      ThreadIndex next_thread) const {
  using namespace sync_layout;
  const CompiledEdge& at = edge(state.threads[thread]);
  const std::uint64_t object = request.address;
  const auto finish = [&](std::uint64_t result) {
    set_local(state.threads[thread], at, result);
    advance(state.threads[thread], at);
    return Fault{};
  };
  const bool is_late = choice == kChoiceFails;
  switch (request.kind) {
  case Request::Kind::kWakeUp:
    if (is_late)
      state.threads[thread].words[layout::kHeader] |= layout::kTimedOut;
    wake(state, thread);
    return {};
  case Request::Kind::kReacquire:
    if (is_gone(state, request.address))
      return fault(FaultKind::kBadSynchronisation, kUseOfDestroyed, state.threads[thread]);
    reacquire(state, thread, request);
    return {};
  case Request::Kind::kLeaveBarrier:
    layout::set_status(state.threads[thread], ThreadStatus::kRunning);
    state.threads[thread].words[layout::kExtra] = 0;
    return finish(0);
  default:
    break;
  }
  if (Fault found = sync_fault(state, thread, request); !found.is_none())
    return found;
  if (options.check_analyses && !is_thread_operation(at.sync))
    check_touch(state, thread, object, at.may, true, true);
  switch (at.sync) {
  case SyncOp::kCreate:
    return create(state, thread, at, next_thread);
  case SyncOp::kJoin:
    return join(state, thread, at, object);
  case SyncOp::kDetach:
    return detach(state, thread, at, object);
  case SyncOp::kSelf:
    return finish(thread + 1ULL);
  case SyncOp::kMutexInit:
    set_word(state, object + kMutexOwner, 0);
    set_word(state, object + kMutexDepth, 0);
    set_word(state, object + sync_layout::mutex_kind(program.data_model), request.value);
    return finish(0);
  case SyncOp::kMutexDestroy:
    if (memory.unwritten(state.memory, object, 4) == 0 && word(state, object + kMutexOwner) != 0)
      return finish(kErrorBusy);
    set_word(state, object + kMutexOwner, kGone);
    return finish(0);
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock: {
    const bool is_spin = at.sync == SyncOp::kSpinLock || at.sync == SyncOp::kSpinTryLock;
    const bool is_try = at.sync == SyncOp::kMutexTryLock || at.sync == SyncOp::kSpinTryLock;
    if (at.sync == SyncOp::kMutexTimedLock && is_late)
      return finish(kErrorTimedOut);
    switch (mutex_outcome(state, thread, object, is_spin)) {
    case Taken::kYes:
      mutex_take(state, thread, object);
      return finish(0);
    case Taken::kAgain:
      set_word(state, object + kMutexDepth, word(state, object + kMutexDepth) + 1ULL);
      return finish(0);
    case Taken::kDeadlockError:
      return finish(is_try ? kErrorBusy : kErrorDeadlock);
    case Taken::kHeld:
      HEDDLE_CHECK(is_try, "a lock that is held was taken");
      return finish(kErrorBusy);
    }
    HEDDLE_CHECK(false, "no such outcome");
  }
  case SyncOp::kMutexUnlock:
    return finish(mutex_unlock(state, thread, object, false));
  case SyncOp::kSpinUnlock:
    return finish(mutex_unlock(state, thread, object, true));
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
    if (at.sync == SyncOp::kTimedReadLock && is_late)
      return finish(kErrorTimedOut);
    if (!can_read_lock(state, object))
      return finish(at.sync == SyncOp::kReadLock ? kErrorDeadlock : kErrorBusy);
    if (extra_reads(state, thread, object) == 15)
      return fault(FaultKind::kCut,
                   "at most 16 read locks of one thread on one lock",
                   state.threads[thread]);
    read_lock(state, thread, object);
    return finish(0);
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
    if (at.sync == SyncOp::kTimedWriteLock && is_late)
      return finish(kErrorTimedOut);
    if (!can_write_lock(state, object))
      return finish(at.sync == SyncOp::kWriteLock ? kErrorDeadlock : kErrorBusy);
    set_word(state, object + kReadWriteWriter, thread + 1ULL);
    count_taken(state, thread);
    return finish(0);
  case SyncOp::kReadWriteUnlock:
    if (!read_write_unlock(state, thread, object))
      return fault(FaultKind::kBadSynchronisation,
                   "a read-write lock is released that the thread does not hold",
                   state.threads[thread]);
    return finish(0);
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return condition_wait(state, thread, request);
  case SyncOp::kConditionSignal:
    if (choice < state.threads.size() &&
        is_waiting_on(state, static_cast<ThreadIndex>(choice), object))
      wake(state, static_cast<ThreadIndex>(choice));
    return finish(0);
  case SyncOp::kConditionBroadcast:
    for (ThreadIndex i = 0; i < state.threads.size(); ++i)
      if (is_waiting_on(state, i, object))
        wake(state, i);
    return finish(0);
  case SyncOp::kSemaphoreInit:
    set_word(state, object + kSemaphoreCount, request.value);
    return finish(0);
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait: {
    const std::uint32_t count = word(state, object + kSemaphoreCount);
    if (at.sync == SyncOp::kSemaphoreTimedWait && is_late)
      return finish(kErrorTimedOut);
    if (count == 0) {
      HEDDLE_CHECK(at.sync == SyncOp::kSemaphoreTryWait, "a semaphore of 0 was taken");
      return finish(kErrorAgain);
    }
    set_word(state, object + kSemaphoreCount, count - 1ULL);
    return finish(0);
  }
  case SyncOp::kSemaphorePost:
    set_word(state, object + kSemaphoreCount, word(state, object + kSemaphoreCount) + 1ULL);
    return finish(0);
  case SyncOp::kSemaphoreValue:
    return finish(word(state, object + kSemaphoreCount));
  case SyncOp::kBarrierInit:
    if ((request.value & 0xffffffffU) == 0)
      return finish(kErrorInvalid);
    if ((request.value & 0xffffffffU) == kGone) { // destroyed; threads may still have to leave
      set_word(state, object + kBarrierThreshold, 0);
      return finish(0);
    }
    set_word(state, object + kBarrierThreshold, request.value);
    set_word(state, object + kBarrierArrived, 0);
    set_word(state, object + kBarrierGeneration, 0);
    return finish(0);
  case SyncOp::kBarrierWait:
    barrier_arrive(state, thread, at, object);
    return {};
  case SyncOp::kOnceEnter:
    if (word(state, object + kOnceState) != 0)
      return finish(0);
    set_word(state, object + kOnceState, 1);
    return finish(1);
  case SyncOp::kOnceLeave:
    set_word(state, object + kOnceState, 2);
    return finish(0);
  }
  HEDDLE_CHECK(false, "no such synchronisation");
}

} // namespace heddle::program
