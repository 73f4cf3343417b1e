// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/robustness_monitor.h"

#include "engine/explicit/actions.h"
#include "engine/explicit/live_events.h"

#include <algorithm>
#include <variant>

namespace heddle::engine {
namespace {

using Event = LiveEvents::Event;
using Entry = LiveEvents::Entry;
using Kind = program::Request::Kind;
using Role = LiveEvents::Role;
using program::SyncOp;
using program::ThreadIndex;
using program::ThreadStatus;

bool covers(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
  return a <= b && b + b_size <= a + a_size;
}

class EventUpdate {
public:
  EventUpdate(const program::Interpreter& interpreter,
              LiveEvents& live,
              const memory::MachineState& before,
              const memory::MachineState& after,
              const execution::Transition& transition,
              const memory::StepDetail& detail)
      : interpreter_(interpreter), live_(live), before_(before), after_(after),
        thread_(transition.thread), request_(detail.request), detail_(detail) {}

  void step() {
    switch (request_.kind) {
    case Kind::kLoad:
    case Kind::kStore:
    case Kind::kReadModifyWrite:
    case Kind::kCompareExchange:
    case Kind::kLoadExclusive:
    case Kind::kStoreExclusive:
      access();
      break;
    case Kind::kSynchronize:
    case Kind::kReacquire:
    case Kind::kLeaveBarrier:
      synchronize();
      break;
    case Kind::kLocal:
    case Kind::kNondet:
    case Kind::kFence:
    case Kind::kAllocate:
    case Kind::kFree:
    case Kind::kWakeUp:
    case Kind::kAtomicBegin:
    case Kind::kAtomicEnd:
    case Kind::kThreadExit:
    case Kind::kExit:
    case Kind::kFault:
      break;
    }
  }

  /// A pending store reaches memory: it comes after the writes that are there and the reads of
  /// them.
  bool flush() {
    const std::uint64_t position = detail_.buffer_index;
    const memory::PendingStore store = before_.buffers[thread_].stores[position];
    const auto entry =
        std::find_if(live_.entries.begin(), live_.entries.end(), [&](const Entry& e) {
          return e.role == Role::kPending && e.a == thread_ && e.b == position;
        });
    if (entry == live_.entries.end())
      return false; // put there before there was anyone to see it
    const Event event = entry->event;
    const bool cycle = write(event, store.address, store.size);
    std::vector<Entry> kept;
    for (Entry e : live_.entries) {
      if ((e.role == Role::kPending || e.role == Role::kPendingRead) && e.a == thread_) {
        if (e.b == position) {
          if (e.role == Role::kPendingRead)
            kept.push_back({Role::kRead, e.c, e.d, thread_, 0, e.event});
          continue;
        }
        if (e.b > position)
          --e.b;
      }
      kept.push_back(e);
    }
    live_.entries = std::move(kept);
    drop_older_reads();
    return cycle;
  }

private:
  /// The thread's next event: after its last one.
  Event next_event() {
    const Event event = live_.add_event();
    set_last(thread_, event, true);
    return event;
  }
  void set_last(ThreadIndex thread, Event event, bool ordered) {
    for (Entry& entry : live_.entries)
      if (entry.role == Role::kLast && entry.a == thread) {
        if (ordered)
          live_.add_edge(entry.event, event);
        entry.event = event;
        return;
      }
    live_.entries.push_back({Role::kLast, thread, 0, 0, 0, event});
  }

  bool write(Event event, std::uint64_t address, std::uint64_t size) {
    bool cycle = false;
    std::vector<Entry> kept;
    for (const Entry& e : live_.entries) {
      if ((e.role == Role::kWrite || e.role == Role::kRead) && overlap(e.a, e.b, address, size)) {
        cycle |= live_.add_edge(e.event, event);
        if (covers(address, size, e.a, e.b))
          continue;
      }
      kept.push_back(e);
    }
    kept.push_back({Role::kWrite, address, size, 0, 0, event});
    live_.entries = std::move(kept);
    return cycle;
  }

  /// The newest own pending store that covers the byte, if any.
  [[nodiscard]] std::optional<std::uint64_t> own_source(std::uint64_t byte) const {
    std::optional<std::uint64_t> found;
    if (!before_.buffers.empty())
      for (std::uint64_t i = 0; i < before_.buffers[thread_].stores.size(); ++i) {
        const memory::PendingStore& store = before_.buffers[thread_].stores[i];
        if (byte >= store.address && byte < store.address + store.size)
          found = i;
      }
    return found;
  }

