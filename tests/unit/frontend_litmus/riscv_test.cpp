// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What RISC-V instructions become, and what is said about wrong ones.
#include "frontend/litmus/asm/dialect.h"
#include "ir/verify.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_riscv(), instruction);
}

std::uint64_t after(const std::string& instruction,
                    const std::map<std::string, std::uint64_t>& before,
                    const std::string& name = "x1") {
  return value_after(*make_riscv(), instruction, name, before);
}

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

} // namespace

TEST(LitmusRiscV, RegistersHaveNumbersAndNamesOfTheCallingConvention) {
  const auto riscv = make_riscv();
  EXPECT_EQ(riscv->find_register("zero")->canonical, "x0");
  EXPECT_EQ(riscv->find_register("ra")->canonical, "x1");
  EXPECT_EQ(riscv->find_register("t0")->canonical, "x5");
  EXPECT_EQ(riscv->find_register("fp")->canonical, "x8");
  EXPECT_EQ(riscv->find_register("s0")->canonical, "x8");
  EXPECT_EQ(riscv->find_register("a0")->canonical, "x10");
  EXPECT_EQ(riscv->find_register("s2")->canonical, "x18");
  EXPECT_EQ(riscv->find_register("t3")->canonical, "x28");
  EXPECT_EQ(riscv->find_register("x31")->canonical, "x31");
  for (const char* name : {"x32", "s12", "t7", "a8", "", "X1"})
    EXPECT_FALSE(riscv->find_register(name)) << name;
}

TEST(LitmusRiscV, LoadsWidenWithTheSignUnlessTheySayOtherwise) {
  EXPECT_EQ(emitted("lw x5,4(x6)"),
            "%2 = copy %x6\n"
            "%3 = add %2, i64 4\n"
            "%4 = load.atomic.relaxed %3\n"
            "%5 = sext %4\n"
            "%x5 = copy %5\n");
  EXPECT_EQ(emitted("lhu x5,(x6)"),
            "%2 = copy %x6\n"
            "%3 = load.atomic.relaxed %2\n"
            "%4 = zext %3\n"
            "%x5 = copy %4\n");
  EXPECT_EQ(emitted("ld a0,0(a1)"),
            "%2 = copy %x11\n"
            "%3 = load.atomic.relaxed %2\n"
            "%x10 = copy %3\n");
}

TEST(LitmusRiscV, StoresTakeTheLowPart) {
  EXPECT_EQ(emitted("sb x5,1(x6)"),
            "%2 = trunc %x5\n"
            "%4 = copy %x6\n"
            "%5 = add %4, i64 1\n"
            "store.atomic.relaxed i8 %2, %5\n");
  EXPECT_EQ(emitted("sd x0,0(x6)"),
            "%2 = copy %x6\n"
            "store.atomic.relaxed i64 0, %2\n");
}

TEST(LitmusRiscV, AnnotationsAreTagsAndOrders) {
  EXPECT_NE(emitted("lw.aq x5,0(x6)").find("load.atomic.acquire[\"Acq\"]"), std::string::npos);
  EXPECT_NE(emitted("lw.aq.rl x5,0(x6)").find("load.atomic.seq_cst[\"AcqRel\"]"),
            std::string::npos);
  EXPECT_NE(emitted("lw.rl x5,0(x6)").find("load.atomic.relaxed[\"Rel\"]"), std::string::npos);
  EXPECT_NE(emitted("sw.rl x5,0(x6)").find("store.atomic.release[\"Rel\"]"), std::string::npos);
  EXPECT_NE(emitted("sd.aqrl x5,0(x6)").find("store.atomic.seq_cst[\"AcqRel\"]"),
            std::string::npos);
  EXPECT_EQ(emitted("add.aq x5,x6,x7"), "1: LIT-102 `add.aq`: this instruction is not known");
}

