// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each thread can do by itself: its runs with concrete addresses and values, for every value a
// read could return (candidate_values.h) and some run writes. Whether there is an execution in
// which each run has what it reads from another is the search's business, and then the model's.
#pragma once

#include "program/events/event_set.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::engine::enumerate {

/// One event of one run of a thread.
struct TraceEvent {
  program::EventIndex event = 0;
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  bool operator==(const TraceEvent&) const = default;
};

/// Runs of a thread that differ in values only are one shape.
struct Shape {
  std::vector<TraceEvent> events; // values are 0; none at all: the thread was not created
  /// Guards of dependencies and orders of failed updates are part of it.
  std::vector<bool> edges; // of the thread's conditional edges and orders: does it hold?
  auto operator<=>(const Shape&) const = delete;
};

struct Trace {
  std::size_t shape = 0;
  std::vector<std::uint64_t> values; // by position in the shape's events
  std::vector<std::uint64_t> finals; // as StaticThread::finals
  std::uint32_t failed_check = 0;    // 1 + the event of the first failed assertion, or 0
};

struct ThreadTraces {
  std::vector<Shape> shapes;
  std::vector<Trace> traces;
};

struct Traces {
  std::vector<ThreadTraces> threads;
  /// By event: the reads and choices whose values its address and value are computed from; for
  /// writes.
  std::vector<std::vector<program::EventIndex>> sources;
  /// Bounds and unsupported things some run met, whose rest is missing.
  std::set<std::string> cuts;
  std::set<std::string> traps;
};

struct TraceOptions {
  unsigned choice_bits = 8; // wider choices are refused
  std::uint64_t most_traces = 1U << 20U;
  bool splits_by_value = false; // make values part of the shape
  bool is_coherent = false;     // the model asks for coherence: memory::Coherence::is_per_location
  bool is_grounded = false;     // memory::Coherence::is_grounded
};

[[nodiscard]] Result<Traces>
find_traces(const program::EventSet& set, const TraceOptions& options, const Budget& budget);

} // namespace heddle::engine::enumerate
