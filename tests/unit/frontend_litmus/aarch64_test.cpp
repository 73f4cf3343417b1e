// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What AArch64 instructions on registers become, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_aarch64(), instruction);
}
std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before = {},
                    const std::string& name = "X0") {
  return value_after(*make_aarch64(), instruction, name, before);
}

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

} // namespace

TEST(LitmusAArch64, RegistersHaveHalves) {
  const auto dialect = make_aarch64();
  EXPECT_EQ(dialect->find_register("X30")->canonical, "X30");
  EXPECT_EQ(dialect->find_register("w7")->canonical, "X7");
  EXPECT_EQ(dialect->find_register("W7")->bits, 32U);
  for (const char* name : {"X31", "X01", "X", "", "Y1", "X1a"})
    EXPECT_FALSE(dialect->find_register(name)) << name;
  EXPECT_TRUE(dialect->find_register("WZR")->is_zero);
  EXPECT_FALSE(dialect->find_register("X0")->is_zero);
}

TEST(LitmusAArch64, Moves) {
  EXPECT_EQ(emitted("MOV W0,#1"), "%X0 = zext i32 1\n");
  EXPECT_EQ(emitted("MOV X0,X1"), "%2 = copy %X1\n%X0 = copy %2\n");
  EXPECT_EQ(after("MOV W0,W1", {{"X0", kMinusOne}, {"X1", kMinusOne}}), 0xffffffffU);
  EXPECT_EQ(after("MOV X0,#-1"), kMinusOne);
  EXPECT_EQ(after("MOVZ X0,#1,LSL #16"), 0x10000U);
  EXPECT_EQ(after("MOVN W0,#0"), 0xffffffffU);
  EXPECT_EQ(after("MOVK X0,#0x12,LSL #16", {{"X0", 0x1111222233334444}}), 0x1111222200124444U);
  EXPECT_EQ(after("MVN W0,W1", {{"X1", 1}}), 0xfffffffeU);
  EXPECT_EQ(after("NEG X0,X1", {{"X1", 1}}), kMinusOne);
  EXPECT_EQ(emitted("MOV XZR,X1"), "%2 = copy %X1\n");
  EXPECT_EQ(after("MOV X0,XZR", {{"X0", 1}}), 0U);
}

TEST(LitmusAArch64, AnOperationOnEqualOperandsStays) {
  EXPECT_EQ(emitted("EOR W2,W0,W0"),
            "%2 = trunc %X0\n%3 = trunc %X0\n%4 = xor %3, %2\n"
            "%X2 = zext %4\n");
  EXPECT_EQ(emitted("AND W2,W0,#0"), "%2 = trunc %X0\n%3 = and %2, i32 0\n%X2 = zext %3\n");
}

TEST(LitmusAArch64, Arithmetic) {
  const std::map<std::string, std::uint64_t> two = {{"X1", 0xf0}, {"X2", 0x3c}};
  EXPECT_EQ(after("ADD X0,X1,X2", two), 0x12cU);
  EXPECT_EQ(after("SUB X0,X1,X2", two), 0xb4U);
  EXPECT_EQ(after("AND X0,X1,X2", two), 0x30U);
  EXPECT_EQ(after("ORR X0,X1,X2", two), 0xfcU);
  EXPECT_EQ(after("EOR X0,X1,X2", two), 0xccU);
  EXPECT_EQ(after("BIC X0,X1,X2", two), 0xc0U);
  EXPECT_EQ(after("ORN W0,W1,W2", two), 0xfffffff3U);
  EXPECT_EQ(after("EON W0,W1,W2", two), 0xffffff33U);
  EXPECT_EQ(after("MUL X0,X1,X2", two), 0xf0U * 0x3cU);
  EXPECT_EQ(after("MADD X0,X1,X2,X1", two), 0xf0U * 0x3cU + 0xf0U);
  EXPECT_EQ(after("MSUB X0,X1,X2,XZR", two), ~std::uint64_t{0xf0U * 0x3cU} + 1);
  EXPECT_EQ(after("ADD X0,X1,#1,LSL #12", two), 0x10f0U);
  EXPECT_EQ(after("ADD W0,W1,#1", {{"X1", 0xffffffff}}), 0U);
}

