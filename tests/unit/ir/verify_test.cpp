// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each rule of the verifier, broken once.
#include "ir/parse.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

#include <functional>

namespace heddle::ir {
namespace {

Module parsed(const std::string& text) {
  Result<Module> module = parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  return module ? *module : Module{};
}

const std::string kHead = "module lp64\nfile 1 \"a.c\"\nglobal @x : 8 align 4\n";

/// One function with an i32 (%0), a pointer (%1), an i1 (%2), a slot and that body.
std::string function(const std::string& body, const std::string& result = "void") {
  return kHead + "func @f(%0 : i32, %1 : ptr, %2 : i1) -> " + result +
         " !1:7:1 {\nslot $0 : 4 align 4 \"s\"\nblock entry:\n" + body + "\n}";
}

std::string code_of(const Module& module) {
  const Status status = verify(module);
  return status ? "" : status.error().code;
}

TEST(IrVerify, AcceptsWhatIsWellFormed) {
  EXPECT_EQ(code_of(Module{}), "");
  EXPECT_EQ(code_of(parsed(function("store i32 %0, %1 store ptr i64 0, @x ret void"))), "");
  // Calls need not match their callee: legacy C.
  EXPECT_EQ(code_of(parsed(function("%0 = call @f(i8 1) ret void"))), "");
}

struct BadBody {
  const char* code;
  const char* body;
};
class IrVerifyBody : public testing::TestWithParam<BadBody> {};

TEST_P(IrVerifyBody, IsRefused) {
  const Status status = verify(parsed(function(GetParam().body)));
  ASSERT_FALSE(status.has_value()) << GetParam().body;
  EXPECT_EQ(status.error().code, GetParam().code) << status.error().to_string();
}

INSTANTIATE_TEST_SUITE_P(
    All,
    IrVerifyBody,
    testing::Values(BadBody{"IR-051", "exit !2:1:1"},
                    BadBody{"IR-065", "block b: exit"},
                    BadBody{"IR-066", "fence"},
                    BadBody{"IR-066", "exit exit"},
                    BadBody{"IR-067", "assume %3 exit"},
                    BadBody{"IR-067", "%3 = nondet \"x\" exit"},
                    BadBody{"IR-073", "free $1 exit"},
                    BadBody{"IR-074", "%0 = add %0, i8 1 exit"},
                    BadBody{"IR-074", "%0 = copy %1 exit"},
                    BadBody{"IR-074", "%0 = eq %0, %0 exit"},
                    BadBody{"IR-074", "%2 = eq %0, %1 exit"},
                    BadBody{"IR-074", "%0 = select %0, %0, %0 exit"},
                    BadBody{"IR-074", "%1 = ptradd %1, %0 exit"},
                    BadBody{"IR-074", "%0 = load %0 exit"},
                    BadBody{"IR-074", "%0 = load %1 marks %2 exit"},
                    BadBody{"IR-074", "store i32 %0, %1 marks %2 exit"},
                    BadBody{"IR-074", "store i32 %1, %1 exit"},
                    BadBody{"IR-074", "%0 = rmw add %1, i8 1 exit"},
                    BadBody{"IR-074", "%0, %0 = cmpxchg %1, i32 0, i32 1 failure none exit"},
                    BadBody{"IR-074", "%1 = alloc heap i32 4 exit"},
                    BadBody{"IR-074", "free %0 exit"},
                    BadBody{"IR-074", "mutex_lock(%0) exit"},
                    BadBody{"IR-074", "call %0() exit"},
                    BadBody{"IR-074", "assume %0 exit"},
                    BadBody{"IR-074", "assert %0, \"x\" exit"},
                    BadBody{"IR-074", "branch %0, entry, entry"},
                    BadBody{"IR-074", "hint spin_end (%0) exit"},
                    BadBody{"IR-075", "fence[\"b\", \"a\"] exit"},
                    BadBody{"IR-075", "fence[\"a\", \"a\"] exit"},
                    BadBody{"IR-076", "%2, %2 = cmpxchg %1, i1 0, i1 1 failure none exit"},
                    BadBody{"IR-077", "store void %0, %1 exit"},
                    BadBody{"IR-078", "%0 = add %0 exit"},
                    BadBody{"IR-078", "mutex_lock() exit"},
                    BadBody{"IR-078", "create(@f) exit"},
                    BadBody{"IR-079", "%2 = zext %0 exit"},
                    BadBody{"IR-079", "%1 = trunc %0 exit"},
                    BadBody{"IR-080", "hint loop_bound () exit"},
                    BadBody{"IR-080", "hint spin_start (%0) exit"},
                    BadBody{"IR-080", "hint spin_end () exit"},
                    BadBody{"IR-081", "switch %2 [2: entry] else entry"},
                    BadBody{"IR-082", "switch %0 [2: entry, 2: entry] else entry"},
                    BadBody{"IR-083", "ret %0"}));

TEST(IrVerify, AValueMustBeReturnedWhereThereIsAResult) {
  EXPECT_EQ(code_of(parsed(function("ret void", "i32"))), "IR-083");
  EXPECT_EQ(code_of(parsed(function("ret %1", "i32"))), "IR-074");
  EXPECT_EQ(code_of(parsed(function("ret %0", "i32"))), "");
}

struct BadGlobal {
  const char* code;
  const char* text;
};
class IrVerifyGlobal : public testing::TestWithParam<BadGlobal> {};

TEST_P(IrVerifyGlobal, IsRefused) {
  EXPECT_EQ(code_of(parsed(kHead + GetParam().text)), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    IrVerifyGlobal,
    testing::Values(BadGlobal{"IR-051", "global @g : 4 align 4 !2:1:1"},
                    BadGlobal{"IR-052", "global @\"\" : 4 align 4"},
                    BadGlobal{"IR-054", "global @g : 4 align 3"},
                    BadGlobal{"IR-054", "global @g : 4 align 0"},
                    BadGlobal{"IR-055", "global @g : 4 align 4 init \"00\""},
                    BadGlobal{"IR-056", "global extern @g : 1 align 4 init \"00\""},
                    BadGlobal{"IR-057", "global @g : 4 align 4 signed 65"},
                    BadGlobal{"IR-057", "global @g : 4 align 4 parts [0: 4 x 1 signed 65]"},
                    BadGlobal{"IR-084", "global @g : 4 align 4 parts [\"f\" 1: 4]"},
                    BadGlobal{"IR-084", "global @g : 4 align 4 parts [0: 2 x 3]"},
                    BadGlobal{"IR-084", "global @g : 4 align 4 parts [0: 0 x 1]"},
                    BadGlobal{"IR-084", "global @g : 4 align 4 parts [5: 1 x 0xffffffffffffffff]"},
                    BadGlobal{"IR-084",
                              "global @g : 8 align 4 parts [0: 4 x 2 parts [\"f\" 4: 1]]"},
                    BadGlobal{"IR-058", "global @g : 8 align 4 reloc [1: @x]"},
                    BadGlobal{"IR-058", "global @g : 8 align 4 reloc [0xffffffffffffffff: @x]"}));

/// What text cannot express, made by hand.
struct Change {
  const char* code;
  std::function<void(Module&)> apply;
};

TEST(IrVerify, RefusesWhatOnlyCodeCanGetWrong) {
  const FunctionId f{0};
  const auto first = [f](Module& m) -> Operation& {
    return m.functions[f].blocks[BlockId{0}].instructions[0].operation;
  };
  const std::vector<Change> changes = {
      {"IR-050", [](Module& m) { m.files.clear(); }},
      {"IR-050", [](Module& m) { m.files[0] = "a.c"; }},
      {"IR-053", [f](Module& m) { m.functions[f].name = "x"; }},
      {"IR-054", [f](Module& m) { m.functions[f].slots[SlotId{0}].align = 6; }},
      {"IR-059",
       [](Module& m) { m.globals[GlobalId{0}].relocations = {{0, GlobalAddress{GlobalId{5}}}}; }},
      {"IR-059",
       [](Module& m) {
         m.globals[GlobalId{0}].relocations = {{0, FunctionAddress{FunctionId{5}}}};
       }},
      {"IR-060", [f](Module& m) { m.functions[f].result = Type::integer(65); }},
      {"IR-061", [f](Module& m) { m.functions[f].parameter_count = 9; }},
      {"IR-062", [f](Module& m) { m.functions[f].registers[RegisterId{0}].type = Type::none(); }},
      {"IR-062",
       [f](Module& m) { m.functions[f].registers[RegisterId{0}].type = Type::integer(0); }},
      {"IR-063", [f](Module& m) { m.functions[f].blocks = {}; }},
      {"IR-064",
       [f](Module& m) {
         const Block copy = m.functions[f].blocks[BlockId{0}];
         m.functions[f].blocks.push_back(copy);
       }},
      {"IR-068",
       [f](Module& m) {
         m.functions[f].blocks[BlockId{0}].instructions.back().operation = Jump{BlockId{}};
       }},
      {"IR-069", [first](Module& m) { first(m) = Free{Constant{Type::none(), 0}}; }},
      {"IR-070", [first](Module& m) { first(m) = Assume{Constant{Type::integer(1), 2}}; }},
      {"IR-071", [first](Module& m) { first(m) = Free{GlobalAddress{}}; }},
      {"IR-072", [first](Module& m) { first(m) = Free{FunctionAddress{}}; }},
  };
  for (const Change& change : changes) {
    Module module = parsed(function("fence exit"));
    ASSERT_EQ(code_of(module), "");
    change.apply(module);
    EXPECT_EQ(code_of(module), change.code);
  }
}

TEST(IrVerify, SaysWhereAndWhat) {
  const Status status = verify(parsed(function("%0 = add %0, i8 1 !1:9:4 exit")));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().to_string(),
            "a.c:9:4: in function 'f', instruction '%0 = add %0, i8 1': expected a second operand "
            "of 32 bits, found 8 [IR-074]");
}

} // namespace
} // namespace heddle::ir
