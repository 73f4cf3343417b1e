// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "spec/property.h"

#include <fmt/format.h>

#include <array>

namespace heddle::spec {

namespace {

constexpr std::array kProperties = {Property::kReach,
                                    Property::kRace,
                                    Property::kDeadlock,
                                    Property::kMemory,
                                    Property::kCleanup,
                                    Property::kOverflow,
                                    Property::kRobustness,
                                    Property::kLiveness};

} // namespace

std::span<const Property> all_properties() {
  return kProperties;
}

std::string to_string(Property property) {
  switch (property) {
  case Property::kReach:
    return "reach";
  case Property::kRace:
    return "race";
  case Property::kDeadlock:
    return "deadlock";
  case Property::kMemory:
    return "memory";
  case Property::kCleanup:
    return "cleanup";
  case Property::kOverflow:
    return "overflow";
  case Property::kRobustness:
    return "robustness";
  case Property::kLiveness:
    return "liveness";
  }
  HEDDLE_CHECK(false, "no such property");
  return "";
}

std::string_view phrase(Property property) {
  switch (property) {
  case Property::kReach:
    return "assertion";
  case Property::kRace:
    return "data race";
  case Property::kDeadlock:
    return "deadlock";
  case Property::kMemory:
    return "memory safety";
  case Property::kCleanup:
    return "memory clean-up";
  case Property::kOverflow:
    return "signed overflow";
  case Property::kRobustness:
    return "robustness";
  case Property::kLiveness:
    return "liveness";
  }
  HEDDLE_CHECK(false, "no such property");
  return "";
}

Result<Property> parse_property(std::string_view name) {
  std::string known;
  for (const Property property : kProperties) {
    const std::string candidate = to_string(property);
    if (candidate == name)
      return property;
    known += (known.empty() ? "" : ", ") + candidate;
  }
  return Error{
      ErrorKind::kUsage,
      "SPEC-001",
      fmt::format("unknown property '{}'; expected one of {}, or a .prp file", name, known)};
}

bool violates(Property property, program::FaultKind fault) {
  using program::FaultKind;
  switch (property) {
  case Property::kReach:
    return fault == FaultKind::kAssertion || fault == FaultKind::kErrorCall;
  case Property::kMemory:
    return program::is_memory_safety(fault);
  case Property::kCleanup:
    return fault == FaultKind::kLeak;
  case Property::kOverflow:
    return fault == FaultKind::kSignedOverflow;
  case Property::kRace:
  case Property::kDeadlock:
  case Property::kRobustness:
  case Property::kLiveness:
    return false;
  }
  HEDDLE_CHECK(false, "no such property");
  return false;
}

} // namespace heddle::spec
