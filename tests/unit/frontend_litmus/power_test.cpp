// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What PowerPC instructions become, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "ir/verify.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_power(), instruction);
}

std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before,
                    const std::string& name = "r1") {
  return value_after(*make_power(), instruction, name, before);
}

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

} // namespace

TEST(LitmusPower, RegistersAreGeneralOnesAndFieldsOfTheConditionRegister) {
  const auto power = make_power();
  EXPECT_EQ(power->find_register("r0")->canonical, "r0");
  EXPECT_EQ(power->find_register("r31")->bits, 64U);
  EXPECT_EQ(power->find_register("cr7")->canonical, "CR7");
  EXPECT_EQ(power->find_register("CR0")->bits, 4U);
  for (const char* name : {"r32", "r", "r01", "cr8", "x", "", "r1x"})
    EXPECT_FALSE(power->find_register(name)) << name;
}

TEST(LitmusPower, LoadsWidenWithZerosAndAddTheDisplacement) {
  EXPECT_EQ(emitted("lwz r1,4(r2)"),
            "%2 = copy %r2\n"
            "%3 = add %2, i64 4\n"
            "%4 = load.atomic.relaxed %3\n"
            "%5 = zext %4\n"
            "%r1 = copy %5\n");
  EXPECT_EQ(emitted("ld r1,0(r2)"),
            "%2 = copy %r2\n"
            "%3 = load.atomic.relaxed %2\n"
            "%r1 = copy %3\n");
  EXPECT_EQ(emitted("lwz r1,0,r2"), emitted("lwz r1,0(r2)"));
}

TEST(LitmusPower, SignedLoadsWidenWithTheSign) {
  EXPECT_EQ(emitted("lha r1,0(r2)"),
            "%2 = copy %r2\n"
            "%3 = load.atomic.relaxed %2\n"
            "%4 = sext %3\n"
            "%r1 = copy %4\n");
}

TEST(LitmusPower, RegisterZeroIsNumberZeroAsABaseButNotAsAnIndex) {
  EXPECT_EQ(emitted("lwzx r1,r0,r2"),
            "%2 = copy %r2\n"
            "%3 = add i64 0, %2\n"
            "%4 = load.atomic.relaxed %3\n"
            "%5 = zext %4\n"
            "%r1 = copy %5\n");
  EXPECT_EQ(emitted("lwzx r1,0,r2"), emitted("lwzx r1,r0,r2"));
  EXPECT_EQ(emitted("ldx r1,r2,r0"),
            "%2 = copy %r2\n"
            "%4 = copy %r0\n"
            "%5 = add %2, %4\n"
            "%6 = load.atomic.relaxed %5\n"
            "%r1 = copy %6\n");
  EXPECT_EQ(emitted("addi r1,r0,5"), "%r1 = copy i64 5\n");
}

TEST(LitmusPower, UpdatesWriteTheAddressBack) {
  EXPECT_EQ(emitted("lwzu r1,8(r2)"),
            "%2 = copy %r2\n"
            "%3 = add %2, i64 8\n"
            "%4 = load.atomic.relaxed %3\n"
            "%5 = zext %4\n"
            "%r1 = copy %5\n"
            "%r2 = copy %3\n");
  EXPECT_EQ(emitted("stwu r1,8(r1)"),
            "%2 = copy %r1\n"
            "%3 = add %2, i64 8\n"
            "%4 = trunc %r1\n"
            "store.atomic.relaxed i32 %4, %3\n"
            "%r1 = copy %3\n");
  EXPECT_EQ(emitted("lwzu r1,8(r1)"), "9: LIT-101 `lwzu`: this base register cannot be updated");
  EXPECT_EQ(emitted("stdu r1,8(r0)"), "9: LIT-101 `stdu`: this base register cannot be updated");
}

TEST(LitmusPower, StoresTakeTheLowPartOfTheRegister) {
  EXPECT_EQ(emitted("stw r1,0(r2)"),
            "%2 = trunc %r1\n"
            "%4 = copy %r2\n"
            "store.atomic.relaxed i32 %2, %4\n");
  EXPECT_EQ(emitted("stb r1,3(r2)"),
            "%2 = trunc %r1\n"
            "%4 = copy %r2\n"
            "%5 = add %4, i64 3\n"
            "store.atomic.relaxed i8 %2, %5\n");
  EXPECT_EQ(emitted("stdx r1,r2,r3"),
            "%2 = copy %r1\n"
            "%4 = copy %r2\n"
            "%6 = copy %r3\n"
            "%7 = add %4, %6\n"
            "store.atomic.relaxed i64 %2, %7\n");
}

