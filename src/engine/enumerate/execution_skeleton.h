// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of one combination of thread runs, with all that does not depend on who reads from
// whom: an execution without rf, co and values, and the choices there are for them.
#pragma once

#include "engine/enumerate/traces.h"
#include "execution/execution.h"

#include <cstdint>
#include <vector>

namespace heddle::engine::enumerate {

/// A place in memory that some event of the execution touches.
struct Place {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  std::size_t initial = 0;         // the event that is its first write
  std::vector<std::size_t> writes; // the others
};

struct Read {
  std::size_t event = 0;
  std::size_t place = 0;
  bool is_probe = false; // program::StaticEvent::is_probe
};

struct Skeleton {
  /// Values of initial writes are set. rf and co are missing, and so are relations that are empty.
  execution::Execution execution;
  std::vector<Place> places;
  std::vector<Read> reads;
  /// Where the events of each thread begin; in the order of its shape's events.
  std::vector<std::size_t> first_event;
  /// By event: for a write, the reads its value and place are computed from.
  std::vector<std::vector<std::size_t>> computed_from;
};

/// By thread: the terms Shape::edges speaks of (thread_evaluator.h).
using Conditions = std::vector<std::vector<logic::Term>>;

/// `shapes[t]` is the shape thread t has.
[[nodiscard]] Skeleton make_skeleton(const program::EventSet& set,
                                     const Traces& traces,
                                     const Conditions& conditions,
                                     const std::vector<std::size_t>& shapes);

} // namespace heddle::engine::enumerate
