// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What ARM instructions become, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "ir/verify.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_arm(), instruction);
}

std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before,
                    const std::string& name = "R1") {
  return value_after(*make_arm(), instruction, name, before);
}

constexpr std::uint64_t kMinusOne = 0xffffffff;
constexpr std::uint64_t kSmallest = 0x80000000;

} // namespace

TEST(LitmusArm, RegistersAreNamedInEitherCase) {
  const auto arm = make_arm();
  EXPECT_EQ(arm->find_register("r3")->canonical, "R3");
  EXPECT_EQ(arm->find_register("R12")->bits, 32U);
  EXPECT_EQ(arm->find_register("R13")->canonical, "SP");
  EXPECT_EQ(arm->find_register("lr")->canonical, "LR");
  EXPECT_EQ(arm->find_register("IP")->canonical, "R12");
  EXPECT_EQ(arm->find_register("fp")->canonical, "R11");
  for (const char* name : {"R15", "PC", "R16", "", "X1"})
    EXPECT_FALSE(arm->find_register(name)) << name;
}

TEST(LitmusArm, LoadsAndStores) {
  EXPECT_EQ(emitted("LDR R1,[R2]"),
            "%2 = copy %R2\n"
            "%3 = load.atomic.relaxed %2\n"
            "%R1 = copy %3\n");
  EXPECT_EQ(emitted("ldr r1, [ r2 ]"), emitted("LDR R1,[R2]"));
  EXPECT_EQ(emitted("LDR R1,R2"), emitted("LDR R1,[R2]"));
  EXPECT_EQ(emitted("STR R1,[R2,#4]"),
            "%2 = copy %R1\n"
            "%4 = copy %R2\n"
            "%5 = add %4, i32 4\n"
            "store.atomic.relaxed i32 %2, %5\n");
  EXPECT_EQ(emitted("LDRB R1,[R2,R3]"),
            "%2 = copy %R2\n"
            "%4 = copy %R3\n"
            "%5 = add %2, %4\n"
            "%6 = load.atomic.relaxed %5\n"
            "%7 = zext %6\n"
            "%R1 = copy %7\n");
  EXPECT_EQ(emitted("STRH R1,[R2,R3,LSL #2]"),
            "%2 = trunc %R1\n"
            "%4 = copy %R2\n"
            "%6 = copy %R3\n"
            "%7 = shl %6, i32 2\n"
            "%8 = add %4, %7\n"
            "store.atomic.relaxed i16 %2, %8\n");
  EXPECT_NE(emitted("LDRSH R1,[R2]").find("sext"), std::string::npos);
}

TEST(LitmusArm, AcquireAndRelease) {
  EXPECT_NE(emitted("LDA R1,[R2]").find("load.atomic.acquire[\"A\"]"), std::string::npos);
  EXPECT_NE(emitted("STL R1,[R2]").find("store.atomic.release[\"L\"] i32"), std::string::npos);
  EXPECT_NE(emitted("LDAEX R1,[R2]").find("load_exclusive.atomic.acquire[\"A\", \"EX\", \"X\"]"),
            std::string::npos);
  EXPECT_NE(
      emitted("STLEX R1,R2,[R3]").find("store_exclusive.atomic.release[\"EX\", \"L\", \"X\"]"),
      std::string::npos);
}

TEST(LitmusArm, ExclusivesGive0WhenTheyStored) {
  EXPECT_EQ(emitted("LDREX R1,[R2]"),
            "%2 = copy %R2\n"
            "%3 = load_exclusive.atomic.relaxed[\"EX\", \"X\"] %2\n"
            "%R1 = copy %3\n");
  EXPECT_EQ(emitted("STREX R1,R2,[R3]"),
            "%2 = copy %R2\n"
            "%4 = copy %R3\n"
            "%5 = store_exclusive.atomic.relaxed[\"EX\", \"X\"] i32 %2, %4\n"
            "%6 = select %5, i32 0, i32 1\n"
            "%R1 = copy %6\n");
}