TEST(LitmusRiscV, ReservationsAreExclusive) {
  EXPECT_EQ(emitted("lr.w.aq x5,0(x6)"),
            "%2 = copy %x6\n"
            "%3 = load_exclusive.atomic.acquire[\"Acq\", \"EX\", \"X\"] %2\n"
            "%4 = sext %3\n"
            "%x5 = copy %4\n");
  EXPECT_EQ(emitted("sc.d.rl x5,x7,(x6)"),
            "%2 = copy %x7\n"
            "%4 = copy %x6\n"
            "%5 = store_exclusive.atomic.release[\"EX\", \"Rel\", \"X\"] i64 %2, %4\n"
            "%6 = select %5, i64 0, i64 1\n"
            "%x5 = copy %6\n");
  EXPECT_EQ(emitted("sc.w x0,x7,(x6)"),
            "%2 = trunc %x7\n"
            "%4 = copy %x6\n"
            "%5 = store_exclusive.atomic.relaxed[\"EX\", \"X\"] i32 %2, %4\n"
            "%6 = select %5, i64 0, i64 1\n");
}

TEST(LitmusRiscV, AtomicMemoryOperationsGiveTheOldValueSignExtended) {
  EXPECT_EQ(emitted("amoadd.w.aqrl a0,t0,(s0)"),
            "%2 = trunc %x5\n"
            "%4 = copy %x8\n"
            "%5 = rmw.atomic.seq_cst[\"AMO\", \"AcqRel\", \"X\"] add %4, %2\n"
            "%6 = sext %5\n"
            "%x10 = copy %6\n");
  struct Case {
    const char* name;
    const char* operation;
  };
  for (const Case& c : {Case{"amoswap", "xchg"},
                        Case{"amoadd", "add"},
                        Case{"amoand", "and"},
                        Case{"amoor", "or"},
                        Case{"amoxor", "xor"},
                        Case{"amomax", "max"},
                        Case{"amomin", "min"},
                        Case{"amomaxu", "umax"},
                        Case{"amominu", "umin"}}) {
    EXPECT_EQ(emitted(std::string(c.name) + ".d.rl x5,x6,(x7)"),
              "%2 = copy %x6\n"
              "%4 = copy %x7\n"
              "%5 = rmw.atomic.release[\"AMO\", \"Rel\", \"X\"] " +
                  std::string(c.operation) + " %4, %2\n%x5 = copy %5\n")
        << c.name;
  }
}

TEST(LitmusRiscV, RegisterZeroReadsAsZeroAndTakesNoWrites) {
  EXPECT_EQ(emitted("amoswap.w x0,x0,(x6)"),
            "%2 = copy %x6\n"
            "%3 = rmw.atomic.relaxed[\"AMO\", \"X\"] xchg %2, i32 0\n");
  EXPECT_EQ(emitted("addi x0,x0,1"), "%1 = add i64 0, i64 1\n");
  EXPECT_EQ(after("ori x1,x0,2", {}), 2U);
}

TEST(LitmusRiscV, FencesNameWhatTheyOrder) {
  EXPECT_EQ(emitted("fence rw,rw"), "fence.atomic.seq_cst[\"Fence.rw.rw\"]\n");
  EXPECT_EQ(emitted("fence"), emitted("fence rw,rw"));
  EXPECT_EQ(emitted("fence iorw,iorw"), emitted("fence rw,rw"));
  EXPECT_EQ(emitted("fence r,rw"), "fence.atomic.acquire[\"Fence.r.rw\"]\n");
  EXPECT_EQ(emitted("fence rw,w"), "fence.atomic.release[\"Fence.rw.w\"]\n");
  for (const char* pair : {"r,r", "r,w", "w,r", "w,w", "w,rw", "rw,r"}) {
    std::string dotted = pair;
    dotted[dotted.find(',')] = '.';
    EXPECT_EQ(emitted(std::string("fence ") + pair),
              "fence.atomic.relaxed[\"Fence." + dotted + "\"]\n");
  }
  EXPECT_EQ(emitted("fence i,o"), "fence.atomic.relaxed\n");
  EXPECT_EQ(emitted("fence.tso"), "fence.atomic.acq_rel[\"Fence.tso\"]\n");
  EXPECT_EQ(emitted("fence.i"), "fence.atomic.relaxed[\"Fence.i\"]\n");
  EXPECT_EQ(emitted("fence rw,x"),
            "10: LIT-101 `fence`: a set of i, o, r, w in that order was expected");
  EXPECT_EQ(emitted("fence wr,w"),
            "7: LIT-101 `fence`: a set of i, o, r, w in that order was expected");
}

