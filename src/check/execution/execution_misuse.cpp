// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/execution_misuse.h"

#include "memory/execution_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::check {

namespace {

using execution::Event;
using program::Fault;
using program::FaultKind;
using Freed = ExecutionReplay::Freed;

/// Reads of one write of which each may find the store instead.
constexpr std::size_t kMostOthers = 8;

class Misuse {
public:
  Misuse(const ExecutionReplay& replay, const memory::Model& model, memory::Judge& judge)
      : replay_(replay), judge_(judge) {
    if (const memory::NodeId order = memory::find_happens_before(*model.core); order.is_valid())
      happens_before_ = judge.relation(order);
  }

  /// The access at that place in a thread is wrong, because of the free.
  [[nodiscard]] bool is_late(std::uint32_t thread, std::size_t position, const Freed& free) {
    if (thread == free.thread)
      return position >= free.position;
    return happens_before_ ? !happens_before(thread, position, free)
                           : may_be_after(thread, position, free);
  }

private:
  [[nodiscard]] bool
  happens_before(std::uint32_t thread, std::size_t position, const Freed& free) const {
    const std::size_t access = events(thread)[position];
    const std::vector<std::size_t>& own = events(free.thread);
    return std::any_of(own.begin(),
                       own.begin() + static_cast<std::ptrdiff_t>(free.position),
                       [&](std::size_t event) { return happens_before_->contains(access, event); });
  }

  /// The free is a store that writes what was there before. The access comes after it in coherence,
  /// or finds it; so may others do that find what was there before.
  [[nodiscard]] bool may_be_after(std::uint32_t thread, std::size_t position, const Freed& free) {
    const execution::Execution& made = replay_.execution();
    const std::size_t access = events(thread)[position];
    const bool is_read = made.events[access].kind == Event::Kind::kRead;
    std::size_t before = made.events.size(); // in coherence
    for (std::size_t write = 0; write < made.events.size(); ++write)
      if (is_read ? made.rf.contains(write, access)
                  : made.co.contains(write, access) &&
                        (before == made.events.size() || made.co.contains(before, write)))
        before = write;
    if (before == made.events.size())
      return false;
    std::vector<std::size_t> others;
    for (const std::size_t read : made.rf.row(before).elements())
      if (read != access)
        others.push_back(read);
    others.resize(std::min(others.size(), kMostOthers));
    const execution::Execution with = with_store(access, before, free);
    const std::size_t store = made.events.size();
    for (std::size_t chosen = 0; chosen < std::size_t{1} << others.size(); ++chosen) {
      execution::Execution one = with;
      for (std::size_t i = 0; i < others.size(); ++i)
        if ((chosen >> i & 1U) != 0) {
          one.rf.erase(before, others[i]);
          one.rf.insert(store, others[i]);
        }
      if (judge_.judge(one).is_allowed)
        return true;
    }
    return false;
  }

  /// The execution in which the free is a store to the place of the access, right after `before` in
  /// coherence.
  [[nodiscard]] execution::Execution
  with_store(std::size_t access, std::size_t before, const Freed& free) const {
    execution::Execution made = replay_.execution();
    const std::size_t store = made.events.size();
    program::StaticEvent form;
    form.kind = program::StaticEvent::Kind::kWrite;
    form.thread = free.thread;
    form.size = made.events[access].size;
    form.loc = free.loc;
    for (const Event& event : made.events) {
      form.instruction = std::max(form.instruction, event.instruction + 1);
      form.piece_of = std::max(form.piece_of, event.access + 1);
    }
    made.events.push_back(memory::event_of(replay_.program().vocabulary, form, true));
    made.events.back().address = made.events[access].address;
    made.events.back().value = made.events[before].value;
    for (relation::BitMatrix* const one : {&made.po,
                                           &made.rf,
                                           &made.co,
                                           &made.rmw,
                                           &made.synchronises,
                                           &made.addr,
                                           &made.data,
                                           &made.ctrl,
                                           &made.intra_data,
                                           &made.intra_control}) {
      relation::BitMatrix larger(store + 1);
      for (const auto& [from, to] : one->pairs())
        larger.insert(from, to);
      *one = std::move(larger);
    }
    const std::vector<std::size_t>& own = events(free.thread);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (i < free.position)
        made.po.insert(own[i], store);
      else
        made.po.insert(store, own[i]);
    for (const std::size_t read : free.pointer)
      made.addr.insert(read, store);
    for (const std::size_t read : free.control)
      made.ctrl.insert(read, store);
    for (std::size_t write = 0; write < store; ++write)
      if (write == before || made.co.contains(write, before))
        made.co.insert(write, store);
      else if (made.co.contains(before, write))
        made.co.insert(store, write);
    if (made.events[access].kind == Event::Kind::kRead) {
      made.rf.erase(before, access);
      made.rf.insert(store, access);
    }
    return made;
  }

  [[nodiscard]] const std::vector<std::size_t>& events(std::uint32_t thread) const {
    static const std::vector<std::size_t> kNone;
    return thread < replay_.events_of_threads().size() ? replay_.events_of_threads()[thread]
                                                       : kNone;
  }

  const ExecutionReplay& replay_;
  memory::Judge& judge_;
  std::optional<relation::BitMatrix> happens_before_;
};

Fault fault_at(FaultKind kind, std::string what, const Freed& free) {
  Fault fault;
  fault.kind = kind;
  fault.what = std::move(what);
  fault.procedure = free.procedure;
  fault.loc = free.loc;
  return fault;
}

} // namespace

std::optional<Fault>
find_misuse(const ExecutionReplay& replay, const memory::Model& model, memory::Judge& judge) {
  const std::vector<Freed>& frees = replay.frees();
  Misuse misuse(replay, model, judge);
  for (std::size_t i = 0; i < frees.size(); ++i) {
    if (!frees[i].is_of_block)
      return fault_at(FaultKind::kInvalidFree, replay.name(frees[i].address), frees[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (frees[j].address == frees[i].address)
        return fault_at(FaultKind::kDoubleFree,
                        fmt::format("{}, freed at {}",
                                    replay.name(frees[i].address),
                                    replay.program().place(frees[j].loc)),
                        frees[i]);
  }
  const auto& threads = replay.events_of_threads();
  for (const Freed& free : frees)
    for (std::uint32_t thread = 0; thread < threads.size(); ++thread)
      for (std::size_t position = 0; position < threads[thread].size(); ++position) {
        const Event& event = replay.execution().events[threads[thread][position]];
        if ((event.kind != Event::Kind::kRead && event.kind != Event::Kind::kWrite) ||
            replay.hidden_number(threads[thread][position]) ||
            replay.block_at(event.address) != free.address ||
            !misuse.is_late(thread, position, free))
          continue;
        Fault fault;
        fault.kind = FaultKind::kUseAfterFree;
        fault.what = fmt::format("{} of {} bytes at {}, freed at {}",
                                 event.kind == Event::Kind::kRead ? "read" : "write",
                                 event.size,
                                 replay.name(event.address),
                                 replay.program().place(free.loc));
        fault.procedure = replay.procedure_at(threads[thread][position]);
        fault.loc = event.loc;
        return fault;
      }
  return std::nullopt;
}

} // namespace heddle::check
