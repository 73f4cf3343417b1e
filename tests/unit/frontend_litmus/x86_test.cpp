// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What x86 instructions become, in both ways of writing them, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_x86(false), instruction);
}
std::string emitted_64(const std::string& instruction) {
  return translate_text(*make_x86(true), instruction);
}
std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before,
                    const std::string& name = "RAX") {
  return value_after(*make_x86(true), instruction, name, before);
}

} // namespace

TEST(LitmusX86, RegistersHaveParts) {
  const auto small = make_x86(false);
  const auto large = make_x86(true);
  EXPECT_EQ(small->find_register("EAX")->canonical, "EAX");
  EXPECT_EQ(small->find_register("al")->bits, 8U);
  EXPECT_TRUE(small->find_register("AX")->keeps_upper);
  EXPECT_FALSE(small->find_register("RAX"));
  EXPECT_FALSE(small->find_register("R8"));
  EXPECT_EQ(large->find_register("%eax")->canonical, "RAX");
  EXPECT_EQ(large->find_register("eax")->bits, 32U);
  EXPECT_FALSE(large->find_register("eax")->keeps_upper);
  EXPECT_EQ(large->find_register("R10D")->canonical, "R10");
  EXPECT_EQ(large->find_register("sil")->canonical, "RSI");
  for (const char* name : {"", "%", "E", "EXX", "R16", "R8Q", "x"})
    EXPECT_FALSE(large->find_register(name)) << name;
}

TEST(LitmusX86, Moves) {
  EXPECT_EQ(emitted("MOV [x],$1"), "store.atomic.relaxed i32 1, @x\n");
  EXPECT_EQ(emitted("mov [x], 1"), emitted("MOV [x],$1"));
  EXPECT_EQ(emitted("MOV EAX,[x]"), "%1 = load.atomic.relaxed @x\n%EAX = copy %1\n");
  EXPECT_EQ(emitted("MOV EAX,EBX"), "%2 = copy %EBX\n%EAX = copy %2\n");
  EXPECT_EQ(emitted("MOVB [x],$257"), "store.atomic.relaxed i8 1, @x\n");
  EXPECT_EQ(emitted("MOV [EAX+4],EBX"),
            "%2 = copy %EBX\n%4 = copy %EAX\n%5 = add %4, i32 4\n"
            "store.atomic.relaxed i32 %2, %5\n");
  EXPECT_EQ(emitted("MOV [x+4],$1"), "store.atomic.relaxed i32 1, @x+4\n");
  EXPECT_EQ(emitted("MOV EAX,$x"), "%EAX = copy @x\n");
}

TEST(LitmusX86, TheOtherWayOfWriting) {
  EXPECT_EQ(emitted_64("movq $1,(x)"), "store.atomic.relaxed i64 1, @x\n");
  EXPECT_EQ(emitted_64("movl (x),%eax"), "%1 = load.atomic.relaxed @x\n%RAX = zext %1\n");
  EXPECT_EQ(emitted_64("movq %rbx,8(%rax)"),
            "%2 = copy %RBX\n%4 = copy %RAX\n%5 = add %4, i64 8\n"
            "store.atomic.relaxed i64 %2, %5\n");
  EXPECT_EQ(emitted_64("movl $1,x(%rip)"), "store.atomic.relaxed i32 1, @x\n");
  EXPECT_EQ(emitted_64("mov $5,%rax"), "%RAX = copy i64 5\n");
  EXPECT_EQ(emitted_64("movq (%rax,%rbx,4),%rcx"),
            "%2 = copy %RAX\n%4 = copy %RBX\n%5 = mul %4, i64 4\n%6 = add %2, %5\n"
            "%7 = load.atomic.relaxed %6\n%RCX = copy %7\n");
}

TEST(LitmusX86, PartsOfRegisters) {
  EXPECT_EQ(after("MOV EAX,$-1", {{"RAX", ~0ULL}}), 0xffffffffULL);
  EXPECT_EQ(after("MOV AX,$1", {{"RAX", ~0ULL}}), 0xffffffffffff0001ULL);
  EXPECT_EQ(after("MOV AL,$1", {{"RAX", ~0ULL}}), 0xffffffffffffff01ULL);
  EXPECT_EQ(after("MOV AH,$1", {{"RAX", ~0ULL}}), 0xffffffffffff01ffULL);
  EXPECT_EQ(after("MOV AL,BH", {{"RBX", 0x1200}}), 0x12ULL);
  EXPECT_EQ(after("XCHG EAX,EBX", {{"RAX", 1}, {"RBX", 2}}), 2U);
  EXPECT_EQ(after("XCHG EAX,EBX", {{"RAX", 1}, {"RBX", 2}}, "RBX"), 1U);
  EXPECT_EQ(after("LEA RAX,[RBX+RCX*4+3]", {{"RBX", 10}, {"RCX", 5}}), 33U);
}

