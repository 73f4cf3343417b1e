// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole assembly tests: threads and main, sizes and initial values of locations, observed
// registers, and diagnostics.
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

litmus::Test parsed(const std::string& text) {
  auto result = parse(text, "t.litmus");
  if (const auto* diagnostics = std::get_if<Diagnostics>(&result)) {
    ADD_FAILURE() << diagnostics->errors.front().to_string();
    return {};
  }
  const Status verified = ir::verify(std::get<litmus::Test>(result).module);
  EXPECT_TRUE(verified) << verified.error().to_string();
  return std::move(std::get<litmus::Test>(result));
}

std::string errors(const std::string& text) {
  const auto result = parse(text, "t");
  std::string all;
  if (const auto* diagnostics = std::get_if<Diagnostics>(&result))
    for (const Error& error : diagnostics->errors)
      all += error.to_string() + "\n";
  return all;
}

const ir::Global& global(const litmus::Test& test, const std::string& name) {
  return test.module.globals[*test.module.find_global(name)];
}

std::string code(const litmus::Test& test) {
  const std::string text = ir::print(test.module);
  return text;
}

} // namespace

TEST(LitmusAssemble, ThreadsAreStartedAndJoinedByMain) {
  const litmus::Test test = parsed("X86 SB\n\"Fre PodWR\"\nCom=Fr Fr\n{ x=3; 1:EBX=7; }\n"
                                   " P0          | P1          ;\n"
                                   " MOV [x],$1  | MOV [y],$1  ;\n"
                                   " MOV EAX,[y] | MOV EAX,[x] ;\n"
                                   "exists (0:EAX=0 /\\ 1:EAX=0 /\\ x=1)\n");
  EXPECT_EQ(test.name, "SB");
  EXPECT_EQ(test.architecture, "X86");
  EXPECT_EQ(test.vocabulary, "x86");
  EXPECT_EQ(test.condition_text, "exists (0:EAX=0 /\\ 1:EAX=0 /\\ [x]=1)");
  EXPECT_EQ(test.metadata.size(), 1U);
  EXPECT_EQ(test.quantifier, Quantifier::kExists);
  ASSERT_EQ(test.observed.size(), 3U);
  EXPECT_EQ(test.observed[2].name, "[x]");
  EXPECT_EQ(test.observed[2].bits, 32);
  EXPECT_EQ(test.threads[1].lines[1].text, "MOV EAX,[x]");
  EXPECT_EQ(test.threads[1].lines[1].loc, (SourceLoc{1, 7, 16}));
  EXPECT_EQ(code(test),
            R"(module ilp32
file 1 "t.litmus"

global @x : 4 align 8 signed 32 init "03000000" !1:4:3
global @"0:EAX" : 4 align 8 signed 32
global @"1:EAX" : 4 align 8 signed 32
global @y : 4 align 8 signed 32

func @P0(%0 : ptr) -> ptr !1:5:2 {
  reg %1 : i32 !1:7:2
  reg %2 : i32 "EAX"
  reg %3 : i32
block entry:
  %2 = copy i32 0
  jump code
block end:
  %3 = copy %2
  store i32 %3, @"0:EAX"
  ret ptr 0
block code:
  store.atomic.relaxed i32 1, @x !1:6:2
  %1 = load.atomic.relaxed @y !1:7:2
  %2 = copy %1 !1:7:2
  jump end
}

func @P1(%0 : ptr) -> ptr !1:5:16 {
  reg %1 : i32 !1:7:16
  reg %2 : i32 "EAX"
  reg %3 : i32
  reg %4 : i32 "EBX"
block entry:
  %2 = copy i32 0
  %4 = copy i32 7
  jump code
block end:
  %3 = copy %2
  store i32 %3, @"1:EAX"
  ret ptr 0
block code:
  store.atomic.relaxed i32 1, @y !1:6:16
  %1 = load.atomic.relaxed @x !1:7:16
  %2 = copy %1 !1:7:16
  jump end
}

func @main() -> i32 {
  reg %0 : ptr "P0"
  reg %1 : ptr "P1"
block entry:
  %0 = create(@P0, ptr 0)
  %1 = create(@P1, ptr 0)
  join(%0)
  join(%1)
  ret i32 0
}
)");
}

