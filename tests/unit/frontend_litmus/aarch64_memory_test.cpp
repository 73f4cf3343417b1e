// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What AArch64 loads, stores, exclusives, atomic instructions and barriers become.
#include "frontend/litmus/asm/dialect.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

std::string emitted(const std::string& instruction) {
  return translate_text(*make_aarch64(), instruction);
}

// The lines that access memory, without what becomes of registers.
std::string accesses(const std::string& instruction) {
  const std::string all = emitted(instruction);
  std::string result;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin);
    const std::string line = all.substr(begin, end - begin);
    if (line.find(".atomic") != std::string::npos)
      result += line.substr(line.find("= ") == std::string::npos ? 0 : line.find("= ") + 2);
    begin = end + 1;
  }
  return result.empty() ? all : result;
}

} // namespace

TEST(LitmusAArch64Memory, LoadsAndStores) {
  EXPECT_EQ(emitted("LDR W0,[X1]"), "%2 = copy %X1\n%3 = load.atomic.relaxed %2\n%X0 = zext %3\n");
  EXPECT_EQ(emitted("STR X0,[X1,#8]"),
            "%2 = copy %X1\n%3 = add %2, i64 8\n%5 = copy %X0\n"
            "store.atomic.relaxed i64 %5, %3\n");
  EXPECT_EQ(emitted("STRH WZR,[X1]"), "%2 = copy %X1\nstore.atomic.relaxed i16 0, %2\n");
  EXPECT_EQ(emitted("LDRSB X0,[X1]"),
            "%2 = copy %X1\n%3 = load.atomic.relaxed %2\n%4 = sext %3\n%X0 = copy %4\n");
  EXPECT_EQ(emitted("LDRSB W0,[X1]"),
            "%2 = copy %X1\n%3 = load.atomic.relaxed %2\n%4 = sext %3\n%X0 = zext %4\n");
  EXPECT_EQ(emitted("LDR XZR,[X1]"), "%2 = copy %X1\n%3 = load.atomic.relaxed %2\n");
}

TEST(LitmusAArch64Memory, Addresses) {
  EXPECT_EQ(emitted("LDR W0,[X1,W2,SXTW]"),
            "%2 = copy %X1\n%4 = trunc %X2\n%5 = sext %4\n%6 = add %2, %5\n"
            "%7 = load.atomic.relaxed %6\n%X0 = zext %7\n");
  // The low half of an X register, as some tests write it.
  EXPECT_EQ(emitted("LDR W0,[X1,X2,SXTW]"), emitted("LDR W0,[X1,W2,SXTW]"));
  EXPECT_EQ(emitted("LDR X0,[X1,X2,LSL #3]"),
            "%2 = copy %X1\n%4 = copy %X2\n%5 = shl %4, i64 3\n%6 = add %2, %5\n"
            "%7 = load.atomic.relaxed %6\n%X0 = copy %7\n");
  EXPECT_EQ(emitted("LDR X0,[X1,#8]!"),
            "%2 = copy %X1\n%3 = add %2, i64 8\n%4 = load.atomic.relaxed %3\n%X1 = copy %3\n"
            "%X0 = copy %4\n");
  EXPECT_EQ(emitted("STR X0,[X1],#-8"),
            "%2 = copy %X1\n%4 = copy %X0\nstore.atomic.relaxed i64 %4, %2\n"
            "%5 = add %2, i64 -8\n%X1 = copy %5\n");
}

TEST(LitmusAArch64Memory, OrderedAccesses) {
  EXPECT_EQ(accesses("LDAR W0,[X1]"), "load.atomic.acquire[\"A\"] %2");
  EXPECT_EQ(accesses("LDAPRB W0,[X1]"), "load.atomic.acquire[\"Q\"] %2");
  EXPECT_EQ(accesses("LDAPUR X0,[X1,#8]"), "load.atomic.acquire[\"Q\"] %3");
  EXPECT_EQ(accesses("STLR W0,[X1]"), "store.atomic.release[\"L\"] i32 %4, %2");
  EXPECT_EQ(accesses("LDUR W0,[X1]"), "load.atomic.relaxed %2");
}