TEST(LitmusArm, ExclusivesOfADoublewordAreOneAccessOfTwoRegisters) {
  EXPECT_EQ(emitted("LDREXD R4,R5,[R2]"),
            "%2 = copy %R2\n"
            "%3 = load_exclusive.atomic.relaxed[\"EX\", \"X\"] %2\n"
            "%4 = lshr %3, i64 32\n"
            "%5 = trunc %3\n"
            "%R4 = copy %5\n"
            "%7 = trunc %4\n"
            "%R5 = copy %7\n");
  const std::string stored = emitted("STREXD R1,R4,R5,[R2]");
  EXPECT_NE(stored.find("shl"), std::string::npos) << stored;
  EXPECT_NE(stored.find("store_exclusive.atomic.relaxed[\"EX\", \"X\"] i64"), std::string::npos)
      << stored;
  EXPECT_NE(stored.find("i32 0, i32 1"), std::string::npos) << stored;
  EXPECT_NE(emitted("LDAEXD R4,R5,[R2]").find("acquire[\"A\", \"EX\", \"X\"]"), std::string::npos);
  EXPECT_NE(emitted("STLEXD R1,R4,R5,[R2]").find("release[\"EX\", \"L\", \"X\"] i64"),
            std::string::npos);
  EXPECT_EQ(emitted("LDREXD R4,R4,[R2]"),
            "11: LIT-101 `ldrexd`: two different registers were expected");
  EXPECT_EQ(emitted("LDREXD R4,[R2]"),
            "11: LIT-101 `ldrexd` takes a register, a register, memory without an offset; "
            "operand 2 is `[R2]`");
}

TEST(LitmusArm, BarriersHaveTheNamesOfTheModels) {
  EXPECT_EQ(emitted("DMB"), "fence.atomic.seq_cst[\"DMB\"]\n");
  EXPECT_EQ(emitted("DMB SY"), emitted("DMB"));
  EXPECT_EQ(emitted("dmb ish"), "fence.atomic.seq_cst[\"DMB.ISH\"]\n");
  EXPECT_EQ(emitted("DMB ST"), "fence.atomic.relaxed[\"DMB.ST\"]\n");
  EXPECT_EQ(emitted("DSB"), "fence.atomic.seq_cst[\"DSB\"]\n");
  EXPECT_EQ(emitted("DSB OSHST"), "fence.atomic.relaxed[\"DSB.OSHST\"]\n");
  EXPECT_EQ(emitted("ISB"), "fence.atomic.relaxed[\"ISB\"]\n");
  EXPECT_EQ(emitted("DMB LD"), "5: LIT-101 `dmb`: this option is not known");
}

TEST(LitmusArm, NothingIsFoldedSoThatDependenciesStay) {
  EXPECT_EQ(emitted("EOR R3,R1,R1"),
            "%2 = copy %R1\n"
            "%3 = copy %R1\n"
            "%4 = xor %2, %3\n"
            "%R3 = copy %4\n");
}

TEST(LitmusArm, Arithmetic) {
  EXPECT_EQ(after("MOV R1,#-1", {}), kMinusOne);
  EXPECT_EQ(after("MVN R1,R2", {{"R2", 1}}), 0xfffffffeU);
  EXPECT_EQ(after("MOVW R1,#0xffff", {}), 0xffffU);
  EXPECT_EQ(after("MOVT R1,#1", {{"R1", 0x70005}}), 0x10005U);
  EXPECT_EQ(after("ADD R1,R2,R3", {{"R2", kMinusOne}, {"R3", 2}}), 1U);
  EXPECT_EQ(after("ADD R1,R2", {{"R1", 5}, {"R2", 2}}), 7U);
  EXPECT_EQ(after("SUB R1,R2,#3", {{"R2", 2}}), kMinusOne);
  EXPECT_EQ(after("RSB R1,R2,#3", {{"R2", 2}}), 1U);
  EXPECT_EQ(after("AND R1,R2,#3", {{"R2", 6}}), 2U);
  EXPECT_EQ(after("BIC R1,R2,#3", {{"R2", 6}}), 4U);
  EXPECT_EQ(after("ORR R1,R2,R3", {{"R2", 6}, {"R3", 1}}), 7U);
  EXPECT_EQ(after("EOR R1,R2,R3", {{"R2", 6}, {"R3", 3}}), 5U);
  EXPECT_EQ(after("MUL R1,R2,R3", {{"R2", 6}, {"R3", 3}}), 18U);
  EXPECT_EQ(after("LSL R1,R2,#3", {{"R2", 1}}), 8U);
  EXPECT_EQ(after("ASR R1,R2,#31", {{"R2", kSmallest}}), kMinusOne);
}

