// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/print_format.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

using Kind = PrintedArgument::Kind;

TEST(PrintFormat, TellsTextFromValues) {
  const PrintedArgument value;
  const PrintedArgument text{Kind::kText};
  EXPECT_EQ(print_format("100%% %d %-5s|%+08.3lf %p"),
            (std::vector<PrintedArgument>{value, text, value, value}));
  EXPECT_EQ(print_format("%hhu%n"), (std::vector<PrintedArgument>{value, {Kind::kTarget}}));
  EXPECT_EQ(print_format("none"), std::vector<PrintedArgument>{});
}

TEST(PrintFormat, WidthsAndPrecisionsTakeArguments) {
  const PrintedArgument value;
  EXPECT_EQ(print_format("%.4s"), (std::vector<PrintedArgument>{{Kind::kText, 4}}));
  EXPECT_EQ(print_format("%*.*s%*d"),
            (std::vector<PrintedArgument>{
                value, value, {Kind::kText, std::nullopt, true}, value, value}));
}

TEST(PrintFormat, AnythingElseIsRefused) {
  EXPECT_FALSE(print_format("%1$s"));
  EXPECT_FALSE(print_format("%ls"));
  EXPECT_FALSE(print_format("%Lf"));
  EXPECT_FALSE(print_format("%"));
}

} // namespace
} // namespace heddle::frontend
