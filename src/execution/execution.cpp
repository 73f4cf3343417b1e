// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From a replayed run to its events and relations: memory and the buffers are followed byte by
// byte, so that reads of several writes have all their sources. co is the order in which writes
// reached memory; a store that was still pending when the run stopped comes after all that did.
#include "execution/execution.h"

#include "execution/from_steps.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

namespace heddle::execution {

namespace {

using program::SyncOp;

struct Pending {
  std::uint32_t step = 0;
  std::size_t event = 0;
};

const program::Access* access_of(const program::Edge* edge) {
  if (edge == nullptr)
    return nullptr;
  if (const auto* load = std::get_if<program::Load>(&edge->action))
    return &load->access;
  if (const auto* store = std::get_if<program::Store>(&edge->action))
    return &store->access;
  if (const auto* rmw = std::get_if<program::ReadModifyWrite>(&edge->action))
    return &rmw->access;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&edge->action))
    return &exchange->access;
  if (const auto* fence = std::get_if<program::Fence>(&edge->action))
    return &fence->access;
  return nullptr;
}

bool releases(SyncOp op) {
  switch (op) {
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinUnlock:
  case SyncOp::kReadWriteUnlock:
  case SyncOp::kSemaphorePost:
  case SyncOp::kBarrierWait:
  case SyncOp::kOnceLeave:
    return true;
  default:
    return false;
  }
}

bool acquires(SyncOp op) {
  switch (op) {
  case SyncOp::kMutexLock:
  case SyncOp::kSpinLock:
  case SyncOp::kReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kSemaphoreWait:
  case SyncOp::kBarrierWait:
  case SyncOp::kOnceEnter:
    return true;
  default:
    return false; // those that may fail order nothing: whether they did is not in the run
  }
}

class Maker {
public:
  Maker(const Run& run, const std::vector<bool>& left_out) : run_(run), left_out_(left_out) {}

  Execution make() {
    find_places();
    find_mutexes();
    for (std::uint32_t i = 0; i < run_.steps.size(); ++i)
      take(i, run_.steps[i]);
    for (auto& [thread, pending] : buffers_)
      for (const Pending& store : pending)
        reach_memory(store.event);
    leave_out();
    finish();
    return std::move(result_);
  }

private:
  using Bytes = std::map<std::uint64_t, std::size_t>; // byte → event that wrote it last

  [[nodiscard]] bool is_left_out(const Event& event) const {
    return event.kind != Event::Kind::kInitialWrite && event.step < left_out_.size() &&
           left_out_[event.step];
  }

  static bool is_access(Step::What what) {
    return what == Step::What::kRead || what == Step::What::kWrite ||
           what == Step::What::kReadModifyWrite || what == Step::What::kFailedCompareExchange;
  }

