// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Happens-before of a run by vector clocks, and the races it leaves. hb = (po ∪ sw)⁺ with sw from
// creating and joining threads, locks, condition variables' mutexes, semaphores, barriers, once,
// atomic sections, and release/acquire as RC11 has it (Lahav, Vafeiadis, Kang, Hur, Dreyer:
// Repairing Sequential Consistency in C/C++11, PLDI 2017, section 3):
//   rs = [W]; (po ∩ same location)?; [W ⊒ rlx]; (rf; rmw)*
//   sw = [E ⊒ rel]; ([F]; po)?; rs; rf; [R ⊒ rlx]; (po; [F])?; [E ⊒ acq]
// A clock only ever grows along a thread, so "the last release fence" and "the last release store
// to this byte" stand for all earlier ones. The slot of a thread that is gone may serve again: its
// place in clocks does so only where the creator is after all that the old thread did.
#pragma once

#include "check/run/observed_transition.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::check {

class Clock {
public:
  [[nodiscard]] std::uint32_t of(std::uint32_t place) const {
    return place < ticks_.size() ? ticks_[place] : 0;
  }
  void tick(std::uint32_t place);
  void join(const Clock& other);

private:
  std::vector<std::uint32_t> ticks_;
};

/// Two accesses that race: indices of steps, the earlier first.
struct RacingPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  auto operator<=>(const RacingPair&) const = default;
};

class HappensBefore {
public:
  /// The interpreter outlives it.
  explicit HappensBefore(const program::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// Takes the next transition of the run.
  void observe(const Observed& observed);
  [[nodiscard]] const std::vector<RacingPair>& races() const { return races_; }

private:
  struct AccessRecord {
    std::uint32_t step = 0;
    std::uint32_t thread = 0; // its place in clocks
    std::uint32_t tick = 0;
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    bool writes = false;
    bool is_atomic = false;
    bool in_section = false;
  };
  struct ReadWriteLock {
    Clock by_writers;
    Clock by_readers;
  };

  void observe_access(const Observed& observed,
                      const program::Access& access,
                      program::Order read_order);
  void observe_fence(const Observed& observed, const program::Access& access);
  void observe_synchronize(const Observed& observed);
  void observe_lock(const Observed& observed);
  void observe_joins(const Observed& observed);
  void observe_barrier(const Observed& observed);
  void record(const AccessRecord& access);

  void start(program::ThreadIndex created, program::ThreadIndex creator);
  /// The place in clocks of the thread that has the slot now.
  std::uint32_t place(program::ThreadIndex thread) {
    const auto [at, is_new] = places_.try_emplace(thread, next_place_);
    next_place_ += is_new ? 1 : 0;
    return at->second;
  }
  Clock& clock(program::ThreadIndex thread) { return clocks_[place(thread)]; }

  const program::Interpreter& interpreter_;
  std::map<program::ThreadIndex, std::uint32_t> places_;
  std::uint32_t next_place_ = 0;
  std::map<std::uint32_t, Clock> clocks_; // by place
  std::map<program::ThreadIndex, Clock> release_fences_;
  std::map<program::ThreadIndex, Clock>
      unacquired_; // read by relaxed loads, until an acquire fence
  std::map<std::pair<program::ThreadIndex, std::uint64_t>, Clock> release_stores_; // thread, byte
  std::map<std::uint32_t, Clock> messages_;                                        // by write step
  std::map<std::uint64_t, ReadWriteLock> locks_;
  std::map<std::uint64_t, Clock> semaphores_; // and once
  std::map<std::uint64_t, Clock> barriers_;   // of those who have arrived
  Clock sections_;
  std::vector<AccessRecord> accesses_;
  /// Per eight bytes of memory and thread: indices of its accesses there, oldest first.
  std::unordered_map<std::uint64_t, std::map<std::uint32_t, std::vector<std::size_t>>> accesses_at_;
  std::vector<RacingPair> races_;
};

} // namespace heddle::check
