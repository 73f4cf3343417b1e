// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// RC11's synchronises-with (Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017,
// section 3):
//   rs = [W]; (po ∩ same location)?; [W ⊒ rlx]; (rf; rmw)*
//   sw = [E ⊒ rel]; ([F]; po)?; rs; rf; [R ⊒ rlx]; (po; [F])?; [E ⊒ acq]
#include "engine/explicit/race_monitor.h"

#include "engine/explicit/actions.h"
#include "engine/explicit/knowledge.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"

#include <variant>

namespace heddle::engine {
namespace {

using Kind = program::Request::Kind;
using Owner = Knowledge::Owner;
using Set = Knowledge::Set;
using program::Order;
using program::SyncOp;
using program::ThreadIndex;
using program::ThreadStatus;
namespace layout = program::sync_layout;

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}
bool is_acquire(Order order) {
  return order == Order::kAcquire || order == Order::kConsume || order == Order::kAcqRel ||
         order == Order::kSeqCst;
}

enum class Hold : std::uint8_t { kNone, kRead, kWrite };

/// One step of the monitor.
class KnowledgeUpdate {
public:
  KnowledgeUpdate(const program::Interpreter& interpreter,
                  Knowledge& knowledge,
                  const memory::MachineState& before,
                  const memory::MachineState& after,
                  const execution::Transition& transition,
                  const memory::StepDetail& detail)
      : interpreter_(interpreter), knowledge_(knowledge), before_(before), after_(after),
        thread_(transition.thread), choice_(transition.choice), request_(detail.request),
        detail_(detail) {}

  std::optional<MonitorHit> step() {
    lock();
    switch (request_.kind) {
    case Kind::kAtomicBegin:
      learn(knowledge_.get({Owner::kSections, 0, 0}));
      break;
    case Kind::kAtomicEnd:
      tell({Owner::kSections, 0, 0});
      break;
    case Kind::kSynchronize:
      synchronize();
      break;
    case Kind::kFence:
      fence();
      break;
    case Kind::kLoad:
    case Kind::kStore:
    case Kind::kReadModifyWrite:
    case Kind::kCompareExchange:
    case Kind::kLoadExclusive:
    case Kind::kStoreExclusive:
      access();
      break;
    case Kind::kAllocate:
      if (choice_ != 0)
        knowledge_.forget_place(interpreter_.program().space().base_of(choice_), request_.value);
      break;
    case Kind::kLocal:
    case Kind::kNondet:
    case Kind::kFree:
    case Kind::kWakeUp:
    case Kind::kReacquire:
    case Kind::kLeaveBarrier: // see open_barrier
    case Kind::kThreadExit:
    case Kind::kExit:
    case Kind::kFault:
      break;
    }
    return hit_;
  }

  void flush() {
    const memory::PendingStore& store = before_.buffers[thread_].stores[detail_.buffer_index];
    const Set message = knowledge_.get({Owner::kPending, thread_, detail_.buffer_index});
    for (std::uint64_t i = 0; i < store.size; ++i)
      knowledge_.set({Owner::kMessage, store.address + i, 0}, message);
    knowledge_.remove_pending(thread_, detail_.buffer_index);
  }

private:
  [[nodiscard]] Knowledge::Key own() const { return {Owner::kThread, thread_, 0}; }
  void learn(const Set& set) { knowledge_.add(own(), set); }
  void tell(Knowledge::Key key) { knowledge_.add(key, knowledge_.get(own())); }

  void access() {
    const program::Access* access =
        request_.edge == nullptr ? nullptr : access_of(request_.edge->action);
    if (access == nullptr || !request_.is_visible ||
        !interpreter_.check_access(before_.core, thread_, request_).is_none())
      return;
    const bool reads = request_.kind != Kind::kStore && request_.kind != Kind::kStoreExclusive;
    const bool writes = detail_.wrote;
    const bool is_atomic = access->kind == program::AccessKind::kAtomic;
    Set inherited;
    if (reads && is_atomic) {
      for (std::uint64_t i = 0; i < request_.size; ++i)
        if (!is_own(request_.address + i))
          inherited = Knowledge::united(inherited,
                                        knowledge_.get({Owner::kMessage, request_.address + i, 0}));
      knowledge_.add({Owner::kUnacquired, thread_, 0}, inherited);
      if (is_acquire(read_order(*access, writes)))
        learn(inherited);
    }
    const AccessRecord record{request_.address,
                              request_.size,
                              thread_,
                              writes,
                              is_atomic,
                              before_.core.atomic_owner == static_cast<std::int32_t>(thread_)};
    judge(record);
    knowledge_.renew(record);
    if (writes)
      store_message(*access, reads);
  }

