// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lazy sequentialization (O. Inverso et al., CAV 2014; E. Tomasco, PhD thesis, Southampton 2017,
// section 2.6.2.2): a concurrent program whose loops and calls are gone becomes one thread that
// runs the others in turn, round after round, each from where it stopped to a place that is
// guessed. Memory is never guessed, and what a thread computed stays in its locals, so that every
// run of the result is a run of the source.
//
// The places where a thread can stop are labelled 0, 1, … in a topological order of its automaton;
// a thread that is entered hops from label to label until it is where it stopped before.
#pragma once

#include "program/program.h"
#include "support/result.h"
#include "transform/transform.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::transform {

struct LazyOptions {
  std::uint32_t rounds = 2; // a run that needs more is cut, and the verdict says so
};

/// For programs under SC without calls and loops (inline, unroll). Keeps assertions, error calls
/// and overflow.
[[nodiscard]] std::unique_ptr<Transform> sequentialize_lazily(const LazyOptions& options);

/// A thread the program can have: one per place that creates it, and function that may be started
/// there.
struct SequentialThread {
  program::ProcedureId procedure;
  /// Where it is created: a thread before it in the list, and the edge. None for the first.
  std::optional<std::uint32_t> creator = {};
  std::uint32_t edge = 0;
};
[[nodiscard]] Result<std::vector<SequentialThread>> find_threads(const program::Program& program);

/// Where a thread can stop: before the edge that leaves the location, or in the middle of it (a
/// wait on a condition, for the mutex; at a barrier, for the others).
struct SliceLabel {
  program::LocationId location;
  bool is_inside = false;
};
/// In the order of their numbers; the first is the procedure's entry.
[[nodiscard]] Result<std::vector<SliceLabel>> find_labels(const program::Program& program,
                                                          program::ProcedureId procedure);

/// What an edge of the sequential program stands for.
struct SliceOrigin {
  enum class Kind : std::uint8_t {
    kNone,  // of the schedule, or a further step of what another edge stands for
    kStep,  // the edge of the thread, with the choice that is taken here, if there is one
    kTimed, // the same; the choice is whether time runs out
    kRest,  // the rest of what began before the label inside the edge
  };
  Kind kind = Kind::kNone;
  std::uint32_t thread = 0;
  std::uint32_t edge = 0;
};

} // namespace heddle::transform
