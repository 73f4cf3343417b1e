// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/happens_before.h"

#include "check/run/locks.h"
#include "program/model/sync_layout.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::check {

namespace {

using program::Order;
using program::Request;
using program::ThreadIndex;
using program::ThreadStatus;

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}
/// Consume is acquire, as every compiler has it.
bool is_acquire(Order order) {
  return order == Order::kAcquire || order == Order::kConsume || order == Order::kAcqRel ||
         order == Order::kSeqCst;
}
bool is_atomic(const program::Access& access) {
  return access.kind == program::AccessKind::kAtomic;
}

bool are_overlapping(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

constexpr std::uint64_t kGranule = 8; // bytes that share one list of accesses

} // namespace

void Clock::tick(std::uint32_t place) {
  if (place >= ticks_.size())
    ticks_.resize(place + 1);
  ++ticks_[place];
}

void Clock::join(const Clock& other) {
  if (other.ticks_.size() > ticks_.size())
    ticks_.resize(other.ticks_.size());
  for (std::size_t i = 0; i < other.ticks_.size(); ++i)
    ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
}

void HappensBefore::observe(const Observed& observed) {
  if (observed.transition.kind == execution::Transition::Kind::kFlush)
    return; // a write happens, for hb, where the thread issues it
  const ThreadIndex thread = observed.transition.thread;
  clock(thread).tick(place(thread));

  observe_lock(observed);
  observe_joins(observed);
  switch (observed.request.kind) {
  case Request::Kind::kAtomicBegin:
    clock(thread).join(sections_);
    return;
  case Request::Kind::kAtomicEnd:
    sections_.join(clock(thread));
    return;
  case Request::Kind::kSynchronize:
    observe_synchronize(observed);
    return;
  case Request::Kind::kAllocate:
    // A block that malloc hands out again is a new object: freeing it comes before allocating it
    // (C11 7.22.3).
    std::erase_if(accesses_, [&](const AccessRecord& access) {
      return access.address >= interpreter_.program().space().base_of(observed.transition.choice) &&
             access.address - interpreter_.program().space().base_of(observed.transition.choice) <
                 observed.request.value;
    });
    return;
  case Request::Kind::kLocal:
  case Request::Kind::kNondet:
  case Request::Kind::kLoad:
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
  case Request::Kind::kFence:
  case Request::Kind::kFree:
  case Request::Kind::kWakeUp:
  case Request::Kind::kReacquire:
  case Request::Kind::kLeaveBarrier: // see observe_barrier
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
  case Request::Kind::kFault:
    break;
  }
  if (observed.request.edge == nullptr)
    return;
  const program::Action& action = observed.request.edge->action;
  if (const auto* load = std::get_if<program::Load>(&action))
    observe_access(observed, load->access, load->access.order);
  else if (const auto* store = std::get_if<program::Store>(&action))
    observe_access(observed, store->access, Order::kNone);
  else if (const auto* exclusive = std::get_if<program::LoadExclusive>(&action))
    observe_access(observed, exclusive->access, exclusive->access.order);
  else if (const auto* conditional = std::get_if<program::StoreExclusive>(&action))
    observe_access(observed, conditional->access, Order::kNone);
  else if (const auto* modify = std::get_if<program::ReadModifyWrite>(&action))
    observe_access(observed, modify->access, modify->access.order);
  else if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    observe_access(observed,
                   exchange->access,
                   observed.writes ? exchange->access.order : exchange->failure_order);
  else if (const auto* fence = std::get_if<program::Fence>(&action))
    observe_fence(observed, fence->access);
}

