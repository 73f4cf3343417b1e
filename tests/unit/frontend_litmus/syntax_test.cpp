// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Assembly tests as written: header, table, and printing what was read so that it is read the same.
#include "frontend/litmus/asm/parsed_test.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace heddle::frontend::litmus {

namespace {

ParsedTest parsed(const std::string& text) {
  const Result<ParsedTest> test = parse_syntax(text);
  EXPECT_TRUE(test) << text << ": " << test.error().to_string();
  return test ? *test : ParsedTest{};
}

std::string error_of(const std::string& text) {
  const Result<ParsedTest> test = parse_syntax(text);
  if (test)
    return "none";
  Error error = test.error();
  error.file = "t";
  return error.to_string().substr(2);
}

constexpr const char* kTest = R"(X86 a/b.c+d (alias) "one
two"
Cycle=Rfe PodRW
 Relax = [Rfe]
a note
(* Key=Value {} *)
{ x=1; 0:EAX=2; }
 P0         | P1:A        ;
 MOV [x],$1 |(* c | ; *)  ; // all of P1 comes later |
 L: M: NOP  | MOV EAX,[x] ;
            | L0:         ;
locations [x;]
~exists (x=2 /\ ~(1:EAX=0 \/ 0:EAX!=3))
)";

} // namespace

TEST(LitmusSyntax, HeadersHaveANameAndATextAndMetadata) {
  const Header header = parsed(kTest).header;
  EXPECT_EQ(header.architecture, "X86");
  EXPECT_EQ(header.name, "a/b.c+d");
  EXPECT_EQ(header.text, "one\ntwo");
  ASSERT_EQ(header.metadata.size(), 2U);
  EXPECT_EQ(header.metadata[0], std::pair(std::string("Cycle"), std::string("Rfe PodRW")));
  EXPECT_EQ(header.metadata[1], std::pair(std::string("Relax"), std::string("[Rfe]")));
}

TEST(LitmusSyntax, TablesHaveAColumnForEachThread) {
  const ParsedTest test = parsed(kTest);
  ASSERT_EQ(test.threads.size(), 2U);
  EXPECT_EQ(test.threads[1].annotation, ":A");
  ASSERT_EQ(test.threads[0].lines.size(), 2U);
  EXPECT_EQ(test.threads[0].lines[0].text, "MOV [x],$1");
  EXPECT_EQ(test.threads[0].lines[0].loc, (SourceLoc{1, 9, 2}));
  EXPECT_EQ(test.threads[0].lines[1].labels, (std::vector<std::string>{"L", "M"}));
  EXPECT_EQ(test.threads[0].lines[1].text, "NOP");
  EXPECT_EQ(test.threads[0].lines[1].text_loc, (SourceLoc{1, 10, 8}));
  ASSERT_EQ(test.threads[1].lines.size(), 2U);
  EXPECT_EQ(test.threads[1].lines[0].text, "MOV EAX,[x]");
  EXPECT_EQ(test.threads[1].lines[1].labels, std::vector<std::string>{"L0"});
  EXPECT_EQ(test.threads[1].lines[1].text, "");
}

TEST(LitmusSyntax, PrintedAndReadAgainItIsTheSame) {
  const ParsedTest test = parsed(kTest);
  const std::string text = print(test);
  EXPECT_EQ(text,
            "X86 a/b.c+d\n\"one\ntwo\"\nCycle=Rfe PodRW\nRelax=[Rfe]\n"
            "{\nx = 1;\n0:EAX = 2;\n}\n"
            " P0         | P1:A        ;\n"
            " MOV [x],$1 | MOV EAX,[x] ;\n"
            " L: M: NOP  | L0:         ;\n"
            "locations [[x];]\n"
            "~exists ([x]=2 /\\ not (1:EAX=0 \\/ 0:EAX!=3))\n");
  EXPECT_TRUE(is_same(parsed(text), test));
}

TEST(LitmusSyntax, DifferentTestsAreNotTheSame) {
  const ParsedTest test = parsed(kTest);
  for (const auto& [what, other] :
       std::vector<std::pair<std::string, std::string>>{{"x=1", "x=2"},
                                                        {"MOV [x]", "MOV [y]"},
                                                        {"Rfe PodRW", "Rfi"},
                                                        {"L: M", "L"},
                                                        {"locations [x;]", ""},
                                                        {"x=2 /\\", "x=3 /\\"},
                                                        {"0:EAX!=3", "0:EAX=3"},
                                                        {"~exists", "forall"}}) {
    std::string text = kTest;
    text.replace(text.find(what), what.size(), other);
    EXPECT_FALSE(is_same(parsed(text), test)) << what;
  }
}

TEST(LitmusSyntax, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(error_of(""),
            "1:1: expected the architecture and the name of the test, not the end of the file "
            "[LIT-001]");
  EXPECT_EQ(error_of("X86"),
            "1:4: expected the name of the test, not the end of the file [LIT-001]");
  EXPECT_EQ(error_of("X86 a\n"), "2:1: expected '{', not the end of the file [LIT-001]");
  EXPECT_EQ(error_of("X86 a\n{}\n P0 | P1 "),
            "3:2: expected ';' at the end of this row of instructions [LIT-010]");
  EXPECT_EQ(error_of("X86 a\n{}\n P0 | Q1 ;"),
            "3:7: expected the name of a thread, P0, not 'Q1' [LIT-011]");
  EXPECT_EQ(error_of("X86 a\n{}\n P0 | P0 ;"), "3:7: thread P0 occurs twice [LIT-011]");
  EXPECT_EQ(error_of("X86 a\n{}\n P0 | P0.F ;"),
            "3:7: 'P0.F' is not supported: only threads P0, P1, … [LIT-012]");
  EXPECT_EQ(error_of("X86 a\n{}\n P0 ;\n NOP | NOP ;"),
            "4:8: this row has more cells than there are threads [LIT-013]");
}

// What the pieces of a test may look like, glued together at random: it is refused, or printed and
// read back the same.
RC_GTEST_PROP(LitmusSyntax, ReadingWhatWasPrintedGivesTheSame, ()) {
  static const std::vector<std::string> kPieces = {
      "X86 a\n", "{",          "}",       "x=1;",        "0:EAX=x;", "int x[2]={1,2};",
      "P0",      "|",          ";\n",     "P1:B",        "NOP",      "L:",
      "(*",      "*)",         "\"t\"",   "Key=Value\n", "//",       "\n",
      "exists ", "forall ",    "(",       ")",           " /\\ ",    " \\/ ",
      "~",       "x=1",        "0:EAX=0", "true",        " => ",     "locations [x;]\n",
      "filter ", "MOV [x],$1", " ",       "a[1]!=2"};
  std::string text = "X86 a\n{}\n P0 ;\n";
  const auto picks = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, kPieces.size()));
  for (const std::size_t pick : picks)
    text += kPieces[pick];
  const Result<ParsedTest> test = parse_syntax(text);
  RC_TAG(test.has_value() ? "read" : "refused");
  if (!test)
    return;
  const Result<ParsedTest> again = parse_syntax(print(*test));
  RC_ASSERT(again.has_value());
  RC_ASSERT(is_same(*again, *test));
}

} // namespace heddle::frontend::litmus
