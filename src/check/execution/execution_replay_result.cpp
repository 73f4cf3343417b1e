// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// When the threads have run: is the claim well-formed, and what came out?
#include "check/execution/execution_replay.h"
#include "check/run/lacks_room.h"
#include "memory/execution_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::check {

using execution::Event;
using execution::Step;
using program::Request;
using program::ThreadIndex;

program::State ExecutionReplay::final_state() const {
  program::State state = state_;
  const auto thread_of = [&](std::uint64_t claimed) {
    for (const auto& [thread, known] : threads_)
      if (known.claimed == claimed && thread < program::kMaxThreads)
        return thread;
    return ThreadIndex{0};
  };
  for (EventIndex i = 0; i < made_.events.size(); ++i) {
    const Event& event = made_.events[i];
    if (event.kind != Event::Kind::kWrite || !claim_.co.row(i).empty() || hidden_number(i))
      continue;
    // Who has a lock has the number it has here.
    const std::uint64_t value = locks_.contains(event.address) && event.value != 0
                                    ? thread_of(event.value - 1) + 1U
                                    : event.value;
    interpreter_.write(state.memory, event.address, event.size, value);
  }
  return state;
}

/// Blocks that were freed are there still (free_block): what they hold points to nothing.
std::vector<std::uint64_t> ExecutionReplay::lost_blocks(bool all) const {
  program::State state = final_state();
  const Request request = interpreter_.request(state, 0);
  if (request.kind != Request::Kind::kExit)
    return {};
  if (!interpreter_.execute(state, 0, request, 0).is_none())
    return {};
  for (const Freed& free : frees_)
    if (const auto size = sizes_of_blocks_.find(free.address); size != sizes_of_blocks_.end())
      for (std::uint64_t at = 0; at < size->second; ++at)
        interpreter_.write(state.memory, free.address + at, 1, 0);
  std::vector<std::uint64_t> lost = interpreter_.leaked_blocks(state, all);
  std::erase_if(lost, [&](std::uint64_t block) {
    return std::any_of(
        frees_.begin(), frees_.end(), [&](const Freed& free) { return free.address == block; });
  });
  return lost;
}

program::Fault ExecutionReplay::leak_of(std::uint64_t block) const {
  program::Fault fault;
  fault.kind = program::FaultKind::kLeak;
  fault.what = name(block);
  if (const auto place = interpreter_.place(state_.memory, block);
      place && place->object.is_valid())
    fault.loc = program_.objects[place->object].loc;
  return fault;
}

void ExecutionReplay::complete_relations() {
  const std::string& vocabulary = program_.vocabulary;
  for (EventIndex i = 0; i < made_.events.size(); ++i) {
    Event& event = made_.events[i];
    if (event.kind == Event::Kind::kInitialWrite) {
      // In the places of the blocks here.
      const program::AddressSpace space = program_.space();
      const std::uint64_t claimed = claim_.events[i].address;
      const auto unit = unit_of_claim_.find(space.unit_of(claimed));
      if (unit != unit_of_claim_.end())
        event.address = (unit->second << space.unit_shift) + (claimed & (space.unit_size() - 1));
      continue;
    }
    for (EventIndex j = i + 1; j < made_.events.size(); ++j)
      if (made_.events[j].kind != Event::Kind::kInitialWrite &&
          made_.events[j].thread == event.thread &&
          memory::are_in_program_order(vocabulary, event, made_.events[j]))
        made_.po.insert(i, j);
  }
  for (const auto& [read, write] : made_.rmw.pairs())
    for (const EventIndex half : {read, write})
      for (const char* tag : memory::update_tags(vocabulary))
        memory::add_tag(made_.events[half], tag);
  // Only now every source has its step.
  for (const auto& [write, read] : made_.rf.pairs()) {
    if (made_.events[write].kind != Event::Kind::kWrite || made_.events[write].step == kNoStep ||
        made_.events[read].step == kNoStep)
      continue;
    steps_.steps[made_.events[read].step].reads_from = made_.events[write].step;
  }
  if (fault_.is_none())
    return;
  // The thread with the fault has the last step, also if nothing it did is seen by others.
  if (std::ranges::none_of(steps_.steps,
                           [&](const Step& one) { return one.transition.thread == faulty_; })) {
    Step& step = steps_.steps.emplace_back();
    step.transition.thread = faulty_;
    step.loc = fault_.loc;
    texts_.emplace_back();
  }
  const auto last = std::find_if(steps_.steps.rbegin(), steps_.steps.rend(), [&](const Step& one) {
    return one.transition.thread == faulty_;
  });
  const auto from = static_cast<std::uint32_t>(steps_.steps.rend() - last - 1);
  const auto end = static_cast<std::uint32_t>(steps_.steps.size() - 1);
  std::rotate(steps_.steps.begin() + from, steps_.steps.begin() + from + 1, steps_.steps.end());
  std::rotate(texts_.begin() + from, texts_.begin() + from + 1, texts_.end());
  const auto moved_to = [&](std::uint32_t step) {
    return step == kNoStep ? step : step == from ? end : step > from ? step - 1 : step;
  };
  for (Step& step : steps_.steps)
    if (step.reads_from)
      step.reads_from = moved_to(*step.reads_from);
  for (Event& event : made_.events)
    event.step = moved_to(event.step);
}

