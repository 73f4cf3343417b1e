// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads: the events that create, start, end and join are. Locks are in
// execution_replay_words.cpp.
#include "check/execution/execution_forms.h"
#include "check/execution/execution_replay.h"
#include "program/model/sync_kinds.h"

#include <utility>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Request;
using program::StaticEvent;
using program::SyncOp;
using program::ThreadIndex;

std::optional<std::uint32_t> ExecutionReplay::hidden_number(EventIndex event) const {
  const std::uint64_t first = program::hidden_address(*task_.program, 0);
  const Event& one = claim_.events[event];
  if (one.size == 0 || one.address < first || one.kind == Event::Kind::kInitialWrite)
    return std::nullopt;
  return static_cast<std::uint32_t>((one.address - first) / 8);
}

/// A write or read of a location that stands for the start or the end of a thread.
Status ExecutionReplay::hidden(ThreadIndex thread,
                               std::uint32_t number,
                               bool is_write,
                               const Reads& address_from) {
  return hidden(thread, number, is_write, kWord, 1, {}, address_from);
}

/// Is a number told with the thread's next event?
bool ExecutionReplay::is_told_number(ThreadIndex thread) const {
  return left(thread) != 0 && claim_.events[claimed_at(thread, 0)].size == program::kResultBytes;
}

Status ExecutionReplay::start(ThreadIndex thread) {
  const std::uint32_t number = program::start_number(threads_.at(thread).claimed);
  if (!is_told_number(thread))
    return hidden(thread, number, false);
  const program::Procedure& procedure = program_.procedures[procedure_of(thread)];
  if (!procedure.parameters.empty())
    dependencies_.assign(thread, procedure.parameters.front(), {{claimed_at(thread, 0)}, {}});
  return hidden(thread, number, false, program::kResultBytes, 0, {});
}

Status ExecutionReplay::hidden(ThreadIndex thread,
                               std::uint32_t number,
                               bool is_write,
                               std::uint8_t size,
                               std::uint64_t written,
                               const Origins& data,
                               const Reads& address_from) {
  const std::uint64_t address = program::hidden_address(*task_.program, number);
  const Result<Pieces> found =
      pieces(thread, is_write ? Event::Kind::kWrite : Event::Kind::kRead, address, size);
  if (!found)
    return found.error();
  std::uint64_t value = written;
  if (!is_write) {
    const Result<std::optional<std::uint64_t>> read = value_of(*found, address);
    if (!read)
      return read.error();
    if (!*read)
      return mismatch(thread, "a thread has not been created, or has not ended");
    value = **read;
    // What it waits for has not happened: it does nothing more.
    if (value == 0)
      threads_.at(thread).has_stopped = true;
  }
  begin_instruction(thread, {});
  program::Access how =
      is_write ? word_access(program::Order::kRelease, program_.synchronization.release)
               : word_access(program::Order::kAcquire, program_.synchronization.acquire);
  how.size = size;
  if (Status status =
          take(thread,
               *found,
               address,
               {form_of(is_write ? StaticEvent::Kind::kWrite : StaticEvent::Kind::kRead, how)});
      !status)
    return status;
  depend(thread, *found, {address_from, {}}, data);
  // Blocks that a number told with it points to may lie elsewhere than the claim has them.
  if (size == program::kResultBytes && value != 0) {
    const std::uint64_t claimed = claim_.events[found->front()].value ^ program::kNoResult;
    if (is_same_value(value ^ program::kNoResult, claimed, program_.pointer_bits() / 8U)) {
      made_.events[found->front()].value = value;
      is_known_[found->front()] = true;
      return Done{};
    }
  }
  return set_value(found->front(), value);
}

