// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whatever the text, an instruction is translated or refused with a column in it.
#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/asm/instruction_text.h"
#include "unit/frontend_litmus/translation.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace heddle::frontend::litmus {

TEST(LitmusInstructionText, OperandsHaveTheirColumns) {
  const auto arm = make_arm();
  const Result<InstructionText> read = read_instruction("  Ldr R1 , [ R2, #-4 ]", *arm);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->mnemonic, "ldr");
  EXPECT_EQ(read->column, 3U);
  ASSERT_EQ(read->arguments.size(), 2U);
  EXPECT_EQ(read->arguments[0].column, 7U);
  EXPECT_EQ(read->arguments[1].column, 12U);
  EXPECT_EQ(read->arguments[1].kind, Argument::Kind::kMemory);
  EXPECT_EQ(read->arguments[1].name, "R2");
  EXPECT_EQ(read->arguments[1].value, -4);
}

TEST(LitmusInstructionText, NumbersHave64Bits) {
  const auto riscv = make_riscv();
  const auto value = [&](const std::string& number) {
    const Result<InstructionText> read = read_instruction("li x1," + number, *riscv);
    return read ? read->arguments[1].value : 77;
  };
  EXPECT_EQ(value("0x10"), 16);
  EXPECT_EQ(value("-0x10"), -16);
  EXPECT_EQ(value("+3"), 3);
  EXPECT_EQ(value("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value("0xffffffffffffffff"), -1);
  EXPECT_EQ(value("-9223372036854775809"), 77);
  EXPECT_EQ(value("18446744073709551616"), 77);
  EXPECT_EQ(value("0x"), 77);
}

TEST(LitmusInstructionText, NoTextBreaksATranslation) {
  constexpr std::array<const char*, 40> kPieces = {"add",
                                                   "lwz",
                                                   "stwcx.",
                                                   "amoadd.w.aq",
                                                   "LDR",
                                                   "MOVNE",
                                                   "fence",
                                                   "sync",
                                                   "beq",
                                                   "cmpw",
                                                   "r1",
                                                   "x5",
                                                   "R3",
                                                   "$4",
                                                   "cr0",
                                                   "L0",
                                                   "rw",
                                                   ",",
                                                   "(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "#",
                                                   "0",
                                                   "-1",
                                                   "4",
                                                   "0x",
                                                   "!",
                                                   "LSL",
                                                   " ",
                                                   "\t",
                                                   "'",
                                                   "\xff",
                                                   "sc.d",
                                                   "ll",
                                                   ".",
                                                   "99999999999999999999",
                                                   "STREX",
                                                   "slwi",
                                                   ":"};
  std::mt19937 random(7); // NOLINT: the same texts each time
  std::size_t translated = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::size_t pieces = random() % 9; pieces > 0; --pieces)
      text += kPieces[random() % kPieces.size()] + std::string(random() % 2, ' ');
    for (const auto& dialect : {make_power(), make_riscv(), make_arm(), make_mips(false)}) {
      const Translation result = translate_all(*dialect, {text, "L0:"});
      if (result.error.empty()) {
        ++translated;
        continue;
      }
      const std::size_t colon = result.error.find(':');
      if (result.error.rfind("no label", 0) == 0)
        continue;
      ASSERT_NE(colon, std::string::npos) << text << ": " << result.error;
      const unsigned long column = std::stoul(result.error.substr(0, colon));
      EXPECT_GE(column, 1U) << text;
      EXPECT_LE(column, text.size() + 1) << text;
    }
  }
  EXPECT_GT(translated, 0U); // some of them are instructions
}

} // namespace heddle::frontend::litmus
