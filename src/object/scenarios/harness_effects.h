// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses at which an operation takes effect: finding them, and putting them between two readings
// of the harness's clock, or between two markers in the store buffer if what counts is when a store
// reaches memory. What was recorded last stands in cells of the thread.
#pragma once

#include "object/scenarios/harness_clock.h"
#include "object/scenarios/harness_code.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::object {

/// An access of a place.
struct EffectAccess {
  ir::FunctionId function;
  ir::BlockId block;
  std::size_t index = 0; // of the instruction in its block
  EffectPlace::How how = EffectPlace::How::kRead;
  bool counts_if_equal = true; // for calls that return the value of EffectPlace::Returns
  bool counts_if_other = true; // for the others
};

/// The kind of an access; nothing for other instructions.
[[nodiscard]] std::optional<EffectPlace::How> effect_of(const ir::Operation& operation);

/// All accesses of the places, in the order of the module. HAR-004 for a place without one.
[[nodiscard]] Result<std::vector<EffectAccess>>
effect_accesses(const ir::Module& module, const std::vector<EffectPlace>& places);

/// What comes in place of the access with that number; may add registers to the function.
/// Instructions that are added have no place in the program.
using ReplaceAccess = std::function<std::vector<ir::Instruction>(
    ir::Function& function, std::size_t access, ir::Instruction instruction)>;
void replace_accesses(ir::Module& module,
                      const std::vector<EffectAccess>& accesses,
                      const ReplaceAccess& replace);

/// A word that each thread has for itself.
[[nodiscard]] ir::GlobalId own_word(ir::Module& module, std::string name);

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

} // namespace heddle::object