TEST(LitmusArm, ComparisonsSetTheFlags) {
  struct Case {
    const char* text;
    std::uint64_t a, b, n, z, c, v;
  };
  for (const Case& k : {Case{"CMP R2,R3", 1, 1, 0, 1, 1, 0},
                        Case{"CMP R2,R3", 1, 2, 1, 0, 0, 0},
                        Case{"CMP R2,R3", 2, 1, 0, 0, 1, 0},
                        Case{"CMP R2,R3", kSmallest, 1, 0, 0, 1, 1},
                        Case{"CMP R2,R3", 0x7fffffff, kMinusOne, 1, 0, 0, 1},
                        Case{"CMN R2,R3", 0x7fffffff, 1, 1, 0, 0, 1},
                        Case{"CMN R2,R3", kMinusOne, 1, 0, 1, 1, 0},
                        Case{"ADDS R1,R2,R3", kSmallest, kSmallest, 0, 1, 1, 1},
                        Case{"SUBS R1,R2,R3", 0, 0, 0, 1, 1, 0}}) {
    const std::map<std::string, std::uint64_t> before = {{"R2", k.a}, {"R3", k.b}};
    EXPECT_EQ(after(k.text, before, "N"), k.n) << k.text << " " << k.a << " " << k.b;
    EXPECT_EQ(after(k.text, before, "Z"), k.z) << k.text << " " << k.a << " " << k.b;
    EXPECT_EQ(after(k.text, before, "C"), k.c) << k.text << " " << k.a << " " << k.b;
    EXPECT_EQ(after(k.text, before, "V"), k.v) << k.text << " " << k.a << " " << k.b;
  }
  // Without an addition the last two stay.
  EXPECT_EQ(after("TST R2,#1", {{"R2", 2}, {"C", 1}}, "Z"), 1U);
  EXPECT_EQ(after("TST R2,#1", {{"R2", 2}, {"C", 1}}, "C"), 1U);
  EXPECT_EQ(after("TEQ R2,#2", {{"R2", 2}}, "Z"), 1U);
  EXPECT_EQ(after("MOVS R1,#0", {{"N", 1}}, "N"), 0U);
  EXPECT_EQ(after("ADD R1,R2,#0", {{"Z", 0}}, "Z"), 0U);
}

