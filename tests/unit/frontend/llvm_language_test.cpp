// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C language: each construct as it arrives in ir.
#include "frontend/c/load.h"
#include "ir/ir.h"
#include "unit/frontend/llvm_import.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

Options ilp32() {
  Options options;
  options.data_model = ir::DataModel::kILP32;
  return options;
}

TEST(Language, LocalsBecomeRegistersAndGlobalsAreMemory) {
  const std::string text =
      import_c("int x; int main(void) { int a = x; a = a + 1; x = a; return a; }");
  EXPECT_EQ(count(text, " load @x"), 1) << text;
  EXPECT_EQ(count(text, "store i32"), 1) << text;
  EXPECT_EQ(count(text, "slot"), 0) << text;
  EXPECT_EQ(count(text, "\"a\""), 1) << text;
  EXPECT_EQ(count(text, "add nsw"), 1) << text;
}

TEST(Language, AValueReadBeforeAnAssignmentIsKept) {
  // y = x++ must see the old x.
  const std::string text =
      import_c("int g; int main(void) { int x = g; int y = x++; return y * 10 + x; }");
  EXPECT_EQ(lines_equal(text, "%3 = copy %1"), 1) << text;
}

TEST(Language, AnUninitialisedLocalIsOneArbitraryValue) {
  const std::string text =
      import_c("int c; int main(void) { int x; if (c) x = 1; int y = x; return x == y; }");
  EXPECT_EQ(count(text, "nondet \"uninitialised x\""), 1) << text;
  EXPECT_EQ(count(text, "nondet"), 1) << text;
  const std::string sure =
      import_c("int c; int main(void) { int x; if (c) x = 1; else x = 2; return x; }");
  EXPECT_EQ(count(sure, "nondet"), 0) << sure;
}

TEST(Language, IntegerWidthsOfBothDataModels) {
  const std::string source =
      "long l; long long ll; short s; char c; unsigned char u; _Bool b; void* p;\n"
      "int main(void) { l = 1; ll = 2; s = 3; c = 4; u = 5; b = 1; p = 0; return 0; }";
  const std::string lp64 = import_c(source);
  EXPECT_EQ(count(lp64, "global @l : 8 align 8 signed 64"), 1) << lp64;
  EXPECT_EQ(lines_equal(lp64, "store i64 1, @l"), 1) << lp64;
  EXPECT_EQ(count(lp64, "global @p : 8"), 1) << lp64;
  const std::string small = import_c(source, ilp32());
  EXPECT_EQ(count(small, "module ilp32"), 1) << small;
  EXPECT_EQ(lines_equal(small, "store i32 1, @l"), 1) << small;
  EXPECT_EQ(lines_equal(small, "store i64 2, @ll"), 1) << small;
  EXPECT_EQ(lines_equal(small, "store i16 3, @s"), 1) << small;
  EXPECT_EQ(lines_equal(small, "store i8 4, @c"), 1) << small;
  EXPECT_EQ(lines_equal(small, "store i8 1, @b"), 1) << small;
  EXPECT_EQ(count(small, "global @u : 1 align 1 unsigned 8"), 1) << small;
  EXPECT_EQ(count(small, "global @p : 4"), 1) << small;
}

TEST(Language, SignedAndUnsignedOperations) {
  const std::string text = import_c("int a, b; unsigned c, d; long w;\n"
                                    "int main(void) { a = a / b; c = c / d; a = a % b; c = c % d; "
                                    "a = a >> b; c = c >> d; w = a; w = c;\n"
                                    "  a = a < b; c = c > d; a = a * b; c = c * d; return 0; }");
  for (const char* op :
       {"sdiv", "udiv", "srem", "urem", "ashr", "lshr", "sext", "slt", "ult", "mul nsw"}) {
    EXPECT_EQ(count(text, op), 1) << op << "\n" << text;
  }
}

