// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/fold_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::report {
namespace {

Table loop(std::size_t turns) {
  Table table;
  table.headings = {"main"};
  for (std::size_t i = 0; i < turns; ++i) {
    table.rows.push_back({std::to_string(2 * i + 1), 0, {"reads x = " + std::to_string(i)}});
    table.rows.push_back({std::to_string(2 * i + 2), 0, {"writes x = " + std::to_string(i + 1)}});
  }
  table.rows.push_back({std::to_string(2 * turns + 1), 0, {"fails: assertion"}});
  return table;
}

TEST(Fold, TurnsThatDifferInNumbersOnlyBecomeOneRow) {
  const Table table = folded(loop(5000), {});
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[2].lines.front(), "... 4998 more iterations like steps 1-2");
  EXPECT_EQ(table.rows[3].number, "9999");
  EXPECT_EQ(table.rows.back().lines.front(), "fails: assertion");
}

TEST(Fold, WhatIsLeftOutIsWhatTheTextDoesNotShow) {
  const std::vector<bool> left_out = rows_left_out(loop(5000), {4000});
  const Table table = folded(loop(5000), {4000});
  std::vector<std::string> shown;
  for (const Row& row : table.rows)
    if (!row.number.empty())
      shown.push_back(row.number);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < left_out.size(); ++i)
    if (!left_out[i])
      kept.push_back(std::to_string(i + 1));
  EXPECT_EQ(kept, shown);
  EXPECT_EQ(std::ranges::count(rows_left_out(loop(20), {}), true), 0);
}

TEST(Fold, ShortTablesStay) {
  EXPECT_EQ(folded(loop(20), {}).rows.size(), 41U);
}

TEST(Fold, RowsThatAreSpokenOfStay) {
  const Table table = folded(loop(5000), {4001});
  EXPECT_TRUE(std::ranges::any_of(table.rows, [](const Row& row) { return row.number == "4002"; }));
  EXPECT_LT(table.rows.size(), 20U);
}

} // namespace
} // namespace heddle::report