TEST(LitmusPower, ReservationsAndConditionalStoresSayHowItWentInField0) {
  EXPECT_EQ(emitted("lwarx r1,r0,r2"),
            "%2 = copy %r2\n"
            "%3 = add i64 0, %2\n"
            "%4 = load_exclusive.atomic.relaxed[\"EX\", \"X\"] %3\n"
            "%5 = zext %4\n"
            "%r1 = copy %5\n");
  EXPECT_EQ(emitted("stwcx. r1,r0,r2"),
            "%2 = trunc %r1\n"
            "%4 = copy %r2\n"
            "%5 = add i64 0, %4\n"
            "%6 = store_exclusive.atomic.relaxed[\"EX\", \"X\"] i32 %2, %5\n"
            "%7 = select %6, i4 2, i4 0\n"
            "%CR0 = zext %7\n");
  EXPECT_NE(emitted("ldarx r1,r3,r2").find("load_exclusive"), std::string::npos);
  EXPECT_NE(emitted("stdcx. r1,r3,r2").find("i64"), std::string::npos);
  EXPECT_EQ(emitted("stwcx r1,r0,r2"), "1: LIT-102 `stwcx`: this instruction is not known");
}

TEST(LitmusPower, BarriersHaveTheNamesOfTheModels) {
  EXPECT_EQ(emitted("sync"), "fence.atomic.seq_cst[\"SYNC\"]\n");
  EXPECT_EQ(emitted("hwsync"), emitted("sync"));
  EXPECT_EQ(emitted("sync 0"), emitted("sync"));
  EXPECT_EQ(emitted("lwsync"), "fence.atomic.acq_rel[\"LWSYNC\"]\n");
  EXPECT_EQ(emitted("sync 1"), emitted("lwsync"));
  EXPECT_EQ(emitted("isync"), "fence.atomic.relaxed[\"ISYNC\"]\n");
  EXPECT_EQ(emitted("eieio"), "fence.atomic.relaxed[\"EIEIO\"]\n");
  EXPECT_EQ(emitted("nop"), "");
}

TEST(LitmusPower, NothingIsFoldedSoThatDependenciesStay) {
  EXPECT_EQ(emitted("xor r2,r1,r1"),
            "%2 = copy %r1\n"
            "%3 = copy %r1\n"
            "%4 = xor %2, %3\n"
            "%r2 = copy %4\n");
  EXPECT_EQ(emitted("andi. r2,r1,0").find("%2 = copy %r1\n%3 = and %2, i64 0\n%r2 = copy %3\n"),
            0U);
}

TEST(LitmusPower, Arithmetic) {
  EXPECT_EQ(after("li r1,-1", {}), kMinusOne);
  EXPECT_EQ(after("lis r1,1", {}), 0x10000U);
  EXPECT_EQ(after("mr r1,r2", {{"r2", 7}}), 7U);
  EXPECT_EQ(after("add r1,r2,r3", {{"r2", 7}, {"r3", 5}}), 12U);
  EXPECT_EQ(after("sub r1,r2,r3", {{"r2", 7}, {"r3", 5}}), 2U);
  EXPECT_EQ(after("subf r1,r2,r3", {{"r2", 5}, {"r3", 7}}), 2U);
  EXPECT_EQ(after("subi r1,r2,1", {{"r2", 7}}), 6U);
  EXPECT_EQ(after("addis r1,r2,1", {{"r2", 7}}), 0x10007U);
  EXPECT_EQ(after("and r1,r2,r3", {{"r2", 6}, {"r3", 3}}), 2U);
  EXPECT_EQ(after("andc r1,r2,r3", {{"r2", 6}, {"r3", 3}}), 4U);
  EXPECT_EQ(after("nand r1,r2,r3", {{"r2", 6}, {"r3", 3}}), ~std::uint64_t{2});
  EXPECT_EQ(after("or r1,r2,r3", {{"r2", 6}, {"r3", 3}}), 7U);
  EXPECT_EQ(after("orc r1,r2,r3", {{"r2", 0}, {"r3", 3}}), ~std::uint64_t{3});
  EXPECT_EQ(after("nor r1,r2,r3", {{"r2", 6}, {"r3", 3}}), ~std::uint64_t{7});
  EXPECT_EQ(after("eqv r1,r2,r3", {{"r2", 6}, {"r3", 3}}), ~std::uint64_t{5});
  EXPECT_EQ(after("not r1,r2", {{"r2", 0}}), kMinusOne);
  EXPECT_EQ(after("neg r1,r2", {{"r2", 1}}), kMinusOne);
  EXPECT_EQ(after("mulli r1,r2,-2", {{"r2", 3}}), ~std::uint64_t{5});
  EXPECT_EQ(after("mullw r1,r2,r3", {{"r2", 0xffffffff}, {"r3", 2}}), ~std::uint64_t{1});
  EXPECT_EQ(after("extsw r1,r2", {{"r2", 0xffffffff}}), kMinusOne);
  EXPECT_EQ(after("ori r1,r2,1", {{"r2", 2}}), 3U);
}