TEST(Language, BitFieldsAreLoadsShiftsAndStores) {
  const std::string text = import_c(
      "struct { unsigned a : 3; int b : 5; } s; int main(void) { s.b = -1; return s.b + s.a; }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_GE(count(text, "load @s"), 2) << text;
  EXPECT_GE(count(text, "ashr"), 1) << text;
}

TEST(Language, EnumsAndSwitch) {
  const std::string text =
      import_c("enum e { A = 1, B = -2 } v; int main(void) { switch (v) { case A: "
               "return 1; case B: return 2; default: return 3; } }");
  EXPECT_EQ(count(text, "switch"), 1) << text;
  EXPECT_EQ(count(text, "[1: sw.bb, 4294967294: sw.bb1]"), 1) << text;
}

TEST(Language, GotoMakesLoops) {
  const std::string text = import_c(
      "int x; int main(void) { again: if (x > 3) goto done; x++; goto again; done: return 0; }");
  EXPECT_EQ(lines_equal(text, "jump again"), 2) << text;
}

TEST(Language, PointersAndMultiDimensionalArrays) {
  const std::string text = import_c("int a[3][5]; int main(void) { int i = a[0][1]; int* p = "
                                    "&a[2][0]; p[i] = 7; a[i][2] = 8; return *(p - 1); }");
  EXPECT_EQ(count(text, "load @a+4"), 1) << text;
  EXPECT_EQ(count(text, "@a+40"), 1) << text;
  EXPECT_EQ(count(text, "i64 20"), 1) << text; // a row
  EXPECT_EQ(count(text, "i64 -4"), 1) << text;
}

TEST(Language, StructsAreCopiedFieldByField) {
  const std::string text =
      import_c("struct s { char c; int i; void* p; } a, b; int main(void) { a = b; return 0; }");
  EXPECT_EQ(count(text, "store ptr"), 1) << text;
  EXPECT_EQ(count(text, "store i32"), 1) << text;
  EXPECT_EQ(count(text, "store i8"), 2) << text; // c, and the first byte of the padding
  EXPECT_EQ(count(text, "store i16"), 1) << text;
}

TEST(Language, UnionsOverlap) {
  const std::string text =
      import_c("union { int i; char c[4]; } u; int main(void) { u.i = 5; return u.c[1]; }");
  EXPECT_EQ(lines_equal(text, "store i32 5, @u"), 1) << text;
  EXPECT_EQ(count(text, "load @u+1"), 1) << text;
}

TEST(Language, StructsByValue) {
  const std::string source =
      "struct pair { long a, b; }; struct big { long v[9]; };\n"
      "struct pair make(long a) { struct pair p = {a, 2}; return p; }\n"
      "struct big give(void) { struct big b = {{1}}; return b; }\n"
      "long take(struct big b) { b.v[1] = 3; return b.v[0]; }\n"
      "int main(void) { struct big b = give(); return make(1).b + take(b); }";
  for (const Options& options : {Options{}, ilp32()}) {
    const std::string text = import_c(source, options);
    EXPECT_EQ(count(text, "trap"), 0) << text;
    EXPECT_EQ(count(function(text, "main"), "\"argument\""), 1) << text;
  }
}

TEST(Language, VariableLengthArraysAndAlloca) {
  const std::string text =
      import_c("#include <alloca.h>\nint n; int main(void) { int a[n]; char* p = alloca(n); "
               "a[0] = 1; p[0] = 1; return a[0]; }");
  EXPECT_EQ(count(text, "alloc frame"), 2) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Language, InitialisedGlobalsStringsAndRelocations) {
  const std::string text = import_c(
      "int a[3] = {1, 2}; int* p = &a[1]; const char* s = \"hi\"; int f(void) { return 1; }\n"
      "int (*fp)(void) = f; struct { short x; int* q; } t = {5, a};\n"
      "int main(void) { return *p + *s + fp() + t.x + *t.q; }");
  EXPECT_EQ(count(text, "init \"010000000200000000000000\""), 1) << text;
  EXPECT_EQ(count(text, "reloc [0: @a+4]"), 1) << text;
  EXPECT_EQ(count(text, "init \"686900\""), 1) << text;
  EXPECT_EQ(count(text, "reloc [0: @f]"), 1) << text;
  EXPECT_EQ(count(text, "reloc [8: @a]"), 1) << text;
}

TEST(Language, StaticLocalsAreGlobals) {
  const std::string text = import_c("int main(void) { static int calls = 7; return ++calls; }");
  EXPECT_EQ(count(text, "@main.calls : 4"), 1) << text;
}

TEST(Language, FunctionPointersAndRecursion) {
  const std::string text =
      import_c("int one(int n) { return n; } int f(int n) { return n ? f(n - 1) : 0; }\n"
               "int (*p)(int) = one; int main(void) { return f(3) + p(2); }");
  EXPECT_EQ(count(function(text, "f"), "call @f("), 1) << text;
  EXPECT_EQ(count(function(text, "main"), "load @p"), 1) << text;
  EXPECT_EQ(count(function(text, "main"), "call %"), 1) << text;
}

TEST(Language, ThreadLocalVariables) {
  const std::string text = import_c("_Thread_local int t = 3; int main(void) { t++; return t; }");
  EXPECT_EQ(count(text, "global thread_local @t : 4"), 1) << text;
  EXPECT_EQ(count(text, "load @t"), 2) << text;
}

TEST(Language, ConditionalValuesAreCopiedOnTheirEdges) {
  const std::string text =
      import_c("int a, b; int main(void) { int c = a ? b : a + 1; return c && b; }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(text, "= copy i1 0"), 1) << text; // the short-circuit edge
}

TEST(Language, PhisOfOneBlockAreCopiedInParallel) {
  const std::string path = write_file(
      "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-n8:16:32:64-S128\"\n"
      "define i32 @main() {\n"
      "entry:\n  br label %loop\n"
      "loop:\n  %a = phi i32 [1, %entry], [%b, %loop]\n"
      "  %b = phi i32 [2, %entry], [%a, %loop]\n"
      "  %c = icmp eq i32 %a, 2\n  br i1 %c, label %out, label %loop\n"
      "out:\n  ret i32 %b\n}\n",
      ".ll");
  const std::string text = import_files({path});
  // a and b change places: both old values are saved before either is written.
  EXPECT_EQ(lines_equal(text, "block loop.to.loop:"), 1) << text;
  const std::string swap = text.substr(text.find("block loop.to.loop:"));
  EXPECT_EQ(count(swap, "= copy %"), 4) << text;
  EXPECT_EQ(lines_equal(swap, "%3 = copy %1"), 1) << text;
  EXPECT_EQ(lines_equal(swap, "%4 = copy %0"), 1) << text;
  EXPECT_EQ(lines_equal(swap, "%0 = copy %3"), 1) << text;
  EXPECT_EQ(lines_equal(swap, "%1 = copy %4"), 1) << text;
}

TEST(Language, UndefIsAnArbitraryValue) {
  const std::string path = write_file("target datalayout = \"e-i64:64\"\ndefine i32 @main() {\n  "
                                      "%f = freeze i32 undef\n  ret i32 %f\n}\n",
                                      ".ll");
  const std::string text = import_files({path});
  EXPECT_EQ(count(text, "nondet \"undefined value\""), 1) << text;
}

TEST(Language, VolatileAccessesAreMarked) {
  const std::string text =
      import_c("volatile int v; int main(void) { volatile int l = 1; v = l; return v; }");
  EXPECT_EQ(lines_equal(text, "store.volatile i32 1, $0"), 1) << text;
  EXPECT_EQ(count(text, "load.volatile @v"), 1) << text;
}

TEST(Language, BlockCopiesBySize) {
  const std::string text =
      import_c("#include <string.h>\nchar a[16], b[16]; int n;\n"
               "int main(void) { memcpy(a, b, 4); memset(a, 255, 2); memmove(a, b, n); "
               "memset(b, n, n); return strlen(a); }");
  EXPECT_EQ(count(text, "call @__heddle_memmove("), 1) << text;
  EXPECT_EQ(count(text, "call @__heddle_memset("), 1) << text;
  EXPECT_EQ(count(text, "call @__heddle_strlen("), 1) << text;
  EXPECT_EQ(count(text, "__heddle_memcpy"), 0) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

// Copies carry along which bytes were never written: every load of one has marks, and so has the
// store of what it loaded.
TEST(Language, CopiesKeepUnwrittenBytes) {
  const std::string pair = "struct pair { char c; long l; };\n";
  const std::string assigned =
      import_c(pair + "struct pair a, b; int main(void) { a = b; return 0; }");
  EXPECT_EQ(count(assigned, "load @b"), count(assigned, " marks ") / 2) << assigned;
  EXPECT_GE(count(assigned, " marks "), 4) << assigned;
  const std::string returned =
      import_c(pair + "struct pair f(void) { struct pair p; p.c = 1; p.l = 2; return p; }\n"
                      "int main(void) { struct pair q = f(); return q.c; }");
  EXPECT_EQ(count(function(returned, "f"), " marks "), 4) << returned;
  EXPECT_EQ(count(function(returned, "main"), " marks "), 4) << returned;
  const std::string moved = import_c("#include <string.h>\nchar a[9]; int n;\n"
                                     "int main(void) { memmove(a, a + 1, n); return 0; }");
  EXPECT_EQ(count(function(moved, "__heddle_memmove"), " marks "), 4) << moved;
  // A value that is looked at is a value.
  const std::string read =
      import_c(pair + "struct pair a; int main(void) { a.l = a.l + 1; return a.c; }");
  EXPECT_EQ(count(read, " marks "), 0) << read;
}

TEST(Language, HeapFunctions) {
  const std::string text =
      import_c("#include <stdlib.h>\nint main(void) { int* p = malloc(4); int* q = calloc(2, 4); "
               "p = realloc(p, 8); free(p); free(q); return 0; }");
  EXPECT_EQ(count(function(text, "main"), "alloc heap i64 4"), 1) << text;
  EXPECT_EQ(count(function(text, "main"), "alloc heap zeroed i64 8"), 1) << text;
  EXPECT_EQ(count(function(text, "main"), "call @__heddle_realloc"), 1) << text;
  EXPECT_EQ(count(function(text, "main"), "free"), 2) << text;
  EXPECT_EQ(count(function(text, "__heddle_realloc"), "block_size"), 1) << text;
}

TEST(Language, OutputIsIgnored) {
  const std::string text =
      import_c("#include <stdio.h>\nint main(void) { printf(\"%d\", 1); puts(\"x\"); "
               "fprintf(stderr, \"y\"); fflush(stdout); return printf(\"z\"); }");
  EXPECT_EQ(count(text, "call"), 0) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(text, "nondet \"printf\""), 1) << text;
}

TEST(Language, AssertAbortExit) {
  const std::string text =
      import_c("#include <assert.h>\n#include <stdlib.h>\nint x; int main(void) { "
               "assert(x == 1); if (x) abort(); if (!x) exit(1); return 0; }");
  EXPECT_EQ(count(text, "assert %"), 1) << text;
  EXPECT_EQ(count(text, ", \"x == 1\""), 1) << text;
  EXPECT_EQ(lines_equal(text, "exit"), 3) << text;
  Options options;
  options.assert_is_error = false;
  const std::string quiet =
      import_c("#include <assert.h>\nint x; int main(void) { assert(x); return 0; }", options);
  EXPECT_EQ(count(quiet, "assert"), 0) << quiet;
  EXPECT_EQ(lines_equal(quiet, "exit"), 1) << quiet;
}

TEST(Language, AnAssertionIsEvaluatedWhetherItHoldsOrNot) {
  const auto assertion = [](const std::string& condition) {
    return import_c("#include <assert.h>\nint x, y; int main(void) { assert(" + condition +
                    "); return 0; }");
  };
  for (const char* condition : {"x", "x == 1 && y == 2", "x || y", "!(x && y)"}) {
    const std::string text = assertion(condition);
    EXPECT_EQ(count(text, "assert %"), 1) << text;
    EXPECT_EQ(count(text, "assert i1"), 0) << text;
    EXPECT_EQ(lines_equal(text, "exit"), 1) << text;
  }
  EXPECT_EQ(count(assertion("0"), "assert i1 0"), 1);
}

TEST(Language, InlineFunctionsKeepTheirBodies) {
  const std::string text =
      import_c("inline int f(int x) { return x + 1; } int main(void) { return f(1); }");
  EXPECT_NE(function(text, "f"), "") << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Language, LegacyCIsAcceptedWithAWarning) {
  const auto loaded =
      load_c("f(x) { return x; }\nint* p; int main() { p = 3; g(); return f(1); } g() { }");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_FALSE(loaded->warnings.empty());
}

TEST(Language, CallsThatDoNotFitAreAdapted) {
  const std::string text =
      import_c("int f(); int main(void) { long r = f(1, 2); return r + f(); }\n"
               "int f(long a) { return a; }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(text, "nondet \"missing argument\""), 1) << text;
}

TEST(Language, CheckedArithmeticAndBitBuiltins) {
  const std::string text =
      import_c("int a, b; unsigned u; unsigned long long w; int main(void) { int r; int o = "
               "__builtin_add_overflow(a, b, &r);\n"
               "o += __builtin_smul_overflow(a, b, &r); o += __builtin_popcount(u) + "
               "__builtin_clz(u) + __builtin_ctzll(w);\n"
               "u = __builtin_bswap32(u); return __builtin_expect(o, 0); }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(function(text, "main"), "call @__heddle_ctpop"), 1) << text;
}

TEST(Language, ConstructorsRunFirst) {
  const std::string text = import_c("int x; __attribute__((constructor)) static void init(void) { "
                                    "x = 1; } int main(void) { return x; }");
  EXPECT_EQ(count(function(text, "main"), "call @init.constructor.0()"), 1) << text;
}

} // namespace
} // namespace heddle::frontend
