// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a program shows what a proof about the operations of an object has put into it
// (object/invariants/atomic_steps.h): tags of accesses, and the texts of its assertions.
#pragma once

#include "program/model/program.h"
#include "support/result.h"

#include <string>

namespace heddle::program {

/// A tag of accesses at which a call may take effect.
inline constexpr const char* kEffectTag = "Heddle.effect";
/// A tag of the stores that are flushes.
inline constexpr const char* kFlushTag = "Heddle.flush";

/// How the assertion that the invariant holds begins.
inline constexpr const char* kInvariantPrefix = "the invariant ";
/// What is asserted beside the program's own assertions, of an operation.
inline constexpr const char* kTakesEffectOnce = "takes effect only once";
inline constexpr const char* kHasTakenEffect = "has taken effect when it returns";
inline constexpr const char* kSameResult = "returns what the abstract operation returns";
inline constexpr const char* kGivesUp = "gives up without having taken effect";
inline constexpr const char* kCanHappen = "takes effect where the abstract operation can happen";

/// Is it none of these, nor that the invariant holds?
[[nodiscard]] bool is_stated_by_program(const std::string& what);

/// May a call take effect by this access?
[[nodiscard]] bool is_marked_as_effect(const Access& access);

/// Is it a thread that makes calls?
[[nodiscard]] bool is_client(const Procedure& procedure);

/// A refusal of what stands there.
[[nodiscard]] Error
refuse_in_proof(const Program& program, SourceLoc loc, std::string code, std::string message);

} // namespace heddle::program