  /// One initial write for each maximal range of bytes that accesses touch.
  void find_places() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const Step& step : run_.steps)
      if (is_access(step.what) && step.size != 0)
        ranges.emplace_back(step.address, step.address + step.size);
    std::sort(ranges.begin(), ranges.end());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> merged;
    for (const auto& range : ranges) {
      const bool joins = !merged.empty() && range.first < merged.back().second &&
                         std::max(merged.back().second, range.second) - merged.back().first <= 255;
      if (joins)
        merged.back().second = std::max(merged.back().second, range.second);
      else
        merged.push_back(range);
    }
    for (const auto& [first, last] : merged) {
      Event event;
      event.kind = Event::Kind::kInitialWrite;
      event.address = first;
      event.size = static_cast<std::uint8_t>(last - first);
      const std::size_t index = add(std::move(event));
      for (std::uint64_t byte = first; byte < last; ++byte)
        memory_[byte] = index;
      order_.push_back(index);
    }
  }

  /// A condition wait releases the mutex that the thread takes back later (its step names the
  /// condition).
  void find_mutexes() {
    std::map<ThreadIndex, std::uint64_t> taken_back;
    for (std::size_t i = run_.steps.size(); i-- > 0;) {
      const Step& step = run_.steps[i];
      if (step.what == Step::What::kReacquire)
        taken_back[step.transition.thread] = step.address;
      const auto* sync = synchronize_of(step);
      if (sync != nullptr &&
          (sync->op == SyncOp::kConditionWait || sync->op == SyncOp::kConditionTimedWait))
        if (const auto found = taken_back.find(step.transition.thread); found != taken_back.end())
          waits_[i] = found->second;
    }
  }

  static const program::Synchronize* synchronize_of(const Step& step) {
    return step.edge == nullptr ? nullptr : std::get_if<program::Synchronize>(&step.edge->action);
  }

  std::size_t add(Event event) {
    result_.events.push_back(std::move(event));
    return result_.events.size() - 1;
  }

  Event event_of(std::uint32_t index, const Step& step, Event::Kind kind) {
    Event event;
    event.kind = kind;
    event.thread = step.transition.thread;
    event.address = step.address;
    event.size = step.size;
    event.is_atomic = step.is_atomic;
    event.loc = step.loc;
    event.step = index;
    if (const program::Access* access = access_of(step.edge)) {
      event.order = access->order;
      event.tags = access->tags;
    }
    event.value = kind == Event::Kind::kWrite ? step.value_written : step.value_read;
    return event;
  }

  void read(std::size_t event, const Step& step) {
    std::vector<Pending>& own = buffers_[step.transition.thread];
    for (unsigned i = 0; i < step.size; ++i) {
      const std::uint64_t byte = step.address + i;
      std::size_t source = memory_.at(byte);
      for (const Pending& store : own) {
        const Event& write = result_.events[store.event];
        if (byte - write.address < write.size)
          source = store.event;
      }
      rf_.emplace_back(source, event);
      Event& initial = result_.events[source];
      if (initial.kind == Event::Kind::kInitialWrite && byte - initial.address < 8)
        initial.value |= (step.value_read >> (8 * i) & 0xffU) << (8 * (byte - initial.address));
    }
  }

  void reach_memory(std::size_t event) {
    const Event& write = result_.events[event];
    for (unsigned i = 0; i < write.size; ++i)
      memory_[write.address + i] = event;
    order_.push_back(event);
  }

  void take(std::uint32_t index, const Step& step) {
    const ThreadIndex thread = step.transition.thread;
    std::optional<std::size_t> first;
    switch (step.what) {
    case Step::What::kRead:
    case Step::What::kFailedCompareExchange:
      first = add(event_of(index, step, Event::Kind::kRead));
      read(*first, step);
      break;
    case Step::What::kWrite: {
      first = add(event_of(index, step, Event::Kind::kWrite));
      const bool is_delayed =
          std::find(step.buffer.begin(), step.buffer.end(), index) != step.buffer.end();
      if (is_delayed)
        buffers_[thread].push_back({index, *first});
      else
        reach_memory(*first);
      break;
    }
    case Step::What::kReadModifyWrite: {
      first = add(event_of(index, step, Event::Kind::kRead));
      read(*first, step);
      const std::size_t write = add(event_of(index, step, Event::Kind::kWrite));
      rmw_.emplace_back(*first, write);
      reach_memory(write);
      break;
    }
    case Step::What::kFlush: {
      std::vector<Pending>& own = buffers_[thread];
      const auto found = std::find_if(
          own.begin(), own.end(), [&](const Pending& store) { return step.flushes == store.step; });
      HEDDLE_CHECK(found != own.end(), "a flush of a store that is not pending");
      if (step.size != 0) // else what it was meant for is gone
        reach_memory(found->event);
      own.erase(found);
      return;
    }
    case Step::What::kFence:
    case Step::What::kSynchronize:
    case Step::What::kReacquire:
    case Step::What::kLeaveBarrier:
    case Step::What::kThreadExit: {
      first = add(event_of(index, step, Event::Kind::kFence));
      synchronise(*first, step);
      break;
    }
    case Step::What::kLocal:
    case Step::What::kNondet:
    case Step::What::kAllocate:
    case Step::What::kFree:
    case Step::What::kAtomicBegin:
    case Step::What::kAtomicEnd:
    case Step::What::kWakeUp:
    case Step::What::kExit:
      break;
    }
    if (!first)
      return;
    if (const auto creator = created_by_.find(thread); creator != created_by_.end()) {
      synchronises_.emplace_back(creator->second, *first);
      created_by_.erase(creator);
    }
    if (step.created)
      created_by_[*step.created] = *first;
  }

  void synchronise(std::size_t event, const Step& step) {
    if (step.what == Step::What::kThreadExit) {
      ended_[step.transition.thread] = event;
      return;
    }
    if (is_left_out(result_.events[event]))
      return; // of those there may be very many
    const program::Synchronize* sync = synchronize_of(step);
    if (const auto wait = waits_.find(result_.events[event].step); wait != waits_.end())
      released_[wait->second].push_back(event);
    if (sync != nullptr && sync->op == SyncOp::kJoin) {
      const auto ended = ended_.find(static_cast<ThreadIndex>(step.address - 1));
      if (ended != ended_.end())
        synchronises_.emplace_back(ended->second, event);
      return;
    }
    const bool is_return =
        step.what == Step::What::kReacquire || step.what == Step::What::kLeaveBarrier;
    if (is_return || (sync != nullptr && acquires(sync->op)))
      for (const std::size_t release : released_[step.address])
        if (result_.events[release].thread != step.transition.thread)
          synchronises_.emplace_back(release, event);
    if (sync != nullptr && releases(sync->op))
      released_[step.address].push_back(event);
  }

  void leave_out() {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> place;
    std::vector<Event> kept;
    for (Event& event : result_.events) {
      place.push_back(is_left_out(event) ? kNone : kept.size());
      if (place.back() != kNone)
        kept.push_back(std::move(event));
    }
    result_.events = std::move(kept);
    for (Pairs* pairs : {&rf_, &rmw_, &synchronises_}) {
      for (auto& [from, to] : *pairs) {
        from = place[from];
        to = place[to];
      }
      std::erase_if(*pairs,
                    [](const auto& one) { return one.first == kNone || one.second == kNone; });
    }
    for (std::size_t& event : order_)
      event = place[event];
    std::erase(order_, kNone);
  }

  void finish() {
    const std::size_t count = result_.events.size();
    result_.po = relation::BitMatrix(count);
    result_.rf = relation::BitMatrix(count);
    result_.co = relation::BitMatrix(count);
    result_.rmw = relation::BitMatrix(count);
    result_.synchronises = relation::BitMatrix(count);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        if (result_.events[a].kind != Event::Kind::kInitialWrite &&
            result_.events[a].thread == result_.events[b].thread)
          result_.po.insert(a, b);
    for (const auto& [from, to] : rf_)
      result_.rf.insert(from, to);
    for (const auto& [from, to] : rmw_)
      result_.rmw.insert(from, to);
    for (const auto& [from, to] : synchronises_)
      result_.synchronises.insert(from, to);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        const Event& a = result_.events[order_[i]];
        const Event& b = result_.events[order_[j]];
        if (a.address < b.address + b.size && b.address < a.address + a.size)
          result_.co.insert(order_[i], order_[j]);
      }
  }

  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  const Run& run_;
  const std::vector<bool>& left_out_;
  Execution result_;
  Bytes memory_;
  std::map<ThreadIndex, std::vector<Pending>> buffers_;
  std::vector<std::size_t> order_; // writes as they reach memory
  Pairs rf_;
  Pairs rmw_;
  Pairs synchronises_;
  std::map<ThreadIndex, std::size_t> created_by_;
  std::map<ThreadIndex, std::size_t> ended_;
  std::map<std::uint64_t, std::vector<std::size_t>> released_;
  std::map<std::size_t, std::uint64_t> waits_; // condition waits: their mutex, by step
};

} // namespace

Execution from_run(const Run& run) {
  return from_steps(run, {});
}

Execution from_steps(const Run& run, const std::vector<bool>& left_out) {
  return Maker(run, left_out).make();
}

} // namespace heddle::execution
