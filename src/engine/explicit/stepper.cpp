// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/stepper.h"

#include "engine/explicit/actions.h"
#include "program/model/history_mark.h"
#include "support/hash.h"

#include <cstring>

namespace heddle::engine {
namespace {

using program::Request;
using Kind = program::Request::Kind;

/// Does what the request does depend on memory, the thread and its buffer only, and does it change
/// nothing else?
bool is_local_effect(const Request& request) {
  switch (request.kind) {
  case Kind::kLocal:
  case Kind::kNondet:
  case Kind::kLoad:
  case Kind::kStore:
  case Kind::kReadModifyWrite:
  case Kind::kCompareExchange:
  case Kind::kFence:
  case Kind::kAtomicBegin:
  case Kind::kAtomicEnd:
    return true;
  case Kind::kSynchronize:
    return request.edge != nullptr && is_lock_like(request.edge->action);
  case Kind::kLoadExclusive:
  case Kind::kStoreExclusive:
  case Kind::kAllocate:
  case Kind::kFree:
  case Kind::kWakeUp:
  case Kind::kReacquire:
  case Kind::kLeaveBarrier:
  case Kind::kThreadExit:
  case Kind::kExit:
  case Kind::kFault:
    return false;
  }
  return false;
}

/// Of the kinds that wait for an empty buffer whatever the lowering says.
bool waits_for_buffer(const Request& request) {
  switch (request.kind) {
  case Kind::kReadModifyWrite:
    return request.is_visible && !program::is_history_mark(request.edge->action);
  case Kind::kCompareExchange:
    return request.is_visible;
  case Kind::kSynchronize:
  case Kind::kAtomicBegin:
  case Kind::kAtomicEnd:
  case Kind::kThreadExit:
    return true;
  case Kind::kLocal:
  case Kind::kNondet:
  case Kind::kLoad:
  case Kind::kStore:
  case Kind::kFence:
  case Kind::kLoadExclusive:
  case Kind::kStoreExclusive:
  case Kind::kAllocate:
  case Kind::kFree:
  case Kind::kWakeUp:
  case Kind::kReacquire:
  case Kind::kLeaveBarrier:
  case Kind::kExit:
  case Kind::kFault:
    return false;
  }
  return false;
}

} // namespace

Stepper::Stepper(const memory::Machine& machine, StateStore& store, const Monitor* monitor)
    : machine_(machine), store_(store), monitor_(monitor), codec_(store),
      memos_(1U << kLeastMemoBits) {}

void Stepper::begin(const Tuple& tuple) {
  std::memcpy(current_.words.data(), tuple.words.data(), tuple.size * sizeof tuple.words[0]);
  current_.size = tuple.size;
  viewed_ = 0;
  successor_count_ = 0;
  ends_.clear();
  hits_.clear();
}

std::uint32_t Stepper::pending(ThreadIndex thread) const {
  return store_.shape().has_buffers ? store_.buffers.mark(current_.buffer(thread)) : 0;
}

Stepper::Memo& Stepper::memo_of(ThreadIndex thread, bool flush) {
  const std::uint32_t memory = current_.memory();
  const std::uint32_t own = flush ? kFlushKey : current_.thread(thread);
  const std::uint32_t buffer = store_.shape().has_buffers ? current_.buffer(thread) : 0;
  // A section of the thread's own changes what it may do next.
  const std::uint32_t index = thread | (current_.atomic_owner() >= 0 ? 64U : 0U);
  std::uint64_t hash = (std::uint64_t{memory} << 32U | own) * 0x9fb21c651e98df25ULL;
  hash ^= (std::uint64_t{buffer} << 32U | index) * 0xbf58476d1ce4e5b9ULL;
  hash ^= hash >> 29U;
  hash *= 0x94d049bb133111ebULL;
  Memo* found = &memos_[hash >> (64U - memo_bits_)];
  if (found->memory == memory && found->thread == own && found->buffer == buffer &&
      found->index == index)
    return *found;
  if (++misses_ > 4 * memos_.size() && memo_bits_ < kMostMemoBits) {
    memo_bits_ += 2;
    memos_.assign(std::size_t{1} << memo_bits_, Memo{});
    found = &memos_[hash >> (64U - memo_bits_)];
  }
  Memo& memo = *found;
  memo.memory = memory;
  memo.thread = own;
  memo.buffer = buffer;
  memo.index = index;
  memo.opens_section = false;
  memo.closes_section = false;
  if (flush)
    fill_flush(memo, thread);
  else
    fill_step(memo, thread);
  return memo;
}

void Stepper::describe(const memory::MachineState& state,
                       ThreadIndex thread,
                       const Request& request,
                       StepView& view) const {
  view = StepView{};
  view.is_live = true;
  view.kind = request.kind;
  view.drains = request.drains || waits_for_buffer(request);
  view.edge = request.edge;
  if (request.kind == Kind::kLocal || request.kind == Kind::kNondet || request.kind == Kind::kFault)
    return;
  const program::Footprint footprint =
      machine_.interpreter().footprint(state.core, thread, request);
  view.address = footprint.address;
  view.size = static_cast<std::uint32_t>(footprint.size);
  view.writes = footprint.writes;
  view.touches_everything = footprint.touches_everything;
  const program::Access* access =
      request.edge == nullptr ? nullptr : access_of(request.edge->action);
  if (access != nullptr && request.kind != Kind::kFence && request.is_visible) {
    view.is_access = true;
    view.address = request.address;
    view.size = request.size;
    view.writes_memory = request.kind != Kind::kLoad && request.kind != Kind::kLoadExclusive;
    view.writes = view.writes_memory ||
                  (!request.keeps_marks && machine_.interpreter().is_unwritten(
                                               state.core.memory, request.address, request.size));
    view.is_atomic = access->kind == program::AccessKind::kAtomic;
    view.goes_to_buffer = machine_.has_buffers() && request.kind == Kind::kStore && !request.drains;
  }
}

void Stepper::fill_step(Memo& memo, ThreadIndex thread) {
  memory::MachineState& state = codec_.load(current_);
  const Request request = machine_.interpreter().request(state.core, thread);
  describe(state, thread, request, memo.view);
  if (!is_local_effect(request) || monitor_ != nullptr ||
      machine_.interpreter().looks_at_other_threads()) {
    memo.ways = Ways::kGeneral;
    return;
  }
  transitions_.clear();
  const bool exhaustive = machine_.steps(state, thread, request, transitions_);
  memo.view.can_step = !transitions_.empty();
  memo.view.waits = transitions_.empty();
  if (transitions_.empty()) {
    memo.ways = Ways::kNone;
    return;
  }
  memo.ways = Ways::kGeneral;
  if (merges_choices_ && request.kind == Kind::kNondet && exhaustive &&
      transitions_.size() <= kMostChoices && current_.atomic_owner() < 0)
    return fill_choices(memo, thread);
  if (transitions_.size() > 1 || !exhaustive)
    return;
  const std::int32_t owner = current_.atomic_owner();
  if (!machine_.apply(state, transitions_[0]).is_none()) {
    codec_.spoil();
    return;
  }
  HEDDLE_CHECK(state.core.threads.size() == current_.thread_count() && !state.core.has_ended,
               "a step that was taken for a local one made or ended threads");
  Tuple after;
  codec_.store_local(current_, thread, after);
  memo.ways = Ways::kOne;
  memo.choice = transitions_[0].choice;
  memo.new_memory = after.memory();
  memo.new_thread = after.thread(thread);
  memo.new_buffer = store_.shape().has_buffers ? after.buffer(thread) : 0;
  memo.opens_section = owner < 0 && after.atomic_owner() >= 0;
  memo.closes_section = owner >= 0 && after.atomic_owner() < 0;
}

void Stepper::fill_choices(Memo& memo, ThreadIndex thread) {
  const std::vector<Transition> choices = transitions_;
  memo.choices.clear();
  for (const Transition& choice : choices) {
    memory::MachineState* state = &codec_.load(current_);
    if (!machine_.apply(*state, choice).is_none()) {
      codec_.spoil();
      return;
    }
    ChoiceWay& way = memo.choices.emplace_back();
    way.choice = choice.choice;
    const Request request = machine_.interpreter().request(state->core, thread);
    Tuple after;
    if ((request.kind == Kind::kLoad || request.kind == Kind::kStore) && request.is_visible) {
      transitions_.clear();
      const bool exhaustive = machine_.steps(*state, thread, request, transitions_);
      if (transitions_.size() == 1 && exhaustive) {
        describe(*state, thread, request, way.access);
        if (machine_.apply(*state, transitions_[0]).is_none()) {
          way.access_choice = transitions_[0].choice;
        } else { // an access that ends the run is a step of its own
          codec_.spoil();
          state = &codec_.load(current_);
          (void)machine_.apply(*state, choice);
        }
      }
    }
    codec_.store_local(current_, thread, after);
    way.new_memory = after.memory();
    way.new_thread = after.thread(thread);
    way.new_buffer = store_.shape().has_buffers ? after.buffer(thread) : 0;
    HEDDLE_CHECK(after.atomic_owner() < 0, "an access after a choice opened an atomic section");
  }
  memo.ways = Ways::kChoices;
}

void Stepper::fill_flush(Memo& memo, ThreadIndex thread) {
  memory::MachineState& state = codec_.load(current_);
  transitions_.clear();
  machine_.flushes(state, thread, transitions_);
  memo.ways = transitions_.empty() ? Ways::kNone : Ways::kGeneral;
  if (transitions_.size() != 1 || monitor_ != nullptr)
    return;
  if (!machine_.apply(state, transitions_[0]).is_none()) {
    codec_.spoil();
    return;
  }
  Tuple after;
  codec_.store_local(current_, thread, after);
  // The key does not name the thread's own state, so that must not have been touched.
  if (after.thread(thread) != current_.thread(thread) || after.words[0] != current_.words[0])
    return;
  memo.ways = Ways::kOne;
  memo.choice = transitions_[0].choice;
  memo.new_memory = after.memory();
  memo.new_thread = 0;
  memo.new_buffer = after.buffer(thread);
}

const StepView& Stepper::view(ThreadIndex thread) {
  StepView& view = views_[thread];
  if ((viewed_ >> thread & 1U) != 0)
    return view;
  viewed_ |= 1ULL << thread;
  after_choice_[thread].clear();
  if ((store_.threads.mark(current_.thread(thread)) & StateCodec::kLive) == 0 ||
      current_.has_ended()) {
    view = StepView{};
    return view;
  }
  const Memo& memo = memo_of(thread, false);
  view = memo.view;
  if (memo.ways == Ways::kChoices)
    for (const ChoiceWay& way : memo.choices)
      if (way.access_choice)
        after_choice_[thread].push_back(way.access);
  if (memo.ways == Ways::kGeneral) {
    const memory::MachineState& state = codec_.load(current_);
    const Request request = machine_.interpreter().request(state.core, thread);
    transitions_.clear();
    machine_.steps(state, thread, request, transitions_);
    view.can_step = !transitions_.empty();
    view.waits = transitions_.empty() || view.kind == Kind::kWakeUp;
  }
  if (!may_move(thread))
    view.can_step = false;
  return view;
}

Successor& Stepper::new_successor() {
  if (successor_count_ == successors_.size())
    successors_.emplace_back();
  successors_[successor_count_].then.reset();
  return successors_[successor_count_++];
}

void Stepper::add_remembered(ThreadIndex thread, const Memo& memo, Transition::Kind kind) {
  Successor& successor = new_successor();
  successor.transition = Transition{kind, thread, memo.choice};
  Tuple& tuple = successor.tuple;
  std::memcpy(tuple.words.data(), current_.words.data(), current_.size * sizeof tuple.words[0]);
  tuple.size = current_.size;
  tuple.memory() = memo.new_memory;
  if (kind == Transition::Kind::kStep)
    tuple.thread(thread) = memo.new_thread;
  if (store_.shape().has_buffers)
    tuple.buffer(thread) = memo.new_buffer;
  if (memo.opens_section)
    tuple.set_owner(static_cast<std::int32_t>(thread));
  if (memo.closes_section)
    tuple.set_owner(-1);
}

void Stepper::add_choices(ThreadIndex thread, const Memo& memo) {
  for (const ChoiceWay& way : memo.choices) {
    Successor& successor = new_successor();
    successor.transition = Transition{Transition::Kind::kStep, thread, way.choice};
    if (way.access_choice)
      successor.then = Transition{Transition::Kind::kStep, thread, *way.access_choice};
    Tuple& tuple = successor.tuple;
    std::memcpy(tuple.words.data(), current_.words.data(), current_.size * sizeof tuple.words[0]);
    tuple.size = current_.size;
    tuple.memory() = way.new_memory;
    tuple.thread(thread) = way.new_thread;
    if (store_.shape().has_buffers)
      tuple.buffer(thread) = way.new_buffer;
  }
}

void Stepper::add_general(ThreadIndex thread, Transition::Kind kind) {
  const memory::MachineState& state = codec_.load(current_);
  transitions_.clear();
  if (kind == Transition::Kind::kStep) {
    const Request request = machine_.interpreter().request(state.core, thread);
    if (!machine_.steps(state, thread, request, transitions_))
      has_sampled_ = true;
  } else {
    machine_.flushes(state, thread, transitions_);
  }
  for (const Transition& transition : transitions_) {
    memory::MachineState& next = codec_.load(current_);
    memory::StepDetail detail;
    if (monitor_ != nullptr)
      before_ = next;
    Fault fault = machine_.apply(next, transition, monitor_ != nullptr ? &detail : nullptr);
    std::optional<MonitorHit> hit;
    if (monitor_ != nullptr) {
      store_.monitors.read(current_.monitor(), monitor_words_);
      hit = monitor_->update(monitor_words_, before_, next, transition, detail);
      if (hit)
        hits_.push_back({transition, *hit});
    }
    if (!fault.is_none()) {
      codec_.spoil();
      ends_.push_back({transition, std::move(fault)});
      continue;
    }
    Successor& successor = new_successor();
    successor.transition = transition;
    codec_.store_all(current_, successor.tuple);
    if (next.core.threads.size() > current_.thread_count()) {
      // Its entry is the outermost frame; it may have run on into callees already.
      const program::ThreadState& created = next.core.threads.back();
      if (created.frame_count() > 0)
        started_.insert(created.procedure(created.frame_count() - 1).value);
    }
    if (monitor_ != nullptr)
      successor.tuple.monitor() =
          store_.monitors.intern_changed(monitor_words_, current_.monitor(), 0);
  }
}

void Stepper::add_steps(ThreadIndex thread) {
  if ((store_.threads.mark(current_.thread(thread)) & StateCodec::kLive) == 0 || !may_move(thread))
    return;
  const Memo& memo = memo_of(thread, false);
  if ((viewed_ >> thread & 1U) == 0 && (memo.ways == Ways::kNone || memo.ways == Ways::kOne)) {
    views_[thread] = memo.view;
    viewed_ |= 1ULL << thread;
  }
  switch (memo.ways) {
  case Ways::kNone:
    return;
  case Ways::kOne:
    add_remembered(thread, memo, Transition::Kind::kStep);
    return;
  case Ways::kChoices:
    add_choices(thread, memo);
    return;
  case Ways::kGeneral:
    add_general(thread, Transition::Kind::kStep);
    return;
  }
}

void Stepper::add_flushes(ThreadIndex thread) {
  if (pending(thread) == 0 || !may_move(thread))
    return;
  const Memo& memo = memo_of(thread, true);
  switch (memo.ways) {
  case Ways::kNone:
    return;
  case Ways::kOne:
    add_remembered(thread, memo, Transition::Kind::kFlush);
    return;
  case Ways::kChoices: // never of a flush
  case Ways::kGeneral:
    add_general(thread, Transition::Kind::kFlush);
    return;
  }
}

void Stepper::add_all() {
  if (current_.has_ended())
    return;
  for (ThreadIndex thread = 0; thread < current_.thread_count(); ++thread) {
    add_steps(thread);
    add_flushes(thread);
  }
}

} // namespace heddle::engine
