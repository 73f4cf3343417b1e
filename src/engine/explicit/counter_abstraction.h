// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Any number of threads. Two threads of the same content that hold nothing stand for as many as one
// likes, so that a state has at most two of each, whatever number the program creates (counter
// abstraction; Pnueli, Xu and Zuck, "Liveness with (0,1,∞)-counter abstraction", 2002). Threads
// that do nothing keep no other from anything: a state covers those with fewer of its threads, and
// these need not be explored (Karp and Miller, "Parallel program schemata", 1969).
// docs/explicit-engine.md says why that is sound, and of what.
#pragma once

#include "engine/explicit/state_store.h"
#include "engine/explicit/symmetry.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::engine {

class CounterAbstraction {
public:
  CounterAbstraction(const StateStore& store, Symmetry& symmetry)
      : store_(store), symmetry_(symmetry) {}

  /// Whose successors are asked for next.
  void begin(const Tuple& tuple);
  /// A step of `thread` leads to `tuple`: makes it what stands for the states it may lead to.
  void settle(Tuple& tuple, program::ThreadIndex thread);
  /// Does a state that was added stand for this one, too?
  [[nodiscard]] bool is_covered(const Tuple& tuple) const;
  /// Something that is not covered.
  void add(const Tuple& tuple);
  /// Is this state, which was added, covered by one that was added since?
  [[nodiscard]] bool is_outdone(const Tuple& tuple) const;

private:
  using Contents = std::vector<std::uint64_t>;
  /// What states that can cover each other have in common, and the sorted contents of the others.
  struct Parts {
    Contents fixed;
    Contents others;
  };
  [[nodiscard]] std::uint64_t content(const Tuple& tuple, std::uint32_t thread) const {
    return std::uint64_t{tuple.thread(thread)} << 32U |
           (store_.shape().has_buffers ? tuple.buffer(thread) : 0);
  }
  [[nodiscard]] bool is_live(const Tuple& tuple, std::uint32_t thread) const {
    return (store_.threads.mark(tuple.thread(thread)) & StateCodec::kLive) != 0 ||
           (store_.shape().has_buffers && store_.buffers.mark(tuple.buffer(thread)) != 0);
  }
  [[nodiscard]] Parts parts(const Tuple& tuple) const;
  void leave_one_behind(Tuple& tuple, program::ThreadIndex thread) const;
  void sort_and_merge(Tuple& tuple);

  const StateStore& store_;
  Symmetry& symmetry_;
  Tuple before_;
  std::uint64_t many_ = 0;                            // bit t: thread t of before_ is one of many
  std::map<Contents, std::vector<Contents>> largest_; // of each fixed part; none covers another
};

} // namespace heddle::engine
