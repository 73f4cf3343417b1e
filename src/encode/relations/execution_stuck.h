// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Does an execution end in a state in which threads wait for ever, under any model? Memory is fair:
// a thread that looks again and again finds the last write of a place at last. So a wait lasts for
// ever if what the thread has found are last writes (of the coherence order), and nobody is left
// who could write another one. A read of the last write comes before nothing, so that no model with
// axioms of prefixes forbids it (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis: Making Weak
// Memory Models Fair, OOPSLA 2021, section 3).
#pragma once

#include "encode/relations/execution_formula.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::encode {

class ExecutionStuck {
public:
  enum class Question : std::uint8_t {
    kDeadlock, // some threads wait for locks or ends of threads, and for each other only
    kLiveness, // every thread waits or has ended, and one goes around a loop
  };
  /// All outlive it. The events have been made with EventSetOptions::keeps_waits.
  ExecutionStuck(program::EventSet& set, ExecutionFormula& executions, logic::Gates& gates)
      : set_(set), executions_(executions), gates_(gates) {}

  /// A literal that implies that there is such a state; where there is one, it can be true.
  [[nodiscard]] Literal encode(Question question);

private:
  using Wait = program::StaticWait;
  struct Member {
    const Wait* wait = nullptr;
    Literal is_in;
  };
  [[nodiscard]] Literal waits(const Wait& wait);
  void require_last_writes(const Member& member);
  void require_last_value(const Member& member, Element read);
  void require_no_choice(const Member& member);
  void require_stuck(const Member& member, std::uint32_t thread, Literal when);
  void require_releasers_stuck(const Member& member);
  void require_all_stuck(const Member& member);
  [[nodiscard]] Literal is_told(std::uint32_t hidden) const;

  program::EventSet& set_;
  ExecutionFormula& executions_;
  logic::Gates& gates_;
  std::vector<Member> members_;
  std::vector<Literal> stuck_; // by thread
};

} // namespace heddle::encode