Status ExecutionReplay::end_of(ThreadIndex thread,
                               std::uint32_t ended,
                               bool is_write,
                               const Request& request) {
  const std::uint32_t number = program::end_number(ended);
  const EventIndex event = claimed_at(thread, 0);
  const bool has_result = claim_.events[event].size == program::kResultBytes;
  // The thread has ended here before it is joined: the interpreter takes the same result.
  if (!is_write) {
    const auto& join = std::get<program::Synchronize>(request.edge->action);
    const Origins handle = dependencies_.of(thread, join.operands[0]);
    const Reads named_by = together(handle.from, handle.chosen);
    if (!has_result)
      return hidden(thread, number, false, named_by);
    if (join.dest)
      dependencies_.assign(thread, *join.dest, {{event}, {}});
    return hidden(thread, number, false, program::kResultBytes, 0, {}, named_by);
  }
  if (!has_result)
    return hidden(thread, number, true);
  const auto* end = std::get_if<program::Return>(&request.edge->action);
  const auto* exit = std::get_if<program::ThreadExit>(&request.edge->action);
  const std::optional<program::Term> result = end != nullptr    ? end->value
                                              : exit != nullptr ? exit->value
                                                                : std::nullopt;
  return hidden(thread,
                number,
                true,
                program::kResultBytes,
                request.value ^ program::kNoResult,
                result ? dependencies_.of(thread, *result) : Origins{});
}

Result<ExecutionReplay::Progress> ExecutionReplay::create(ThreadIndex thread,
                                                          const Request& request) {
  // Somebody else may come to an end first.
  const ThreadIndex child = interpreter_.next_thread(state_);
  if (child >= program::kMaxThreads && (!announces_ || left(thread) != 0)) {
    lack_room_.insert(thread);
    return Progress::kWaits;
  }
  lack_room_.erase(thread);
  std::uint32_t claimed = ++created_;
  std::optional<EventIndex> shown;
  if (announces_) {
    if (left(thread) == 0) { // it may start at what is no function
      program::State then = state_;
      return stop(thread, interpreter_.execute(then, thread, request, 0));
    }
    const std::optional<std::uint32_t> number = hidden_number(claimed_at(thread, 0));
    if (!number || *number % 2 != 0)
      return mismatch(thread, "the program creates a thread here");
    claimed = *number / 2;
    shown = claimed_at(thread, 0);
    for (const auto& [other, known] : threads_)
      if (known.claimed == claimed)
        return mismatch(thread, "a thread is created twice");
    const auto& action = std::get<program::Synchronize>(request.edge->action);
    const Status told = is_told_number(thread)
                            ? hidden(thread,
                                     *number,
                                     true,
                                     program::kResultBytes,
                                     request.value ^ program::kNoResult,
                                     dependencies_.of(thread, action.operands[1]))
                            : hidden(thread, *number, true);
    if (!told)
      return told.error();
  }
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
      !fault.is_none())
    return stop(thread, fault);
  if (const auto before = threads_.find(child); before != threads_.end()) {
    if (left(child) != 0)
      return mismatch(child, "the thread has ended before");
    give_away(child);
  }
  handles_.emplace(child + 1U, claimed + 1U);
  Thread started;
  started.claimed = claimed;
  started.awaits_start = announces_;
  threads_[child] = std::move(started);
  dependencies_.start(child);
  if (child >= starts_.size())
    starts_.resize(child + 1U);
  starts_[child].push_back(state_.threads[child].procedure(0));
  tell(thread, request, Step::What::kSynchronize, {});
  steps_.steps.back().created = child;
  if (shown)
    made_.events[*shown].step = static_cast<std::uint32_t>(steps_.steps.size() - 1);
  moved(thread);
  return Progress::kMoved;
}