TEST(LitmusPower, ShiftsOfWords) {
  EXPECT_EQ(after("slwi r1,r2,4", {{"r2", 0xf0000001}}), 0x10U);
  EXPECT_EQ(after("srwi r1,r2,4", {{"r2", 0xf0000010}}), 0xf000001U);
  EXPECT_EQ(after("srawi r1,r2,4", {{"r2", 0x80000000}}), 0xfffffffff8000000U);
  EXPECT_EQ(after("slw r1,r2,r3", {{"r2", 1}, {"r3", 31}}), 0x80000000U);
  EXPECT_EQ(after("slw r1,r2,r3", {{"r2", 1}, {"r3", 32}}), 0U);
  EXPECT_EQ(after("slw r1,r2,r3", {{"r2", 1}, {"r3", 64}}), 1U); // six bits count
  EXPECT_EQ(after("sraw r1,r2,r3", {{"r2", 0x80000000}, {"r3", 40}}), kMinusOne);
  EXPECT_EQ(after("sld r1,r2,r3", {{"r2", 1}, {"r3", 64}}), 0U);
  EXPECT_EQ(emitted("slwi r1,r2,32"), "12: LIT-101 `slwi`: a number from 0 to 31 was expected");
}

TEST(LitmusPower, ComparisonsSetOneField) {
  const std::uint64_t less = 8;
  const std::uint64_t greater = 4;
  const std::uint64_t equal = 2;
  EXPECT_EQ(after("cmpw r1,r2", {{"r1", 1}, {"r2", 1}}, "CR0"), equal);
  EXPECT_EQ(after("cmpw cr3,r1,r2", {{"r1", 1}, {"r2", 2}}, "CR3"), less);
  EXPECT_EQ(after("cmpw 3,r1,r2", {{"r1", 3}, {"r2", 2}}, "CR3"), greater);
  EXPECT_EQ(after("cmpwi r1,-1", {{"r1", 0xffffffff}}, "CR0"), equal);
  EXPECT_EQ(after("cmplwi r1,1", {{"r1", 0xffffffff}}, "CR0"), greater);
  EXPECT_EQ(after("cmpwi r1,1", {{"r1", 0xffffffff}}, "CR0"), less);
  EXPECT_EQ(after("cmpdi r1,-1", {{"r1", 0xffffffff}}, "CR0"), greater);
  EXPECT_EQ(after("cmpld r1,r2", {{"r1", kMinusOne}, {"r2", 1}}, "CR0"), greater);
}

TEST(LitmusPower, TheDotComparesTheResultWithZero) {
  EXPECT_EQ(after("add. r1,r2,r3", {{"r2", 1}, {"r3", kMinusOne}}, "CR0"), 2U);
  EXPECT_EQ(after("sub. r1,r2,r3", {{"r2", 1}, {"r3", 2}}, "CR0"), 8U);
  EXPECT_EQ(after("andi. r1,r2,3", {{"r2", 5}}, "CR0"), 4U);
  EXPECT_EQ(emitted("addi. r1,r2,3"), "1: LIT-102 `addi.`: this instruction is not known");
  EXPECT_EQ(emitted("andi r1,r2,3"), "1: LIT-102 `andi`: this instruction is not known");
}

