// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The explicit-state engine: a stateful search over the states of an operational machine
// (docs/explicit-engine.md). States are stored without loss and compared in full. Not for models
// without a machine.
#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace heddle::engine {

struct ExplicitOptions {
  enum class Search : std::uint8_t {
    kMixed,        // breadth-first at first; where that does not end, depth-first in turn with it
    kBreadthFirst, // shortest counterexamples
    kDepthFirst,   // reaches deep states early
  };
  Search search = Search::kMixed;
  /// So many states before mixed search also goes deep: what a larger space hides may be there.
  std::uint64_t breadth_first_states = 100'000;
  bool reduction = true; // partial-order reduction, where it is sound for what is asked
  bool symmetry = true;  // of threads whose identity nobody can observe
  /// Overrides the task's bounds.
  std::optional<std::uint32_t> nondet_bits = {};
  std::optional<std::uint64_t> max_states = {};
  /// Assert alias and escape analysis on every concrete access
  /// (InterpreterOptions::check_analyses).
  bool check_analyses = false;
  /// Race: use the happens-before monitor even where testing adjacency is enough (the tests compare
  /// the two).
  bool always_monitor_races = false;
};

[[nodiscard]] std::unique_ptr<Engine> make_explicit(ExplicitOptions options);

} // namespace heddle::engine