void HappensBefore::observe_access(const Observed& observed,
                                   const program::Access& access,
                                   Order read_order) {
  if (!observed.reads && !observed.writes)
    return; // it did not take place
  const ThreadIndex thread = observed.transition.thread;
  const std::uint64_t address = observed.request.address;
  const std::uint32_t size = observed.request.size;

  Clock inherited; // rs goes on through a read-modify-write, whatever its own order
  if (observed.reads && is_atomic(access)) {
    for (const std::optional<std::uint32_t>& source : observed.sources.bytes)
      if (source && messages_.contains(*source))
        inherited.join(messages_[*source]);
    unacquired_[thread].join(inherited);
    if (is_acquire(read_order))
      clock(thread).join(inherited);
  }
  // The race is judged after acquiring: an access is ordered after what it synchronises with.
  record({observed.step,
          place(thread),
          clock(thread).of(place(thread)),
          address,
          size,
          observed.writes,
          is_atomic(access),
          observed.before.core.atomic_owner == static_cast<std::int32_t>(thread)});
  if (!observed.writes || !is_atomic(access))
    return;

  Clock message;
  if (observed.reads)
    message.join(inherited);
  if (const auto fence = release_fences_.find(thread); fence != release_fences_.end())
    message.join(fence->second);
  for (std::uint32_t i = 0; i < size; ++i) {
    Clock& released = release_stores_[{thread, address + i}];
    if (is_release(access.order))
      released.join(clock(thread));
    message.join(released);
  }
  messages_[observed.step] = message;
}

void HappensBefore::observe_fence(const Observed& observed, const program::Access& access) {
  const ThreadIndex thread = observed.transition.thread;
  if (!is_atomic(access))
    return; // a compiler barrier orders nothing here
  if (is_acquire(access.order))
    clock(thread).join(unacquired_[thread]);
  if (is_release(access.order))
    release_fences_[thread].join(clock(thread));
}

void HappensBefore::observe_lock(const Observed& observed) {
  const std::optional<LockTouched> lock = lock_of(observed.request);
  if (!lock)
    return;
  const ThreadIndex thread = observed.transition.thread;
  const Hold before = hold_of(interpreter_, observed.before.core.memory, *lock, thread);
  const Hold after = hold_of(interpreter_, observed.after.core.memory, *lock, thread);
  ReadWriteLock& state = locks_[lock->address];
  if (before == after) {
    // Who gives back a normal mutex that is somebody else's releases, too.
    const auto* action = std::get_if<program::Synchronize>(&observed.request.edge->action);
    const bool gives = action != nullptr && (action->op == program::SyncOp::kMutexUnlock ||
                                             action->op == program::SyncOp::kSpinUnlock);
    const auto owner = [&](const memory::MachineState& at) {
      return interpreter_.read(
          at.core.memory, lock->address + program::sync_layout::kMutexOwner, 4);
    };
    if (gives && owner(observed.before) != 0 && owner(observed.after) == 0)
      state.by_writers.join(clock(thread));
    return;
  }
  if (before == Hold::kWrite)
    state.by_writers.join(clock(thread));
  else if (before == Hold::kRead)
    state.by_readers.join(clock(thread));
  if (after != Hold::kNone)
    clock(thread).join(state.by_writers);
  if (after == Hold::kWrite)
    clock(thread).join(state.by_readers);
}

void HappensBefore::start(ThreadIndex created, ThreadIndex creator) {
  const Clock now = clock(creator);
  if (const auto old = places_.find(created); old != places_.end()) {
    const std::uint32_t number = old->second;
    if (clocks_[number].of(number) > now.of(number))
      old->second = next_place_++; // nothing orders the old thread before this one
    release_fences_.erase(created);
    unacquired_.erase(created);
    release_stores_.erase(release_stores_.lower_bound({created, 0}),
                          release_stores_.lower_bound({created + 1, 0}));
  }
  clock(created) = now;
}

void HappensBefore::observe_joins(const Observed& observed) {
  const ThreadIndex thread = observed.transition.thread;
  if (observed.created)
    start(*observed.created, thread);
  if (observed.joined)
    clock(thread).join(clock(*observed.joined));
}

