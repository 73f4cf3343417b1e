// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The threads of operations_client.h, step by step: each access that others can see, with what the
// thread then does alone, becomes one atomic section, at the end of which the invariant is
// asserted. A call takes effect, by a call of its abstract function in the same section, at the
// last marked access that it passes: in a section with a marked access from whose end no other one
// can be reached before the call returns (with explicit buffers: and none is pending). When it
// returns it must have taken effect, exactly once, and with the same result (Flanagan's commit
// atomicity, after "Verifying commit-atomicity using model-checking", SPIN 2004). So a program
// without a failing assertion is linearizable: between call and return there was one moment at
// which the abstract operation took place.
//
// Steps that others cannot see move to the step before them, whatever the others do meanwhile.
#pragma once

#include "object/invariants/operations_client.h"
#include "program/model/program.h"
#include "support/result.h"

namespace heddle::object {

/// Of a program for SC without calls in its threads (the abstract functions and the invariant are
/// among its procedures), to one of that kind. What a step cannot be is refused: OBL-001 with the
/// place.
[[nodiscard]] Result<program::Program> make_steps_atomic(const program::Program& source,
                                                         const ClientPlan& plan);

} // namespace heddle::object
