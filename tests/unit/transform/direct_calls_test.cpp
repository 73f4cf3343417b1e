// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/transform.h"
#include "unit/transform/built.h"
#include "unit/transform/failing_run.h"

#include <gtest/gtest.h>

namespace heddle::transform {
namespace {

using program::FaultKind;

constexpr const char* kTable = R"(module lp64
global @table : 24 align 8 init "000000000000000000000000000000000000000000000000" reloc [0: @one, 8: @two]
global @index : 8 align 8 init "INDEX00000000000000"
func @one(%0 : i32) -> i32 {
block entry:
  ret i32 1
}
func @two(%0 : i32) -> i32 {
  slot $0 : 4 align 4 "kept"
  reg %1 : i32
block entry:
  store i32 %0, $0
  %1 = load $0
  ret %1
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i64
  reg %2 : ptr
  reg %3 : ptr
  reg %4 : i32
  reg %5 : i1
block entry:
  %0 = load @index
  %1 = mul %0, i64 8
  %2 = ptradd @table, %1
  %3 = load %2
  %4 = call %3(i32 5)
  %5 = ne %4, i32 5
  assert %5, "another"
  ret i32 0
}
)";

program::Program calling(const std::string& index) {
  std::string text = kTable;
  return built(text.replace(text.find("INDEX00000000000000"), 19, index + "00000000000000"));
}

program::Program without_calls(const program::Program& program) {
  const auto direct = direct_calls()->apply(program, {});
  EXPECT_TRUE(direct);
  const auto inlined = inline_calls(InlineSlots::kInPlace)->apply(direct->program, {});
  EXPECT_TRUE(inlined);
  for (const program::Edge& edge :
       inlined->program.procedures[inlined->program.templates.front().entry].edges)
    EXPECT_FALSE(std::holds_alternative<program::Call>(edge.action));
  return inlined->program;
}

TEST(DirectCalls, TheFunctionThatIsMeantIsRun) {
  EXPECT_FALSE(find_run(without_calls(calling("00")), FaultKind::kAssertion));
  EXPECT_TRUE(find_run(without_calls(calling("01")), FaultKind::kAssertion));
}

TEST(DirectCalls, APointerToNoFunctionFailsACheck) {
  const program::Program program = calling("02");
  ASSERT_TRUE(find_run(program, FaultKind::kInvalidAccess));
  const auto run = find_run(without_calls(program), FaultKind::kPointerArithmetic);
  ASSERT_TRUE(run);
  EXPECT_EQ(replay(program, *run), FaultKind::kInvalidAccess);
}

} // namespace
} // namespace heddle::transform