TEST(LitmusAArch64, ShiftsAndExtensions) {
  const std::map<std::string, std::uint64_t> two = {{"X1", 0x10}, {"X2", 0xfffffff8}};
  EXPECT_EQ(after("ADD X0,X1,W2,SXTW", two), 8U);
  EXPECT_EQ(after("ADD X0,X1,W2,UXTW #1", two), 0x1fffffff0U + 0x10U);
  EXPECT_EQ(after("ADD X0,X1,X1,LSL #4", two), 0x110U);
  EXPECT_EQ(after("ADD X0,X1,W2,UXTB", two), 0x108U);
  EXPECT_EQ(after("SUB X0,X1,W2,SXTB", two), 0x18U);
  EXPECT_EQ(after("LSL W0,W2,#4", two), 0xffffff80U);
  EXPECT_EQ(after("LSR W0,W2,#4", two), 0x0fffffffU);
  EXPECT_EQ(after("ASR W0,W2,#4", two), 0xffffffffU);
  EXPECT_EQ(after("ROR W0,W2,#4", two), 0x8fffffffU);
  EXPECT_EQ(after("LSL X0,X1,X2", {{"X1", 1}, {"X2", 65}}), 2U);
  EXPECT_EQ(after("SXTW X0,W2", two), 0xfffffffffffffff8U);
  EXPECT_EQ(after("UXTB W0,W2", two), 0xf8U);
}

// Each condition against the comparison it stands for, over interesting numbers.
TEST(LitmusAArch64, ConditionsAfterAComparison) {
  const std::vector<std::uint32_t> numbers = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const std::uint32_t a : numbers)
    for (const std::uint32_t b : numbers) {
      std::map<std::string, std::uint64_t> flags = {{"X1", a}, {"X2", b}};
      for (const char* flag : {"N", "Z", "C", "V"})
        flags[flag] = after("CMP W1,W2", {{"X1", a}, {"X2", b}}, flag);
      const auto x = static_cast<std::int32_t>(a);
      const auto y = static_cast<std::int32_t>(b);
      for (const auto& [code, expected] : std::vector<std::pair<std::string, bool>>{
               {"EQ", a == b},
               {"NE", a != b},
               {"LT", x < y},
               {"GE", x >= y},
               {"LE", x <= y},
               {"GT", x > y},
               {"LO", a < b},
               {"CC", a < b},
               {"HS", a >= b},
               {"CS", a >= b},
               {"LS", a <= b},
               {"HI", a > b},
               {"MI", static_cast<std::int32_t>(a - b) < 0}}) {
        EXPECT_EQ(after("B." + code + " L", flags, "taken"), expected ? 1U : 0U) << code << a << b;
        EXPECT_EQ(after("CSET W0," + code, flags), expected ? 1U : 0U) << code;
        EXPECT_EQ(after("CSEL W0,W1,W2," + code, flags), expected ? a : b) << code;
        EXPECT_EQ(after("CSINC X0,X1,X2," + code, flags), expected ? a : b + std::uint64_t{1});
        EXPECT_EQ(after("CINC X0,X1," + code, flags), expected ? a + std::uint64_t{1} : a);
      }
    }
}

TEST(LitmusAArch64, FlagsOfAddition) {
  EXPECT_EQ(after("ADDS X0,X1,#1", {{"X1", kMinusOne}}, "C"), 1U);
  EXPECT_EQ(after("ADDS X0,X1,#1", {{"X1", kMinusOne}}, "Z"), 1U);
  EXPECT_EQ(after("CMN X1,#1", {{"X1", kMinusOne >> 1}}, "V"), 1U);
  EXPECT_EQ(after("TST W1,#2", {{"X1", 5}}, "Z"), 1U);
  EXPECT_EQ(after("ANDS W0,W1,#4", {{"X1", 5}, {"C", 1}}, "C"), 0U);
}

