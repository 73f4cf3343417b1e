// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Symmetry of threads (Ip and Dill, "Better verification through symmetry", 1996): where nobody can
// observe which index a thread has, states that differ by a permutation of threads are one. The
// representative has the threads other than the initial one sorted. docs/explicit-engine.md says
// when that is so, and why.
#pragma once

#include "engine/explicit/state_store.h"
#include "memory/machine/machine.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::engine {

/// permutation[i]: which thread of the real run stands at index i of the representative.
using Permutation = std::array<std::uint8_t, program::kMaxThreads>;
[[nodiscard]] Permutation identity_permutation();

class Symmetry {
public:
  Symmetry(const memory::Machine& machine, StateStore& store, bool is_wanted);

  [[nodiscard]] bool is_active() const { return is_active_; }
  /// Replaces the tuple by its representative; says where each thread came from.
  void canonicalise(Tuple& tuple, Permutation* from = nullptr);
  /// The transition of the real run that corresponds to one of the representative.
  [[nodiscard]] execution::Transition real(const execution::Transition& transition,
                                           const Permutation& permutation) const;
  /// counter_abstraction.h
  [[nodiscard]] bool is_crowd() const { return is_crowd_; }
  /// The threads that hold a lock or the atomic section: bit t for thread t.
  [[nodiscard]] std::uint64_t holders(const Tuple& tuple) const;
  /// Thread t of the tuple becomes what thread kept[t] was. A thread that is not kept holds
  /// nothing.
  void rearrange(Tuple& tuple, std::span<const std::uint8_t> kept);
  /// Why it is off, for the statistics' reader; empty if it is on.
  [[nodiscard]] const std::string& reason() const { return reason_; }

private:
  void rename_owners(Tuple& tuple, const Permutation& from);

  const memory::Machine& machine_;
  StateStore& store_;
  bool is_active_ = false;
  bool is_crowd_ = false;
  std::string reason_;
  std::vector<std::uint64_t> locks_;    // addresses of words that hold a thread's index plus one
  mutable program::MemoryState memory_; // scratch
};

} // namespace heddle::engine
