// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output/exit_code.h"

#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::driver {

namespace {

ExitCode code_of_property(spec::Property property) {
  using spec::Property;
  switch (property) {
  case Property::kReach:
    return ExitCode::kAssertion;
  case Property::kRace:
    return ExitCode::kRace;
  case Property::kDeadlock:
    return ExitCode::kDeadlock;
  case Property::kMemory:
  case Property::kCleanup:
    return ExitCode::kMemorySafety;
  case Property::kOverflow:
    return ExitCode::kOverflow;
  case Property::kLiveness:
    return ExitCode::kLiveness;
  case Property::kRobustness:
    return ExitCode::kNotRobust;
  }
  HEDDLE_CHECK(false, "no such property");
  return ExitCode::kOurBug;
}

ExitCode code_of_reason(verdict::Unknown::Reason reason) {
  using Reason = verdict::Unknown::Reason;
  switch (reason) {
  case Reason::kTime:
    return ExitCode::kTime;
  case Reason::kMemory:
    return ExitCode::kMemory;
  case Reason::kRefused:
  case Reason::kNoEngine:
    return ExitCode::kInput;
  case Reason::kInterrupted:
  case Reason::kUnsupported:
  case Reason::kUndefinedBehaviour:
  case Reason::kNondeterminism:
  case Reason::kApproximation:
    return ExitCode::kUnknown;
  }
  HEDDLE_CHECK(false, "no such reason");
  return ExitCode::kOurBug;
}

} // namespace

ExitCode exit_code(const verdict::Verdict& verdict) {
  return std::visit(
      Overloaded{
          [](const verdict::Proved&) { return ExitCode::kProved; },
          [](const verdict::HoldsWithinBounds&) { return ExitCode::kHoldsWithinBounds; },
          [](const verdict::Violated& violated) {
            return code_of_property(violated.violation.property);
          },
          [](const verdict::Unknown& unknown) { return code_of_reason(unknown.reason); },
          [&](const verdict::Outcomes& outcomes) {
            if (outcomes.complete)
              return ExitCode::kProved;
            const bool is_bounded =
                std::ranges::any_of(verdict.approximations, [](const Approximation& a) {
                  return a.kind == Approximation::Kind::kUnder;
                });
            return is_bounded ? ExitCode::kHoldsWithinBounds : ExitCode::kUnknown;
          },
      },
      verdict.answer);
}

ExitCode exit_code(const Error& error) {
  switch (error.kind) {
  case ErrorKind::kUsage:
    return ExitCode::kUsage;
  case ErrorKind::kInput:
  case ErrorKind::kUnsupported:
    return ExitCode::kInput;
  }
  HEDDLE_CHECK(false, "no such kind of error");
  return ExitCode::kOurBug;
}

} // namespace heddle::driver
