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

#include "program/program.h"
#include "support/result.h"
#include "transform/operations_client.h"

#include <string>

namespace heddle::transform {

/// What is asserted beside the program's own assertions, of an operation.
inline constexpr const char* kTakesEffectOnce = "takes effect only once";
inline constexpr const char* kHasTakenEffect = "has taken effect when it returns";
inline constexpr const char* kSameResult = "returns what the abstract operation returns";
inline constexpr const char* kGivesUp = "gives up without having taken effect";
inline constexpr const char* kCanHappen = "takes effect where the abstract operation can happen";

/// Is it none of these, nor that the invariant holds?
[[nodiscard]] bool is_stated_by_program(const std::string& what);

/// Of a program for SC without calls in its threads (the abstract functions and the invariant are
/// among its procedures), to one of that kind. What a step cannot be is refused: OBL-001 with the
/// place.
[[nodiscard]] Result<program::Program> make_steps_atomic(const program::Program& source,
                                                         const ClientPlan& plan);

/// May a call take effect by this access?
[[nodiscard]] bool is_marked_as_effect(const program::Access& access);

/// Is it a thread that makes calls?
[[nodiscard]] bool is_client(const program::Procedure& procedure);

/// A refusal of what stands there.
[[nodiscard]] Error refuse_in_proof(const program::Program& program,
                                    SourceLoc loc,
                                    std::string code,
                                    std::string message);

} // namespace heddle::transform
