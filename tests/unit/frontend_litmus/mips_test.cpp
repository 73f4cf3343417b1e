// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What MIPS instructions become, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "ir/verify.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_mips(false), instruction);
}

std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before,
                    const std::string& name = "r1") {
  return value_after(*make_mips(false), instruction, name, before);
}

constexpr std::uint64_t kMinusOne = 0xffffffff;

} // namespace

TEST(LitmusMips, RegistersHaveNumbersAndNamesOfTheCallingConvention) {
  const auto mips = make_mips(false);
  EXPECT_EQ(mips->find_register("$0")->canonical, "r0");
  EXPECT_EQ(mips->find_register("$zero")->canonical, "r0");
  EXPECT_EQ(mips->find_register("r4")->canonical, "r4");
  EXPECT_EQ(mips->find_register("$a0")->canonical, "r4");
  EXPECT_EQ(mips->find_register("a0")->canonical, "r4");
  EXPECT_EQ(mips->find_register("%a0")->canonical, "%a0"); // one of the test's own
  EXPECT_EQ(mips->find_register("$a5")->canonical, "r9");  // of the newer conventions
  EXPECT_EQ(mips->find_register("$t8")->canonical, "r24");
  EXPECT_EQ(mips->find_register("$31")->canonical, "r31");
  EXPECT_EQ(mips->find_register("$ra")->bits, 32U);
  for (const char* name : {"$32", "a9", "$", "", "$x"})
    EXPECT_FALSE(mips->find_register(name)) << name;
}

TEST(LitmusMips, LoadsAndStores) {
  EXPECT_EQ(emitted("lw $2,4($3)"),
            "%2 = copy %r3\n"
            "%3 = add %2, i32 4\n"
            "%4 = load.atomic.relaxed %3\n"
            "%r2 = copy %4\n");
  EXPECT_EQ(emitted("lb r2,(r3)"),
            "%2 = copy %r3\n"
            "%3 = load.atomic.relaxed %2\n"
            "%4 = sext %3\n"
            "%r2 = copy %4\n");
  EXPECT_EQ(emitted("lhu r2,0(r3)"),
            "%2 = copy %r3\n"
            "%3 = load.atomic.relaxed %2\n"
            "%4 = zext %3\n"
            "%r2 = copy %4\n");
  EXPECT_EQ(emitted("sw $0,0($3)"),
            "%2 = copy %r3\n"
            "store.atomic.relaxed i32 0, %2\n");
  EXPECT_EQ(emitted("sh r2,2(r3)"),
            "%2 = trunc %r2\n"
            "%4 = copy %r3\n"
            "%5 = add %4, i32 2\n"
            "store.atomic.relaxed i16 %2, %5\n");
}

TEST(LitmusMips, ConditionalStoresPutTheirSuccessIntoWhatTheyStored) {
  EXPECT_EQ(emitted("ll $2,0($3)"),
            "%2 = copy %r3\n"
            "%3 = load_exclusive.atomic.relaxed[\"EX\", \"X\"] %2\n"
            "%r2 = copy %3\n");
  EXPECT_EQ(emitted("sc $2,0($3)"),
            "%2 = copy %r2\n"
            "%4 = copy %r3\n"
            "%5 = store_exclusive.atomic.relaxed[\"EX\", \"X\"] i32 %2, %4\n"
            "%6 = zext %5\n"
            "%r2 = copy %6\n");
}

TEST(LitmusMips, Barriers) {
  EXPECT_EQ(emitted("sync"), "fence.atomic.seq_cst[\"SYNC\"]\n");
  EXPECT_EQ(emitted("sync 0"), emitted("sync"));
  EXPECT_EQ(emitted("sync 16"), "6: LIT-101 `sync`: only the full barrier, sync 0, is supported");
  EXPECT_EQ(emitted("nop"), "");
}

TEST(LitmusMips, NothingIsFoldedSoThatDependenciesStay) {
  EXPECT_EQ(emitted("xor r2,r1,r1"),
            "%2 = copy %r1\n"
            "%3 = copy %r1\n"
            "%4 = xor %2, %3\n"
            "%r2 = copy %4\n");
}

