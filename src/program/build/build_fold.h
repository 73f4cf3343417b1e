// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the registers of an ir function are used: decides which become locals of the procedure and
// which are folded into the terms that use them. Private to build*.cpp.
#pragma once

#include "ir/ir.h"

#include <cstdint>
#include <vector>

namespace heddle::program {

struct RegisterUse {
  std::uint32_t definitions = 0;
  std::uint32_t uses = 0;
  ir::BlockId block = {};       // of the definition, if it is the only one
  std::uint32_t defined_at = 0; // index in that block
  std::uint32_t last_use = 0;   // index in that block
  /// Defined once, by a Compute; not the variable of anyone; used after that in the same block
  /// only.
  bool is_foldable = false;
  /// Every use is as the address of an access, as the base of a constant step, or in a comparison:
  /// the value does not outlive the block, nor can it be added to again and again.
  bool is_only_address = true;
};

[[nodiscard]] IdVector<ir::RegisterId, RegisterUse> find_uses(const ir::Function& function);

} // namespace heddle::program
