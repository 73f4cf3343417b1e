// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Is an execution one that sequential consistency does not allow? That is a cycle of po, rf, co and
// fr (Shasha and Snir, TOPLAS 1988), whatever the model is. What is one instruction is one step:
// the pieces of an access, the two halves of an update.
#pragma once

#include "encode/relations/execution_formula.h"

namespace heddle::encode {

/// A literal that implies that there is such a cycle; where there is one, it can be true.
[[nodiscard]] Literal
has_cycle(const program::EventSet& set, ExecutionFormula& executions, logic::Gates& gates);

} // namespace heddle::encode