Status ExecutionReplay::check_end() const {
  const auto wrong = [](std::string what) {
    return Error{ErrorKind::kUnsupported, "CHECK-014", std::move(what)};
  };
  if (!lack_room_.empty())
    return Error{ErrorKind::kUnsupported,
                 std::string(kLacksRoom),
                 fmt::format("more than {} threads at a time", program::kMaxThreads)};
  // Others may only wait for one that has stopped.
  for (const bool has_stopped : {true, false})
    for (const auto& [thread, known] : threads_)
      if (left(thread) != 0 && known.has_stopped == has_stopped)
        return mismatch(thread,
                        fmt::format("the program does not come to this event, at {}",
                                    program_.place(claim_.events[claimed_at(thread, 0)].loc)));
  for (EventIndex i = 0; i < claim_.events.size(); ++i) {
    const Event& event = made_.events[i];
    if (event.kind != Event::Kind::kInitialWrite && !is_known_[i])
      return wrong(fmt::format("event {} is of a thread that is never created", i));
    // What was believed has turned out to be so.
    for (const EventIndex read : claim_.rf.row(i).elements())
      if (is_believed_[read] && made_.events[read].value != event.value)
        return wrong(fmt::format("read {} does not read what event {} writes", read, i));
  }
  // The writes to a place are in one order, its initial write first, and no others are.
  const auto is_write = [&](EventIndex i) {
    return claim_.events[i].kind == Event::Kind::kWrite ||
           claim_.events[i].kind == Event::Kind::kInitialWrite;
  };
  for (EventIndex a = 0; a < claim_.events.size(); ++a)
    for (EventIndex b = 0; b < claim_.events.size(); ++b) {
      const bool are_one_place = a != b && is_write(a) && is_write(b) &&
                                 claim_.events[a].address == claim_.events[b].address;
      const bool before = claim_.co.contains(a, b);
      if (!are_one_place ? before : before == claim_.co.contains(b, a))
        return wrong(fmt::format("events {} and {} are not in a coherent order", a, b));
      if (before && claim_.events[b].kind == Event::Kind::kInitialWrite)
        return wrong("an initial write comes after another one");
      if (before)
        for (const EventIndex c : claim_.co.row(b).elements())
          if (!claim_.co.contains(a, c))
            return wrong("the order of the writes is not transitive");
    }
  return Done{};
}

void ExecutionReplay::tell(ThreadIndex thread,
                           const Request& request,
                           Step::What what,
                           const Pieces& events) {
  const auto index = static_cast<std::uint32_t>(steps_.steps.size());
  Step step;
  step.transition.thread = thread;
  step.what = what;
  step.edge = nullptr; // of a program that goes away
  step.loc = request.edge != nullptr ? request.edge->loc : SourceLoc{};
  step.address = request.address;
  step.size = request.size;
  verdict::StepText text;
  text.operation = operation_of(request);
  if (what == Step::What::kRead || what == Step::What::kWrite || what == Step::What::kNondet)
    text.operation.clear();
  unsigned read_offset = 0;
  unsigned write_offset = 0;
  for (const EventIndex event : events) {
    Event& one = made_.events[event];
    one.step = index;
    step.is_atomic = one.is_atomic;
    if (one.kind == Event::Kind::kRead) {
      step.value_read |= one.value << (8 * read_offset);
      read_offset += one.size;
    } else if (one.kind == Event::Kind::kWrite) {
      step.value_written |= one.value << (8 * write_offset);
      write_offset += one.size;
    }
  }
  const bool is_thread_operation = what == Step::What::kSynchronize && events.empty();
  if (what != Step::What::kFence && what != Step::What::kNondet && !is_thread_operation)
    text.target = namer_.name(
        state_.memory, request.address, what == Step::What::kSynchronize ? 1 : request.size);
  if (read_offset != 0 && what != Step::What::kSynchronize)
    text.value_read = namer_.value(state_.memory, step.value_read, step.size, step.address);
  if (write_offset != 0 && what != Step::What::kSynchronize)
    text.value_written = namer_.value(state_.memory, step.value_written, step.size, step.address);
  steps_.steps.push_back(std::move(step));
  texts_.push_back(std::move(text));
}

} // namespace heddle::check
