// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// C11 atomics, and the C around them: expressions, control, types.
#include "frontend/litmus/shared/test.h"
#include "unit/frontend_litmus/c_emitted.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {
namespace {

TEST(CAtomic, LoadsStoresFences) {
  EXPECT_EQ(code_of_body("int r = atomic_load_explicit(x, memory_order_acquire);\n"
                         "atomic_store_explicit(y, r, memory_order_release);\n"
                         "atomic_thread_fence(memory_order_acq_rel);\n"
                         "atomic_store(z, 1);\n"),
            "%2 = load.atomic.acquire @x\n"
            "%r = copy %2\n"
            "store.atomic.release i32 %r, @y\n"
            "fence.atomic.acq_rel\n"
            "store.atomic.seq_cst i32 1, @z\n");
}

TEST(CAtomic, ReadModifyWrites) {
  EXPECT_EQ(code_of_body("atomic_exchange_explicit(x, 2, memory_order_acq_rel);\n"
                         "atomic_fetch_add(x, 1);\n"
                         "atomic_fetch_sub_explicit(x, 1, memory_order_relaxed);\n"
                         "atomic_fetch_xor_explicit(x, 1, memory_order_release);\n"),
            "%1 = rmw.atomic.acq_rel xchg @x, i32 2\n"
            "%2 = rmw.atomic.seq_cst add @x, i32 1\n"
            "%3 = rmw.atomic.relaxed sub @x, i32 1\n"
            "%4 = rmw.atomic.release xor @x, i32 1\n");
}

TEST(CAtomic, FailedCompareExchangeWritesTheExpectedValue) {
  EXPECT_EQ(
      code_of_body("int r = atomic_compare_exchange_weak_explicit(x, y, 2, memory_order_acq_rel, "
                   "memory_order_acquire);"),
      "%2 = load @y\n"
      "%3, %4 = cmpxchg.atomic.acq_rel weak @x, %2, i32 2 failure acquire\n"
      "branch %4, b3, b2\n"
      "end:\n"
      "ret ptr 0\n"
      "b2:\n"
      "store i32 %3, @y\n"
      "jump b3\n"
      "b3:\n"
      "%5 = zext %4\n"
      "%r = copy %5\n"
      "jump end\n");
}

TEST(CAtomic, PlainAccessOfAnAtomicIsPlain) {
  const auto test = parse_right("C t\n{}\nP0(atomic_int *x) { *x = 1; int r = *x; }\n"
                                "exists (0:r=1)\n");
  EXPECT_EQ(code_of(test, "P0"),
            "store i32 1, @x\n%2 = load @x\n%r = copy %2\n"
            "jump end\nend:\nstore i32 %r, @\"0:r\"\nret ptr 0\n");
  EXPECT_EQ(test.vocabulary, "c11");
}

TEST(CAtomic, VocabularyIsFoundByTheFunctions) {
  EXPECT_EQ(parse_right("C t\n{}\nP0(int *x) { smp_mb(); }\nexists (x=0)").vocabulary, "lkmm");
  EXPECT_EQ(parse_right("C t\n{}\nP0(int *x) { atomic_fetch_add(x, 1); }\nexists (x=0)").vocabulary,
            "c11");
  // The arguments of atomic_fetch_add stand the other way round in the kernel.
  const auto kernel = parse_right("C t\n{}\nP0(int *x) { atomic_fetch_add(1, x); smp_mb(); }\n"
                                  "exists (x=0)");
  EXPECT_EQ(kernel.vocabulary, "lkmm");
  EXPECT_NE(code_of(kernel, "P0").find("rmw.atomic.relaxed[\"once\"] add @x, i32 1"),
            std::string::npos);
}

TEST(CExpressions, NothingIsFolded) {
  EXPECT_EQ(code_of_body("int r = *x; int s = r ^ r; *y = s + 1;"),
            "%3 = load @x\n"
            "%r = copy %3\n"
            "%4 = xor %r, %r\n"
            "%s = copy %4\n"
            "%5 = add %s, i32 1\n"
            "store i32 %5, @y\n");
}

TEST(CExpressions, PrecedenceIsThatOfC) {
  EXPECT_EQ(code_of_body("int r; int s; r = r | s & 3 + 2 * s == 1;"),
            "%3 = mul i32 2, %s\n"
            "%4 = add i32 3, %3\n"
            "%5 = eq %4, i32 1\n"
            "%6 = zext %5\n"
            "%7 = and %s, %6\n"
            "%8 = or %r, %7\n"
            "%r = copy %8\n");
}

TEST(CExpressions, SignsDecideComparisonsAndShifts) {
  EXPECT_EQ(code_of_body("int a; unsigned int b; a = a < 1; a = a < b; a = a >> 1; b = b >> 1;"),
            "%3 = slt %a, i32 1\n"
            "%4 = zext %3\n"
            "%a = copy %4\n"
            "%5 = ult %a, %b\n"
            "%6 = zext %5\n"
            "%a = copy %6\n"
            "%7 = ashr %a, i32 1\n"
            "%a = copy %7\n"
            "%8 = lshr %b, i32 1\n"
            "%b = copy %8\n");
}

TEST(CExpressions, NarrowTypesArePromoted) {
  EXPECT_EQ(code_of_body("char c; unsigned char u; int r = c + u; c = r;"),
            "%4 = sext %c\n"
            "%5 = zext %u\n"
            "%6 = add %4, %5\n"
            "%r = copy %6\n"
            "%7 = trunc %r\n"
            "%c = copy %7\n");
}

TEST(CExpressions, PointersMoveByElements) {
  const auto test = parse_right("C t\n{ int a[3] = {1, 2, 3}; }\nP0(int *a) {\n"
                                "int r = a[2]; int *p = a + r; *p = 7;\n}\n"
                                "exists (0:r=3 /\\ a[1]=2)\n");
  EXPECT_EQ(code_of(test, "P0"),
            "%3 = ptradd @a, i64 8\n"
            "%4 = load %3\n"
            "%r = copy %4\n"
            "%5 = sext %r\n"
            "%6 = mul %5, i64 4\n"
            "%7 = ptradd @a, %6\n"
            "%p = copy %7\n"
            "store i32 7, %p\n"
            "jump end\nend:\nstore i32 %r, @\"0:r\"\nret ptr 0\n");
  EXPECT_EQ(test.module.globals[*test.module.find_global("a")].size, 12U);
}

TEST(CExpressions, RightSidesThatReadMemoryWaitForTheLeft) {
  EXPECT_EQ(code_of_body("int r; int s = r && r > 1;"),
            "%3 = ne %r, i32 0\n"
            "%4 = slt i32 1, %r\n"
            "%5 = and %3, %4\n"
            "%6 = zext %5\n"
            "%s = copy %6\n");
  EXPECT_EQ(code_of_body("int r; int s = r && *x;"),
            "%3 = ne %r, i32 0\n"
            "%4 = copy %3\n"
            "branch %3, b2, b3\n"
            "end:\n"
            "ret ptr 0\n"
            "b2:\n"
            "%5 = load @x\n"
            "%6 = ne %5, i32 0\n"
            "%4 = copy %6\n"
            "jump b3\n"
            "b3:\n"
            "%7 = zext %4\n"
            "%s = copy %7\n"
            "jump end\n");
  EXPECT_EQ(code_of_body("int r; int s = r ? 1 : r;"),
            "%3 = ne %r, i32 0\n"
            "%4 = select %3, i32 1, %r\n"
            "%s = copy %4\n");
}

TEST(CStatements, IfAndElse) {
  EXPECT_EQ(code_of_body("int r = *x; if (r == 1) *y = 1; else { *y = 2; } *z = 3;"),
            "%2 = load @x\n"
            "%r = copy %2\n"
            "%3 = eq %r, i32 1\n"
            "branch %3, b2, b4\n"
            "end:\n"
            "ret ptr 0\n"
            "b2:\n"
            "store i32 1, @y\n"
            "jump b3\n"
            "b3:\n"
            "store i32 3, @z\n"
            "jump end\n"
            "b4:\n"
            "store i32 2, @y\n"
            "jump b3\n");
}

TEST(CStatements, Loops) {
  EXPECT_EQ(code_of_body("while (*x) { if (*y) break; *z = 1; }"),
            "jump b2\n"
            "end:\n"
            "ret ptr 0\n"
            "b2:\n"
            "%1 = load @x\n"
            "%2 = ne %1, i32 0\n"
            "branch %2, b3, b4\n"
            "b3:\n"
            "%3 = load @y\n"
            "%4 = ne %3, i32 0\n"
            "branch %4, b5, b6\n"
            "b4:\n"
            "jump end\n"
            "b5:\n"
            "jump b4\n"
            "b6:\n"
            "store i32 1, @z\n"
            "jump b2\n"
            "b7:\n"
            "jump b6\n");
  const std::string code = code_of_body("for (int i = 0; i < 2; i++) { *x = i; continue; }");
  EXPECT_NE(code.find("%2 = slt %i, i32 2\nbranch %2, b3, b5\n"), std::string::npos) << code;
  EXPECT_NE(code.find("b4:\n%3 = add %i, i32 1\n%i = copy %3\njump b2\n"), std::string::npos)
      << code;
  const std::string once = code_of_body("do { *x = 1; } while (*y);");
  EXPECT_TRUE(once.starts_with("jump b3\n")) << once;
}

TEST(CStatements, LocalsAreFlatAndZeroAtFirst) {
  const auto test = parse_right("C t\n{ 0:s=5; }\nP0(int *x) {\n"
                                "if (*x) { int r = 1; } t = s;\n}\n"
                                "exists (0:r=0 /\\ 0:t=5 /\\ 0:never=0)\n");
  const ir::Function& code = test.module.functions[*test.module.find_function("P0")];
  std::vector<std::string> starts;
  for (const ir::Instruction& instruction : code.blocks.begin()->instructions)
    if (const auto* copy = std::get_if<ir::Compute>(&instruction.operation);
        copy != nullptr && instruction.loc == code.loc)
      starts.push_back(code.registers[copy->dest].name + "=" +
                       std::to_string(std::get<ir::Constant>(copy->operands.front()).value));
  EXPECT_EQ(starts, (std::vector<std::string>{"never=0", "r=0", "s=5", "t=0"}));
  ASSERT_EQ(test.observed.size(), 3U);
  EXPECT_EQ(test.observed[1].name, "0:r");
  EXPECT_EQ(test.observed[1].bits, 32);
}

TEST(CStatements, ParametersCanBeAssignedTo) {
  const auto test = parse_right("C t\n{}\nP0(int *x, int *y) { x = y; *x = 1; }\nexists (y=1)\n");
  EXPECT_EQ(code_of(test, "P0"), "%x = copy @y\nstore i32 1, %x\njump end\nend:\nret ptr 0\n");
}

TEST(CStatements, LinesForPeople) {
  const auto test =
      parse_right("C t\n{}\nP0(int *x) {\n  *x = 1;\n\n  if (*x)\n    *x = 2; // two\n}\n"
                  "exists (x=1)\n");
  ASSERT_EQ(test.threads.size(), 1U);
  ASSERT_EQ(test.threads[0].lines.size(), 3U);
  EXPECT_EQ(test.threads[0].lines[1].text, "if (*x)");
  EXPECT_EQ(test.threads[0].lines[1].loc.line, 6U);
  EXPECT_EQ(test.threads[0].lines[2].loc.column, 5U);
}

} // namespace
} // namespace heddle::frontend::litmus
