// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Linking by example, and the laws every link keeps.
#include "ir/link.h"
#include "ir/operands.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "random_module.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace heddle::ir {
namespace {

Module parsed(const std::string& text) {
  Result<Module> module = parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  return module ? *module : Module{};
}

/// The text of the linked modules, or the code of the error.
std::string linked(const std::vector<std::string>& texts) {
  std::vector<Module> modules;
  for (const std::string& text : texts)
    modules.push_back(parsed(text));
  const Result<Module> result = link(std::move(modules));
  if (!result)
    return result.error().code;
  const Status status = verify(*result);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  return print(*result);
}

TEST(IrLink, ADeclarationMeetsItsDefinition) {
  EXPECT_EQ(linked({"module lp64\nglobal extern @x : 4 align 4\ndeclare @g() -> i32\n"
                    "func @f() -> void { reg %0 : i32 block a: %0 = call @g() "
                    "store i32 %0, @x ret void }",
                    "module lp64\nglobal @x : 4 align 4 init \"01000000\"\n"
                    "func @g(%0 : ptr) -> void { block a: ret void }"}),
            "module lp64\n\nglobal @x : 4 align 4 init \"01000000\"\n\n"
            "func @g(%0 : ptr) -> void {\nblock a:\n  ret void\n}\n\n"
            "func @f() -> void {\n  reg %0 : i32\nblock a:\n  %0 = call @g()\n"
            "  store i32 %0, @x\n  ret void\n}\n");
}

TEST(IrLink, InternalNamesAreKeptApart) {
  EXPECT_EQ(linked({"module lp64\nglobal internal @x : 4 align 4\nglobal internal @y : 8 align 8 "
                    "reloc [0: @x]",
                    "module lp64\nglobal internal @x : 1 align 1\nglobal @y : 8 align 8 "
                    "reloc [0: @x]"}),
            "module lp64\n\nglobal internal @x : 4 align 4\n"
            "global internal @y.1 : 8 align 8 reloc [0: @x]\n"
            "global internal @x.1 : 1 align 1\nglobal @y : 8 align 8 reloc [0: @x.1]\n");
}

TEST(IrLink, FilesAreMergedAndPlacesFollow) {
  EXPECT_EQ(linked({"module lp64\nfile 1 \"a.h\"\nfile 2 \"a.c\"\nglobal @x : 4 align 4 !2:1:1\n"
                    "approximation assumed \"p\" !1:5:1",
                    "module lp64\nfile 1 \"b.c\"\nfile 2 \"a.h\"\nglobal @y : 4 align 4 !2:1:1\n"
                    "func @f(%0 : i8 !1:2:2) -> void !1:2:1 { slot $0 : 4 align 4 \"s\" !1:3:1 "
                    "block a: exit !1:4:1 }\napproximation under \"q\" !1:6:1"}),
            "module lp64\nfile 1 \"a.h\"\nfile 2 \"a.c\"\nfile 3 \"b.c\"\n"
            "approximation assumed \"p\" !1:5:1\napproximation under \"q\" !3:6:1\n\n"
            "global @x : 4 align 4 !2:1:1\nglobal @y : 4 align 4 !1:1:1\n\n"
            "func @f(%0 : i8 !3:2:2) -> void !3:2:1 {\n  slot $0 : 4 align 4 \"s\" !3:3:1\n"
            "block a:\n  exit !3:4:1\n}\n");
}

TEST(IrLink, TentativeDefinitionsMerge) {
  EXPECT_EQ(linked({"module lp64\nglobal @x : 4 align 4",
                    "module lp64\nglobal @x : 8 align 8",
                    "module lp64\nglobal @x : 4 align 4 init \"01000000\""}),
            "module lp64\n\nglobal @x : 8 align 8 init \"0100000000000000\"\n");
}

TEST(IrLink, RefusesWhatDoesNotFit) {
  EXPECT_EQ(linked({}), "IR-090");
  EXPECT_EQ(linked({"module lp64", "module ilp32"}), "IR-091");
  EXPECT_EQ(linked({"module lp64\nglobal @x : 4 align 4", "module lp64\ndeclare @x() -> void"}),
            "IR-092");
  EXPECT_EQ(linked({"module lp64\ndeclare @x() -> void", "module lp64\nglobal @x : 4 align 4"}),
            "IR-092");
  EXPECT_EQ(linked({"module lp64\nglobal @x : 4 align 4",
                    "module lp64\nglobal thread_local @x : 4 align 4"}),
            "IR-093");
  const std::string one = "module lp64\nglobal @x : 1 align 1 init \"01\"";
  EXPECT_EQ(linked({one, one}), "IR-094");
  const std::string f = "module lp64\nfunc @f() -> void { block a: exit }";
  EXPECT_EQ(linked({f, f}), "IR-095");
}

TEST(IrLink, OneModuleStaysAsItIs) {
  EXPECT_TRUE(rc::check("link one", [](std::uint64_t seed) {
    Rng rng(seed);
    const Module module = random_module(rng);
    const Result<Module> result = link({module});
    RC_ASSERT(result.has_value());
    // Files of one name become one; otherwise nothing changes.
    if (result->files == module.files)
      RC_ASSERT(*result == module);
    else
      RC_ASSERT(result->files.size() < module.files.size());
  }));
}

TEST(IrLink, TwoModulesLinkToOneThatVerifies) {
  EXPECT_TRUE(rc::check("link two", [](std::uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 10; ++i) {
      const Module a = random_module(rng);
      const Module b = random_module(rng);
      const Result<Module> result = link({a, b});
      if (!result)
        continue; // random modules may clash, and say so
      const Status status = verify(*result);
      if (!status)
        RC_FAIL(status.error().to_string() + "\n" + print(*result));
      RC_ASSERT(result->approximations.size() == a.approximations.size() + b.approximations.size());
    }
  }));
}

