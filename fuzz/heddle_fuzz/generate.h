// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes random programs: small enough to explore without any reduction, mixed enough to meet every
// kind of action.
#pragma once

#include "heddle_fuzz/program.h"
#include "support/rng.h"

namespace heddle::fuzz {

struct GenerateOptions {
  /// Only what runs to its end on real hardware: no assume, assert, choice, semaphore or barrier.
  bool for_hardware = false;
  /// What store-buffer graphs are tried with: more pointers, more values that come from registers,
  /// and loops that mostly have a fence.
  bool for_reduction = false;
  /// What shared-memory abstractions are tried with: two or three threads without branches, at most
  /// seven writes (of locks, too), one mutex, atomic sections.
  bool for_abstractions = false;
  /// Programs with nodes, and pointers to private, shared and allocated memory.
  bool with_nodes = false;
};

[[nodiscard]] Program generate(Rng& rng, const GenerateOptions& options);
[[nodiscard]] Program generate_with_nodes(Rng& rng);

} // namespace heddle::fuzz