TEST(LitmusX86, Fences) {
  EXPECT_EQ(emitted("MFENCE"), "fence.atomic.seq_cst[\"MFENCE\"]\n");
  EXPECT_EQ(emitted("mfence"), emitted("MFENCE"));
  EXPECT_EQ(emitted("SFENCE"), "fence.atomic.release[\"SFENCE\"]\n");
  EXPECT_EQ(emitted("LFENCE"), "fence.atomic.acquire[\"LFENCE\"]\n");
}

TEST(LitmusX86, ExchangeWithMemoryIsLocked) {
  const std::string expected = "%2 = copy %EAX\n%3 = rmw.atomic.seq_cst[\"X\"] xchg @x, %2\n"
                               "%EAX = copy %3\n";
  EXPECT_EQ(emitted("XCHG [x],EAX"), expected);
  EXPECT_EQ(emitted("XCHG EAX,[x]"), expected);
  EXPECT_EQ(emitted("LOCK XCHG [x],EAX"), expected);
}

TEST(LitmusX86, LockedInstructionsAreOneStep) {
  const auto first = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  EXPECT_EQ(first(emitted("LOCK INC [x]")), "%1 = rmw.atomic.seq_cst[\"X\"] add @x, i32 1");
  EXPECT_EQ(first(emitted("LOCK DEC [x]")), "%1 = rmw.atomic.seq_cst[\"X\"] sub @x, i32 1");
  EXPECT_EQ(first(emitted("LOCK OR [x],$3")), "%1 = rmw.atomic.seq_cst[\"X\"] or @x, i32 3");
  EXPECT_EQ(emitted("LOCK NOT [x]"), "%1 = rmw.atomic.seq_cst[\"X\"] xor @x, i32 -1\n");
  EXPECT_NE(emitted("LOCK XADD [x],EAX").find("rmw.atomic.seq_cst[\"X\"] add @x, %2"),
            std::string::npos);
  EXPECT_NE(emitted("LOCK CMPXCHG [x],EBX")
                .find("cmpxchg.atomic.seq_cst[\"X\"] @x, %2, %4 failure seq_cst"),
            std::string::npos);
}

TEST(LitmusX86, WithoutLockThereIsAReadAndAWrite) {
  const std::string text = emitted("INC [x]");
  EXPECT_EQ(text.find("rmw"), std::string::npos);
  EXPECT_EQ(text.substr(0, text.find("%ZF")),
            "%1 = load.atomic.relaxed @x\n%2 = add %1, i32 1\nstore.atomic.relaxed i32 %2, @x\n"
            "%3 = eq %2, i32 0\n");
}

