// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Final sections: how they are read, how logs print them, in which order things are observed.
#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/shared/condition.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

using Kind = Proposition::Kind;

FinalSection parsed(const std::string& text) {
  Lexer lexer(text);
  Result<FinalSection> section = parse_final(lexer);
  EXPECT_TRUE(section) << text << ": " << section.error().to_string();
  return section ? *section : FinalSection{};
}

std::string printed(const std::string& text) {
  const FinalSection section = parsed(text);
  return to_string(section.quantifier, section.condition);
}

std::string error_of(const std::string& text) {
  Lexer lexer(text);
  const Result<FinalSection> section = parse_final(lexer);
  if (section)
    return "none";
  Error error = section.error();
  error.file = "t";
  return error.to_string().substr(2);
}

} // namespace

TEST(LitmusCondition, PrintedAsLogsDo) {
  EXPECT_EQ(printed("exists (x=2 /\\ 0:EAX=1)"), "exists ([x]=2 /\\ 0:EAX=1)");
  EXPECT_EQ(printed("~exists [x]=1"), "~exists ([x]=1)");
  EXPECT_EQ(printed("forall (a[1]=0x10 \\/ 0:r1=x)"), "forall ([a[1]]=0x10 \\/ 0:r1=x)");
  EXPECT_EQ(printed("final (P0:EAX = 0);\nwith\ntso: exists; <<"), "exists (0:EAX=0)");
  EXPECT_EQ(printed("exists true"), "exists (true)");
  EXPECT_EQ(printed("exists x != -1"), "exists ([x]!=-1)");
  EXPECT_EQ(printed("exists 0:r1=1:r2 /\\ x=[y]"), "exists (0:r1=1:r2 /\\ [x]=[y])");
  EXPECT_EQ(printed(""), "");
}

TEST(LitmusCondition, ConjunctionBindsBeforeDisjunctionBeforeImplication) {
  EXPECT_EQ(printed("exists a=1 /\\ b=1 \\/ c=1 /\\ d=1"),
            "exists ([a]=1 /\\ [b]=1 \\/ [c]=1 /\\ [d]=1)");
  EXPECT_EQ(printed("exists a=1 /\\ (b=1 \\/ c=1) /\\ d=1"),
            "exists ([a]=1 /\\ ([b]=1 \\/ [c]=1) /\\ [d]=1)");
  EXPECT_EQ(printed("exists ((a=1 /\\ (b=1 /\\ c=1)))"), "exists ([a]=1 /\\ [b]=1 /\\ [c]=1)");
  EXPECT_EQ(printed("exists a=1 => b=1 => c=1"), "exists ([a]=1 => [b]=1 => [c]=1)");
  EXPECT_EQ(printed("exists (a=1 => b=1) => c=1"), "exists (([a]=1 => [b]=1) => [c]=1)");
  EXPECT_EQ(printed("exists ~(a=1) /\\ not b=2"), "exists (not ([a]=1) /\\ not ([b]=2))");
  const Formula formula = parsed("exists a=1 \\/ b=1 => c=1").condition;
  EXPECT_EQ(formula.kind, Kind::kImplies);
  EXPECT_EQ(formula.operands[0].kind, Kind::kOr);
}

TEST(LitmusCondition, LocationsAndFilters) {
  const FinalSection section =
      parsed("locations [x; 0:r1; int y; 1:r2 int*; a[1];]\nfilter (x=1)\nexists (y=1)");
  ASSERT_EQ(section.locations.size(), 5U);
  EXPECT_EQ(section.locations[2].to_string(), "[y]");
  EXPECT_EQ(section.locations[3].to_string(), "1:r2");
  EXPECT_EQ(section.locations[4].to_string(), "[a[1]]");
  ASSERT_TRUE(section.filter);
  EXPECT_EQ(to_string(*section.filter), "[x]=1");
  EXPECT_EQ(print_final(section),
            "locations [[x];0:r1;[y];1:r2;[a[1]];]\nfilter ([x]=1)\nexists ([y]=1)\n");
}

TEST(LitmusCondition, ObservedByThreadThenRegisterThenLocation) {
  const auto dialect = make_aarch64();
  const auto names = [&](const std::string& text) {
    std::string result;
    const auto before = [&](const Place& a, const Place& b) {
      return dialect->is_register_before(a.name, b.name);
    };
    for (const Place& place : observed_places(parsed(text), before))
      result += place.to_string() + " ";
    return result;
  };
  EXPECT_EQ(names("exists (y=1 /\\ 1:X10=1 /\\ x=1 /\\ 1:X2=0 /\\ 0:X3=1 /\\ y=2)"),
            "0:X3 1:X2 1:X10 [x] [y] ");
  EXPECT_EQ(names("locations [z;] filter 2:X1=0 exists x=1:X1"), "1:X1 2:X1 [x] [z] ");
}

TEST(LitmusCondition, RegistersOfX86ComeInTheOrderOfTheMachine) {
  const auto dialect = make_x86(false);
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"EAX", "EBX"}, {"EDX", "ESI"}, {"ESI", "EDI"}, {"EDI", "EBP"}}) {
    EXPECT_TRUE(dialect->is_register_before(a, b)) << a << b;
    EXPECT_FALSE(dialect->is_register_before(b, a)) << a << b;
  }
}

TEST(LitmusCondition, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(error_of("exists (x=1"), "1:12: expected ')', not the end of the file [LIT-001]");
  EXPECT_EQ(error_of("exists x"), "1:9: expected '=' or '!=', not the end of the file [LIT-001]");
  EXPECT_EQ(error_of("exists x=1 y"),
            "1:12: expected 'locations', 'filter', 'exists', '~exists' or 'forall', not 'y' "
            "[LIT-001]");
  EXPECT_EQ(error_of("exists " + std::string(100'000, '(')),
            "1:209: the condition is nested too deeply [LIT-003]");
  EXPECT_EQ(error_of("exists " + std::string(100'000, '~')),
            "1:209: the condition is nested too deeply [LIT-003]");
  EXPECT_EQ(error_of("locations [x y z"),
            "1:17: expected ';' or ']', not the end of the file [LIT-001]");
}

TEST(LitmusCondition, ANumberIsReadInTheWidthOfTheType) {
  using Contents = std::vector<std::uint64_t>;
  Observed as_int;
  as_int.bits = 64;
  as_int.type_bits = 32;
  EXPECT_EQ(contents_equal_to(as_int, 1), Contents{1});
  EXPECT_EQ(contents_equal_to(as_int, ~std::uint64_t{0}),
            (Contents{~std::uint64_t{0}, 0xffff'ffff}));
  EXPECT_EQ(contents_equal_to(as_int, 0xffff'ffff), (Contents{0xffff'ffff, ~std::uint64_t{0}}));
  EXPECT_EQ(contents_equal_to(as_int, 0x1'0000'0002), Contents{0x1'0000'0002});
  Observed whole = as_int;
  whole.type_bits = 64;
  EXPECT_EQ(contents_equal_to(whole, 0xffff'ffff), Contents{0xffff'ffff});
  Observed half; // a register of 32 bits, whatever its type is
  half.bits = 32;
  half.type_bits = 64;
  EXPECT_EQ(contents_equal_to(half, ~std::uint64_t{0}), Contents{0xffff'ffff});
}

} // namespace heddle::frontend::litmus