TEST(IrReach, FollowsCallsOperandsAndRelocations) {
  const Module module = parsed("module lp64\n"
                               "global @unused : 8 align 8 reloc [0: @gone]\n"
                               "global @table : 8 align 8 reloc [0: @callback]\n"
                               "global @y : 4 align 4\n"
                               "func @gone() -> void { block a: exit }\n"
                               "func @callback() -> void { block a: store i32 0, @y ret void }\n"
                               "declare @worker() -> void\n"
                               "func @main() -> void { reg %0 : ptr block a: %0 = load @table "
                               "call %0() create(@worker, ptr 0) ret void }");
  const Module kept = keep_reachable(module, {"main", "nobody"});
  EXPECT_TRUE(verify(kept).has_value());
  EXPECT_EQ(kept.globals.size(), 2U);
  EXPECT_EQ(kept.functions.size(), 3U);
  EXPECT_FALSE(kept.find_function("gone").has_value());
  EXPECT_FALSE(kept.find_global("unused").has_value());
  EXPECT_TRUE(kept.find_function("worker").has_value());
  // What is kept reads as before.
  const Function& main = kept.functions[*kept.find_function("main")];
  EXPECT_EQ(print(kept, main, main.blocks[BlockId{0}].instructions[0]), "%0 = load @table");
  EXPECT_EQ(keep_reachable(module, {}).functions.size(), 0U);
  EXPECT_EQ(keep_reachable(module, {"unused"}).functions.size(), 1U);
}

TEST(IrReach, KeepingTwiceIsKeepingOnce) {
  EXPECT_TRUE(rc::check("keep", [](std::uint64_t seed) {
    Rng rng(seed);
    const Module module = random_module(rng);
    const std::vector<std::string> roots = {module.functions[FunctionId{0}].name};
    const Module kept = keep_reachable(module, roots);
    RC_ASSERT(verify(kept).has_value());
    RC_ASSERT(keep_reachable(kept, roots) == kept);
  }));
}

TEST(IrOperands, VisitWhatTheTextShows) {
  const Module module = parsed("module lp64\nglobal @x : 4 align 4\n"
                               "func @f(%0 : i32, %1 : i1) -> void { block a: "
                               "%0, %1 = cmpxchg @x, i32 1, %0 failure none "
                               "switch %0 [1: b] else a block b: exit }");
  const Block& block = module.functions[FunctionId{0}].blocks[BlockId{0}];
  int operands = 0;
  int results = 0;
  int targets = 0;
  for (const Instruction& instruction : block.instructions) {
    for_each_operand(instruction.operation, [&](const Operand&) { ++operands; });
    for_each_result(instruction.operation, [&](RegisterId) { ++results; });
    for_each_target(instruction.operation, [&](BlockId) { ++targets; });
  }
  EXPECT_EQ(operands, 4);
  EXPECT_EQ(results, 2);
  EXPECT_EQ(targets, 2);
}

} // namespace
} // namespace heddle::ir
