// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Instructions of processors that make two accesses (LDP, STP and kin of AArch64). Each half is
// single by itself, and nothing orders one before the other (Arm Architecture Reference Manual,
// B2.2.1), as in herd's semantics, where the events of one instruction are not in program order.
// (The pairs with an order, LDIAPP and STILP, are instructions of their own.) Axioms see that; a
// machine takes one step after the other, so that the program has to offer both orders.
#pragma once

#include "program/program.h"

#include <string_view>

namespace heddle::transform {

/// Does the processor have such instructions?
[[nodiscard]] bool has_pairs(std::string_view vocabulary);

/// For programs made from assembly, where steps with one place in the source are of one
/// instruction. Two loads or two stores in a row of one instruction may then be taken in either
/// order.
void offer_both_orders_of_pairs(program::Program& program);

} // namespace heddle::transform