TEST(LitmusAssemble, RegistersHoldAddressesAndLocationsToo) {
  const litmus::Test test =
      parsed("AArch64 a\n{ 0:X1=x; x=y; 0:W2=-1; 0:X3=-1; }\n P0 ;\n LDR X0,[X1] ;\n"
             "exists (0:X0=y /\\ x=x)\n");
  EXPECT_EQ(global(test, "x").size, 8U);
  ASSERT_EQ(global(test, "x").relocations.size(), 1U);
  const ir::GlobalId y = *test.module.find_global("y");
  EXPECT_EQ(std::get<ir::GlobalAddress>(global(test, "x").relocations[0].target).global, y);
  const Literal& literal = std::get<Literal>(test.condition.operands[0].value);
  EXPECT_EQ(std::get<ir::GlobalAddress>(literal).global, y);
  EXPECT_NE(code(test).find("copy i64 4294967295"), std::string::npos);
  EXPECT_NE(code(test).find("copy i64 -1"), std::string::npos);
}

TEST(LitmusAssemble, CellsAreAsLargeAsTheirAccesses) {
  const std::string head = "AArch64 a\n{ 0:X1=x; 1:X1=y; }\n P0 | P1 ;\n";
  EXPECT_EQ(global(parsed(head + "STR W0,[X1] | LDR W0,[X1] ;\n"), "x").size, 4U);
  EXPECT_EQ(global(parsed(head + "STR X0,[X1] | LDR X0,[X1] ;\n"), "x").size, 8U);
  EXPECT_EQ(global(parsed(head + "STRB W0,[X1] | LDRB W0,[X1] ;\n"), "x").size, 1U);
  EXPECT_EQ(global(parsed(head + "STP W0,W2,[X1] | LDR W0,[X1] ;\n"), "x").size, 8U);
}

TEST(LitmusAssemble, WordsOfBothSizesAccessOneCell) {
  const litmus::Test test =
      parsed("AArch64 a\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n STR W0,[X1] | LDR X0,[X1] ;\n"
             " LDR W2,[X1] | ;\nexists x=1");
  EXPECT_EQ(test.observed[0].bits, 64);
  const std::string text = code(test);
  EXPECT_NE(text.find("store.atomic.relaxed i64"), std::string::npos);
  EXPECT_EQ(text.find("store.atomic.relaxed i32"), std::string::npos);
}

TEST(LitmusAssemble, SizesAreMeantWhereTheyAreSaid) {
  const std::string tail = " P0 | P1 ;\n STR W0,[X1] | LDR X0,[X1] ;\nexists x=1";
  const litmus::Test typed = parsed("AArch64 a\n{ uint64_t x; 0:X1=x; 1:X1=x; }\n" + tail);
  EXPECT_NE(code(typed).find("store.atomic.relaxed i32"), std::string::npos);
  EXPECT_FALSE(typed.observed[0].is_signed);
  const litmus::Test bytes = parsed(
      "AArch64 a\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n STRB W0,[X1] | LDR W0,[X1] ;\nexists x=1");
  EXPECT_NE(code(bytes).find("store.atomic.relaxed i8"), std::string::npos);
  EXPECT_EQ(bytes.observed[0].bits, 32);
  const litmus::Test sum =
      parsed("AArch64 a\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n LDADD W0,W2,[X1] | LDR X0,[X1] ;\n"
             "exists x=1");
  EXPECT_NE(code(sum).find("rmw.atomic.relaxed[\"X\"] add"), std::string::npos);
  EXPECT_EQ(code(sum).find("zext %3"), std::string::npos);
  const litmus::Test pair = parsed("AArch64 a\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n"
                                   " STP W0,W2,[X1] | LDR X0,[X1] ;\nexists x=1");
  EXPECT_NE(code(pair).find("store.atomic.relaxed i32"), std::string::npos);
}

