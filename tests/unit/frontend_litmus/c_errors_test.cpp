// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is refused, and where. No text may bring the front end down.
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "unit/frontend_litmus/c_emitted.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {
namespace {

using Errors = std::vector<std::string>;

Errors wrong_body(const std::string& body) {
  return parse_wrong("C t\n{}\nP0(int *x) {\n" + body + "\n}\nexists (x=0)\n");
}

TEST(CErrors, SeveralOfAFile) {
  EXPECT_EQ(wrong_body("int r = ;\n*x = 1;\n*x = (1;\ngoto end;"),
            (Errors{"4:9 LIT-200", "6:8 LIT-200", "7:1 LIT-202"}));
}

TEST(CErrors, Syntax) {
  EXPECT_EQ(wrong_body("struct list *p;"), (Errors{"4:8 LIT-200"}));
  EXPECT_EQ(wrong_body("int a[2];"), (Errors{"4:6 LIT-203"}));
  EXPECT_EQ(wrong_body("switch (*x) {}"), (Errors{"4:1 LIT-202"}));
  EXPECT_EQ(wrong_body("int r = 0xfffffffffffffffff;"), (Errors{"4:9 LIT-201"}));
  EXPECT_EQ(wrong_body("*x = 12ab;"), (Errors{"4:6 LIT-200"}));
  EXPECT_EQ(wrong_body("*x = 1 @ 2;"), (Errors{"4:8 LIT-200"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int *x) { *x = 1;"), (Errors{"3:21 LIT-200"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int x) { }\nexists (x=0)"), (Errors{"3:8 LIT-230"}));
  // A parameter that names no location may still be read, written and observed.
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int x) { int r = x; }\nexists (0:r=0)"),
            (Errors{"3:8 LIT-230"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int x) { x = 1; *x = x; }\nexists (0:x=0)"),
            (Errors{"3:8 LIT-230"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int *x) { }\nP0(int *x) { }\nexists (x=0)"),
            (Errors{"4:1 LIT-260"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nexists (x=0)"), (Errors{"3:1 LIT-261"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int *P0) { }\nexists (main=0)"),
            (Errors{"3:13 LIT-028", "3:13 LIT-028"}));
}

TEST(CErrors, Functions) {
  EXPECT_EQ(wrong_body("frobnicate(x);"), (Errors{"4:1 LIT-240"}));
  EXPECT_EQ(wrong_body("smp_mb(); READ_ONCE(*x, 1);"), (Errors{"4:11 LIT-240"}));
  EXPECT_EQ(wrong_body("atomic_load_explicit(x);"), (Errors{"4:1 LIT-241"}));
  EXPECT_EQ(wrong_body("atomic_load_explicit(x, acquire);"), (Errors{"4:25 LIT-242"}));
  EXPECT_EQ(wrong_body("atomic_load_explicit(x, memory_order_release);"), (Errors{"4:25 LIT-243"}));
  EXPECT_EQ(wrong_body("atomic_store_explicit(x, 1, memory_order_acquire);"),
            (Errors{"4:29 LIT-243"}));
  EXPECT_EQ(wrong_body("int r = smp_mb();"), (Errors{"4:9 LIT-211"}));
  EXPECT_EQ(wrong_body("__load{once}(x);"), (Errors{"4:14 LIT-234"}));
  EXPECT_EQ(wrong_body("__fence;"), (Errors{"4:1 LIT-251"}));
  EXPECT_EQ(wrong_body("__nothing{mb}(x);"), (Errors{"4:1 LIT-250"}));
  EXPECT_EQ(wrong_body("*5 = 1;"), (Errors{"4:1 LIT-233"}));
}

TEST(CErrors, Definitions) {
  const std::string text = "C t\n{}\nP0(int *x) { f(x); smp_mb(); }\nexists (x=0)\n";
  EXPECT_EQ(parse_wrong(text, "f(X) g(X)\ng(X) f(X)"), (Errors{"3:14 LIT-212"}));
  EXPECT_EQ(parse_wrong(text, "f(X) {\n"), (Errors{"2:1 LIT-200"}));
  EXPECT_EQ(parse_wrong(text, "f(X) 1\n7"), (Errors{"2:1 LIT-210"}));
  EXPECT_EQ(parse_wrong(text, "f(X) __atomic_op_return{mb}(X, 1, 1)"), (Errors{"3:14 LIT-252"}));
}

TEST(CErrors, InitialStateAndCondition) {
  EXPECT_EQ(parse_wrong("C t\n{ int a[2] = {1,2,3}; int b[9999999999]; }\nP0(int *a) { }\n"
                        "exists (a[0]=0)"),
            (Errors{"2:27 LIT-262"}));
  EXPECT_EQ(parse_wrong("C t\n{}\nP0(int *x) { }\nexists (3:r=0)"), (Errors{"4:9 LIT-026"}));
  EXPECT_EQ(parse_wrong("C t\n{ 4:r=1; }\nP0(int *x) { }\nexists (x=0)"), (Errors{"2:3 LIT-026"}));
}

TEST(CErrors, DepthIsLimited) {
  EXPECT_FALSE(wrong_body("*x = " + std::string(5000, '(') + "1;").empty());
  EXPECT_FALSE(wrong_body("*x = " + std::string(5000, '-') + "1;").empty());
  EXPECT_FALSE(wrong_body(std::string(5000, '{')).empty());
  std::string sum = "1";
  std::string index = "x";
  for (int i = 0; i < 100'000; ++i) {
    sum += "+1";
    index += "[0]";
  }
  EXPECT_FALSE(wrong_body("*x = " + sum + ";").empty());
  EXPECT_FALSE(wrong_body(index + " = 1;").empty());
  std::string ifs;
  for (int i = 0; i < 5000; ++i)
    ifs += "if (1) ";
  EXPECT_FALSE(wrong_body(ifs + ";").empty());
}

TEST(CErrors, NoPrefixOfATestIsFatal) {
  const std::string text =
      "C t\n{ int x=1; p=x; }\nP0(int *x, int **p) {\n"
      "int r = cmpxchg(x, 1, 2); if (r) { *x = r ? 1 : *x; } else spin_lock(x);\n"
      "while (r < 3) { r++; }\n}\nexists (0:r=1 /\\ p=x)\n";
  ASSERT_TRUE(parse_wrong(text).empty());
  for (std::size_t length = 0; length < text.size(); ++length)
    (void)parse(text.substr(0, length), "t.litmus");
  for (std::size_t gone = 0; gone < text.size(); ++gone)
    (void)parse(text.substr(0, gone) + text.substr(gone + 1), "t.litmus");
}

} // namespace
} // namespace heddle::frontend::litmus
