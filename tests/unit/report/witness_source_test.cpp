// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Statements and calls of small texts. In the texts the access that is asked for stands at the sign
// "@", which is taken out before.
#include "report/witness/witness_source.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

struct Marked {
  std::string text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

Marked marked(std::string text) {
  Marked result;
  const std::size_t at = text.find('@');
  for (std::size_t i = 0; i < at; ++i) {
    ++result.column;
    if (text[i] == '\n') {
      ++result.line;
      result.column = 1;
    }
  }
  text.erase(at, 1);
  result.text = std::move(text);
  return result;
}

/// "line:column" of the statement around the mark, with " loop" in the head of one; or "none".
std::string statement(const std::string& text) {
  const Marked mark = marked(text);
  const auto found = WitnessSource(mark.text).statement_at(mark.line, mark.column);
  if (!found)
    return "none";
  return std::to_string(found->start.line) + ":" + std::to_string(found->start.column) +
         (found->is_loop_head ? " loop" : "");
}
std::string statement_in_function(const std::string& body) {
  return statement("int f(void) {\n" + body + "\n}\n");
}

TEST(WitnessSource, StatementsBeginAtTheirFirstToken) {
  EXPECT_EQ(statement_in_function("  x @= 1;"), "2:3");
  EXPECT_EQ(statement_in_function("  x = 1; y @= 2;"), "2:10");
  EXPECT_EQ(statement_in_function("  x =\n    @y;"), "2:3");
  EXPECT_EQ(statement_in_function("  int r = @y;"), "2:3");
  EXPECT_EQ(statement_in_function("  *p @= 1;"), "2:3");
  EXPECT_EQ(statement_in_function("  return @y;"), "2:3");
  EXPECT_EQ(statement_in_function("  { { x @= 1; } }"), "2:7");
  EXPECT_EQ(statement_in_function("  here: x @= 1;"), "2:9");
  EXPECT_EQ(statement_in_function("  @assert(x == 1);"), "2:3");
}

TEST(WitnessSource, HeadsAndBodiesOfConditionsAreTwoStatements) {
  EXPECT_EQ(statement_in_function("  if (@x) y = 1;"), "2:3");
  EXPECT_EQ(statement_in_function("  if (x) y @= 1;"), "2:10");
  EXPECT_EQ(statement_in_function("  if (x) y = 1; else z @= 1;"), "2:22");
  EXPECT_EQ(statement_in_function("  if (x) {\n    y @= 1;\n  }"), "3:5");
  EXPECT_EQ(statement_in_function("  if (x) {} else if (@y) {}"), "2:18");
  EXPECT_EQ(statement_in_function("  switch (x) { case 1: y @= 1; default: z = 2; }"), "2:24");
  EXPECT_EQ(statement_in_function("  switch (x) { case 1: y = 1; default: z @= 2; }"), "2:40");
  EXPECT_EQ(statement_in_function("  x = c ? @y : z;"), "2:3");
}

TEST(WitnessSource, HeadsOfLoopsAreMarked) {
  EXPECT_EQ(statement_in_function("  while (@x) y = 1;"), "2:3 loop");
  EXPECT_EQ(statement_in_function("  while (x) y @= 1;"), "2:13");
  EXPECT_EQ(statement_in_function("  for (i = 0; i < @n; i++) y = 1;"), "2:3 loop");
  EXPECT_EQ(statement_in_function("  for (i = 0; i < n; i++) { y @= 1; }"), "2:29");
  // The end of a do statement is no statement.
  EXPECT_EQ(statement_in_function("  do { y @= 1; } while (x);"), "2:8");
  EXPECT_EQ(statement_in_function("  do { y = 1; } while (@x);"), "none");
  EXPECT_EQ(statement_in_function("  do y = 1; while (@x);"), "none");
  EXPECT_EQ(statement_in_function("  do { y = 1; } while (x); z @= 1;"), "2:28");
}

TEST(WitnessSource, TheRestAfterAStatementInAnExpressionIsNotReachedAgain) {
  EXPECT_EQ(statement_in_function("  x = ({ y @= 1; y; }) + z;"), "2:10");
  EXPECT_EQ(statement_in_function("  x = ({ y = 1; y; }) + @z;"), "none");
  EXPECT_EQ(statement_in_function("  x = ({ y = 1; y; }) + z; w @= 1;"), "2:28");
}

TEST(WitnessSource, ListsInBracesAreNoBlocks) {
  EXPECT_EQ(statement_in_function("  int a[] = {1, @x};"), "2:3");
  EXPECT_EQ(statement_in_function("  p = &(struct s){1, @x};"), "2:3");
  EXPECT_EQ(statement("struct s { int a; int b; };\nint f(void) {\n  x @= 1;\n}\n"), "3:3");
  EXPECT_EQ(statement("int a[] = {1, @2};\n"), "none");
}

TEST(WitnessSource, CommentsStringsAndThePreprocessorHideTheirSigns) {
  EXPECT_EQ(statement_in_function("  // it ends here; {\n  x @= 1;"), "3:3");
  EXPECT_EQ(statement_in_function("  /* ; { */ x @= 1;"), "2:13");
  EXPECT_EQ(statement_in_function("  puts(\"; { \\\" ;\"), x @= ';';"), "2:3");
  EXPECT_EQ(statement("#define M {{{ \\\n  (((\nint f(void) {\n  x @= 1;\n}\n"), "4:3");
}

TEST(WitnessSource, ColumnsCountCharacters) {
  EXPECT_EQ(statement_in_function("\tx = \"\xc3\xa4\"; y @= 1;"), "2:11");
}

TEST(WitnessSource, ATextWhoseBracketsDoNotMatchHasNoStatements) {
  EXPECT_EQ(statement("int f(void) {\n  x @= 1;\n"), "none");
  EXPECT_EQ(statement("int f(void) {\n  x @= (1;\n}\n"), "none");
  EXPECT_EQ(statement("int f(void) {\n  x @= 1);\n}\n"), "none");
  EXPECT_EQ(statement("@"), "none");
}

TEST(WitnessSource, CallsEndAtTheirParenthesis) {
  const Marked mark = marked("int f(void) {\n  t = @create(&a, (void *)0, g(\")\"));\n}\n");
  const auto call = WitnessSource(mark.text).call_at(mark.line, mark.column);
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->name, "create");
  EXPECT_EQ(call->end, (TextPlace{2, 35}));
  EXPECT_FALSE(call->is_only_call_of_line);

  const Marked alone = marked("int f(void) {\n  if (@nondet() > sizeof(int))\n    g();\n}\n");
  const auto only = WitnessSource(alone.text).call_at(alone.line, alone.column);
  ASSERT_TRUE(only.has_value());
  EXPECT_EQ(only->end, (TextPlace{2, 14}));
  EXPECT_TRUE(only->is_only_call_of_line);

  const WitnessSource source("int f(void) {\n  x = 1;\n  g(\n}\n");
  EXPECT_FALSE(source.call_at(2, 3).has_value()); // a word, not called
  EXPECT_FALSE(source.call_at(2, 5).has_value()); // no word
  EXPECT_FALSE(source.call_at(3, 3).has_value()); // never closed
  EXPECT_FALSE(source.call_at(9, 1).has_value());
  EXPECT_FALSE(source.call_at(2, 99).has_value());
  EXPECT_FALSE(source.call_at(2, 0).has_value());
}

} // namespace
} // namespace heddle::report
