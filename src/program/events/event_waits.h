// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where threads may be in a state that is looked at (EventSetOptions::keeps_waits): where they
// wait, who wakes whom, where blocks are allocated and where the run ends. None of it is needed to
// say what may have happened before.
#pragma once

#include "program/model/action.h"
#include "support/source_loc.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::program {

using EventIndex = std::uint32_t;

/// A place at which a thread may have to wait.
struct StaticWait {
  enum class For : std::uint8_t {
    kHolders, // whoever has the lock: `holder` and `readers`
    kThread,  // the end of a thread: `joined`
    kAnybody, // a semaphore, a barrier or pthread_once: any other thread may end it
    kSignal,  // a condition
    kChange,  // nothing: it goes around a loop that changes nothing
  };
  For what = For::kAnybody;
  std::uint32_t thread = 0;
  Term waits; // Bool: it comes here and does not go on
  /// Everything before it in the thread, and nothing else of the thread, comes before the wait.
  EventIndex next = 0;
  /// What was found, and would be found again for as long as it waits. kChange: in the whole turn.
  std::vector<EventIndex> reads = {};
  std::vector<EventIndex> choices = {}; // kChange: what was chosen in the turn
  bool writes = false;                  // kChange: updates may have written what they found
  Term holder = {};                     // a thread's number plus one; 0: none
  Term readers = {};                    // a bit for each thread
  std::vector<std::pair<std::uint32_t, Term>> joined = {}; // which thread it is, and if (Bool)
  std::uint32_t section = 0;                               // the atomic section it is in
  SourceLoc loc = {};
};

/// A wait on a condition, from the step that gives the mutex up to the one that takes it back.
struct StaticConditionWait {
  std::uint32_t thread = 0;
  Term begins;          // Bool
  Term address;         // of the condition
  Term is_late;         // Bool: it runs out of time
  EventIndex given = 0; // kEndpoints
  EventIndex again = 0;
  std::optional<std::size_t> wait = {}; // into EventSet::waits; a timed one never waits for ever
};

/// A turn of a loop that changes nothing, from that wait to the next one. Where `is_kept` (Bool)
/// holds the turn is not left out, though it could be if nobody signalled the condition meanwhile.
struct StaticWaitTurn {
  std::size_t waiting = 0; // into EventSet::condition_waits
  Term is_kept;
  EventIndex next_given = 0; // StaticConditionWait::given of the next one; 0: it is never reached
};

struct StaticSignal {
  EventIndex event = 0; // kEndpoint
  Term address;
  bool is_broadcast = false;
};

/// The thread ends the run (exit, abort) after what comes before `next` in it, where `when` holds.
struct StaticExit {
  std::uint32_t thread = 0;
  Term when;
  EventIndex next = 0;
};

/// The thread allocates the heap block at that address.
struct StaticAllocation {
  std::uint32_t thread = 0;
  Term when;
  EventIndex event = 0; // kBranch: nothing but where it is
  std::uint64_t address = 0;
};

} // namespace heddle::program
