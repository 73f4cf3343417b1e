// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses at which an operation takes effect, put between two readings of the harness's clock, or
// between two markers in the store buffer if what counts is when a store reaches memory. What was
// recorded last stands in cells of the thread.
#pragma once

#include "support/result.h"
#include "transform/harness_clock.h"
#include "transform/harness_code.h"

#include <cstdint>
#include <vector>

namespace heddle::transform {

/// The cells of a thread. An effect is a word of bytes: what it is, when it began, when it ended;
/// of a flush the numbers of the two markers.
struct EffectCells {
  static constexpr std::uint64_t kDirect = 1;
  static constexpr std::uint64_t kFlushed = 2;
  ir::GlobalId effect;
  ir::GlobalId marker; // the last one that was put into the buffer
  ir::GlobalId place;  // where the thread's markers are, from the clock on

  /// Before a call of that thread.
  void reset(Code& code, std::size_t thread) const;
  /// After it: to `dest`.
  void take(Code& code, ir::RegisterId dest) const;
};

/// Changes the functions. HAR-004 for a place without such an access.
[[nodiscard]] Result<EffectCells>
record_effects(ir::Module& module, ir::GlobalId clock, const std::vector<EffectPlace>& places);

} // namespace heddle::transform
