// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data races as literals: two conflicting accesses of different threads, neither of which happens
// before the other. Happens-before is that of check/run/happens_before.h (RC11's, with locks of all
// kinds, semaphores, barriers, pthread_once, threads and atomic sections).
//
// "After a racing access" is a literal for each point of each thread, with a clause for each way it
// spreads: along the thread, and from a release to an acquire that sees it. The clauses say where
// it must hold; a solver is free to let it hold nowhere else. So "not after" is possible exactly
// where there is no path, without any encoding of reachability. It is written down twice, once for
// each of the two accesses.
#pragma once

#include "encode/order/memory_formula.h"

#include <map>
#include <vector>

namespace heddle::encode {

class Races {
public:
  /// Those outlive it; the formula has been encoded.
  Races(program::EventSet& set,
        const Skeleton& skeleton,
        logic::Gates& gates,
        NodeOrder& order,
        MemoryFormula& formula);

  /// To be called before the order is finished.
  void encode();

  /// An access, and the literal that says that it races with one of a thread of higher number.
  struct Racer {
    EventIndex event = 0;
    Literal races;
  };
  [[nodiscard]] const std::vector<Racer>& racers() const { return racers_; }

private:
  /// "After the chosen access", for one of the two choices.
  struct After {
    std::map<EventIndex, Literal> chosen;  // by access
    std::vector<Literal> at;               // by event
    std::map<EventIndex, Literal> carried; // by write: what who reads it and acquires is after
  };

  /// An operation on a read-write lock.
  struct Hold {
    EventIndex word = 0; // the read of the word with the writer
    bool is_given = false;
    Literal writes; // it takes the lock for writing, or gives it back
    Literal reads;
  };
  struct Arrival {             // at a barrier
    EventIndex generation = 0; // the read of the word with its number
    EventIndex leaves = 0;
  };

  [[nodiscard]] std::vector<EventIndex> words_read(EventIndex first) const;
  [[nodiscard]] bool is_first_of_instruction(EventIndex event) const;
  void find_holds();
  void find_arrivals();
  [[nodiscard]] bool takes_by_order(EventIndex event) const;
  void spread_through_holds(After& after);
  void spread_through_barriers(After& after);
  [[nodiscard]] const program::Synchronize* synchronisation(EventIndex event) const;
  [[nodiscard]] bool is_atomic(EventIndex event) const;
  [[nodiscard]] bool is_plain_access(EventIndex event) const;
  [[nodiscard]] bool conflict(EventIndex a, EventIndex b) const;
  void find_pairs();
  [[nodiscard]] Literal acquires(EventIndex read);
  [[nodiscard]] bool releases(EventIndex write) const;
  void spread(After& after);
  void spread_along(After& after, const program::StaticThread& thread);
  void carry(After& after, const program::StaticThread& thread);
  void spread_through_memory(After& after);
  void spread_through_fences(After& after, const program::StaticThread& thread);
  void spread_through_threads(After& after);
  void spread_through_sections(After& after);
  void imply(Literal a, Literal b, Literal c, Literal then);

  program::EventSet& set_;
  const Skeleton& skeleton_;
  logic::Gates& gates_;
  NodeOrder& order_;
  MemoryFormula& formula_;
  std::map<EventIndex, EventIndex> update_of_; // the write of an atomic update, by its read
  std::map<EventIndex, const MemoryFormula::Read*> reads_; // by event
  std::map<EventIndex, std::vector<EventIndex>> partners_; // of higher threads
  std::vector<Hold> holds_;
  std::vector<Arrival> arrivals_;
  After first_;
  After second_;
  std::vector<Racer> racers_;
};

} // namespace heddle::encode