TEST(LitmusRiscV, NothingIsFoldedSoThatDependenciesStay) {
  EXPECT_EQ(emitted("xor x7,x5,x5"),
            "%2 = copy %x5\n"
            "%3 = copy %x5\n"
            "%4 = xor %2, %3\n"
            "%x7 = copy %4\n");
}

TEST(LitmusRiscV, Arithmetic) {
  EXPECT_EQ(after("li x1,-1", {}), kMinusOne);
  EXPECT_EQ(after("lui x1,0x80000", {}), 0xffffffff80000000U);
  EXPECT_EQ(after("mv x1,x2", {{"x2", 7}}), 7U);
  EXPECT_EQ(after("add x1,x2,x3", {{"x2", 7}, {"x3", 5}}), 12U);
  EXPECT_EQ(after("addi x1,x2,-1", {{"x2", 7}}), 6U);
  EXPECT_EQ(after("addw x1,x2,x3", {{"x2", 0x7fffffff}, {"x3", 1}}), 0xffffffff80000000U);
  EXPECT_EQ(after("addiw x1,x2,1", {{"x2", 0xffffffff}}), 0U);
  EXPECT_EQ(after("sub x1,x2,x3", {{"x2", 5}, {"x3", 6}}), kMinusOne);
  EXPECT_EQ(after("and x1,x2,x3", {{"x2", 6}, {"x3", 3}}), 2U);
  EXPECT_EQ(after("andi x1,x2,3", {{"x2", 6}}), 2U);
  EXPECT_EQ(after("or x1,x2,x3", {{"x2", 6}, {"x3", 3}}), 7U);
  EXPECT_EQ(after("xori x1,x2,-1", {{"x2", 0}}), kMinusOne);
  EXPECT_EQ(after("not x1,x2", {{"x2", kMinusOne}}), 0U);
  EXPECT_EQ(after("neg x1,x2", {{"x2", 1}}), kMinusOne);
  EXPECT_EQ(after("sll x1,x2,x3", {{"x2", 1}, {"x3", 65}}), 2U); // six bits count
  EXPECT_EQ(after("sllw x1,x2,x3", {{"x2", 1}, {"x3", 31}}), 0xffffffff80000000U);
  EXPECT_EQ(after("slli x1,x2,63", {{"x2", 1}}), std::uint64_t{1} << 63);
  EXPECT_EQ(after("srl x1,x2,x3", {{"x2", kMinusOne}, {"x3", 63}}), 1U);
  EXPECT_EQ(after("srli x1,x2,4", {{"x2", 0x10}}), 1U);
  EXPECT_EQ(after("sra x1,x2,x3", {{"x2", kMinusOne}, {"x3", 63}}), kMinusOne);
  EXPECT_EQ(after("slt x1,x2,x3", {{"x2", kMinusOne}, {"x3", 0}}), 1U);
  EXPECT_EQ(after("sltu x1,x2,x3", {{"x2", kMinusOne}, {"x3", 0}}), 0U);
  EXPECT_EQ(after("slti x1,x2,1", {{"x2", 0}}), 1U);
  EXPECT_EQ(after("seqz x1,x2", {{"x2", 0}}), 1U);
  EXPECT_EQ(after("snez x1,x2", {{"x2", 0}}), 0U);
  EXPECT_EQ(after("sext.w x1,x2", {{"x2", 0xffffffff}}), kMinusOne);
  EXPECT_EQ(after("zext.h x1,x2", {{"x2", kMinusOne}}), 0xffffU);
}