TEST(LitmusAArch64Memory, Exclusives) {
  EXPECT_EQ(accesses("LDXR W0,[X1]"), "load_exclusive.atomic.relaxed[\"EX\"] %2");
  EXPECT_EQ(accesses("LDAXRH W0,[X1]"), "load_exclusive.atomic.acquire[\"A\", \"EX\"] %2");
  EXPECT_EQ(emitted("STXR W0,W2,[X1]"),
            "%2 = copy %X1\n%4 = trunc %X2\n"
            "%5 = store_exclusive.atomic.relaxed[\"EX\"] i32 %4, %2\n"
            "%6 = xor %5, i1 1\n%7 = zext %6\n%X0 = zext %7\n");
  EXPECT_EQ(accesses("STLXR W0,X2,[X1]"),
            "store_exclusive.atomic.release[\"EX\", \"L\"] i64 %4, %2");
}

TEST(LitmusAArch64Memory, Pairs) {
  EXPECT_EQ(emitted("LDP W0,W2,[X1]"),
            "%2 = copy %X1\n%3 = add %2, i64 4\n%4 = load.atomic.relaxed %2\n"
            "%5 = load.atomic.relaxed %3\n%X0 = zext %4\n%X2 = zext %5\n");
  EXPECT_EQ(accesses("STP X0,X2,[X1,#16]"),
            "store.atomic.relaxed i64 %6, %3store.atomic.relaxed i64 %8, %4");
}

TEST(LitmusAArch64Memory, PairsWithAnOrderTakeTheAddressTwice) {
  EXPECT_EQ(emitted("LDIAPP W0,W2,[X1]"),
            "%2 = copy %X1\n%3 = load.atomic.acquire[\"Q\"] %2\n%X0 = zext %3\n"
            "%5 = copy %X1\n%6 = add %5, i64 4\n%7 = load.atomic.acquire[\"Q\"] %6\n"
            "%X2 = zext %7\n");
  // The first half overwrites the register of the address.
  EXPECT_EQ(emitted("LDIAPP X1,X2,[X1]"),
            "%2 = copy %X1\n%PAIR = copy %2\n%4 = load.atomic.acquire[\"Q\"] %2\n"
            "%X1 = copy %4\n%5 = copy %PAIR\n%6 = add %5, i64 8\n"
            "%7 = load.atomic.acquire[\"Q\"] %6\n%X2 = copy %7\n");
  EXPECT_EQ(accesses("STILP X0,X2,[X1]"),
            "store.atomic.release[\"L\"] i64 %4, %2store.atomic.release[\"L\"] i64 %8, %6");
  // With the address written back the upper half comes first.
  EXPECT_EQ(accesses("STILP W0,W2,[X1,#-8]!"),
            "store.atomic.release[\"L\"] i32 %6, %4store.atomic.release[\"L\"] i32 %10, %8");
  EXPECT_EQ(accesses("LDAP X0,X2,[X1]"),
            "load.atomic.acquire[\"A\"] %2load.atomic.acquire[\"A\"] %3");
  EXPECT_EQ(accesses("STLP X0,X2,[X1]"),
            "store.atomic.release[\"L\"] i64 %5, %2store.atomic.release[\"L\"] i64 %7, %3");
  EXPECT_EQ(emitted("LDIAPP X0,X2,[X1,#16]"),
            "14: LIT-031 'LDIAPP': expected an address without an offset, or one written back "
            "afterwards");
  EXPECT_EQ(
      emitted("STILP X0,X2,[X1],#16"),
      "13: LIT-031 'STILP': expected an address without an offset, or one written back before");
  EXPECT_EQ(emitted("LDIAPP X1,X2,[X1],#16"),
            "8: LIT-031 'LDIAPP': the register of the address is written back");
}