TEST(LitmusArm, ConditionsReadTheFlags) {
  struct Case {
    const char* condition;
    std::map<std::string, std::uint64_t> holds, fails;
  };
  const std::vector<Case> cases = {
      {"EQ", {{"Z", 1}}, {}},
      {"NE", {}, {{"Z", 1}}},
      {"CS", {{"C", 1}}, {}},
      {"HS", {{"C", 1}}, {}},
      {"CC", {}, {{"C", 1}}},
      {"LO", {}, {{"C", 1}}},
      {"MI", {{"N", 1}}, {}},
      {"PL", {}, {{"N", 1}}},
      {"VS", {{"V", 1}}, {}},
      {"VC", {}, {{"V", 1}}},
      {"HI", {{"C", 1}}, {{"C", 1}, {"Z", 1}}},
      {"LS", {{"C", 1}, {"Z", 1}}, {{"C", 1}}},
      {"GE", {{"N", 1}, {"V", 1}}, {{"N", 1}}},
      {"LT", {{"N", 1}}, {{"N", 1}, {"V", 1}}},
      {"GT", {{"N", 1}, {"V", 1}}, {{"Z", 1}}},
      {"LE", {{"Z", 1}}, {}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(after(std::string("B") + c.condition + " L", c.holds, "taken"), 1U) << c.condition;
    EXPECT_EQ(after(std::string("B") + c.condition + " L", c.fails, "taken"), 0U) << c.condition;
    EXPECT_EQ(after(std::string("MOV") + c.condition + " R1,#5", c.holds), 5U) << c.condition;
    EXPECT_EQ(after(std::string("MOV") + c.condition + " R1,#5", c.fails), 0U) << c.condition;
  }
  EXPECT_EQ(after("CBZ R1,L", {}, "taken"), 1U);
  EXPECT_EQ(after("CBNZ R1,L", {}, "taken"), 0U);
  EXPECT_EQ(translate_all(*make_arm(), {"B L", "L:"}).emitted, "jump at.L\njump at.L\n");
}

TEST(LitmusArm, ConditionalInstructionsKeepTheOldValue) {
  EXPECT_EQ(emitted("MOVNE R1,R2"),
            "%2 = trunc %Z\n"
            "%3 = xor %2, i1 1\n"
            "%5 = copy %R2\n"
            "%7 = copy %R1\n"
            "%8 = select %3, %5, %7\n"
            "%R1 = copy %8\n");
  EXPECT_EQ(after("ADDSEQ R1,R1,#1", {{"R1", 4}, {"Z", 0}}), 4U);
  EXPECT_EQ(after("ADDSEQ R1,R1,#1", {{"R1", 4}, {"Z", 1}}), 5U);
  EXPECT_EQ(after("ADDSEQ R1,R1,#1", {{"R1", 4}, {"Z", 1}}, "Z"), 0U);
  EXPECT_EQ(after("ADDEQS R1,R1,#1", {{"R1", 4}, {"Z", 1}}, "Z"), 0U);
  EXPECT_EQ(after("CMPNE R1,#4", {{"R1", 4}, {"Z", 0}}, "Z"), 1U);
  EXPECT_EQ(emitted("LDRNE R1,[R2]"),
            "1: LIT-103 `ldrne`: conditional accesses to memory are not supported");
  EXPECT_EQ(emitted("STREXEQ R1,R2,[R3]"),
            "1: LIT-103 `strexeq`: conditional accesses to memory are not supported");
}

TEST(LitmusArm, ErrorsNameTheInstructionAndTheColumn) {
  EXPECT_EQ(emitted("LDR R1,[R2],#4"),
            "13: LIT-101 `ldr` takes a register, memory; operand 3 is `#4`");
  EXPECT_EQ(emitted("STR R1,[R2,#4]!"),
            "15: LIT-103 `str`: writing back the address is not supported");
  EXPECT_EQ(emitted("LDR R1,[R2,R3,ROR #4]"), "15: LIT-100 `ldr`: `LSL` was expected");
  EXPECT_EQ(emitted("LDR R1,[R2,R3,LSL #32]"),
            "22: LIT-100 `ldr`: a shift by 0 to 31 was expected");
  EXPECT_EQ(emitted("MOV R1,#x"), "9: LIT-100 `mov`: a number was expected");
  EXPECT_EQ(emitted("LSL R1,R2,#32"), "11: LIT-101 `lsl`: a shift by 0 to 31 was expected");
  EXPECT_EQ(emitted("LSLS R1,R2,#3"),
            "1: LIT-103 `lsl`: shifts that set the flags are not supported");
  EXPECT_EQ(emitted("SVC #0"), "1: LIT-102 `svc`: this instruction is not known");
  EXPECT_EQ(emitted("LDMIA R1,[R2]"),
            "10: LIT-101 `ldmia` takes a register, or one that is written back, a list of "
            "registers; operand 2 is `[R2]`");
  EXPECT_EQ(emitted("LDM R1,{R2,R2}"), "8: LIT-101 `ldm`: different registers were expected");
  EXPECT_EQ(emitted("LDM R1!,{R1,R2}"),
            "9: LIT-101 `ldm`: the register of the address is written back");
  EXPECT_EQ(emitted("STM R1,{R2-R10}"),
            "1: LIT-103 `stm`: more than 8 registers are not supported");
  EXPECT_EQ(emitted("STM R1,{R4-R2}"), "12: LIT-100 `stm`: a register after R4 was expected");
}

TEST(LitmusArm, BlocksAreAnAccessToEachWord) {
  EXPECT_EQ(emitted("LDM R1,{R2,R3}"),
            "%2 = copy %R1\n"
            "%3 = add %2, i32 4\n"
            "%4 = load.atomic.relaxed %2\n"
            "%5 = load.atomic.relaxed %3\n"
            "%R2 = copy %4\n"
            "%R3 = copy %5\n");
  // The lowest register is at the lowest address.
  EXPECT_EQ(emitted("LDMIA R1,{R3,R2}"), emitted("LDM R1,{R2,R3}"));
  EXPECT_EQ(emitted("LDM R1,{R2-R4}"), emitted("LDM R1,{R2,R3,R4}"));
  EXPECT_EQ(emitted("STMDB R1!,{R2,R3}"),
            "%2 = copy %R1\n"
            "%3 = add %2, i32 -8\n"
            "%4 = add %3, i32 4\n"
            "%6 = copy %R2\n"
            "%8 = copy %R3\n"
            "store.atomic.relaxed i32 %6, %3\n"
            "store.atomic.relaxed i32 %8, %4\n"
            "%9 = add %2, i32 -8\n"
            "%R1 = copy %9\n");
  EXPECT_EQ(emitted("STMFD R1!,{R2,R3}"), emitted("STMDB R1!,{R2,R3}"));
  EXPECT_EQ(emitted("LDRD R2,[R1]"), emitted("LDRD R2,R3,[R1]"));
  for (const auto& [name, first] : std::map<std::string, std::string>{
           {"LDMIB", "i32 4"}, {"LDMDA", "i32 -4"}, {"LDMDB", "i32 -8"}})
    EXPECT_NE(emitted(name + " R1,{R2,R3}").find("%3 = add %2, " + first), std::string::npos)
        << name;
}

TEST(LitmusArm, WhatIsEmittedVerifies) {
  const Translation all = translate_all(*make_arm(),
                                        {"MOV R1,#1",
                                         "LDREX R2,[R3]",
                                         "STREX R4,R1,[R3]",
                                         "LDREXD R6,R7,[R3]",
                                         "STREXD R4,R6,R7,[R3]",
                                         "CMP R4,#0",
                                         "BNE L",
                                         "ADDSNE R1,R2,R3",
                                         "DMB ISH",
                                         "L:",
                                         "LDRSB R1,[R3,#1]",
                                         "STRB R1,[R3,R2]"});
  ASSERT_EQ(all.error, "");
  const Status status = ir::verify(all.module);
  EXPECT_TRUE(status) << status.error().to_string();
}

} // namespace heddle::frontend::litmus