TEST(LitmusMips, Arithmetic) {
  EXPECT_EQ(after("li r1,-1", {}), kMinusOne);
  EXPECT_EQ(after("lui r1,1", {}), 0x10000U);
  EXPECT_EQ(after("move r1,r2", {{"r2", 7}}), 7U);
  EXPECT_EQ(after("addu r1,r2,r3", {{"r2", kMinusOne}, {"r3", 2}}), 1U);
  EXPECT_EQ(after("addiu r1,r2,-1", {{"r2", 7}}), 6U);
  EXPECT_EQ(after("subu r1,r2,r3", {{"r2", 1}, {"r3", 2}}), kMinusOne);
  EXPECT_EQ(after("and r1,r2,r3", {{"r2", 6}, {"r3", 3}}), 2U);
  EXPECT_EQ(after("ori r1,r0,3", {{"r0", 9}}), 3U); // register 0 is 0
  EXPECT_EQ(after("nor r1,r2,r3", {{"r2", 6}, {"r3", 3}}), 0xfffffff8U);
  EXPECT_EQ(after("xori r1,r2,1", {{"r2", 1}}), 0U);
  EXPECT_EQ(after("slt r1,r2,r3", {{"r2", kMinusOne}, {"r3", 0}}), 1U);
  EXPECT_EQ(after("sltu r1,r2,r3", {{"r2", kMinusOne}, {"r3", 0}}), 0U);
  EXPECT_EQ(after("slti r1,r2,1", {{"r2", 0}}), 1U);
  EXPECT_EQ(after("sll r1,r2,4", {{"r2", 1}}), 16U);
  EXPECT_EQ(after("srlv r1,r2,r3", {{"r2", 16}, {"r3", 36}}), 1U); // five bits count
  EXPECT_EQ(after("sra r1,r2,31", {{"r2", 0x80000000}}), kMinusOne);
  EXPECT_EQ(emitted("addiu r0,r0,1"), "%1 = add i32 0, i32 1\n");
}

TEST(LitmusMips, Branches) {
  EXPECT_EQ(after("beq r1,r2,L", {{"r1", 1}, {"r2", 1}}, "taken"), 1U);
  EXPECT_EQ(after("bne r1,r0,L", {{"r1", 1}}, "taken"), 1U);
  EXPECT_EQ(after("beqz r1,L", {{"r1", 1}}, "taken"), 0U);
  EXPECT_EQ(after("bnez r1,L", {{"r1", 1}}, "taken"), 1U);
  EXPECT_EQ(after("bltz r1,L", {{"r1", kMinusOne}}, "taken"), 1U);
  EXPECT_EQ(after("blez r1,L", {{"r1", 0}}, "taken"), 1U);
  EXPECT_EQ(after("bgtz r1,L", {{"r1", 0}}, "taken"), 0U);
  EXPECT_EQ(after("bgez r1,L", {{"r1", kMinusOne}}, "taken"), 0U);
  EXPECT_EQ(translate_all(*make_mips(false), {"b L", "L:"}).emitted, "jump at.L\njump at.L\n");
}

TEST(LitmusMips, ErrorsNameTheInstructionAndTheColumn) {
  EXPECT_EQ(emitted("ld $2,0($3)"), "1: LIT-103 `ld`: MIPS32 does not have it");
  EXPECT_EQ(emitted("lw $2,$3"), "7: LIT-101 `lw` takes a register, memory; operand 2 is `$3`");
  EXPECT_EQ(emitted("addiu r1,r2,r3"),
            "13: LIT-101 `addiu` takes a register, a register, a number; operand 3 is `r3`");
  EXPECT_EQ(emitted("jal f"), "1: LIT-102 `jal`: this instruction is not known");
}

TEST(LitmusMips, NumbersHave16Bits) {
  EXPECT_EQ(after("addiu r1,r2,65535", {{"r2", 3}}), 2U); // -1
  EXPECT_EQ(after("ori r1,r2,65535", {{"r2", 0x10000}}), 0x1ffffU);
  EXPECT_EQ(after("sltiu r1,r2,65535", {{"r2", kMinusOne}}), 0U); // not less than -1
  EXPECT_EQ(emitted("addiu r1,r2,65536"), "13: LIT-101 `addiu`: a number of 16 bits was expected");
}

