// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From one stored state to the next ones. Most steps depend on, and change, only the memory, one
// thread and its buffer; what such a step does is remembered by the ids of those components, so
// that in the other states that share them the program is not interpreted again. The memory of past
// steps is a cache of fixed size with exact keys: it changes the speed, never a result.
#pragma once

#include "engine/explicit/monitor.h"
#include "engine/explicit/state_store.h"
#include "memory/machine/machine.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace heddle::engine {

using execution::Transition;
using program::Fault;
using program::ThreadIndex;

/// What a thread does next, as far as reduction and races ask.
struct StepView {
  program::Request::Kind kind = program::Request::Kind::kLocal;
  bool is_live = false;
  bool can_step = false; // at least one step is enabled
  bool waits = false;    // blocked, or waiting on a condition
  bool drains = false;
  bool is_access = false;     // a visible access of memory: it may race
  bool writes_memory = false; // … which (also) writes
  bool writes = false;        // the footprint is written: also a read that fixes an arbitrary value
  bool is_atomic = false;
  bool goes_to_buffer = false; // a store that only changes the thread's own buffer
  bool touches_everything = false;
  std::uint32_t size = 0; // bytes of the footprint; 0: none
  std::uint64_t address = 0;
  const program::Edge* edge = nullptr;
};

struct Successor {
  Transition transition;
  std::optional<Transition> then = {}; // the access a free choice goes on with, in the same step
  std::uint64_t hash = 0;
  Tuple tuple;
};

class Stepper {
public:
  /// All outlive the stepper. `monitor` may be null.
  Stepper(const memory::Machine& machine, StateStore& store, const Monitor* monitor);

  /// From now on a free choice (a nondeterministic value out of a few) and the load or store that
  /// follows it are one step: the state between them, in which the thread is only about to make the
  /// access, is left out. Other threads cannot tell, and the thread waits for nothing there; so
  /// that is for what is asked of memory, faults and blocked threads, but not of what threads are
  /// about to do (races), nor of cycles of states.
  void merge_choices() { merges_choices_ = true; }

  /// The state whose successors are wanted from now on; forgets the successors of the one before.
  void begin(const Tuple& tuple);
  [[nodiscard]] const Tuple& current() const { return current_; }
  /// The current state in full; valid until the next call of anything.
  [[nodiscard]] const memory::MachineState& state() { return codec_.load(current_); }

  [[nodiscard]] const StepView& view(ThreadIndex thread);
  /// After `view` of a thread at a free choice: the accesses its ways go on with.
  [[nodiscard]] std::span<const StepView> after_choice(ThreadIndex thread) const {
    return after_choice_[thread];
  }
  /// Number of pending stores.
  [[nodiscard]] std::uint32_t pending(ThreadIndex thread) const;

  // Each appends to successors and ends; at most once for a thread and state.
  void add_steps(ThreadIndex thread);
  void add_flushes(ThreadIndex thread);
  void add_all();

  [[nodiscard]] std::vector<Successor>& successors() { return successors_; }
  [[nodiscard]] std::size_t successor_count() const { return successor_count_; }
  struct End {
    Transition transition;
    Fault fault;
  };
  /// Transitions that end the run with a fault.
  [[nodiscard]] const std::vector<End>& ends() const { return ends_; }
  struct Hit {
    Transition transition;
    MonitorHit hit;
  };
  /// Transitions at which the monitor found what it looks for.
  [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
  /// Were values only sampled somewhere since the beginning?
  [[nodiscard]] bool has_sampled() const { return has_sampled_; }
  /// Procedures in which some thread was started.
  [[nodiscard]] const std::set<std::uint32_t>& started() const { return started_; }

private:
  enum class Ways : std::uint8_t { kNone, kOne, kChoices, kGeneral };
  /// One value of a free choice.
  struct ChoiceWay {
    std::uint64_t choice = 0;
    std::optional<std::uint64_t> access_choice = {}; // if an access follows in the same step
    StepView access = {};
    std::uint32_t new_memory = 0;
    std::uint32_t new_thread = 0;
    std::uint32_t new_buffer = 0;
  };
  /// A choice with more values is left alone: remembering them would cost more than it saves.
  static constexpr std::size_t kMostChoices = 8;
  /// A remembered step, or (thread kFlushKey) the only flush of a buffer.
  struct alignas(64) Memo {
    std::uint32_t memory = kNoState;
    std::uint32_t thread = kNoState;
    std::uint32_t buffer = kNoState;
    std::uint32_t index = kNoState;
    std::uint32_t new_memory = 0;
    std::uint32_t new_thread = 0;
    std::uint32_t new_buffer = 0;
    Ways ways = Ways::kNone;
    bool opens_section = false;
    bool closes_section = false;
    std::uint64_t choice = 0;
    StepView view;
    std::vector<ChoiceWay> choices; // kChoices
  };
  static constexpr std::uint32_t kFlushKey = 0xffff'fffeU;
  /// The cache starts small, since most searches are, and grows fourfold while steps miss it often.
  static constexpr unsigned kLeastMemoBits = 8;
  static constexpr unsigned kMostMemoBits = 16;

  Memo& memo_of(ThreadIndex thread, bool flush);
  void fill_step(Memo& memo, ThreadIndex thread);
  void fill_choices(Memo& memo, ThreadIndex thread);
  void fill_flush(Memo& memo, ThreadIndex thread);
  void describe(const memory::MachineState& state,
                ThreadIndex thread,
                const program::Request& request,
                StepView& view) const;
  void add_remembered(ThreadIndex thread, const Memo& memo, Transition::Kind kind);
  void add_choices(ThreadIndex thread, const Memo& memo);
  void add_general(ThreadIndex thread, Transition::Kind kind);
  [[nodiscard]] bool may_move(ThreadIndex thread) const {
    const std::int32_t owner = current_.atomic_owner();
    return owner < 0 || owner == static_cast<std::int32_t>(thread);
  }
  Successor& new_successor();

  const memory::Machine& machine_;
  StateStore& store_;
  const Monitor* monitor_;
  StateCodec codec_;
  Tuple current_;
  std::vector<Memo> memos_;
  unsigned memo_bits_ = kLeastMemoBits;
  std::uint64_t misses_ = 0;
  std::array<StepView, program::kMaxThreads> views_;
  std::array<std::vector<StepView>, program::kMaxThreads> after_choice_;
  std::uint64_t viewed_ = 0; // bit t: views_[t] is that of the current state
  std::vector<Successor> successors_;
  std::size_t successor_count_ = 0;
  std::vector<End> ends_;
  std::vector<Hit> hits_;
  std::vector<Transition> transitions_;
  memory::MachineState before_; // for the monitor
  std::vector<std::uint64_t> monitor_words_;
  bool has_sampled_ = false;
  bool merges_choices_ = false;
  std::set<std::uint32_t> started_;
};

} // namespace heddle::engine