TEST(LitmusRiscV, Branches) {
  struct Case {
    const char* name;
    bool if_less, if_equal, if_greater; // -1 with 1, 1 with 1, 1 with -1, signed
  };
  for (const Case& c : {Case{"beq", false, true, false},
                        Case{"bne", true, false, true},
                        Case{"blt", true, false, false},
                        Case{"bge", false, true, true},
                        Case{"bgt", false, false, true},
                        Case{"ble", true, true, false},
                        Case{"bltu", false, false, true}, // -1 is the largest
                        Case{"bgeu", true, true, false},
                        Case{"bgtu", true, false, false},
                        Case{"bleu", false, true, true}}) {
    const std::string text = std::string(c.name) + " x1,x2,L";
    EXPECT_EQ(after(text, {{"x1", kMinusOne}, {"x2", 1}}, "taken"), c.if_less) << text;
    EXPECT_EQ(after(text, {{"x1", 1}, {"x2", 1}}, "taken"), c.if_equal) << text;
    EXPECT_EQ(after(text, {{"x1", 1}, {"x2", kMinusOne}}, "taken"), c.if_greater) << text;
  }
  struct ZeroCase {
    const char* name;
    bool if_negative, if_zero, if_positive;
  };
  for (const ZeroCase& c : {ZeroCase{"beqz", false, true, false},
                            ZeroCase{"bnez", true, false, true},
                            ZeroCase{"bltz", true, false, false},
                            ZeroCase{"blez", true, true, false},
                            ZeroCase{"bgtz", false, false, true},
                            ZeroCase{"bgez", false, true, true}}) {
    const std::string text = std::string(c.name) + " x1,L";
    EXPECT_EQ(after(text, {{"x1", kMinusOne}}, "taken"), c.if_negative) << text;
    EXPECT_EQ(after(text, {{"x1", 0}}, "taken"), c.if_zero) << text;
    EXPECT_EQ(after(text, {{"x1", 1}}, "taken"), c.if_positive) << text;
  }
  EXPECT_EQ(translate_all(*make_riscv(), {"j L", "L:"}).emitted.substr(0, 10), "jump at.L\n");
}

TEST(LitmusRiscV, ErrorsNameTheInstructionAndTheColumn) {
  EXPECT_EQ(emitted("lr.w.aq x1,4(x2)"),
            "12: LIT-101 `lr.w` takes a register, memory without an offset; operand 2 is `4(x2)`");
  EXPECT_EQ(emitted("lw x1,x2"), "7: LIT-101 `lw` takes a register, memory; operand 2 is `x2`");
  EXPECT_EQ(emitted("addi x1,x2,x3"),
            "12: LIT-101 `addi` takes a register, a register, a number; operand 3 is `x3`");
  EXPECT_EQ(emitted("amoswap x1,x2,(x3)"), "1: LIT-102 `amoswap`: this instruction is not known");
  EXPECT_EQ(emitted("lw x1,0(y)"), "9: LIT-100 `lw`: a register was expected");
  EXPECT_EQ(emitted("beq x1,x2,3"),
            "11: LIT-101 `beq` takes a register, a register, a name; operand 3 is `3`");
  EXPECT_EQ(emitted("sw x1 0(x2)"),
            "7: LIT-100 `sw`: `,` or the end of the instruction was expected");
}

TEST(LitmusRiscV, WhatIsEmittedVerifies) {
  const Translation all = translate_all(*make_riscv(),
                                        {"li x5,1",
                                         "lr.d.aq x6,(x7)",
                                         "sc.d.rl x8,x5,(x7)",
                                         "bnez x8,L",
                                         "amomaxu.w x9,x5,(x7)",
                                         "fence r,w",
                                         "sraiw x5,x5,3",
                                         "L:",
                                         "lbu x5,3(x7)",
                                         "sh x5,2(x7)"});
  ASSERT_EQ(all.error, "");
  const Status status = ir::verify(all.module);
  EXPECT_TRUE(status) << status.error().to_string();
}

} // namespace heddle::frontend::litmus
