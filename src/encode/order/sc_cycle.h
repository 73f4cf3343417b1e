// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Executions that sequential consistency does not allow, as literals: a set of steps each of which
// has one after it in the set, by program order, reads-from, coherence or from-read. Such a set
// holds a cycle (Shasha and Snir, TOPLAS 1988), and every cycle is such a set.
#pragma once

#include "encode/order/memory_formula.h"

#include <map>
#include <utility>
#include <vector>

namespace heddle::encode {

class ScCycle {
public:
  /// Those outlive it; the formula has been encoded.
  ScCycle(program::EventSet& set, logic::Gates& gates, MemoryFormula& formula)
      : set_(set), gates_(gates), formula_(formula) {}

  /// To be called before the order is finished.
  void encode();

  /// A step, by its first event, and the literal that says that it is in the set.
  struct Member {
    EventIndex event = 0;
    Literal is_in;
  };
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

private:
  /// Events of one step of a thread.
  struct Step {
    std::vector<EventIndex> events;
    Literal is_in;
    Literal is_later_in;            // one after it in its thread is
    std::vector<Literal> next = {}; // ways on from here to another one in the set
  };
  void find_steps();
  void add_reads();
  void add_coherence();
  void add_threads();
  void arc(EventIndex from, EventIndex to, Literal when);

  program::EventSet& set_;
  logic::Gates& gates_;
  MemoryFormula& formula_;
  std::vector<Step> steps_;
  std::map<EventIndex, std::size_t> step_of_;
  std::vector<Member> members_;
};

} // namespace heddle::encode
