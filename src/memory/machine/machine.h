// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operational memory model: the program's threads plus, for TSO and PSO, a buffer of pending
// stores per thread (the semantics is fixed in docs/semantics.md). The base class does everything
// models share; a model is one derived class in one file that says where a store goes, which
// pending stores may reach memory next, and what a fence waits for. Nothing else in the code asks
// which model it is.
#pragma once

#include "execution/run.h"
#include "memory/model.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::memory {

using execution::Transition;
using program::Fault;
using program::ThreadIndex;

/// A pending store, oldest first in its buffer. The epoch counts store-store fences since the
/// buffer was last empty.
struct PendingStore {
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  std::uint32_t size = 0;
  std::uint32_t epoch = 0;
  std::uint8_t marks = 0; // bit i: byte i becomes unwritten (a copy of unwritten memory)
  bool operator==(const PendingStore&) const = default;
};
struct StoreBuffer {
  std::vector<PendingStore> stores;
  std::uint32_t epoch = 0; // of the next store; 0 whenever empty
  bool operator==(const StoreBuffer&) const = default;
};

struct MachineState {
  program::State core;
  std::vector<StoreBuffer> buffers; // one per thread; empty vector if the model has none
  bool operator==(const MachineState&) const = default;
};

/// Details of what apply did, for reports; only filled when asked for.
struct StepDetail {
  program::Request request;
  std::uint64_t value_read = 0;
  bool from_own_buffer = false; // at least one byte came from the thread's own buffer
  bool wrote = false;
  std::uint64_t value_written = 0;
  std::size_t buffer_index = 0; // kFlush: the entry that was flushed
};

class Machine {
public:
  /// Schedules of a program and of what it was transformed to have the same transitions only as
  /// long as no thread computes for longer; endless loops end earlier (Interpreter::run_local).
  static constexpr unsigned kLocalStepLimit = 1'000'000;

  /// The interpreter outlives the machine.
  [[nodiscard]] static std::unique_ptr<Machine> make(MachineKind kind,
                                                     const program::Interpreter& interpreter);
  virtual ~Machine() = default;

  [[nodiscard]] const program::Interpreter& interpreter() const { return interpreter_; }
  [[nodiscard]] virtual bool has_buffers() const = 0;

  /// The state in which the initial thread has run up to its first visible action. A step that
  /// would fault is left to the first transition.
  [[nodiscard]] Fault initial(MachineState& state) const;

  /// The thread's next action if it can be carried out in this state: one transition per choice.
  /// Appends. False if choices are only samples.
  bool steps(const MachineState& state,
             ThreadIndex thread,
             const program::Request& request,
             std::vector<Transition>& out) const;
  /// The pending stores of the thread that may reach memory now. Appends.
  void flushes(const MachineState& state, ThreadIndex thread, std::vector<Transition>& out) const;
  /// All transitions of all threads, in thread order, steps before flushes. False if choices are
  /// only samples.
  bool enabled(const MachineState& state, std::vector<Transition>& out) const;

  /// Carries out an enabled transition, then the thread's invisible steps (after a create also
  /// those of the new thread). Touches only memory, the thread's own state and buffer, whatever
  /// threads a create, join, detach, signal or broadcast names, and for a free all buffers (pending
  /// stores to what has died become empty). An invisible step that would fault (an assertion, a
  /// failed assumption) is a transition of its own, so that other threads can move before it;
  /// inside an atomic section nobody can, and the fault is returned.
  [[nodiscard]] Fault
  apply(MachineState& state, const Transition& transition, StepDetail* detail = nullptr) const;
  /// Could the transition be applied here? (For replaying schedules that were edited.)
  [[nodiscard]] bool is_enabled(const MachineState& state, const Transition& transition) const;

  /// Threads that can never go on: the set S of docs/semantics.md, as a bit mask; 0 if there is no
  /// deadlock.
  [[nodiscard]] std::uint64_t deadlocked(const MachineState& state) const;
  /// Has the run come to its regular end?
  [[nodiscard]] bool is_final(const MachineState& state) const;

protected:
  explicit Machine(const program::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// Does a visible plain store go into the buffer (true), or to memory at once?
  [[nodiscard]] virtual bool delays_stores() const = 0;
  /// May entry `index` reach memory now?
  [[nodiscard]] virtual bool may_flush(const StoreBuffer& buffer, std::size_t index) const = 0;
  /// What a store-store fence does to the buffer.
  virtual void store_store_fence(StoreBuffer& buffer) const = 0;

private:
  struct SeenBytes {
    std::uint64_t value = 0;
    std::uint8_t from_buffer = 0; // bit i: byte i is in the thread's own buffer
    std::uint8_t unwritten = 0;   // bit i: nobody has written byte i; it is 0 in `value`
  };
  /// What a request that reads finds, the thread's own buffer before memory.
  [[nodiscard]] SeenBytes
  seen(const MachineState& state, ThreadIndex thread, const program::Request& request) const;
  /// Gives the unwritten bytes the request sees their values, for everybody.
  void fix_unwritten(MachineState& state,
                     ThreadIndex thread,
                     const program::Request& request,
                     const SeenBytes& bytes,
                     std::uint64_t value) const;
  [[nodiscard]] bool is_beside_samples(const MachineState& state,
                                       const Transition& transition,
                                       const program::Request& request) const;
  [[nodiscard]] bool must_wait_for_buffer(const MachineState& state,
                                          ThreadIndex thread,
                                          const program::Request& request) const;
  /// The interpreter gives a block that nothing in memory points to as good as new; a pointer to it
  /// may still be in a buffer, and then a really new one is a choice too.
  void add_unit_for_pending_pointers(const MachineState& state,
                                     ThreadIndex thread,
                                     const program::Request& request,
                                     std::vector<std::uint64_t>& choices) const;
  /// Pending stores to objects that end have no effect any more, even if something else comes to
  /// lie there: they become empty (no address, no bytes) but keep their place.
  static void forget_stores(StoreBuffer& buffer, const program::Interpreter::Range& range);
  /// After the thread's frame in that range has ended: no other frame comes to lie where a pending
  /// store's value points.
  void keep_pointed_to(MachineState& state,
                       ThreadIndex thread,
                       const program::Interpreter::Range& range) const;
  /// May the thread that is created take the place of one that has ended?
  [[nodiscard]] Fault
  reuse_fault(const MachineState& state, ThreadIndex thread, ThreadIndex created) const;
  /// The thread's invisible steps.
  [[nodiscard]] Fault run_local(MachineState& state, ThreadIndex thread) const;
  void flush(MachineState& state, ThreadIndex thread, std::size_t index, StepDetail* detail) const;
  [[nodiscard]] Fault access(MachineState& state,
                             ThreadIndex thread,
                             const program::Request& request,
                             std::uint64_t choice,
                             StepDetail* detail) const;

  const program::Interpreter& interpreter_;
};

} // namespace heddle::memory
