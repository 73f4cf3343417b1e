// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/reduction.h"

#include "engine/explicit/actions.h"
#include "program/model/sync_kinds.h"

#include <bit>
#include <variant>

namespace heddle::engine {
namespace {

using program::FutureEffects;
using Kind = program::Request::Kind;
using program::SyncOp;

/// A buffer that has grown so far is not grown further without looking at other threads first: a
/// program that stores in an endless loop has infinitely many states, and something else may be
/// wrong with it.
constexpr std::size_t kMaxPendingOfReduced = 8;

std::optional<SyncOp> op_of(const StepView& view) {
  if (view.kind != Kind::kSynchronize || view.edge == nullptr)
    return std::nullopt;
  const auto* action = std::get_if<program::Synchronize>(&view.edge->action);
  return action == nullptr ? std::nullopt : std::optional(action->op);
}

} // namespace

int Reduction::Choice::size() const {
  return std::popcount(steps) + std::popcount(flushes);
}

Reduction::Reduction(const program::Interpreter& interpreter,
                     StateStore& store,
                     bool keeps_final_states,
                     bool tests_adjacency)
    : interpreter_(interpreter), store_(store), keeps_final_states_(keeps_final_states),
      tests_adjacency_(tests_adjacency), tells_handles_(interpreter.program().tells_handles),
      futures_(interpreter.program()) {}

std::uint32_t Reduction::future_of(const program::ThreadState& thread, std::uint32_t component) {
  // The mark of a thread component: flags, then the number of its future plus one.
  constexpr std::uint32_t kFlags = (1U << StateCodec::kFlagBits) - 1;
  const std::uint32_t mark = store_.threads.mark(component);
  if (mark >> StateCodec::kFlagBits != 0)
    return (mark >> StateCodec::kFlagBits) - 1;
  const std::vector<program::ThreadState::Frame> frames = thread.frames();
  std::vector<std::uint64_t> stack;
  for (const auto& [procedure, location] : frames)
    stack.push_back(std::uint64_t{procedure.value} << 32U | location.value);
  const auto [place, is_new] =
      by_stack_.try_emplace(std::move(stack), static_cast<std::uint32_t>(thread_futures_.size()));
  if (is_new) {
    FutureEffects& future = thread_futures_.emplace_back();
    for (const auto& [procedure, location] : frames) {
      future.add(futures_.from(procedure, location));
      future.frames.add(futures_.frames_of(procedure));
    }
  }
  store_.threads.set_mark(component,
                          (mark & kFlags) | (place->second + 1) << StateCodec::kFlagBits);
  return place->second;
}

Reduction::Target Reduction::target(const memory::MachineState& state,
                                    std::uint64_t address,
                                    std::uint64_t size,
                                    bool writes) const {
  Target target{address, size, {}, writes};
  if (const auto place = interpreter_.place(state.core.memory, address))
    target.object = place->object;
  return target;
}

void Reduction::prepare(Stepper& stepper) {
  thread_count_ = stepper.current().thread_count();
  if (facts_.size() < thread_count_)
    facts_.resize(thread_count_);
  for (ThreadIndex t = 0; t < thread_count_; ++t)
    facts_[t].view = stepper.view(t);
  const memory::MachineState& state = stepper.state();
  for (ThreadIndex t = 0; t < thread_count_; ++t) {
    ThreadFacts& facts = facts_[t];
    facts.is_live = facts.view.is_live;
    facts.is_detached = state.core.threads[t].is_detached();
    facts.pending.clear();
    if (!state.buffers.empty())
      for (const memory::PendingStore& store : state.buffers[t].stores)
        facts.pending.push_back(target(state, store.address, store.size, true));
    if (!facts.is_live)
      continue;
    facts.is_woken = facts.view.kind == Kind::kWakeUp || facts.view.kind == Kind::kReacquire ||
                     facts.view.kind == Kind::kLeaveBarrier;
    facts.future = &thread_futures_[future_of(state.core.threads[t], stepper.current().thread(t))];
    if (facts.view.size != 0)
      facts.target = target(state, facts.view.address, facts.view.size, facts.view.writes);
    else
      facts.target = Target{};
    facts.after_choice.clear();
    if (facts.view.kind == Kind::kNondet)
      for (const StepView& access : stepper.after_choice(t))
        facts.after_choice.emplace_back(access,
                                        target(state, access.address, access.size, access.writes));
  }
  main_waits_for_all_ = keeps_final_states_ && does_main_wait_for_all(state);
}

bool Reduction::does_main_wait_for_all(const memory::MachineState& state) const {
  const program::ThreadState& main = state.core.threads[0];
  if (!main.is_live() || main.frame_count() != 1)
    return false;
  // Each join takes another thread. If as many joins lie ahead as there are threads to join, no
  // more can be created and nobody else joins, then all of them end before the initial thread does.
  std::uint32_t unjoined = 0;
  for (ThreadIndex t = 0; t < thread_count_; ++t) {
    if (t > 0 && state.core.threads[t].status() != program::ThreadStatus::kJoined)
      ++unjoined;
    if (facts_[t].is_live && (facts_[t].future->creates || (t > 0 && facts_[t].future->joins)))
      return false;
  }
  return futures_.joins_before_end(main.procedure(0), main.location(0)) >= unjoined;
}

bool Reduction::is_candidate(const StepView& view) {
  switch (view.kind) {
  case Kind::kLocal:
  case Kind::kNondet:
  case Kind::kLoad:
  case Kind::kStore:
  case Kind::kReadModifyWrite:
  case Kind::kCompareExchange:
  case Kind::kFence:
  case Kind::kAllocate:
  case Kind::kFree:
  case Kind::kReacquire:
  case Kind::kThreadExit:
    return true;
  case Kind::kSynchronize: {
    const auto op = op_of(view);
    return op && (is_lock_like(view.edge->action) || is_thread_operation(*op));
  }
  case Kind::kLoadExclusive:
  case Kind::kStoreExclusive:
  case Kind::kWakeUp:
  case Kind::kLeaveBarrier:
  case Kind::kAtomicBegin:
  case Kind::kAtomicEnd:
  case Kind::kExit:
  case Kind::kFault:
    return false;
  }
  return false;
}

bool Reduction::target_conflicts(const Target& target, ThreadIndex other) const {
  const ThreadFacts& facts = facts_[other];
  for (const Target& pending : facts.pending)
    if (overlap(target.address, target.size, pending.address, pending.size))
      return true;
  if (!facts.is_live)
    return false;
  const FutureEffects& future = *facts.future;
  if (!target.object.is_valid())
    return true; // nothing is there (any more): its life is what matters, leave it to the full
                 // expansion
  if (future.writes.has(target.object) || (target.writes && future.reads.has(target.object)))
    return true;
  if (facts.is_woken && futures_.synchronisation_objects().has(target.object))
    return true;
  if (future.frames.has(target.object))
    return true;
  return future.changes_heap && futures_.heap_objects().has(target.object);
}

bool Reduction::may_exit(ThreadIndex thread) const {
  // When the initial thread's first procedure returns, all threads end.
  if (!facts_[thread].is_live)
    return false;
  return thread == 0 ? !main_waits_for_all_ : facts_[thread].future->exits;
}

bool Reduction::step_conflicts(ThreadIndex thread,
                               const StepView& view,
                               const Target& target,
                               ThreadIndex other) const {
  const ThreadFacts& facts = facts_[other];
  if (facts.is_live) {
    const FutureEffects& future = *facts.future;
    if (keeps_final_states_ && may_exit(other))
      return true;
    if (futures_.asks_block_sizes() && future.changes_heap)
      return true;
  }
  switch (view.kind) {
  case Kind::kNondet:
  case Kind::kFence:
    return false;
  case Kind::kLocal:
    // Visible only where it ends the life of blocks others may reach.
    return view.edge != nullptr && std::holds_alternative<program::Return>(view.edge->action) &&
           facts.is_live &&
           (facts.future->reads.intersects(futures_.frame_objects()) ||
            facts.future->writes.intersects(futures_.frame_objects()));
  case Kind::kThreadExit:
    if (facts.is_live && facts.future->creates && tells_handles_ && facts_[thread].is_detached)
      return true; // its handle serves again
    return facts.is_live && (facts.future->reads.intersects(futures_.thread_local_objects()) ||
                             facts.future->writes.intersects(futures_.thread_local_objects()) ||
                             facts.future->reads.intersects(futures_.frame_objects()) ||
                             facts.future->writes.intersects(futures_.frame_objects()));
  case Kind::kAllocate:
  case Kind::kFree:
    for (const Target& pending : facts.pending)
      if (!pending.object.is_valid() || futures_.heap_objects().has(pending.object))
        return true;
    return facts.is_live &&
           (facts.future->changes_heap || facts.future->reads.intersects(futures_.heap_objects()) ||
            facts.future->writes.intersects(futures_.heap_objects()));
  case Kind::kStore:
    if (view.goes_to_buffer && !tests_adjacency_) {
      // The store itself changes only the thread's own buffer; whether it is legal depends on the
      // object's life.
      if (!facts.is_live)
        return false;
      if (!target.object.is_valid())
        return true;
      return facts.future->frames.has(target.object) ||
             (facts.future->changes_heap && futures_.heap_objects().has(target.object));
    }
    return target_conflicts(target, other);
  case Kind::kSynchronize: {
    const auto op = op_of(view);
    if (op == SyncOp::kCreate)
      return facts.is_live && (facts.future->creates ||
                               (tells_handles_ && (facts.future->joins || facts.is_detached)));
    if (op == SyncOp::kJoin || op == SyncOp::kDetach)
      return facts.is_live && (facts.future->joins || (tells_handles_ && facts.future->creates));
    if (op == SyncOp::kSelf)
      return false;
    return target_conflicts(target, other);
  }
  case Kind::kLoad:
  case Kind::kReadModifyWrite:
  case Kind::kCompareExchange:
  case Kind::kReacquire:
    return target_conflicts(target, other);
  case Kind::kLoadExclusive:
  case Kind::kStoreExclusive:
  case Kind::kWakeUp:
  case Kind::kLeaveBarrier:
  case Kind::kAtomicBegin:
  case Kind::kAtomicEnd:
  case Kind::kExit:
  case Kind::kFault:
    return true;
  }
  return true;
}

void Reduction::add(ThreadIndex thread, Choice& choice) const {
  if (facts_[thread].is_live)
    choice.steps |= 1ULL << thread;
  if (!facts_[thread].pending.empty())
    choice.flushes |= 1ULL << thread;
}

bool Reduction::close_step(Stepper& stepper, ThreadIndex thread, Choice& choice) {
  const ThreadFacts& facts = facts_[thread];
  const StepView& view = facts.view;
  if (!is_candidate(view))
    return false;
  const auto op = op_of(view);
  if (view.touches_everything && !(op && is_thread_operation(*op)) &&
      view.kind != Kind::kAllocate && view.kind != Kind::kFree && view.kind != Kind::kThreadExit)
    return false;
  if (view.goes_to_buffer && facts.pending.size() >= kMaxPendingOfReduced)
    return false;
  const bool is_about_blocks = view.kind == Kind::kAllocate || view.kind == Kind::kFree ||
                               (view.kind == Kind::kLocal && view.edge != nullptr &&
                                std::holds_alternative<program::Return>(view.edge->action));
  if (!facts.pending.empty() && (is_about_blocks || view.drains))
    choice.flushes |= 1ULL << thread;
  if (!view.can_step && !(view.drains && !facts.pending.empty())) {
    // It waits. Whoever may end the wait moves first, so that belongs to the set.
    if (op == SyncOp::kJoin) {
      const memory::MachineState& state = stepper.state();
      const auto request = interpreter_.request(state.core, thread);
      const auto wait = interpreter_.blocked(state.core, thread, request);
      if (!wait)
        return false;
      for (ThreadIndex other = 0; other < thread_count_; ++other)
        if (other != thread && (wait->releasers >> other & 1U) != 0)
          add(other, choice);
    } else if (view.kind != Kind::kReacquire &&
               !(view.kind == Kind::kSynchronize && is_lock_like(view.edge->action))) {
      return false;
    }
  }
  for (const auto& [access, access_target] : facts.after_choice)
    if (access.touches_everything ||
        (access.goes_to_buffer && facts.pending.size() >= kMaxPendingOfReduced))
      return false;
  for (ThreadIndex other = 0; other < thread_count_; ++other) {
    if (other == thread)
      continue;
    bool conflicts = step_conflicts(thread, view, facts.target, other);
    for (const auto& [access, access_target] : facts.after_choice)
      conflicts = conflicts || step_conflicts(thread, access, access_target, other);
    if (conflicts)
      add(other, choice);
  }
  return true;
}

bool Reduction::close_flushes(ThreadIndex thread, Choice& choice) {
  const ThreadFacts& facts = facts_[thread];
  for (const Target& pending : facts.pending) {
    for (ThreadIndex other = 0; other < thread_count_; ++other) {
      if (other == thread)
        continue;
      if (target_conflicts(pending, other) || (keeps_final_states_ && may_exit(other)))
        add(other, choice);
    }
    // The thread's own steps commute with the flush, but where they end or renew the life of what
    // it goes to.
    if (facts.is_live &&
        (!pending.object.is_valid() || facts.future->frames.has(pending.object) ||
         (facts.future->changes_heap && futures_.heap_objects().has(pending.object))))
      choice.steps |= 1ULL << thread;
    if (keeps_final_states_ && may_exit(thread))
      choice.steps |= 1ULL << thread;
  }
  return true;
}

std::optional<Reduction::Choice> Reduction::close(Stepper& stepper, Choice choice) {
  Choice done;
  while (choice.steps != done.steps || choice.flushes != done.flushes) {
    if (const std::uint64_t steps = choice.steps & ~done.steps; steps != 0) {
      const auto thread = static_cast<ThreadIndex>(std::countr_zero(steps));
      done.steps |= 1ULL << thread;
      if (!close_step(stepper, thread, choice))
        return std::nullopt;
      continue;
    }
    const auto thread = static_cast<ThreadIndex>(std::countr_zero(choice.flushes & ~done.flushes));
    done.flushes |= 1ULL << thread;
    if (!close_flushes(thread, choice))
      return std::nullopt;
  }
  return choice;
}

std::optional<Reduction::Choice> Reduction::choose(Stepper& stepper) {
  if (stepper.current().atomic_owner() >= 0)
    return std::nullopt; // only the owner moves anyway
  prepare(stepper);
  Choice all;
  for (ThreadIndex t = 0; t < thread_count_; ++t)
    add(t, all);
  std::optional<Choice> best;
  const auto consider = [&](Choice start) {
    const std::optional<Choice> closed = close(stepper, start);
    if (closed && closed->size() < all.size() && (!best || closed->size() < best->size()))
      best = closed;
    return best && best->size() == 1;
  };
  for (ThreadIndex t = 0; t < thread_count_; ++t) {
    if (facts_[t].is_live && facts_[t].view.can_step && consider({1ULL << t, 0}))
      return best;
    if (!facts_[t].pending.empty() && consider({0, 1ULL << t}))
      return best;
  }
  return best;
}

} // namespace heddle::engine
