// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a replay found out beside the steps themselves, in words a report can print: names of
// threads and of the memory each step touches, who waits for whom, which locks were held, the
// cycle. Filled by check/; engines leave it empty.
#pragma once

#include "program/run/state.h"
#include "support/source_loc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::verdict {

/// Names for one step of the run: "x", "node+8", "&x", "-1".
struct StepText {
  std::string operation = {}; // "lock", "create", "fetch add", "nondet", "fence", …; empty for
                              // loads, stores and flushes
  std::string target = {};
  std::string value_read = {};
  std::string value_written = {};
  std::vector<std::string> assigned = {}; // C variables: "r = 1"
  /// Stores that are still pending in the thread's buffer after the step, oldest first: "x = 1".
  std::vector<std::string> buffer = {};
};

/// A lock that was held: what it is called, who held it, how.
struct HeldLock {
  program::ThreadIndex thread = 0;
  std::string name = {};
  std::string how = {}; // "mutex", "read lock", …
};

/// A thread that cannot go on.
struct Waiting {
  program::ThreadIndex thread = 0;
  std::string reason = {}; // "lock", "join", "condition", …
  std::string name = {};   // of the object, or of the joined thread
  SourceLoc loc = {};
  /// The threads that could end the wait, if they could go on.
  std::vector<program::ThreadIndex> for_threads = {};
};

/// An edge of a cycle between two steps of the run: "po", "rf", "co", "fr", "sync".
struct CycleEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string relation = {};
};

struct Evidence {
  std::vector<std::string> threads = {}; // name per thread: "main", "worker 1"
  std::vector<StepText> steps = {};      // one per step of the run
  std::vector<HeldLock> held = {};       // deadlock: at the end; race: at the two accesses
  std::vector<Waiting> waiting = {};
  std::vector<CycleEdge> cycle = {};
  /// Deadlock: some thread outside could still go on.
  bool is_partial = false;
};

} // namespace heddle::verdict
