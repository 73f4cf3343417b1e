// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "spec/property.h"

#include <gtest/gtest.h>

namespace heddle::spec {
namespace {

using program::FaultKind;

TEST(Property, EachNameIsReadBack) {
  for (const Property property : all_properties()) {
    const Result<Property> parsed = parse_property(to_string(property));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(*parsed, property);
    EXPECT_FALSE(phrase(property).empty());
  }
  EXPECT_EQ(all_properties().size(), 8U);
}

TEST(Property, AnUnknownNameIsAUsageErrorThatListsTheKnownOnes) {
  const Result<Property> parsed = parse_property("termination");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(parsed.error().code, "SPEC-001");
  EXPECT_NE(parsed.error().message.find("reach, race, deadlock"), std::string::npos);
}

TEST(Property, FaultsViolateTheirPropertyOnly) {
  EXPECT_TRUE(violates(Property::kReach, FaultKind::kAssertion));
  EXPECT_TRUE(violates(Property::kReach, FaultKind::kErrorCall));
  EXPECT_FALSE(violates(Property::kReach, FaultKind::kNullAccess));
  EXPECT_FALSE(violates(Property::kReach, FaultKind::kNone));
  EXPECT_FALSE(violates(Property::kReach, FaultKind::kCut));
  EXPECT_FALSE(violates(Property::kReach, FaultKind::kTrap));
  EXPECT_FALSE(violates(Property::kReach, FaultKind::kDiscarded));
  for (const FaultKind kind : {FaultKind::kNullAccess,
                               FaultKind::kOutOfBounds,
                               FaultKind::kUseAfterFree,
                               FaultKind::kDoubleFree,
                               FaultKind::kInvalidFree,
                               FaultKind::kLeak}) {
    EXPECT_TRUE(violates(Property::kMemory, kind));
    EXPECT_FALSE(violates(Property::kReach, kind));
    EXPECT_FALSE(violates(Property::kOverflow, kind));
  }
  EXPECT_TRUE(violates(Property::kCleanup, FaultKind::kLeak));
  EXPECT_FALSE(violates(Property::kCleanup, FaultKind::kUseAfterFree));
  EXPECT_TRUE(violates(Property::kOverflow, FaultKind::kSignedOverflow));
  EXPECT_FALSE(violates(Property::kOverflow, FaultKind::kDivisionByZero));
  EXPECT_FALSE(violates(Property::kMemory, FaultKind::kSignedOverflow));
  EXPECT_FALSE(violates(Property::kRace, FaultKind::kAssertion));
  EXPECT_FALSE(violates(Property::kDeadlock, FaultKind::kAssertion));
}

} // namespace
} // namespace heddle::spec
