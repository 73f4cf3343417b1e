// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace heddle::report {
namespace {

TEST(Wrapped, BreaksAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("one two three", 9), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("short", 9), (std::vector<std::string>{"short"}));
  EXPECT_EQ(wrapped("", 9), (std::vector<std::string>{""}));
}

TEST(Wrapped, BreaksAWordThatIsTooLong) {
  for (const std::string& line : wrapped("a(bcdefghijklmnopqrstuvwxyz)", 10))
    EXPECT_LE(display_width(line), 10U);
}

TEST(DisplayWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("a → b"), 5U);
}

Table sample(std::size_t columns) {
  Table table;
  for (std::size_t i = 0; i < columns; ++i)
    table.headings.push_back("thread" + std::to_string(i));
  table.rows.push_back({"1", 0, {"12: x = 1;", "  writes x = 1"}});
  table.rows.push_back(
      {"2", columns - 1, {"20: a long line of source text that needs to be wrapped somewhere"}});
  return table;
}

TEST(Layout, ColumnsSideBySide) {
  EXPECT_EQ(layout(sample(2), 60),
            "     thread0               thread1\n"
            "     -------               -------\n"
            "   1 12: x = 1;\n"
            "       writes x = 1\n"
            "   2                       20: a long line of source text\n"
            "                             that needs to be wrapped\n"
            "                             somewhere\n");
}

TEST(Layout, AListWhereThereIsNoRoom) {
  EXPECT_EQ(layout(sample(6), 60),
            "   1 thread0  12: x = 1;\n"
            "                writes x = 1\n"
            "   2 thread5  20: a long line of source text that needs to\n"
            "                be wrapped somewhere\n");
}

TEST(Layout, AListWhereColumnsWouldBeTwiceAsLong) {
  Table table{{"main", "left", "right"}, {}};
  for (std::size_t column = 0; column < 3; ++column)
    table.rows.push_back({std::to_string(column + 1),
                          column,
                          {"7: a_call_with_a_long_name(&of[what], it_is, given);"}});
  EXPECT_EQ(layout(table, 72),
            "   1 main   7: a_call_with_a_long_name(&of[what], it_is, given);\n"
            "   2 left   7: a_call_with_a_long_name(&of[what], it_is, given);\n"
            "   3 right  7: a_call_with_a_long_name(&of[what], it_is, given);\n");
  EXPECT_TRUE(layout(table, 132).starts_with("     main "));
}

TEST(Layout, NoLineIsTooLongOrEndsInBlanks) {
  for (const unsigned width : {40U, 60U, 80U, 100U, 137U})
    for (const std::size_t columns : {1U, 2U, 3U, 5U, 9U}) {
      std::istringstream lines(layout(sample(columns), width));
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), width);
        EXPECT_FALSE(line.ends_with(' '));
      }
    }
}

} // namespace
} // namespace heddle::report