void HappensBefore::observe_synchronize(const Observed& observed) {
  const auto* synchronize = std::get_if<program::Synchronize>(&observed.request.edge->action);
  if (synchronize == nullptr)
    return;
  using program::SyncOp;
  namespace layout = program::sync_layout;
  const ThreadIndex thread = observed.transition.thread;
  const std::uint64_t address = observed.request.address;
  const auto word = [&](const memory::MachineState& state, std::uint64_t offset) {
    return interpreter_.read(state.core.memory, address + offset, 4);
  };
  switch (synchronize->op) {
  case SyncOp::kSemaphorePost:
    semaphores_[address].join(clock(thread));
    break;
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
    if (word(observed.after, layout::kSemaphoreCount) <
        word(observed.before, layout::kSemaphoreCount))
      clock(thread).join(semaphores_[address]);
    break;
  case SyncOp::kBarrierWait:
    observe_barrier(observed);
    break;
  case SyncOp::kOnceLeave:
    semaphores_[address].join(clock(thread));
    break;
  case SyncOp::kOnceEnter:
    if (word(observed.before, layout::kOnceState) == 2)
      clock(thread).join(semaphores_[address]);
    break;
  case SyncOp::kCreate:
  case SyncOp::kJoin:
  case SyncOp::kDetach:
  case SyncOp::kSelf:
  case SyncOp::kMutexInit:
  case SyncOp::kMutexDestroy:
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
  case SyncOp::kSpinUnlock:
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
  case SyncOp::kReadWriteUnlock:
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
  case SyncOp::kSemaphoreInit:
  case SyncOp::kSemaphoreValue:
  case SyncOp::kBarrierInit:
    break;
  }
}

/// The last one to arrive opens the barrier for those who still wait, and for nobody else: who has
/// not left an earlier generation yet is not after those of this one.
void HappensBefore::observe_barrier(const Observed& observed) {
  const ThreadIndex thread = observed.transition.thread;
  const std::uint64_t address = observed.request.address;
  Clock& arrived = barriers_[address];
  arrived.join(clock(thread));
  if (observed.after.core.threads[thread].status() == ThreadStatus::kWaitingAtBarrier)
    return;
  const program::State& before = observed.before.core;
  for (ThreadIndex other = 0; other < before.threads.size(); ++other) {
    if (before.threads[other].status() != ThreadStatus::kWaitingAtBarrier)
      continue;
    const Request waiting = interpreter_.request(before, other);
    if (waiting.address == address && interpreter_.blocked(before, other, waiting))
      clock(other).join(arrived);
  }
  clock(thread).join(arrived);
  arrived = {};
}

/// The ticks of a thread never fall, so that what is not ordered before this access is at the end
/// of its list.
void HappensBefore::record(const AccessRecord& access) {
  const Clock& now = clocks_[access.thread];
  std::vector<std::size_t> racing;
  const std::uint64_t last = (access.address + std::max(access.size, 1U) - 1) / kGranule;
  for (std::uint64_t granule = access.address / kGranule; granule <= last; ++granule) {
    auto& by_thread = accesses_at_[granule];
    for (const auto& [thread, indices] : by_thread) {
      if (thread == access.thread)
        continue;
      for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
        const AccessRecord& other = accesses_[*index];
        if (other.tick <= now.of(thread))
          break;
        if ((other.writes || access.writes) && !(other.is_atomic && access.is_atomic) &&
            !(other.in_section && access.in_section) &&
            are_overlapping(other.address, other.size, access.address, access.size))
          racing.push_back(*index);
      }
    }
    by_thread[access.thread].push_back(accesses_.size());
  }
  std::ranges::sort(racing);
  const auto repeated = std::ranges::unique(racing);
  racing.erase(repeated.begin(), repeated.end());
  for (const std::size_t index : racing)
    races_.push_back({accesses_[index].step, access.step});
  accesses_.push_back(access);
}

} // namespace heddle::check