  [[nodiscard]] Order read_order(const program::Access& access, bool writes) const {
    if (const auto* exchange = std::get_if<program::CompareExchange>(&request_.edge->action))
      return writes ? access.order : exchange->failure_order;
    return access.order;
  }

  /// Does the byte come from the thread's own buffer?
  [[nodiscard]] bool is_own(std::uint64_t byte) const {
    if (before_.buffers.empty())
      return false;
    for (const memory::PendingStore& store : before_.buffers[thread_].stores)
      if (byte >= store.address && byte < store.address + store.size)
        return true;
    return false;
  }

  void judge(const AccessRecord& now) {
    const std::vector<AccessRecord>& records = knowledge_.records();
    for (std::uint32_t i = 0; i < records.size(); ++i) {
      const AccessRecord& other = records[i];
      if (other.thread == now.thread || (!other.writes && !now.writes) ||
          (other.is_atomic && now.is_atomic) || (other.in_section && now.in_section))
        continue;
      if (other.address >= now.address + now.size || now.address >= other.address + other.size)
        continue;
      if (!knowledge_.knows(own(), i) && !hit_)
        hit_ = MonitorHit{other.thread, other.address, other.size, other.writes, other.is_atomic};
    }
  }

  void store_message(const program::Access& access, bool reads) {
    Set message;
    if (access.kind == program::AccessKind::kAtomic) {
      if (reads)
        for (std::uint64_t i = 0; i < request_.size; ++i)
          message = Knowledge::united(message,
                                      knowledge_.get({Owner::kMessage, request_.address + i, 0}));
      message = Knowledge::united(message, knowledge_.get({Owner::kReleaseFence, thread_, 0}));
      for (std::uint64_t i = 0; i < request_.size; ++i) {
        const Knowledge::Key released{Owner::kReleaseStore, request_.address + i, thread_};
        if (is_release(access.order))
          tell(released);
        message = Knowledge::united(message, knowledge_.get(released));
      }
    }
    const std::size_t pending_before =
        before_.buffers.empty() ? 0 : before_.buffers[thread_].stores.size();
    const std::size_t pending_after =
        after_.buffers.empty() ? 0 : after_.buffers[thread_].stores.size();
    if (pending_after > pending_before) {
      knowledge_.set({Owner::kPending, thread_, pending_after - 1}, message);
      return;
    }
    for (std::uint64_t i = 0; i < request_.size; ++i)
      knowledge_.set({Owner::kMessage, request_.address + i, 0}, message);
  }

  void fence() {
    const program::Access* access = access_of(request_.edge->action);
    if (access == nullptr || access->kind != program::AccessKind::kAtomic)
      return; // a compiler barrier
    if (is_acquire(access->order))
      learn(knowledge_.get({Owner::kUnacquired, thread_, 0}));
    if (is_release(access->order))
      tell({Owner::kReleaseFence, thread_, 0});
  }

  [[nodiscard]] std::uint64_t word(const memory::MachineState& state, std::uint64_t address) const {
    return interpreter_.read(state.core.memory, address, 4);
  }
  [[nodiscard]] Hold
  hold(const memory::MachineState& state, std::uint64_t address, bool is_read_write) const {
    if (!is_read_write)
      return word(state, address + layout::kMutexOwner) == thread_ + 1ULL ? Hold::kWrite
                                                                          : Hold::kNone;
    if (word(state, address + layout::kReadWriteWriter) == thread_ + 1ULL)
      return Hold::kWrite;
    return (word(state, address + layout::kReadWriteReaders) >> thread_ & 1U) != 0 ? Hold::kRead
                                                                                   : Hold::kNone;
  }

  void lock() {
    std::uint64_t address = request_.address;
    bool is_read_write = false;
    if (request_.kind != Kind::kReacquire) {
      const auto op = sync_op();
      if (!op)
        return;
      switch (lock_kind(*op)) {
      case LockKind::kNone:
        return;
      case LockKind::kMutex:
        break;
      case LockKind::kReadWrite:
        is_read_write = true;
        break;
      case LockKind::kConditionMutex:
        address = request_.value;
        break;
      }
    }
    const Hold was = hold(before_, address, is_read_write);
    const Hold is = hold(after_, address, is_read_write);
    if (was == is) {
      // A normal mutex is given back by whoever does it.
      if (is_given_by_another(address))
        tell({Owner::kWriters, address, 0});
      return;
    }
    const Knowledge::Key writers{Owner::kWriters, address, 0};
    const Knowledge::Key readers{Owner::kReaders, address, 0};
    if (was == Hold::kWrite)
      tell(writers);
    else if (was == Hold::kRead)
      tell(readers);
    if (is != Hold::kNone)
      learn(knowledge_.get(writers));
    if (is == Hold::kWrite)
      learn(knowledge_.get(readers));
  }