TEST(LitmusAssemble, ArraysHaveElements) {
  const litmus::Test test =
      parsed("AArch64 a\n{ int a[3] = {1,2,3}; 0:X1=a[1]; uint8_t b = 0x1ff; }\n P0 ;\n"
             " LDR W0,[X1,#4] ;\nexists a[2]=3 /\\ b=-1");
  EXPECT_EQ(global(test, "a").size, 12U);
  EXPECT_EQ(global(test, "a").initial[4], 2);
  EXPECT_EQ(test.observed[0].offset, 8U);
  EXPECT_EQ(test.observed[0].bits, 32);
  EXPECT_EQ(std::get<std::uint64_t>(std::get<Literal>(test.condition.operands[1].value)), 255U);
  EXPECT_NE(code(test).find("copy @a+4"), std::string::npos);
}

TEST(LitmusAssemble, LabelsJoinTheWays) {
  const litmus::Test test =
      parsed("AArch64 a\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1] ;\n CBNZ W0,L ;\n L: ;\n B E ;\n"
             " STR W0,[X1] ;\n E: NOP ;\nexists true");
  EXPECT_NE(code(test).find("branch %6, at.L, after.0 !1:5:2"), std::string::npos) << code(test);
}

TEST(LitmusAssemble, AllThatIsWrongIsSaid) {
  EXPECT_EQ(errors("X86 a\n{ 0:XX=1; }\n P0 | P1 ;\n FOO EAX | MOV EAX ;\n MOV EAX,[x] | JMP L ;\n"
                   "exists 0:EAX=1"),
            "t:4:2: the instruction 'FOO' is not known [LIT-032]\n"
            "t:4:12: 'MOV': expected 2 operands [LIT-031]\n"
            "t:5:16: no label 'L' in this thread [LIT-034]\n");
  EXPECT_EQ(errors("X86 a\n{ 0:XX=1; 5:EAX=1; x=1; int x; s y; z={1,2}; }\n P0 ;\n NOP ;\n"
                   "exists 0:YY=1 /\\ 7:EAX=0"),
            "t:2:29: 'x' is declared twice [LIT-025]\n"
            "t:2:34: the type 's' is not known [LIT-023]\n");
  EXPECT_EQ(errors("X86 a\n{ 0:XX=1; 5:EAX=1; }\n P0 ;\n NOP ;\nexists 0:YY=1 /\\ 7:EAX=0"),
            "t:2:3: 'XX' is no register of X86 [LIT-027]\n"
            "t:2:11: there is no thread P5 [LIT-026]\n"
            "t:5:8: 'YY' is no register of X86 [LIT-027]\n"
            "t:5:18: there is no thread P7 [LIT-026]\n");
  EXPECT_EQ(errors("X86 a\n{}\n P0 ;\n L: NOP ;\n L: NOP ;\n"),
            "t:5:2: the label 'L' stands twice [LIT-035]\n");
  EXPECT_EQ(errors("X86 a\n{ main=1; }\n P0 ;\n MOV [P0],$1 ;\n"),
            "t:2:3: a location cannot be called 'main' like a function [LIT-028]\n"
            "t:3:2: a location cannot be called 'P0' like a function [LIT-028]\n");
  EXPECT_EQ(errors("X86 a\n{ int a[2]={1,2,3}; int b[5000]; }\n P0 ;\n NOP ;\nexists a[7]=1"),
            "t:2:7: 'a' has 2 elements only [LIT-020]\n"
            "t:2:25: an array has 1 to 4096 elements [LIT-024]\n");
  EXPECT_EQ(errors("X86 a\n{ int a[3]; }\n P0 ;\n NOP ;\nexists a={1,2}"),
            "t:5:10: 'a' has 3 elements, not 2 [LIT-020]\n");
  EXPECT_EQ(errors("AArch64 a\n{ uint8_t x = y; }\n P0 ;\n NOP ;\n"),
            "t:2:15: an address does not fit into 8 bits [LIT-021]\n");
  EXPECT_EQ(errors("AArch64 a\n{ 0:X1={1}; }\n P0 ;\n NOP ;\n"),
            "t:2:8: expected a number or an address, not a list [LIT-022]\n");
  EXPECT_EQ(errors("Z80 a\n{}\n P0 ;\n"),
            "t:1:1: the architecture 'Z80' is not known; known are X86, X86_64, AArch64, PPC, "
            "RISCV, ARM, MIPS and C [LIT-004]\n");
}

} // namespace heddle::frontend::litmus