TEST(LitmusAArch64, Branches) {
  EXPECT_EQ(after("CBZ W1,L", {{"X1", 0x100000000}}, "taken"), 1U);
  EXPECT_EQ(after("CBNZ X1,L", {{"X1", 0x100000000}}, "taken"), 1U);
  EXPECT_EQ(after("TBZ W1,#2,L", {{"X1", 4}}, "taken"), 0U);
  EXPECT_EQ(after("TBNZ X1,#40,L", {{"X1", std::uint64_t{1} << 40}}, "taken"), 1U);
  EXPECT_EQ(translate_all(*make_aarch64(), {"B L", "RET", "L:"}).error, "");
}

TEST(LitmusAArch64, WhatIsWrongIsSaidWithItsColumn) {
  EXPECT_EQ(emitted("FLY X0"), "1: LIT-032 the instruction 'FLY' is not known");
  EXPECT_EQ(emitted("LDXP X0,X1,[X2]"),
            "6: LIT-033 'LDXP': pairs of X registers are not supported");
  EXPECT_EQ(emitted("CASP W1,W2,W4,W5,[X6]"),
            "6: LIT-031 'CASP': expected an even register and the next one");
  EXPECT_EQ(emitted("UBFX W0,W1,#24,#9"),
            "12: LIT-031 'UBFX': expected the number of a bit and how many there are");
  EXPECT_EQ(emitted("EXTR W0,W1,W2,#32"), "15: LIT-031 'EXTR': expected the number of a bit");
  EXPECT_EQ(emitted("ADD X0,X1"), "1: LIT-031 'ADD': there are too many or too few operands");
  EXPECT_EQ(emitted("ADD X0,W1,X2"), "8: LIT-031 'ADD': the registers have different widths");
  EXPECT_EQ(emitted("ADD X0,X1,W2"), "11: LIT-031 'ADD': the registers have different widths");
  EXPECT_EQ(emitted("ADD X0,X1,foo"),
            "11: LIT-031 'ADD': operand 3 must be a register or a number");
  EXPECT_EQ(emitted("MOV #1,X0"), "5: LIT-031 'MOV': operand 1 must be a register");
  EXPECT_EQ(emitted("B.XX L"), "1: LIT-031 'B.XX': there is no such condition");
  EXPECT_EQ(emitted("CBZ X0"), "1: LIT-031 'CBZ': expected a label");
  EXPECT_EQ(emitted("TBZ X0,#64,L"), "8: LIT-031 'TBZ': expected the number of a bit");
  EXPECT_EQ(emitted("LSL W0,W1,#32"), "11: LIT-031 'LSL': the shift is too wide");
  EXPECT_EQ(emitted("LDR X0,[X1"), "11: LIT-030 expected ']'");
  EXPECT_EQ(emitted("LDR X0,[W1]"), "11: LIT-030 expected a register of 64 bits as the address");
  EXPECT_EQ(emitted("MOV X0,#99999999999999999999"),
            "28: LIT-030 the number has more than 64 bits");
  EXPECT_EQ(emitted("!"), "1: LIT-030 expected an instruction");
}

