// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/part.h"

#include <gtest/gtest.h>

namespace heddle::ir {
namespace {

/// What would be shown for an access of that many bytes there.
std::string shown(const std::vector<Part>& parts, std::uint64_t offset, std::uint64_t size) {
  const PartPath path = part_at(parts, offset, size);
  return path.text + (path.rest == 0 ? "" : "+" + std::to_string(path.rest));
}

Part field(std::string name, std::uint64_t offset, std::uint64_t size) {
  return {std::move(name), offset, size, 1, 0, false, {}};
}

// int a[3];
TEST(PartAt, ElementsOfAnArray) {
  const std::vector<Part> parts = {{"", 0, 4, 3, 32, true, {}}};
  EXPECT_EQ(shown(parts, 0, 4), "[0]");
  EXPECT_EQ(shown(parts, 8, 4), "[2]");
  EXPECT_EQ(shown(parts, 6, 1), "[1]+2");
  EXPECT_EQ(shown(parts, 12, 4), "+12"); // behind it
  EXPECT_EQ(shown(parts, 0, 8), "");     // two of them
  EXPECT_EQ(shown(parts, 0, 0), "");     // the address of the whole
  EXPECT_EQ(shown(parts, 4, 0), "[1]");
  ASSERT_NE(part_at(parts, 4, 4).part, nullptr);
  EXPECT_TRUE(part_at(parts, 4, 4).part->scalar_signed);
}

// struct { int value; struct node* next; } list[2];
TEST(PartAt, FieldsOfElements) {
  const std::vector<Part> parts = {
      {"", 0, 16, 2, 0, false, {field("value", 0, 4), field("next", 8, 8)}}};
  EXPECT_EQ(shown(parts, 0, 4), "[0].value");
  EXPECT_EQ(shown(parts, 24, 8), "[1].next");
  EXPECT_EQ(shown(parts, 28, 4), "[1].next+4");
  EXPECT_EQ(shown(parts, 20, 4), "[1]+4"); // padding
  EXPECT_EQ(shown(parts, 16, 0), "[1]");
  EXPECT_EQ(shown(parts, 24, 0), "[1].next");
}

// union { char bytes[4]; int whole; } u;
TEST(PartAt, AUnionShowsTheFieldThatHoldsTheBytes) {
  const std::vector<Part> parts = {{"bytes", 0, 4, 1, 0, false, {{"", 0, 1, 4, 8, true, {}}}},
                                   field("whole", 0, 4)};
  EXPECT_EQ(shown(parts, 2, 1), ".bytes[2]");
  EXPECT_EQ(shown(parts, 0, 4), ".bytes");
}

// int m[2][3];
TEST(PartAt, Rows) {
  const std::vector<Part> parts = {{"", 0, 12, 2, 0, false, {{"", 0, 4, 3, 32, true, {}}}}};
  EXPECT_EQ(shown(parts, 20, 4), "[1][2]");
  EXPECT_EQ(shown(parts, 12, 0), "[1]");
}

TEST(PartAt, NoPartsLeaveTheOffset) {
  EXPECT_EQ(shown({}, 8, 4), "+8");
  EXPECT_EQ(shown({}, 0, 4), "");
}

} // namespace
} // namespace heddle::ir