/// The index serves again. What the thread that had it until now has touched of its own stays a
/// place of its own, where nobody comes any more.
void ExecutionReplay::give_away(ThreadIndex index) {
  const program::AddressSpace space = program_.space();
  const program::Interpreter::Range frames = interpreter_.frames_of(index);
  const auto is_its = [&](std::uint64_t unit) {
    const std::uint64_t address = space.base_of(unit);
    if (address >= frames.first && address < frames.last)
      return true;
    for (std::size_t i = 0; i < program_.objects.size(); ++i) {
      const program::Object& object = program_.objects[program::ObjectId{i}];
      const std::uint64_t units = space.units_for(object.size);
      if (object.kind == program::Object::Kind::kThreadLocal &&
          unit >= object.unit + index * units && unit < object.unit + (index + 1) * units)
        return true;
    }
    return false;
  };
  const std::uint64_t mask = space.unit_size() - 1;
  for (auto known = claim_of_unit_.begin(); known != claim_of_unit_.end();) {
    const auto [unit, claimed] = *known;
    if (!is_its(unit)) {
      ++known;
      continue;
    }
    const std::uint64_t gone = next_gone_unit_++ << space.unit_shift;
    unit_of_claim_[claimed] = gone >> space.unit_shift;
    for (Event& event : made_.events)
      if (event.size != 0 && space.unit_of(event.address) == unit)
        event.address = gone + (event.address & mask);
    std::erase_if(locks_, [&](std::uint64_t lock) { return space.unit_of(lock) == unit; });
    known = claim_of_unit_.erase(known);
  }
}

Result<ExecutionReplay::Progress> ExecutionReplay::join(ThreadIndex thread,
                                                        const Request& request) {
  const std::uint64_t target = request.address - 1;
  if (announces_ && left(thread) == 0)
    return stop(thread, {});
  const auto joined = threads_.find(static_cast<ThreadIndex>(target));
  const bool waits_for_ever = announces_ && claim_.events[claimed_at(thread, 0)].value == 0;
  if (!waits_for_ever && interpreter_.blocked(state_, thread, request))
    return Progress::kWaits;
  std::optional<EventIndex> shown;
  if (announces_ && joined != threads_.end()) {
    shown = claimed_at(thread, 0);
    if (Status status = end_of(thread, joined->second.claimed, false, request); !status)
      return status.error();
    if (threads_.at(thread).has_stopped)
      return Progress::kStopped;
  }
  if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
      !fault.is_none())
    return stop(thread, fault);
  tell(thread, request, Step::What::kSynchronize, {});
  if (shown)
    made_.events[*shown].step = static_cast<std::uint32_t>(steps_.steps.size() - 1);
  if (const std::vector<std::string> names = thread_names(); target < names.size())
    texts_.back().target = names[target];
  moved(thread);
  return Progress::kMoved;
}

Result<ExecutionReplay::Progress> ExecutionReplay::end(ThreadIndex thread, const Request& request) {
  if (announces_) {
    if (left(thread) == 0)
      return stop(thread, {});
    if (Status status = end_of(thread, threads_.at(thread).claimed, true, request); !status)
      return status.error();
  }
  // The end of the initial thread is the end of all: nothing depends on it, and the others may
  // have come before it.
  if (request.kind == Request::Kind::kThreadExit)
    if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
        !fault.is_none())
      return stop(thread, fault);
  stop(thread, {});
  return Progress::kMoved; // others may have waited for it
}

Result<ExecutionReplay::Progress> ExecutionReplay::synchronize(ThreadIndex thread,
                                                               const Request& request) {
  const auto& action = std::get<program::Synchronize>(request.edge->action);
  if (action.dest)
    dependencies_.forget_value(thread, *action.dest);
  if (action.op == SyncOp::kCreate)
    return create(thread, request);
  if (action.op == SyncOp::kJoin)
    return join(thread, request);
  if (is_thread_operation(action.op)) {
    if (const program::Fault fault = interpreter_.execute(state_, thread, request, 0);
        !fault.is_none())
      return stop(thread, fault);
    moved(thread);
    return Progress::kMoved;
  }
  // A barrier for nobody is not initialised: no event.
  const bool is_silent =
      action.op == SyncOp::kBarrierInit && static_cast<std::uint32_t>(request.value) == 0;
  if (left(thread) == 0 && !is_silent) // it may be an operation on what is none
    return stop(thread, interpreter_.check_access(state_, thread, request));
  return synchronize_by_words(thread, request);
}

} // namespace heddle::check