  [[nodiscard]] bool is_given_by_another(std::uint64_t address) const {
    const auto op = sync_op();
    return op && gives_exclusive_lock(*op) && word(before_, address + layout::kMutexOwner) != 0 &&
           word(after_, address + layout::kMutexOwner) == 0;
  }

  [[nodiscard]] std::optional<SyncOp> sync_op() const {
    if (request_.kind != Kind::kSynchronize || request_.edge == nullptr)
      return std::nullopt;
    const auto* action = std::get_if<program::Synchronize>(&request_.edge->action);
    return action == nullptr ? std::nullopt : std::optional(action->op);
  }

  void synchronize() {
    const auto op = sync_op();
    if (!op)
      return;
    if (*op == SyncOp::kCreate) {
      if (after_.core.threads.size() > before_.core.threads.size())
        tell({Owner::kThread, before_.core.threads.size(), 0});
    } else if (*op == SyncOp::kJoin) {
      for (ThreadIndex t = 0; t < before_.core.threads.size(); ++t)
        if (t != thread_ && before_.core.threads[t].status() == ThreadStatus::kEnded &&
            after_.core.threads[t].status() == ThreadStatus::kJoined)
          learn(knowledge_.get({Owner::kThread, t, 0}));
    } else if (*op == SyncOp::kSemaphorePost || *op == SyncOp::kOnceLeave) {
      tell({Owner::kSemaphore, request_.address, 0});
    } else if (takes(*op) && facts_of(*op).object == ir::SyncObject::kSemaphore) {
      if (word(after_, request_.address) < word(before_, request_.address))
        learn(knowledge_.get({Owner::kSemaphore, request_.address, 0}));
    } else if (*op == SyncOp::kOnceEnter) {
      if (word(before_, request_.address + layout::kOnceState) == 2)
        learn(knowledge_.get({Owner::kSemaphore, request_.address, 0}));
    } else if (*op == SyncOp::kBarrierWait) {
      const Knowledge::Key arriving{Owner::kArriving, request_.address, 0};
      tell(arriving);
      if (after_.core.threads[thread_].status() != ThreadStatus::kWaitingAtBarrier)
        open_barrier(arriving);
    }
  }

  /// The last one has arrived: those who wait may leave. Who has not left an earlier generation yet
  /// does not wait any more, and is not after those of this one.
  void open_barrier(const Knowledge::Key& arriving) {
    const Set released = knowledge_.get(arriving);
    knowledge_.set(arriving, {});
    learn(released);
    for (ThreadIndex t = 0; t < before_.core.threads.size(); ++t) {
      if (before_.core.threads[t].status() != ThreadStatus::kWaitingAtBarrier)
        continue;
      const program::Request waiting = interpreter_.request(before_.core, t);
      if (waiting.address == request_.address && interpreter_.blocked(before_.core, t, waiting))
        knowledge_.add({Owner::kThread, t, 0}, released);
    }
  }

  const program::Interpreter& interpreter_;
  Knowledge& knowledge_;
  const memory::MachineState& before_;
  const memory::MachineState& after_;
  ThreadIndex thread_;
  std::uint64_t choice_; // kAllocate: the unit the block starts in, 0 for none
  const program::Request& request_;
  const memory::StepDetail& detail_;
  std::optional<MonitorHit> hit_;
};

class RaceMonitor final : public Monitor {
public:
  explicit RaceMonitor(const program::Interpreter& interpreter) : interpreter_(interpreter) {}

  [[nodiscard]] std::vector<std::uint64_t> initial() const override { return Knowledge{}.encode(); }

  [[nodiscard]] std::optional<MonitorHit> update(std::vector<std::uint64_t>& words,
                                                 const memory::MachineState& before,
                                                 const memory::MachineState& after,
                                                 const execution::Transition& transition,
                                                 const memory::StepDetail& detail) const override {
    Knowledge knowledge = Knowledge::decode(words);
    KnowledgeUpdate update(interpreter_, knowledge, before, after, transition, detail);
    std::optional<MonitorHit> hit;
    if (transition.kind == execution::Transition::Kind::kFlush)
      update.flush();
    else
      hit = update.step();
    std::uint64_t live = 0;
    for (ThreadIndex t = 0; t < after.core.threads.size(); ++t)
      live |= after.core.threads[t].is_live() ? 1ULL << t : 0;
    knowledge.forget_known(live);
    words = knowledge.encode();
    return hit;
  }

private:
  const program::Interpreter& interpreter_;
};

} // namespace

std::unique_ptr<Monitor> make_race_monitor(const program::Interpreter& interpreter) {
  return std::make_unique<RaceMonitor>(interpreter);
}

} // namespace heddle::engine
