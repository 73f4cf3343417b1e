// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Verifier functions, traps, several files, and refusals.
#include "frontend/c/load.h"
#include "ir/ir.h"
#include "unit/frontend/llvm_import.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(Verifier, NondeterministicValues) {
  const std::string text =
      import_c("#include <heddle.h>\nint main(void) { int i = __VERIFIER_nondet_int(); "
               "unsigned char c = __VERIFIER_nondet_uchar(); _Bool b = __VERIFIER_nondet_bool(); "
               "void* p = __VERIFIER_nondet_pointer(); return i + c + b + (p != 0); }");
  EXPECT_EQ(count(text, "nondet \"__VERIFIER_nondet_int\""), 1) << text;
  EXPECT_EQ(count(text, "nondet \"__VERIFIER_nondet_uchar\""), 1) << text;
  EXPECT_EQ(count(text, "nondet \"__VERIFIER_nondet_pointer\""), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Verifier, ANondeterministicBoolIsZeroOrOneEvenAsAnInt) {
  const std::string text = import_c("extern int __VERIFIER_nondet_bool(void); int main(void) { "
                                    "return __VERIFIER_nondet_bool(); }");
  EXPECT_EQ(count(text, ": i1"), 1) << text;
  EXPECT_EQ(count(text, "= zext %"), 1) << text;
}

TEST(Verifier, AssumeAndAssert) {
  const std::string text = import_c(
      "#include <heddle.h>\nextern void assume_abort_if_not(int); int x; int main(void) { "
      "__VERIFIER_assume(x > 1); assume_abort_if_not(x); __VERIFIER_assert(x < 9); return 0; }");
  EXPECT_EQ(count(text, "assume %"), 2) << text;
  EXPECT_EQ(count(text, "assert %"), 1) << text;
}

TEST(Verifier, AssumptionsTheProgramDefinesKeepTheirBodies) {
  const std::string text =
      import_c("void abort(void); void assume_abort_if_not(int c) { if (!c) abort(); } "
               "int x; int main(void) { assume_abort_if_not(x); return 0; }");
  EXPECT_EQ(count(text, "call @assume_abort_if_not"), 1) << text;
  EXPECT_EQ(count(text, "assume %"), 0) << text;
}

TEST(Verifier, ACallOfTheErrorFunctionIsTheViolationWhateverItsBody) {
  const std::string text = import_c(
      "void reach_error(void) { } int x; int main(void) { if (x) reach_error(); return 0; }");
  EXPECT_EQ(count(text, "assert i1 0, \"reach_error() is called\""), 1) << text;
  EXPECT_EQ(lines_equal(text, "exit"), 1) << text;
  Options options;
  options.error_functions = {"my_error"};
  const std::string other = import_c("void reach_error(void) { } void my_error(void) { } int "
                                     "main(void) { reach_error(); my_error(); }",
                                     options);
  EXPECT_EQ(count(other, "call @reach_error()"), 1) << other;
  EXPECT_EQ(count(other, "assert i1 0, \"my_error() is called\""), 1) << other;
}

TEST(Verifier, ErrorFunctionsCalledThroughAPointer) {
  const std::string text = import_c("extern void reach_error(void); void (*p)(void) = reach_error; "
                                    "int main(void) { p(); return 0; }");
  EXPECT_EQ(count(function(text, "reach_error"), "assert i1 0"), 1) << text;
}

TEST(Verifier, AtomicSectionsAndFunctions) {
  const std::string text = import_c("#include <heddle.h>\nint x; int __VERIFIER_atomic_take(void) "
                                    "{ if (x) return 1; x = 1; return 0; }\n"
                                    "int main(void) { __VERIFIER_atomic_begin(); x = 2; "
                                    "__VERIFIER_atomic_end(); return __VERIFIER_atomic_take(); }");
  const std::string callee = function(text, "__VERIFIER_atomic_take");
  EXPECT_EQ(lines_equal(callee, "atomic_begin"), 1) << text;
  EXPECT_EQ(lines_equal(callee, "atomic_end"), 1) << text; // one return block
  EXPECT_EQ(lines_equal(function(text, "main"), "atomic_begin"), 1) << text;
  EXPECT_EQ(lines_equal(function(text, "main"), "atomic_end"), 1) << text;
}

// What is printed after a function was made atomic is atomic already.
TEST(Verifier, AtomicFunctionIsMadeAtomicOnce) {
  const std::string text = import_c("int x; void __VERIFIER_atomic_set(void) { x = 1; }\n"
                                    "int main(void) { __VERIFIER_atomic_set(); return 0; }");
  const std::string again = import_files({write_file(text, ".hir")});
  EXPECT_EQ(function(again, "__VERIFIER_atomic_set"), function(text, "__VERIFIER_atomic_set"));
  EXPECT_EQ(lines_equal(again, "atomic_begin"), 1) << again;
}

