// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The text form: print and parse are inverse, every mistake has its message, and the examples of
// the documentation are modules.
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "random_module.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <sstream>

namespace heddle::ir {
namespace {

TEST(IrText, PrintedModulesParseBackToThemselves) {
  EXPECT_TRUE(rc::check("print and parse", [](std::uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 20; ++i) {
      const Module module = random_module(rng);
      const Status status = verify(module);
      if (!status)
        RC_FAIL(status.error().to_string() + "\n" + print(module));
      const std::string text = print(module);
      const Result<Module> again = parse(text, "printed.hir");
      if (!again)
        RC_FAIL(again.error().to_string() + "\n" + text);
      if (!(*again == module))
        RC_FAIL("changed:\n" + text + "\nbecame\n" + print(*again));
    }
  }));
}

// Every prefix of a module's text, and the text with one token's worth of bytes gone, is refused or
// read; never a crash.
TEST(IrText, BrokenTextsAreRefusedWithAPlace) {
  Rng rng(7);
  for (int i = 0; i < 20; ++i) {
    const std::string text = print(random_module(rng));
    for (std::size_t length = 0; length < text.size(); length += 3) {
      const Result<Module> prefix = parse(text.substr(0, length), "p.hir");
      if (!prefix) {
        EXPECT_EQ(prefix.error().file, "p.hir");
        EXPECT_GT(prefix.error().line, 0U);
        EXPECT_EQ(prefix.error().code.substr(0, 3), "IR-");
      }
      (void)parse(text.substr(0, length) + text.substr(std::min(text.size(), length + 4)), "p.hir");
    }
  }
}

TEST(IrText, PartsAreReadToALimitOfNesting) {
  const auto nested = [](unsigned depth) {
    std::string text = "module lp64\nglobal @x : 4 align 4";
    for (unsigned i = 0; i < depth; ++i)
      text += " parts [0: 4 x 1";
    return text + std::string(depth, ']');
  };
  EXPECT_TRUE(parse(nested(32), "p.hir").has_value());
  const Result<Module> deeper = parse(nested(100000), "p.hir");
  ASSERT_FALSE(deeper.has_value());
  EXPECT_EQ(deeper.error().code, "IR-027");
}

struct Mistake {
  const char* code;
  const char* text;
  unsigned line;
};

class IrMistake : public testing::TestWithParam<Mistake> {};

TEST_P(IrMistake, HasItsCodeAndLine) {
  const Result<Module> module = parse(GetParam().text, "bad.hir");
  ASSERT_FALSE(module.has_value()) << GetParam().text;
  EXPECT_EQ(module.error().code, GetParam().code) << module.error().to_string();
  EXPECT_EQ(module.error().line, GetParam().line) << module.error().to_string();
  EXPECT_NE(module.error().message.find("expected"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    IrMistake,
    testing::Values(
        Mistake{"IR-001", "module lp64\n?", 2},
        Mistake{"IR-002", "module lp64\nglobal @ : 4 align 4", 2},
        Mistake{"IR-002", "module lp64\nfunc @f(%x : i32) -> void {}", 2},
        Mistake{"IR-003", "module lp64\nglobal @x : 18446744073709551616 align 4", 2},
        Mistake{"IR-003", "module lp64\nglobal @x : 4bytes align 4", 2},
        Mistake{"IR-004", "module lp64\nfile 1 \"a\n", 2},
        Mistake{"IR-004", "module lp64\nfile 1 \"a\\q\"", 2},
        Mistake{"IR-005", "", 1},
        Mistake{"IR-005", "module lp64\nfunc @f() -> void {\n}", 3},
        Mistake{"IR-005", "module lp64\nfunc @f() -> i65 { block a: exit }", 2},
        Mistake{"IR-006", "module lp64\nglobal @x : 4 align 4294967296", 2},
        Mistake{"IR-006", "module lp64\nfunc @f() -> i8 { block a: ret i8 256 }", 2},
        Mistake{"IR-006", "module lp64\nfunc @f() -> i8 { block a: ret i8 -129 }", 2},
        Mistake{"IR-007", "module lp64\nglobal @x : 4 align 4\ndeclare @x() -> void", 3},
        Mistake{"IR-008", "module lp64\nfunc @f() -> void {\nblock a: exit\nblock a: exit }", 4},
        Mistake{"IR-009", "module lp32", 1},
        Mistake{"IR-010", "module lp64\nfile 2 \"a.c\"", 2},
        Mistake{"IR-011", "module lp64\napproximation around \"x\"", 2},
        Mistake{"IR-012", "module lp64\nglobal @x : 1 align 1 init \"0\"", 2},
        Mistake{"IR-013", "module lp64\nfunc @f(%1 : i32) -> void { block a: exit }", 2},
        Mistake{"IR-014",
                "module lp64\nfunc @f() -> void {\nslot $1 : 4 align 4 \"s\" block a: exit }",
                3},
        Mistake{"IR-005", "module lp64\nglobal @x : 4 align 4 parts [0: 4]", 2},
        Mistake{"IR-015",
                "module lp64\nfunc @f(%0 : ptr) -> void { block a: %0 = rmw div %0, %0 exit }",
                2},
        Mistake{"IR-016",
                "module lp64\nfunc @f(%0 : ptr) -> void { block a: %0 = alloc stack %0 exit }",
                2},
        Mistake{"IR-017", "module lp64\nfunc @f(%0 : ptr) -> void { block a: %0 = fence exit }", 2},
        Mistake{"IR-018", "module lp64\nfunc @f() -> void { block a: goto a }", 2},
        Mistake{"IR-019",
                "module lp64\nfunc @f(%0 : ptr) -> void { block a: %0, %0 = load %0 exit }",
                2},
        Mistake{"IR-020", "module lp64\nfunc @f() -> void { block a: hint likely() exit }", 2},
        Mistake{
            "IR-021", "module lp64\nfunc @f() -> void { block a: fence.acquire.atomic exit }", 2},
        Mistake{"IR-021", "module lp64\nfunc @f() -> void { block a: fence.strong exit }", 2},
        Mistake{"IR-022",
                "module lp64\nfunc @f(%0 : i1) -> void { block a: %0, %0 = cmpxchg %0, %0, %0 "
                "failure weak exit }",
                2},
        Mistake{"IR-023", "module lp64\nfunc @f() -> void { block a: assume void 0 exit }", 2},
        Mistake{"IR-024", "module lp64\nfunc @f() -> void { block a: free @y exit }", 2},
        Mistake{"IR-025", "module lp64\nfunc @f() -> void { block a: free @f+1 exit }", 2},
        Mistake{"IR-026", "module lp64\nfunc @f() -> void { block a: jump b }", 2}));

TEST(IrText, ReadsNegativeAndHexadecimalNumbers) {
  const Result<Module> module =
      parse("module ilp32\nfunc @f() -> i8 { block a: ret i8 -1 block b: ret i8 0xff }", "n.hir");
  ASSERT_TRUE(module.has_value()) << module.error().to_string();
  const Function& function = module->functions[FunctionId{0}];
  EXPECT_EQ(function.blocks[BlockId{0}].instructions, function.blocks[BlockId{1}].instructions);
}

TEST(IrText, PrintsOneInstructionWithoutItsPlace) {
  const Result<Module> module = parse("module lp64\nfile 1 \"a.c\"\nglobal @x : 4 align 4\n"
                                      "func @f() -> void { reg %0 : i32\n"
                                      "block a: %0 = load.atomic.acquire @x+4 !1:2:3 ret void }",
                                      "n.hir");
  ASSERT_TRUE(module.has_value()) << module.error().to_string();
  const Function& function = module->functions[FunctionId{0}];
  EXPECT_EQ(print(*module, function, function.blocks[BlockId{0}].instructions[0]),
            "%0 = load.atomic.acquire @x+4");
}

TEST(IrText, ExamplesOfTheDocumentationAreModules) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/docs/ir.md");
  ASSERT_TRUE(file.is_open());
  std::string line;
  int examples = 0;
  while (std::getline(file, line)) {
    if (line != "```heddle-ir")
      continue;
    std::string example;
    while (std::getline(file, line) && line != "```")
      example += line + '\n';
    const Result<Module> module = parse(example, "docs/ir.md");
    ASSERT_TRUE(module.has_value()) << module.error().to_string() << "\n" << example;
    const Status status = verify(*module);
    EXPECT_TRUE(status.has_value()) << status.error().to_string();
    ++examples;
  }
  EXPECT_GE(examples, 2);
}

} // namespace
} // namespace heddle::ir
