// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial-order reduction by persistent sets (Godefroid, "Partial-Order Methods for the
// Verification of Concurrent Systems", 1996, chapter 4): in a state it is enough to explore the
// transitions of some threads if nothing the others may ever do, before those move, depends on
// them. What others may ever do comes from program/analyse/future_effects.h and their pending
// stores. A thread's steps and the flushes of its buffer are two processes. docs/explicit-engine.md
// has the argument.
#pragma once

#include "engine/explicit/stepper.h"
#include "program/analyse/future_effects.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::engine {

class Reduction {
public:
  /// `keeps_final_states`: what is asked is about final states, so ending the program depends on
  /// everything.
  /// `tests_adjacency`: races are looked for as accesses that stand side by side, and an access
  /// counts when it is issued. So a store that only enters its thread's buffer depends on what it
  /// will touch.
  Reduction(const program::Interpreter& interpreter,
            StateStore& store,
            bool keeps_final_states,
            bool tests_adjacency);

  /// Whose steps (bit t) and flushes (bit t) to explore.
  struct Choice {
    std::uint64_t steps = 0;
    std::uint64_t flushes = 0;
    [[nodiscard]] int size() const;
  };
  /// For the stepper's current state; nothing if everything has to be explored.
  [[nodiscard]] std::optional<Choice> choose(Stepper& stepper);

private:
  /// What an action or a flush touches.
  struct Target {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    program::ObjectId object;
    bool writes = false;
  };

  void prepare(Stepper& stepper);
  [[nodiscard]] bool does_main_wait_for_all(const memory::MachineState& state) const;
  [[nodiscard]] std::optional<Choice> close(Stepper& stepper, Choice start);
  /// Adds to `choice` what the steps of the thread drag in; false if everything is needed.
  [[nodiscard]] bool close_step(Stepper& stepper, ThreadIndex thread, Choice& choice);
  [[nodiscard]] bool close_flushes(ThreadIndex thread, Choice& choice);
  void add(ThreadIndex thread, Choice& choice) const;

  [[nodiscard]] static bool is_candidate(const StepView& view);
  /// May anything `other` does before the process moves depend on what the process does next?
  [[nodiscard]] bool step_conflicts(ThreadIndex thread,
                                    const StepView& view,
                                    const Target& target,
                                    ThreadIndex other) const;
  /// May it still end all threads?
  [[nodiscard]] bool may_exit(ThreadIndex thread) const;
  [[nodiscard]] bool target_conflicts(const Target& target, ThreadIndex other) const;
  [[nodiscard]] Target target(const memory::MachineState& state,
                              std::uint64_t address,
                              std::uint64_t size,
                              bool writes) const;
  [[nodiscard]] std::uint32_t future_of(const program::ThreadState& thread,
                                        std::uint32_t component);

  const program::Interpreter& interpreter_;
  StateStore& store_;
  bool keeps_final_states_;
  bool tests_adjacency_;
  bool tells_handles_; // of threads: which number a thread gets matters
  program::FutureAnalysis futures_;
  std::deque<program::FutureEffects> thread_futures_; // by stack of program counters
  std::map<std::vector<std::uint64_t>, std::uint32_t> by_stack_;

  // Of the current state.
  struct ThreadFacts {
    bool is_live = false;
    bool is_detached = false;
    bool is_woken = false; // between a wait on a condition or barrier and going on
    const program::FutureEffects* future = nullptr;
    StepView view;
    Target target;                                         // of the next step
    std::vector<std::pair<StepView, Target>> after_choice; // of what it does in the same step
    std::vector<Target> pending;                           // oldest first
  };
  std::vector<ThreadFacts> facts_;
  std::uint32_t thread_count_ = 0;
  bool main_waits_for_all_ =
      false; // the initial thread joins all others before it can end the program
};

} // namespace heddle::engine
