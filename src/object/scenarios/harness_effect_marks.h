// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Marks just before and just after the accesses at which calls take effect: before an access the
// thread looks at the set of calls whose access is over, after it the call joins that set. Every
// run of the program has one in which nothing comes between the marks and their access, and others
// say less about the order, never something else.
//
// Which pass of a call is its last is known only later, so it is guessed: a run that passes again
// after the guess, or returns without one, does not count. So nothing recorded has ever to be taken
// back, and a loop that passes again and again adds no states. Where places depend on what the call
// will return, that is guessed as well.
#pragma once

#include "object/scenarios/harness.h"
#include "object/scenarios/harness_code.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::object {

struct EffectMarks {
  // Words of the thread whose call is under way.
  ir::GlobalId call;    // its bit in the set
  ir::GlobalId before;  // the set when its last pass began; kNoEffect
  ir::GlobalId passed;  // whether it has passed an access
  ir::GlobalId guessed; // whether the last pass has come
  ir::GlobalId returns; // which accesses count: kIfEqual, kIfOther or both

  std::optional<std::int64_t> value;  // what EffectPlace::Returns are about
  std::vector<bool> depends_on_value; // by function: whether which accesses count does
  std::vector<unsigned> result_bits;  // by function: what of the value its type can tell

  static constexpr std::uint64_t kIfEqual = 1;
  static constexpr std::uint64_t kIfOther = 2;

  /// Before a call of that function, with that number.
  void reset(Code& code, std::size_t number, ir::FunctionId function) const;
  /// After it, when its result is known: `before` to `dest`.
  void take(Code& code, ir::RegisterId dest, ir::RegisterId result, ir::FunctionId function) const;
};

/// Changes the functions. HAR-004 for a place without such an access.
[[nodiscard]] Result<EffectMarks>
mark_effects(ir::Module& module, ir::GlobalId over, const std::vector<EffectPlace>& places);

} // namespace heddle::object
