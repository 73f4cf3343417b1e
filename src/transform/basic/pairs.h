// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Instructions of processors that make several accesses (LDP, STP and kin of AArch64; LDRD, STRD,
// LDM and STM of ARM). Each is single by itself, and nothing orders one before the other (Arm
// Architecture Reference Manual, B2.2.1), as in herd's semantics, where the events of one
// instruction are not in program order. (The parts of LDIAPP and STILP, which have an order, have
// places of their own in the source.) Axioms see that; a machine takes one step after the other, so
// that the program has to offer all orders.
#pragma once

#include "program/model/program.h"

#include <string_view>

namespace heddle::transform {

/// Does the processor have such instructions?
[[nodiscard]] bool has_pairs(std::string_view vocabulary);

/// For programs made from assembly, where steps with one place in the source are of one
/// instruction. Loads in a row, or stores, of one instruction may then be taken in any order. (How
/// many there are is for the front end to limit: there are as many locations as subsets.)
void offer_all_orders_of_pairs(program::Program& program);

} // namespace heddle::transform
