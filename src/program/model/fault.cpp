// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Names and classes of faults.
#include "program/model/fault.h"

#include "support/check.h"

namespace heddle::program {

bool is_memory_safety(FaultKind kind) {
  switch (kind) {
  case FaultKind::kNullAccess:
  case FaultKind::kOutOfBounds:
  case FaultKind::kUseAfterFree:
  case FaultKind::kInvalidAccess:
  case FaultKind::kDoubleFree:
  case FaultKind::kInvalidFree:
  case FaultKind::kPointerArithmetic:
  case FaultKind::kReadOnlyWrite:
  case FaultKind::kLeak:
    return true;
  case FaultKind::kNone:
  case FaultKind::kDiscarded:
  case FaultKind::kAssertion:
  case FaultKind::kErrorCall:
  case FaultKind::kSignedOverflow:
  case FaultKind::kDivisionByZero:
  case FaultKind::kOversizedShift:
  case FaultKind::kUnreachable:
  case FaultKind::kBadSynchronisation:
  case FaultKind::kCut:
  case FaultKind::kTrap:
    return false;
  }
  HEDDLE_CHECK(false, "no such kind of fault");
}

FaultKind fault_of(CheckKind kind) {
  switch (kind) {
  case CheckKind::kAssertion:
    return FaultKind::kAssertion;
  case CheckKind::kErrorCall:
    return FaultKind::kErrorCall;
  case CheckKind::kSignedOverflow:
    return FaultKind::kSignedOverflow;
  case CheckKind::kDivisionByZero:
    return FaultKind::kDivisionByZero;
  case CheckKind::kOversizedShift:
    return FaultKind::kOversizedShift;
  case CheckKind::kPointerArithmetic:
    return FaultKind::kPointerArithmetic;
  case CheckKind::kArrayIndex:
    return FaultKind::kOutOfBounds;
  case CheckKind::kUnreachable:
    return FaultKind::kUnreachable;
  }
  HEDDLE_CHECK(false, "no such kind of check");
}

bool is_undefined_behaviour(FaultKind kind) {
  switch (kind) {
  case FaultKind::kLeak: // wasteful, but defined
  case FaultKind::kNone:
  case FaultKind::kDiscarded:
  case FaultKind::kAssertion:
  case FaultKind::kErrorCall:
  case FaultKind::kCut:
  case FaultKind::kTrap:
    return false;
  case FaultKind::kNullAccess:
  case FaultKind::kOutOfBounds:
  case FaultKind::kUseAfterFree:
  case FaultKind::kInvalidAccess:
  case FaultKind::kDoubleFree:
  case FaultKind::kInvalidFree:
  case FaultKind::kPointerArithmetic:
  case FaultKind::kReadOnlyWrite:
  case FaultKind::kSignedOverflow:
  case FaultKind::kDivisionByZero:
  case FaultKind::kOversizedShift:
  case FaultKind::kUnreachable:
  case FaultKind::kBadSynchronisation:
    return true;
  }
  HEDDLE_CHECK(false, "no such kind of fault");
}

std::string to_string(FaultKind kind) {
  switch (kind) {
  case FaultKind::kNone:
    return "none";
  case FaultKind::kDiscarded:
    return "failed assumption";
  case FaultKind::kAssertion:
    return "assertion";
  case FaultKind::kErrorCall:
    return "error call";
  case FaultKind::kNullAccess:
    return "null pointer dereference";
  case FaultKind::kOutOfBounds:
    return "out-of-bounds access";
  case FaultKind::kUseAfterFree:
    return "use after free";
  case FaultKind::kInvalidAccess:
    return "invalid access";
  case FaultKind::kDoubleFree:
    return "double free";
  case FaultKind::kInvalidFree:
    return "invalid free";
  case FaultKind::kPointerArithmetic:
    return "pointer arithmetic out of bounds";
  case FaultKind::kReadOnlyWrite:
    return "write to constant memory";
  case FaultKind::kLeak:
    return "memory leak";
  case FaultKind::kSignedOverflow:
    return "signed overflow";
  case FaultKind::kDivisionByZero:
    return "division by zero";
  case FaultKind::kOversizedShift:
    return "oversized shift";
  case FaultKind::kUnreachable:
    return "unreachable code reached";
  case FaultKind::kBadSynchronisation:
    return "undefined use of synchronisation";
  case FaultKind::kCut:
    return "bound reached";
  case FaultKind::kTrap:
    return "unsupported";
  }
  HEDDLE_CHECK(false, "no such kind of fault");
}

} // namespace heddle::program