TEST(LitmusMips, DoublewordsAndSignsInRegistersOf64Bits) {
  const auto wide = [](const std::string& instruction,
                       const std::map<std::string, std::uint64_t>& before) {
    return value_after(*make_mips(true), instruction, "r1", before);
  };
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  EXPECT_EQ(make_mips(true)->find_register("$ra")->bits, 64U);
  EXPECT_EQ(wide("daddu r1,r2,r3", {{"r2", 0xffffffff}, {"r3", 1}}), 0x100000000U);
  EXPECT_EQ(wide("addu r1,r2,r3", {{"r2", 0x7fffffff}, {"r3", 1}}), kAll << 31);
  EXPECT_EQ(wide("daddiu r1,r2,65535", {{"r2", 0}}), kAll);
  EXPECT_EQ(wide("addiu r1,r2,65535", {{"r2", 0}}), kAll);
  EXPECT_EQ(wide("dsubu r1,r2,r3", {{"r2", 0}, {"r3", 1}}), kAll);
  EXPECT_EQ(wide("lui r1,65535", {}), kAll << 16);
  EXPECT_EQ(wide("ori r1,r2,65535", {{"r2", 0}}), 0xffffU);
  EXPECT_EQ(wide("nor r1,r2,r3", {{"r2", 0}, {"r3", 0}}), kAll);
  EXPECT_EQ(wide("sll r1,r2,4", {{"r2", 0x18000000}}), kAll << 31);
  EXPECT_EQ(wide("srl r1,r2,4", {{"r2", kAll}}), 0x0fffffffU);
  EXPECT_EQ(wide("dsll r1,r2,20", {{"r2", 0x18000}}), 0x1800000000U);
  EXPECT_EQ(wide("dsll32 r1,r2,4", {{"r2", 1}}), std::uint64_t{1} << 36);
  EXPECT_EQ(wide("dsrl r1,r2,4", {{"r2", kAll}}), kAll >> 4);
  EXPECT_EQ(wide("dsra32 r1,r2,31", {{"r2", kAll << 63}}), kAll);
  EXPECT_EQ(wide("dsrlv r1,r2,r3", {{"r2", 16}, {"r3", 68}}), 1U); // six bits count
  EXPECT_EQ(wide("dext r1,r2,3,16", {{"r2", 0xabcdef}}), 31165U);
  EXPECT_EQ(wide("dextu r1,r2,60,4", {{"r2", kAll}}), 15U);
  EXPECT_EQ(wide("slt r1,r2,r3", {{"r2", kAll}, {"r3", 0}}), 1U);
  EXPECT_EQ(translate_text(*make_mips(true), "ld $2,8($3)"),
            "%2 = copy %r3\n%3 = add %2, i64 8\n%4 = load.atomic.relaxed %3\n%r2 = copy %4\n");
  EXPECT_EQ(translate_text(*make_mips(true), "lw $2,0($3)"),
            "%2 = copy %r3\n%3 = load.atomic.relaxed %2\n%4 = sext %3\n%r2 = copy %4\n");
  EXPECT_EQ(translate_text(*make_mips(true), "sw $2,0($3)"),
            "%2 = trunc %r2\n%4 = copy %r3\nstore.atomic.relaxed i32 %2, %4\n");
  EXPECT_EQ(translate_text(*make_mips(true), "dext r1,r2,60,5"),
            "12: LIT-101 `dext`: the number of a bit and how many there are were expected");
  EXPECT_TRUE(needs_mips64("LD $2,0($3)"));
  EXPECT_FALSE(needs_mips64("lw $2,0($3)"));
}

TEST(LitmusMips, WhatIsEmittedVerifies) {
  const Translation all = translate_all(*make_mips(false),
                                        {"li $2,1",
                                         "ll $3,0($4)",
                                         "sc $2,0($4)",
                                         "beq $2,$0,L",
                                         "sync",
                                         "L:",
                                         "lbu $5,1($4)",
                                         "sb $5,2($4)",
                                         "sltiu $5,$5,3"});
  ASSERT_EQ(all.error, "");
  const Status status = ir::verify(all.module);
  EXPECT_TRUE(status) << status.error().to_string();
}

} // namespace heddle::frontend::litmus