TEST(Verifier, HintsAboutLoops) {
  const std::string text = import_c(
      "#include <heddle.h>\n#include <stdatomic.h>\natomic_int a; int main(void) { "
      "__VERIFIER_loop_bound(4); "
      "for (int i = 0; i < 3; i++) a = i; await_while(a != 2) ; return __VERIFIER_tid(); }");
  EXPECT_EQ(count(text, "hint loop_bound (i32 4)"), 1) << text;
  EXPECT_EQ(count(text, "hint spin_start"), 1) << text;
  EXPECT_EQ(count(text, "hint spin_end (%"), 1) << text;
  EXPECT_EQ(count(text, "= self()"), 1) << text;
}

TEST(Traps, UnknownExternalFunctions) {
  const std::string text = import_c(
      "int foo(int); int (*unused)(int) = foo; int bar(void); int main(void) { return foo(1); }");
  EXPECT_EQ(count(text,
                  "trap \"a call of 'foo', which has no definition\" help \"define it, or accept "
                  "it with --havoc foo\""),
            1)
      << text;
  EXPECT_EQ(count(text, "bar"), 0) << text;
}

TEST(Traps, HavocIsAccepted) {
  Options options;
  options.havoc = {"foo"};
  const auto loaded = load_c("int foo(int); int main(void) { return foo(1); }", options);
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  ASSERT_EQ(loaded->module.approximations.size(), 1U);
  EXPECT_EQ(loaded->module.approximations[0].kind, Approximation::Kind::kAssumed);
  const std::string text = import_c("int foo(int); int main(void) { return foo(1); }", options);
  EXPECT_EQ(count(text, "nondet \"foo\""), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Traps, FloatingPointOnlyWhereItMatters) {
  const std::string harmless = import_c(
      "#include <stdio.h>\ndouble d = 1.5; float f; int main(void) { float g = f; d = 2.5; "
      "f = g; printf(\"%f %f\", g, d / 2); return 0; }");
  EXPECT_EQ(count(harmless, "trap"), 0) << harmless;
  EXPECT_EQ(count(harmless, "store i64 4612811918334230528, @d"), 1) << harmless;
  const std::string computed = import_c("double d; int main(void) { return d > 1.0; }");
  EXPECT_EQ(count(computed, "trap"), 0) << computed;
  EXPECT_EQ(count(computed, "call @__heddle_f64_compare"), 1) << computed;
  const std::string matters = import_c("long double d; int main(void) { return d > 1.0L; }");
  EXPECT_EQ(count(matters, "trap \"floating-point arithmetic on this type ('fcmp')\""), 1)
      << matters;
}

TEST(Traps, VectorsWideIntegersAndVariableArguments) {
  EXPECT_EQ(count(import_c("typedef int v4 __attribute__((vector_size(16))); v4 a, b; int "
                           "main(void) { a = a + b; return 0; }"),
                  "trap \"arithmetic on vectors\""),
            1);
  EXPECT_EQ(count(import_c("__int128 a, b; int main(void) { a = a * b; return 0; }"),
                  "trap \"arithmetic on integers wider than 64 bits\""),
            1);
  EXPECT_EQ(count(import_c("#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); "
                           "return va_arg(l, int); } int main(void) { return f(1, 2); }"),
                  "trap"),
            0);
  EXPECT_EQ(count(import_c("struct s { long a, b, c; } x; int f(int n, ...) { return n; } "
                           "int main(void) { return f(1, x); }"),
                  "trap \"a variable argument of more than 64 bits\""),
            1);
  EXPECT_EQ(
      count(import_c("#include <stdio.h>\nlong double x; int main(void) { printf(\"%Lf\", x); "
                     "return 0; }"),
            "trap"),
      0);
}

TEST(Traps, VariableArgumentsThatAreOnlyPrintedAreFine) {
  const std::string source =
      "#include <stdarg.h>\n#include <stdio.h>\nvoid say(const char* f, ...) { va_list l; "
      "va_start(l, f); vprintf(f, l); va_end(l); } int main(void) { say(\"%d\", 1); return 0; }";
  Options ilp32;
  ilp32.data_model = ir::DataModel::kILP32;
  for (const Options& options : {Options{}, ilp32}) {
    const std::string text = import_c(source, options);
    EXPECT_EQ(count(text, "call @say"), 1) << text;
    EXPECT_EQ(count(text, "trap"), 0) << text;
  }
}

TEST(Traps, CodeThatCannotBeReachedIsDropped) {
  const std::string text = import_c("void foo(void); int main(void) { if (sizeof(int) == 4) goto "
                                    "fine; never: foo(); fine: return 0; goto never; }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Files, SeveralAreLinked) {
  const std::string header = write_file("inline int g(void) { return 7; }\n", ".h");
  const std::string include = "#include \"" + header + "\"\n";
  const std::string a =
      write_file(include + "extern int x; int f(int); static int h(void) { return 1; }\n"
                           "int main(void) { return f(x) + h() + g(); }",
                 ".c");
  const std::string b = write_file(include + "int x = 5; static int h(void) { return 2; }\n"
                                             "int f(int n) { return n + h() + g(); }",
                                   ".c");
  const std::string text = import_files({a, b});
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(text, "global @x : 4 align 4 signed 32 init \"05000000\""), 1) << text;
  EXPECT_EQ(count(text, "ret i32 7"), 1) << text; // one g for both
  EXPECT_EQ(count(text, "ret i32 1") + count(text, "ret i32 2"), 2) << text;
}

TEST(Files, TwoDefinitionsOfOneFunctionAreRefused) {
  const std::string a =
      write_file("int f(void) { return 1; } int main(void) { return f(); }", ".c");
  const std::string b = write_file("int f(void) { return 2; }", ".c");
  EXPECT_NE(import_files({a, b}).find("error: "), std::string::npos);
}

TEST(Files, ADefinitionInAnotherFileBeatsTheLibrary) {
  const std::string a = write_file(
      "unsigned long strlen(const char*); char text[9]; int main(void) { return strlen(text); }",
      ".c");
  const std::string b = write_file("unsigned long strlen(const char* s) { return 42; }", ".c");
  const std::string text = import_files({a, b});
  EXPECT_EQ(count(text, "call @strlen("), 1) << text;
  EXPECT_EQ(count(text, "__heddle_strlen"), 0) << text;
}

TEST(Files, EntryAndCompilerFlags) {
  Options options;
  options.entry = "start";
  options.compiler_flags = {"-DVALUE=17"};
  const std::string text =
      import_c("int start(void) { return VALUE; } int main(void) { return 1; }", options);
  EXPECT_EQ(count(text, "ret i32 17"), 1) << text;
  EXPECT_EQ(function(text, "main"), "") << text;
  options.entry = "nowhere";
  EXPECT_NE(import_c("int main(void) { return 0; }", options).find("LOAD-003"), std::string::npos);
}

TEST(Files, WhatDoesNotCompileIsRefusedWithItsPlace) {
  const auto loaded = load_c("int main(void) {\n  return undeclared;\n}");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, "C-002");
  EXPECT_EQ(loaded.error().line, 2U);
  EXPECT_EQ(loaded.error().column, 10U);
  EXPECT_NE(loaded.error().message.find("undeclared"), std::string::npos);
}

