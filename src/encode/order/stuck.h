// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// States in which threads are stuck, as literals. The state is a moment in the order of the events
// (Skeleton::moment): what comes before it has happened. A thread is stuck there if it waits, what
// it found when it began to wait is still so, and nothing of it is in a buffer.
//
// Deadlock is that of docs/semantics.md: a set of stuck threads, each of which waits for nobody
// outside the set that has not ended. What is outside may still go on. A thread that waits inside
// an atomic section stops everybody.
//
// Liveness: every thread that has begun and not ended is stuck, and at least one of them goes
// around a loop in which nothing is changed or chosen and which finds in memory what it found
// before.
//
// The literals say of each wait that it is one of those of the set; a solver is free to choose
// which are. An assumption that fails is no wait.
#pragma once

#include "encode/order/memory_formula.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::encode {

class Stuck {
public:
  enum class Question : std::uint8_t { kDeadlock, kLiveness };

  /// Those outlive it; the formula has been encoded. The set has its waits, the skeleton a moment.
  Stuck(program::EventSet& set,
        const Skeleton& skeleton,
        logic::Gates& gates,
        NodeOrder& order,
        MemoryFormula& formula)
      : set_(set), skeleton_(skeleton), gates_(gates), order_(order), formula_(formula) {}

  /// To be called before the order is finished. Fails if the program waits in a way that has no
  /// clauses here.
  [[nodiscard]] Status encode(Question question);

  /// A wait, and the literal that says that its thread is stuck there.
  struct Member {
    std::size_t wait = 0; // into EventSet::waits
    Literal is_in;
    /// Is it enough by itself that this literal holds? (In a deadlock, yes.)
    bool is_violation = false;
  };
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Waits inside atomic sections. What other threads do after them is in the models, but in no
  /// run: no two of these hold in a run, and where one does there is no other member.
  [[nodiscard]] const std::vector<Literal>& waits_in_sections() const { return in_sections_; }
  /// The signal wakes the thread that gave its mutex up there.
  struct WakeUp {
    EventIndex signal = 0;
    EventIndex given = 0;
    Literal holds;
  };
  [[nodiscard]] const std::vector<WakeUp>& wake_ups() const { return wake_ups_; }

private:
  using Wait = program::StaticWait;
  void find_members();
  void place_ends();
  void place(const Member& member);
  void keep_values(const Member& member);
  void require_stuck(const Member& member, std::uint32_t thread, Literal when);
  void require_releasers_stuck(const Member& member);
  void require_all_stuck(const Member& member);
  void find_wake_ups();
  void leave_out_turns();
  void keep_waiting(const program::StaticConditionWait& waiting, Literal when, Node until);
  [[nodiscard]] Literal ended(std::uint32_t thread);
  [[nodiscard]] Literal exists(std::uint32_t thread);
  [[nodiscard]] Literal is_on(const program::StaticSignal& signal,
                              const program::StaticConditionWait& waiting);
  void forbid(std::vector<Literal> all);

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  NodeOrder& order_;
  MemoryFormula& formula_;
  std::vector<Member> members_;
  std::vector<Literal> in_sections_;
  std::vector<Literal> stuck_; // by thread
  std::vector<WakeUp> wake_ups_;
  std::vector<Literal> wakes_; // by signal: it wakes somebody
};

} // namespace heddle::encode
