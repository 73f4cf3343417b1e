// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Initial states as written: entries, types, values, and what is said about wrong ones.
#include "frontend/litmus/shared/initial_state.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::vector<InitialEntry> parsed(const std::string& text) {
  Lexer lexer(text);
  Result<std::vector<InitialEntry>> entries = parse_initial_state(lexer);
  EXPECT_TRUE(entries) << text << ": " << entries.error().to_string();
  return entries ? *entries : std::vector<InitialEntry>{};
}

std::string printed(const std::string& text) {
  std::string result = print_initial_state(parsed(text));
  for (char& c : result)
    c = c == '\n' ? ' ' : c;
  return result;
}

std::string error_of(const std::string& text) {
  Lexer lexer(text);
  const Result<std::vector<InitialEntry>> entries = parse_initial_state(lexer);
  if (entries)
    return "none";
  Error error = entries.error();
  error.file = "t";
  return error.to_string().substr(2);
}

} // namespace

TEST(LitmusInitialState, LocationsAndRegisters) {
  const auto entries = parsed("{ x=1; [y] = 0x10; 0:X1=x; P2:EAX = -3 }");
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].place.to_string(), "[x]");
  EXPECT_EQ(std::get<NumberValue>(entries[1].value->content).bits(), 16U);
  EXPECT_EQ(entries[2].place.thread, 0U);
  EXPECT_EQ(std::get<NameValue>(entries[2].value->content).name, "x");
  EXPECT_EQ(entries[3].place.to_string(), "2:EAX");
  EXPECT_EQ(std::get<NumberValue>(entries[3].value->content).bits(), ~std::uint64_t{2});
}

TEST(LitmusInitialState, TypesMayStandWithoutAValue) {
  const auto entries = parsed("{ int x; uint64_t *0:X1; unsigned int y = 3; struct s* p = &x; }");
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].type->words, "int");
  EXPECT_FALSE(entries[0].value);
  EXPECT_EQ(entries[1].type->stars, 1U);
  EXPECT_EQ(entries[1].place.to_string(), "0:X1");
  EXPECT_EQ(entries[2].type->words, "unsigned int");
  EXPECT_EQ(entries[3].type->to_string(), "struct s*");
  EXPECT_EQ(std::get<NameValue>(entries[3].value->content).name, "x");
}

TEST(LitmusInitialState, ArraysAndInitialisers) {
  EXPECT_EQ(printed("{ int a[2] = {1,-2}; uint8_t b[4]; c[1]=3; int d[] = {x, &y}; }"),
            "{ int a[2] = {1, -2}; uint8_t b[4]; c[1] = 3; int d[] = {x, y}; } ");
  EXPECT_EQ(printed("{ atomic_t x = ATOMIC_INIT(7); int *p = a[1]; q = x+8; }"),
            "{ atomic_t x = 7; int* p = a[1]; q = x+8; } ");
  EXPECT_EQ(printed("{int x, y = 2;}"), "{ int x; int y = 2; } ");
}

TEST(LitmusInitialState, CommentsAndEmptyOnesAndATrailingSemicolon) {
  EXPECT_EQ(printed("{ (* x=1; (* y *) *) ;; // z=1\n };"), "{ } ");
  Lexer lexer("{} ; exists");
  ASSERT_TRUE(parse_initial_state(lexer));
  EXPECT_TRUE(lexer.is_name("exists"));
}

TEST(LitmusInitialState, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(error_of("{ x }"), "1:5: expected '=' and a value, not '}' [LIT-001]");
  EXPECT_EQ(error_of("{ x=\n ; }"),
            "2:2: expected a value: a number, a location or { … }, not ';' [LIT-001]");
  EXPECT_EQ(error_of("{ x=1 y=2 }"), "1:7: expected ';' or '}', not 'y' [LIT-001]");
  EXPECT_EQ(error_of("{ x=99999999999999999999 }"),
            "1:5: the number 99999999999999999999 has more than 64 bits [LIT-002]");
  EXPECT_EQ(error_of("{ x=1"), "1:6: expected ';' or '}', not the end of the file [LIT-001]");
  EXPECT_EQ(error_of("{ x=" + std::string(1000, '(')),
            "1:70: the value is nested too deeply [LIT-003]");
  EXPECT_EQ(error_of("x=1"), "1:1: expected '{', not 'x' [LIT-001]");
}

TEST(LitmusInitialState, WidthsOfTypes) {
  const auto bits = [](const std::string& words, unsigned stars = 0) {
    const auto scalar = find_scalar({words, stars}, 64);
    return scalar ? (scalar->is_signed ? -1 : 1) * static_cast<int>(scalar->bits) : 0;
  };
  EXPECT_EQ(bits("int"), -32);
  EXPECT_EQ(bits("uint8_t"), 8);
  EXPECT_EQ(bits("volatile unsigned short"), 16);
  EXPECT_EQ(bits("long"), -64);
  EXPECT_EQ(bits("int", 1), 64);
  EXPECT_EQ(bits("anything", 2), 64);
  EXPECT_EQ(bits("anything"), 0);
  EXPECT_EQ(find_scalar({"long", 0}, 32)->bits, 32U);
}

} // namespace heddle::frontend::litmus
