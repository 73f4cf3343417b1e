// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/scan_format.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(ScanFormat, WidthsOfIntegers) {
  EXPECT_EQ(scan_format("%d %hu,%hhx %lld%c", 32), (std::vector<unsigned>{32, 16, 8, 64, 8}));
  EXPECT_EQ(scan_format("%ld %zu", 64), (std::vector<unsigned>{64, 64}));
  EXPECT_EQ(scan_format("%*d%d%%", 64), (std::vector<unsigned>{32}));
}

TEST(ScanFormat, AnythingElseIsRefused) {
  EXPECT_FALSE(scan_format("%s", 64));
  EXPECT_FALSE(scan_format("%f", 64));
  EXPECT_FALSE(scan_format("%5c", 64));
  EXPECT_FALSE(scan_format("%", 64));
  EXPECT_EQ(scan_format("", 64), std::vector<unsigned>{});
}

} // namespace
} // namespace heddle::frontend