TEST(LitmusPower, BranchesReadOneBitOfAField) {
  EXPECT_EQ(translate_all(*make_power(), {"beq cr1,L", "L:"}).emitted,
            "%2 = trunc %CR1\n"
            "%3 = and %2, i4 2\n"
            "%4 = ne %3, i4 0\n"
            "branch %4, at.L, after.0\n"
            "jump at.L\n");
  const std::uint64_t less = 8;
  const std::uint64_t greater = 4;
  const std::uint64_t equal = 2;
  struct Case {
    const char* branch;
    std::uint64_t if_less, if_equal, if_greater;
  };
  for (const Case& c : {Case{"beq", 0, 1, 0},
                        Case{"bne", 1, 0, 1},
                        Case{"blt", 1, 0, 0},
                        Case{"bge", 0, 1, 1},
                        Case{"bnl", 0, 1, 1},
                        Case{"bgt", 0, 0, 1},
                        Case{"ble", 1, 1, 0},
                        Case{"bng", 1, 1, 0},
                        Case{"bne-", 1, 0, 1}}) {
    const std::string text = std::string(c.branch) + " L";
    EXPECT_EQ(after(text, {{"CR0", less}}, "taken"), c.if_less) << text;
    EXPECT_EQ(after(text, {{"CR0", equal}}, "taken"), c.if_equal) << text;
    EXPECT_EQ(after(text, {{"CR0", greater}}, "taken"), c.if_greater) << text;
  }
  EXPECT_EQ(translate_all(*make_power(), {"b L", "L:"}).emitted.substr(0, 10), "jump at.L\n");
}

TEST(LitmusPower, ErrorsNameTheInstructionAndTheColumn) {
  EXPECT_EQ(emitted("  add r1,r2"),
            "3: LIT-101 `add` takes a register, a register, a register; operand 3 is missing");
  EXPECT_EQ(emitted("li r1,r2"), "7: LIT-101 `li` takes a register, a number; operand 2 is `r2`");
  EXPECT_EQ(emitted("sync r1"), "6: LIT-101 `sync` takes no operands; operand 1 is `r1`");
  EXPECT_EQ(emitted("lwz r1,0(x)"), "10: LIT-100 `lwz`: a register was expected");
  EXPECT_EQ(emitted("lwz r1,0(r2"), "12: LIT-100 `lwz`: `)` was expected");
  EXPECT_EQ(emitted("lwz r1,"), "8: LIT-100 `lwz`: an operand was expected after `,`");
  EXPECT_EQ(emitted("li r1,99999999999999999999"),
            "7: LIT-100 `li`: this is not a number of 64 bits");
  EXPECT_EQ(emitted("li r1,4x"), "7: LIT-100 `li`: this is not a number of 64 bits");
  EXPECT_EQ(emitted("mftb r1"), "1: LIT-102 `mftb`: this instruction is not known");
  EXPECT_EQ(emitted("add r1,cr0,r2"), "8: LIT-101 `add`: a general register was expected");
  EXPECT_EQ(emitted("lwz r1,0(cr0)"), "8: LIT-101 `lwz`: a general register was expected");
  EXPECT_EQ(emitted("cmpw r1,r2,r3"),
            "6: LIT-101 `cmpw`: a field of the condition register was expected");
  EXPECT_EQ(emitted(""), "1: LIT-100 an instruction was expected");
}

TEST(LitmusPower, WhatIsEmittedVerifies) {
  const Translation all = translate_all(*make_power(),
                                        {"li r1,1",
                                         "lwarx r2,0,r3",
                                         "stwcx. r1,0,r3",
                                         "bne L",
                                         "isync",
                                         "lwzu r5,4(r6)",
                                         "stbx r1,r2,r3",
                                         "L:",
                                         "sraw. r1,r2,r3",
                                         "cmpd cr2,r1,r2"});
  ASSERT_EQ(all.error, "");
  const Status status = ir::verify(all.module);
  EXPECT_TRUE(status) << status.error().to_string();
}

} // namespace heddle::frontend::litmus