TEST(LitmusX86, ArithmeticAndFlags) {
  EXPECT_EQ(after("XOR EAX,EAX", {{"RAX", 5}}), 0U);
  EXPECT_EQ(after("ADD EAX,$1", {{"RAX", 0xffffffff}}), 0U);
  EXPECT_EQ(after("ADD EAX,$1", {{"RAX", 0xffffffff}}, "CF"), 1U);
  EXPECT_EQ(after("ADD EAX,$1", {{"RAX", 0xffffffff}}, "ZF"), 1U);
  EXPECT_EQ(after("ADD EAX,$1", {{"RAX", 0x7fffffff}}, "OF"), 1U);
  EXPECT_EQ(after("INC EAX", {{"RAX", 0xffffffff}, {"CF", 0}}, "CF"), 0U);
  EXPECT_EQ(after("SUB EAX,$1", {{"RAX", 0}}, "CF"), 1U);
  EXPECT_EQ(after("SUB EAX,$1", {{"RAX", 0x80000000}}, "OF"), 1U);
  EXPECT_EQ(after("CMP EAX,$5", {{"RAX", 5}}, "ZF"), 1U);
  EXPECT_EQ(after("CMP EAX,$5", {{"RAX", 5}}), 5U);
  EXPECT_EQ(after("TEST EAX,EBX", {{"RAX", 1}, {"RBX", 2}}, "ZF"), 1U);
  EXPECT_EQ(after("NEG EAX", {{"RAX", 1}}), 0xffffffffU);
  EXPECT_EQ(after("NOT RAX", {{"RAX", 1}}), ~1ULL);
  EXPECT_EQ(after("SHL EAX,$4", {{"RAX", 0x1000'0001}}), 0x10U);
  EXPECT_EQ(after("SHL EAX,$4", {{"RAX", 0x1000'0001}}, "CF"), 1U);
  EXPECT_EQ(after("SAR EAX,$1", {{"RAX", 0x80000000}}), 0xc0000000U);
}

// Each condition against the comparison it stands for, over interesting numbers.
TEST(LitmusX86, ConditionsAfterAComparison) {
  const std::vector<std::uint32_t> numbers = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const std::uint32_t a : numbers)
    for (const std::uint32_t b : numbers) {
      std::map<std::string, std::uint64_t> flags = {{"RAX", a}, {"RBX", b}};
      for (const char* flag : {"CF", "ZF", "SF", "OF", "PF.byte"})
        flags[flag] = after("CMP EAX,EBX", {{"RAX", a}, {"RBX", b}}, flag);
      const auto x = static_cast<std::int32_t>(a);
      const auto y = static_cast<std::int32_t>(b);
      const bool is_even = (__builtin_popcount((a - b) & 0xff) & 1) == 0;
      for (const auto& [code, expected] :
           std::vector<std::pair<std::string, bool>>{{"E", a == b},
                                                     {"NE", a != b},
                                                     {"L", x < y},
                                                     {"GE", x >= y},
                                                     {"LE", x <= y},
                                                     {"G", x > y},
                                                     {"B", a < b},
                                                     {"AE", a >= b},
                                                     {"BE", a <= b},
                                                     {"A", a > b},
                                                     {"P", is_even},
                                                     {"NP", !is_even},
                                                     {"S", static_cast<std::int32_t>(a - b) < 0}}) {
        EXPECT_EQ(after("J" + code + " L", flags, "taken"), expected ? 1U : 0U) << code << a << b;
        EXPECT_EQ(after("SET" + code + " CL", flags, "RCX"), expected ? 1U : 0U) << code;
        EXPECT_EQ(after("CMOV" + code + " EAX,EBX", flags), expected ? b : a) << code;
      }
    }
}

TEST(LitmusX86, JumpsAndNothing) {
  EXPECT_EQ(translate_all(*make_x86(false), {"JMP L", "NOP", "L:"}).error, "");
  EXPECT_EQ(translate_all(*make_x86(false), {"JMP L"}).error, "no label 'L' in this thread");
  EXPECT_EQ(emitted("NOP"), "");
}

TEST(LitmusX86, WhatIsWrongIsSaidWithItsColumn) {
  EXPECT_EQ(emitted("FLY EAX"), "1: LIT-032 the instruction 'FLY' is not known");
  EXPECT_EQ(emitted("LOCK FLY"), "6: LIT-032 the instruction 'FLY' is not known");
  EXPECT_EQ(emitted("MOVNTI [x],EAX"), "1: LIT-032 the instruction 'MOVNTI' is not known");
  EXPECT_EQ(emitted("MOV EAX"), "1: LIT-031 'MOV': expected 2 operands");
  EXPECT_EQ(emitted("MOV EAX,foo"), "9: LIT-031 'MOV': 'foo' is no operand");
  EXPECT_EQ(emitted("MOV EAX,BX"), "9: LIT-031 'MOV': expected an operand of 32 bits");
  EXPECT_EQ(emitted("MOV [x],[y]"), "1: LIT-031 'MOV': only one operand can be memory");
  EXPECT_EQ(emitted("LOCK MOV [x],$1"),
            "6: LIT-031 'MOV': LOCK needs a read-modify-write of memory");
  EXPECT_EQ(emitted("LOCK ADD EAX,[x]"), "6: LIT-031 'ADD': LOCK needs memory as the destination");
  EXPECT_EQ(emitted("LOCK NEG [x]"), "6: LIT-033 'NEG': LOCK NEG is not supported");
  EXPECT_EQ(emitted("MOVQ [x],$1"), "1: LIT-031 'MOVQ': this machine has 32 bits");
  EXPECT_EQ(emitted("JNE $1"), "5: LIT-031 'JNE': expected a label");
  EXPECT_EQ(emitted("MOV EAX,[x"), "11: LIT-030 expected ']'");
  EXPECT_EQ(emitted("MOV EAX,"), "9: LIT-030 expected an operand after ','");
  EXPECT_EQ(emitted("MOV EAX,$99999999999999999999"),
            "29: LIT-030 the number has more than 64 bits");
  EXPECT_EQ(emitted("MOV EAX,[EBX+EBX+EBX]"),
            "21: LIT-030 a memory operand has two registers at most");
  EXPECT_EQ(emitted("MOV EAX EBX"), "9: LIT-030 expected ',' or the end of the instruction");
  EXPECT_EQ(emitted("!"), "1: LIT-030 expected an instruction");
}

} // namespace heddle::frontend::litmus