TEST(LitmusAArch64, BitFields) {
  // 4 to 31 of the one, 0 to 7 turned to the right by 24 of 32: to bit 8.
  EXPECT_EQ(after("UBFM W0,W1,#4,#31", {{"X1", 0x55667788}}), 0x5566778U);
  EXPECT_EQ(after("UBFM W0,W1,#24,#7", {{"X1", 0x55667788}}), 0x8800U);
  EXPECT_EQ(after("SBFM W0,W1,#4,#31", {{"X1", 0xaa998878}}), 0xfaa99887U);
  EXPECT_EQ(after("SBFM W0,W1,#24,#7", {{"X1", 0xaa998878}}), 0x7800U);
  EXPECT_EQ(after("SBFM W0,W1,#24,#7", {{"X1", 0x80}}), 0xffff8000U);
  EXPECT_EQ(after("SBFM X0,X1,#63,#63", {{"X1", std::uint64_t{1} << 63}}), kMinusOne);
  EXPECT_EQ(after("UBFM X0,X1,#0,#63", {{"X1", kMinusOne}}), kMinusOne);
  EXPECT_EQ(after("UBFX X0,X1,#8,#12", {{"X1", 0x01234567}}), 0x345U);
  EXPECT_EQ(after("SBFX X0,X1,#4,#4", {{"X1", 0xf0}}), kMinusOne);
  EXPECT_EQ(after("UBFIZ X0,X1,#8,#4", {{"X1", 0xab}}), 0xb00U);
  EXPECT_EQ(after("SBFIZ X0,X1,#8,#4", {{"X1", 0xab}}), kMinusOne - 0x4ff); // ...fb00
  EXPECT_EQ(after("BFI X0,X1,#8,#4", {{"X0", kMinusOne}, {"X1", 0x5}}), kMinusOne - 0xa00);
  EXPECT_EQ(after("BFI W0,W1,#28,#4", {{"X0", 0x12345678}, {"X1", 0xf}}), 0xf2345678U);
  EXPECT_EQ(after("BFXIL X0,X1,#8,#8", {{"X0", 0x1111}, {"X1", 0xab00}}), 0x11abU);
  EXPECT_EQ(after("BFC X0,#4,#8", {{"X0", 0xffff}}), 0xf00fU);
  EXPECT_EQ(after("BFM X0,X1,#60,#3", {{"X0", 0xfff}, {"X1", 0x5}}), 0xf5fU); // BFI #4,#4
  EXPECT_EQ(emitted("UBFM W0,W1,#32,#0"), "12: LIT-031 'UBFM': expected the numbers of two bits");
  EXPECT_EQ(emitted("UBFX W0,W1,#30,#3"),
            "12: LIT-031 'UBFX': expected the number of a bit and how many there are");
}

TEST(LitmusAArch64, ReversedAndCounted) {
  const std::map<std::string, std::uint64_t> before = {{"X1", 0xfedcba87654321}};
  EXPECT_EQ(after("RBIT W0,W1", before), 0x84c2a6e1U);
  EXPECT_EQ(after("RBIT X0,X1", before), 0x84c2a6e15d3b7f00U);
  EXPECT_EQ(after("REV W0,W1", before), 0x21436587U);
  EXPECT_EQ(after("REV X0,X1", before), 0x21436587badcfe00U);
  EXPECT_EQ(after("REV64 X0,X1", before), 0x21436587badcfe00U);
  EXPECT_EQ(after("REV16 W0,W1", before), 0x65872143U);
  EXPECT_EQ(after("REV16 X0,X1", before), 0xfe00badc65872143U);
  EXPECT_EQ(after("REV32 X0,X1", before), 0xbadcfe0021436587U);
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    EXPECT_EQ(after("CLZ X0,X1", {{"X1", one | (one >> 1)}}), 63 - bit);
    EXPECT_EQ(after("CTZ X0,X1", {{"X1", one | (one << 1)}}), bit);
    EXPECT_EQ(after("CNT X0,X1", {{"X1", one | 1}}), bit == 0 ? 1U : 2U);
  }
  EXPECT_EQ(after("CLZ X0,X1", {}), 64U);
  EXPECT_EQ(after("CLZ W0,W1", {{"X1", 0x100000001}}), 31U);
  EXPECT_EQ(after("CTZ W0,W1", {}), 32U);
  EXPECT_EQ(after("CNT W0,W1", {{"X1", kMinusOne}}), 32U);
  EXPECT_EQ(after("CLS X0,X1", {}), 63U);
  EXPECT_EQ(after("CLS X0,X1", {{"X1", kMinusOne}}), 63U);
  EXPECT_EQ(after("CLS W0,W1", {{"X1", 0xf0000000}}), 3U);
  EXPECT_EQ(after("CLS W0,W1", {{"X1", 0x40000000}}), 0U);
  EXPECT_EQ(after("ABS W0,W1", {{"X1", 0x80000000}}), 0x80000000U);
  EXPECT_EQ(after("ABS W0,W1", {{"X1", 0xffffffff}}), 1U);
  EXPECT_EQ(after("ABS X0,X1", {{"X1", 5}}), 5U);
  EXPECT_EQ(emitted("REV32 W0,W1"), "7: LIT-031 'REV32': expected X registers");
}

