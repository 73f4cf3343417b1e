// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/llvm/asm_text.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(AsmText, PrefixesSuffixesAndOperands) {
  const auto statements = parse_asm("lock; xaddl ${0:w}, $1\n\tsete $2");
  ASSERT_EQ(statements.size(), 2U);
  EXPECT_TRUE(statements[0].has_lock);
  EXPECT_EQ(statements[0].name, "xadd");
  EXPECT_EQ(statements[0].bits, 32U);
  EXPECT_EQ(statements[0].arguments[0], (AsmArgument{AsmArgument::Kind::kOperand, 0, 16}));
  EXPECT_EQ(statements[0].arguments[1], (AsmArgument{AsmArgument::Kind::kOperand, 1}));
  EXPECT_EQ(statements[1].name, "sete");
  EXPECT_FALSE(statements[1].has_lock);
}

TEST(AsmText, SectionsLabelsAndCommentsAreDropped) {
  const auto statements = parse_asm(".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - "
                                    ".\n.popsection\n671:\n\tlock; bts $1,$0 # set");
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_EQ(statements[0].name, "bts");
  EXPECT_TRUE(statements[0].has_lock);
}

TEST(AsmText, StackAndLiterals) {
  const auto statements = parse_asm("lock addl $$0,0(%rsp)");
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_EQ(statements[0].arguments[0], (AsmArgument{AsmArgument::Kind::kLiteral, 0}));
  EXPECT_EQ(statements[0].arguments[1].kind, AsmArgument::Kind::kStack);
  EXPECT_TRUE(parse_asm("").empty());
  EXPECT_EQ(parse_asm("rep; nop")[0].name, "nop");
}

TEST(AsmText, RegistersAndWhatTheyPointTo) {
  const auto statements = parse_asm("movq 8($4), %rdx; movl %r9d, (%rsi); orb %cl, ${2:k}");
  ASSERT_EQ(statements.size(), 3U);
  EXPECT_EQ(statements[0].arguments[0], (AsmArgument{AsmArgument::Kind::kOperand, 4, 0, true, 8}));
  EXPECT_EQ(statements[0].arguments[1], (AsmArgument{AsmArgument::Kind::kRegister, 2, 64}));
  EXPECT_EQ(statements[1].arguments[0], (AsmArgument{AsmArgument::Kind::kRegister, 9, 32}));
  EXPECT_EQ(statements[1].arguments[1],
            (AsmArgument{AsmArgument::Kind::kRegister, 6, 64, true, 0}));
  EXPECT_EQ(statements[2].name, "or");
  EXPECT_EQ(statements[2].arguments[0], (AsmArgument{AsmArgument::Kind::kRegister, 1, 8}));
  EXPECT_EQ(statements[2].arguments[1], (AsmArgument{AsmArgument::Kind::kOperand, 2, 32}));
}

} // namespace
} // namespace heddle::frontend