  void read(Event event) {
    for (std::uint64_t i = 0; i < request_.size;) {
      // A run of bytes with the same source.
      const auto source = own_source(request_.address + i);
      std::uint64_t end = i + 1;
      while (end < request_.size && own_source(request_.address + end) == source)
        ++end;
      const std::uint64_t address = request_.address + i;
      const std::uint64_t size = end - i;
      i = end;
      if (source) {
        // From its own buffer: program order has the edge; reads of later writes come when it is
        // flushed.
        live_.entries.push_back({Role::kPendingRead, thread_, *source, address, size, event});
        continue;
      }
      for (const Entry& e : std::vector<Entry>(live_.entries))
        if (e.role == Role::kWrite && overlap(e.a, e.b, address, size))
          live_.add_edge(e.event, event);
      live_.entries.push_back({Role::kRead, address, size, thread_, 0, event});
    }
    drop_older_reads();
  }

  /// Of two reads of one place from one source by one thread the later one stands for both: the
  /// earlier leads to it.
  void drop_older_reads() {
    std::vector<Entry> kept;
    for (const Entry& e : live_.entries) {
      if (e.role == Role::kRead || e.role == Role::kPendingRead)
        std::erase_if(kept, [&](const Entry& older) {
          return older.role == e.role && older.a == e.a && older.b == e.b && older.c == e.c &&
                 older.d == e.d;
        });
      kept.push_back(e);
    }
    live_.entries = std::move(kept);
  }

  void access() {
    if (!request_.is_visible ||
        !interpreter_.check_access(before_.core, thread_, request_).is_none())
      return;
    const Event event = next_event();
    if (request_.kind != Kind::kStore && request_.kind != Kind::kStoreExclusive)
      read(event);
    if (!detail_.wrote)
      return;
    const std::size_t pending_before =
        before_.buffers.empty() ? 0 : before_.buffers[thread_].stores.size();
    const std::size_t pending_after =
        after_.buffers.empty() ? 0 : after_.buffers[thread_].stores.size();
    if (pending_after > pending_before)
      live_.entries.push_back({Role::kPending, thread_, pending_after - 1, 0, 0, event});
    else
      (void)write(event, request_.address, request_.size); // a new event: no cycle yet
  }

  void synchronize() {
    const program::Synchronize* action =
        request_.edge == nullptr ? nullptr
                                 : std::get_if<program::Synchronize>(&request_.edge->action);
    if (action != nullptr && action->op == SyncOp::kCreate) {
      const Event event = next_event();
      if (after_.core.threads.size() > before_.core.threads.size())
        set_last(static_cast<ThreadIndex>(before_.core.threads.size()), event, false);
      return;
    }
    if (action != nullptr && action->op == SyncOp::kJoin) {
      const Event event = next_event();
      for (ThreadIndex t = 0; t < before_.core.threads.size(); ++t) {
        if (before_.core.threads[t].status() != ThreadStatus::kEnded ||
            after_.core.threads[t].status() != ThreadStatus::kJoined)
          continue;
        for (const Entry& e : std::vector<Entry>(live_.entries))
          if (e.role == Role::kLast && e.a == t)
            live_.add_edge(e.event, event);
        std::erase_if(live_.entries,
                      [t](const Entry& e) { return e.role == Role::kLast && e.a == t; });
      }
      return;
    }
    if (action != nullptr && (action->op == SyncOp::kDetach || action->op == SyncOp::kSelf))
      return;
    const Event event = next_event();
    for (Entry& e : live_.entries)
      if (e.role == Role::kSync && e.a == request_.address) {
        const Event earlier = e.event;
        e.event = event;
        live_.add_edge(earlier, event);
        return;
      }
    live_.entries.push_back({Role::kSync, request_.address, 0, 0, 0, event});
  }

  const program::Interpreter& interpreter_;
  LiveEvents& live_;
  const memory::MachineState& before_;
  const memory::MachineState& after_;
  ThreadIndex thread_;
  const program::Request& request_;
  const memory::StepDetail& detail_;
};

class RobustnessMonitor final : public Monitor {
public:
  explicit RobustnessMonitor(const program::Interpreter& interpreter) : interpreter_(interpreter) {}

  [[nodiscard]] std::vector<std::uint64_t> initial() const override {
    return LiveEvents{}.encode();
  }

  [[nodiscard]] std::optional<MonitorHit> update(std::vector<std::uint64_t>& words,
                                                 const memory::MachineState& before,
                                                 const memory::MachineState& after,
                                                 const execution::Transition& transition,
                                                 const memory::StepDetail& detail) const override {
    LiveEvents live = LiveEvents::decode(words);
    EventUpdate update(interpreter_, live, before, after, transition, detail);
    bool cycle = false;
    if (transition.kind == execution::Transition::Kind::kFlush)
      cycle = update.flush();
    else
      update.step();
    words = live.encode();
    return cycle ? std::optional(MonitorHit{}) : std::nullopt;
  }

private:
  const program::Interpreter& interpreter_;
};

} // namespace

std::unique_ptr<Monitor> make_robustness_monitor(const program::Interpreter& interpreter) {
  return std::make_unique<RobustnessMonitor>(interpreter);
}

} // namespace heddle::engine