TEST(Files, MissingAndUnknownFiles) {
  EXPECT_NE(import_files({"/nowhere/at/all.c"}).find("LOAD-001"), std::string::npos);
  EXPECT_NE(import_files({"program.txt"}).find("LOAD-002"), std::string::npos);
  EXPECT_NE(import_files({write_file("this is not LLVM", ".ll")}).find("LLVM-001"),
            std::string::npos);
}

TEST(Files, BitcodeHasItsOwnDataModel) {
  Options options;
  options.data_model = ir::DataModel::kILP32;
  const std::string path =
      write_file("target datalayout = \"e-i64:64\"\ndefine i32 @main() {\n  ret i32 0\n}\n", ".ll");
  EXPECT_NE(import_files({path}, options).find("LOAD-004"), std::string::npos);
}

TEST(Files, PlacesAndNamesSurvive) {
  const auto loaded =
      load_c("int shared;\nint main(void) {\n  int mine = 3;\n  shared = mine;\n  return 0;\n}\n");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  const ir::Function& main = loaded->module.functions[*loaded->module.find_function("main")];
  bool found = false;
  for (const ir::Block& block : main.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      if (std::holds_alternative<ir::Store>(instruction.operation)) {
        EXPECT_EQ(instruction.loc.line, 4U);
        EXPECT_EQ(instruction.loc.column, 10U);
        found = true;
      }
    }
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(loaded->module.globals[*loaded->module.find_global("shared")].loc.line, 1U);
}

} // namespace
} // namespace heddle::frontend