TEST(LitmusAArch64Memory, AtomicInstructions) {
  EXPECT_EQ(accesses("SWP W0,W2,[X1]"), "rmw.atomic.relaxed[\"X\"] xchg %2, %4");
  EXPECT_EQ(accesses("SWPAL W0,W2,[X1]"),
            "rmw.atomic.acq_rel[\"R:A\", \"W:L\", \"X\"] xchg %2, %4");
  EXPECT_EQ(accesses("LDADDA X0,X2,[X1]"), "rmw.atomic.acquire[\"R:A\", \"X\"] add %2, %4");
  EXPECT_EQ(accesses("LDSETLB W0,W2,[X1]"), "rmw.atomic.release[\"W:L\", \"X\"] or %2, %4");
  EXPECT_EQ(accesses("LDCLR W0,W2,[X1]"), "rmw.atomic.relaxed[\"X\"] and %2, %5");
  EXPECT_EQ(accesses("LDEOR W0,W2,[X1]"), "rmw.atomic.relaxed[\"X\"] xor %2, %4");
  EXPECT_EQ(accesses("LDSMAX W0,W2,[X1]"), "rmw.atomic.relaxed[\"X\"] max %2, %4");
  EXPECT_EQ(accesses("LDUMINH W0,W2,[X1]"), "rmw.atomic.relaxed[\"X\"] umin %2, %4");
  EXPECT_EQ(accesses("CASAL W0,W2,[X1]"),
            "cmpxchg.atomic.acq_rel[\"R:A\", \"W:L\", \"X\"] %2, %4, %6 failure acquire");
}

TEST(LitmusAArch64Memory, WithoutAResultThereIsNoAcquire) {
  const std::string expected = "rmw.atomic.relaxed[\"R:NoRet\", \"X\"] add %2, %4";
  EXPECT_EQ(accesses("STADD W0,[X1]"), expected);
  EXPECT_EQ(accesses("LDADD W0,WZR,[X1]"), expected);
  EXPECT_EQ(accesses("LDADDA W0,WZR,[X1]"), expected);
  EXPECT_EQ(accesses("STADDLB W0,[X1]"),
            "rmw.atomic.release[\"R:NoRet\", \"W:L\", \"X\"] add %2, %4");
}

TEST(LitmusAArch64Memory, Barriers) {
  for (const std::string kind : {"DMB", "DSB"})
    for (const std::string option : {"SY",
                                     "LD",
                                     "ST",
                                     "ISH",
                                     "ISHLD",
                                     "ISHST",
                                     "NSH",
                                     "NSHLD",
                                     "NSHST",
                                     "OSH",
                                     "OSHLD",
                                     "OSHST"}) {
      const std::string order = option.ends_with("LD")   ? "acquire"
                                : option.ends_with("ST") ? "release"
                                                         : "seq_cst";
      EXPECT_EQ(emitted(kind + " " + option),
                "fence.atomic." + order + "[\"" + kind + "." + option + "\"]\n");
    }
  EXPECT_EQ(emitted("ISB"), "fence.atomic.relaxed[\"ISB\"]\n");
  EXPECT_EQ(emitted("ISB SY"), emitted("ISB"));
}

TEST(LitmusAArch64Memory, WhatIsWrongIsSaidWithItsColumn) {
  EXPECT_EQ(emitted("DMB"), "1: LIT-031 'DMB': expected an option: SY, LD, ST, ISH, …");
  EXPECT_EQ(emitted("DMB XX"), "5: LIT-031 'DMB': there is no option 'XX'");
  EXPECT_EQ(emitted("LDAR W0,[X1,#4]"), "9: LIT-031 'LDAR': expected an address without an offset");
  EXPECT_EQ(emitted("LDRB X0,[X1]"), "6: LIT-031 'LDRB': expected a W register");
  EXPECT_EQ(emitted("LDRSW W0,[X1]"), "7: LIT-031 'LDRSW': expected an X register");
  EXPECT_EQ(emitted("STXR X0,X2,[X1]"), "6: LIT-031 'STXR': expected a W register");
  EXPECT_EQ(emitted("SWP W0,X2,[X1]"), "8: LIT-031 'SWP': the registers have different widths");
  EXPECT_EQ(emitted("LDR W0,X1"), "8: LIT-031 'LDR': operand 2 must be memory");
  EXPECT_EQ(emitted("LDR W0,[X1],#4,#4"), "16: LIT-031 'LDR': there are too many operands");
  EXPECT_EQ(emitted("LDR W0,[X1,#4]!,#4"),
            "17: LIT-031 'LDR': the address is written back already");
  EXPECT_EQ(emitted("STADDA W0,[X1]"), "1: LIT-032 the instruction 'STADDA' is not known");
}

} // namespace heddle::frontend::litmus
