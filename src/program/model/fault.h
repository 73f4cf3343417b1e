// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why a run stopped where it did.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <string>

namespace heddle::program {

enum class FaultKind : std::uint8_t {
  kNone,
  kDiscarded, // an assume failed: the run does not count
  kAssertion, // property reach
  kErrorCall,
  kNullAccess, // property memory, and undefined behaviour for every other property
  kOutOfBounds,
  kUseAfterFree,
  kInvalidAccess, // no object was ever there
  kDoubleFree,
  kInvalidFree,
  kPointerArithmetic,
  kReadOnlyWrite,
  kLeak,           // memory nothing points to any more at the end (valid memory tracking)
  kSignedOverflow, // property overflow
  kDivisionByZero, // undefined behaviour
  kOversizedShift,
  kUnreachable,
  kBadSynchronisation, // undefined use of a lock, thread handle or barrier (never initialised,
                       // joined twice, …)
  kCut,                // a bound ended the run
  kTrap,               // something unsupported was reached
};

struct Fault {
  FaultKind kind = FaultKind::kNone;
  std::string what = {};
  std::string help = {}; // traps
  ProcedureId procedure = {};
  SourceLoc loc = {};
  [[nodiscard]] bool is_none() const { return kind == FaultKind::kNone; }
};

/// What a check of that kind reports where it is violated.
[[nodiscard]] FaultKind fault_of(CheckKind kind);
/// Does the fault end the run because the C standard says nothing about what follows?
[[nodiscard]] bool is_undefined_behaviour(FaultKind kind);
[[nodiscard]] bool is_memory_safety(FaultKind kind);
/// "null pointer dereference", "assertion", …
[[nodiscard]] std::string to_string(FaultKind kind);

} // namespace heddle::program
