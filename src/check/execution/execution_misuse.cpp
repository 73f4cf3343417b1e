// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/execution_misuse.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::check {

namespace {

using execution::Event;
using program::Fault;
using program::FaultKind;
using Freed = ExecutionReplay::Freed;

class Misuse {
public:
  Misuse(const ExecutionReplay& replay, const std::optional<relation::BitMatrix>& happens_before)
      : replay_(replay), happens_before_(happens_before) {}

  /// The access at that place in a thread is wrong, because of the free.
  [[nodiscard]] bool is_late(std::uint32_t thread, std::size_t position, const Freed& free) const {
    if (thread == free.thread)
      return position >= free.position;
    return happens_before_ ? !happens_before(thread, position, free)
                           : is_surely_after(thread, position, free);
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

  /// The thread was created after the free, or has waited for the end of who freed.
  [[nodiscard]] bool
  is_surely_after(std::uint32_t thread, std::size_t position, const Freed& free) const {
    const auto tells = [&](std::size_t event, Event::Kind kind, std::uint32_t number) {
      const Event& one = replay_.execution().events[event];
      return one.kind == kind && one.value != 0 && replay_.hidden_number(event) == number;
    };
    const std::vector<std::size_t>& there = events(thread);
    const std::vector<std::size_t>& here = events(free.thread);
    return std::any_of(here.begin() + static_cast<std::ptrdiff_t>(free.position),
                       here.end(),
                       [&](std::size_t event) {
                         return tells(event, Event::Kind::kWrite, program::start_number(thread));
                       }) ||
           std::any_of(there.begin(),
                       there.begin() + static_cast<std::ptrdiff_t>(position),
                       [&](std::size_t event) {
                         return tells(event, Event::Kind::kRead, program::end_number(free.thread));
                       });
  }

  [[nodiscard]] const std::vector<std::size_t>& events(std::uint32_t thread) const {
    static const std::vector<std::size_t> kNone;
    return thread < replay_.events_of_threads().size() ? replay_.events_of_threads()[thread]
                                                       : kNone;
  }

  const ExecutionReplay& replay_;
  const std::optional<relation::BitMatrix>& happens_before_;
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

std::optional<Fault> find_misuse(const ExecutionReplay& replay,
                                 const std::optional<relation::BitMatrix>& happens_before) {
  const std::vector<Freed>& frees = replay.frees();
  const Misuse misuse(replay, happens_before);
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