TEST(LitmusAArch64, LongProducts) {
  const std::map<std::string, std::uint64_t> before = {
      {"X1", 0xfffffffe}, {"X2", 0xffffffff}, {"X3", 7}};
  EXPECT_EQ(after("MNEG X0,X3,X3", before), kMinusOne - 48);
  EXPECT_EQ(after("SMULL X0,W1,W2", before), 2U);
  EXPECT_EQ(after("UMULL X0,W1,W2", before), 0xfffffffeU * std::uint64_t{0xffffffff});
  EXPECT_EQ(after("SMADDL X0,W1,W2,X3", before), 9U);
  EXPECT_EQ(after("SMSUBL X0,W1,W2,X3", before), 5U);
  EXPECT_EQ(after("SMNEGL X0,W1,W2", before), kMinusOne - 1);
  EXPECT_EQ(after("UMSUBL X0,W3,W3,X3", before), kMinusOne - 41);
  EXPECT_EQ(after("UMADDL X0,W3,W3,X3", before), 56U);
  EXPECT_EQ(after("UMNEGL X0,W3,W3", before), kMinusOne - 48);
  EXPECT_EQ(emitted("SMULL X0,X1,W2"), "10: LIT-031 'SMULL': expected a W register");
}

TEST(LitmusAArch64, TheFlagsAreASystemRegister) {
  EXPECT_EQ(after("MRS X0,NZCV", {{"N", 1}, {"C", 1}}), 0xa0000000U);
  EXPECT_EQ(after("MRS X0,NZCV", {{"Z", 1}, {"V", 1}}), 0x50000000U);
  EXPECT_EQ(after("MSR NZCV,X1", {{"X1", 0x80000000}}, "N"), 1U);
  EXPECT_EQ(after("MSR NZCV,X1", {{"X1", 0xbfffffff}}, "Z"), 0U);
  EXPECT_EQ(after("MSR NZCV,X1", {{"X1", 0x20000000}}, "C"), 1U);
  EXPECT_EQ(after("MSR NZCV,XZR", {{"V", 1}}, "V"), 0U);
  EXPECT_EQ(emitted("MRS X0,ELR_EL1"),
            "8: LIT-033 'MRS': the system register 'ELR_EL1' is not supported; NZCV, which holds "
            "the flags, is");
  EXPECT_EQ(emitted("MSR VNCR_EL2,X0"),
            "5: LIT-033 'MSR': the system register 'VNCR_EL2' is not supported; NZCV, which holds "
            "the flags, is");
}

TEST(LitmusAArch64, SymbolicRegistersMaySayTheirWidth) {
  const auto dialect = make_aarch64();
  EXPECT_EQ(dialect->find_register("%a")->canonical, "%a");
  EXPECT_EQ(dialect->find_register("X%a")->canonical, "%a");
  EXPECT_EQ(dialect->find_register("W%a")->bits, 32U);
  EXPECT_EQ(after("ADD W0,W%a,#1", {{"%a", kMinusOne}}), 0U);
}

TEST(LitmusAArch64, LabelsAreAddresses) {
  EXPECT_EQ(translate_all(*make_aarch64(), {"ADR X0,L", "L:"}).emitted,
            "%X0 = copy @\"label:\\\"P0:L\\\"\"\njump at.L\n");
  EXPECT_EQ(translate_all(*make_aarch64(), {"ADR X0,L"}).error, "no label 'L' in this thread");
  EXPECT_EQ(emitted("BR W0"), "4: LIT-031 'BR': expected an X register");
}

} // namespace heddle::frontend::litmus
