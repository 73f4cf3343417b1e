// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/parse.h"
#include "ir/verify.h"
#include "object/scenarios/effect_delay.h"
#include "object/scenarios/harness.h"
#include "object/scenarios/harness_clock.h"

#include <gtest/gtest.h>

namespace heddle::object {
namespace {

ir::Module module_of_a_cell() {
  Result<ir::Module> parsed = ir::parse(R"(module lp64
file 1 "cell.c"
global @x : 1 align 1 unsigned 8
func @set(%0 : i8) -> void {
block entry:
  store i8 %0, @x !1:5:1
  ret void
}
func @get() -> i8 {
  reg %0 : i8
block entry:
  %0 = load @x !1:11:1
  ret %0
}
func @reset() -> void {
  reg %0 : i1
block entry:
  %0 = copy i1 1
  assert %0, "of the program"
  store i8 0, @x
  ret void
}
)",
                                        "cell.hir");
  EXPECT_TRUE(parsed);
  return *parsed;
}

Scenario scenario() {
  Scenario made;
  made.init = "reset";
  made.threads = {{{"set", 1}, {"get"}}, {{"get"}, {"set", 2, true}}};
  return made;
}

std::size_t count_assertions(const ir::Module& module) {
  std::size_t count = 0;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        count += std::holds_alternative<ir::Assert>(instruction.operation) ? 1 : 0;
  return count;
}

TEST(Harness, MakesAModuleThatIsWellFormed) {
  for (const Responses responses : {Responses::kAtReturn, Responses::kAtLastFlush}) {
    const Result<Harness> harness = make_harness(module_of_a_cell(), scenario(), responses);
    ASSERT_TRUE(harness);
    EXPECT_TRUE(ir::verify(harness->module));
    EXPECT_EQ(harness->cells.size(), 8U);
    for (const std::string& cell : harness->cells)
      EXPECT_TRUE(harness->module.find_global(cell)) << cell;
    // Those of the program are no questions here.
    EXPECT_EQ(count_assertions(harness->module), 0U);
  }
}

TEST(Harness, MarksWhereCallsTakeEffect) {
  const std::vector<RecordedCall> calls(4);
  for (const bool finds_run : {false, true})
    for (const std::optional<EffectPlace::Returns>& returns :
         {std::optional<EffectPlace::Returns>(), std::optional(EffectPlace::Returns{0, true})}) {
      const std::vector<EffectPlace> places = {{"set", 5, EffectPlace::How::kFlush, {}},
                                               {"get", 11, EffectPlace::How::kRead, returns}};
      const Result<Harness> harness = make_harness(module_of_a_cell(),
                                                   scenario(),
                                                   Responses::kAtEffect,
                                                   finds_run ? std::optional(calls) : std::nullopt,
                                                   places);
      ASSERT_TRUE(harness);
      EXPECT_TRUE(ir::verify(harness->module));
      EXPECT_EQ(harness->cells.size(), 8U);
      EXPECT_EQ(count_assertions(harness->module), finds_run ? 1U : 0U);
      EXPECT_EQ(harness->module.find_global(kHarnessMoment).has_value(), finds_run);
    }
  const Result<Harness> wrong = make_harness(module_of_a_cell(),
                                             scenario(),
                                             Responses::kAtEffect,
                                             {},
                                             {{"set", 5, EffectPlace::How::kRead, {}}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "HAR-004");
}

TEST(Effects, ThatMayComeAfterTheReturn) {
  const Result<ir::Module> module = ir::parse(R"(module lp64
file 1 "cell.c"
global @x : 4 align 4 signed 32
func @late() -> void {
block entry:
  store.atomic.release i32 1, @x !1:5:1
  ret void
}
func @fenced() -> void {
block entry:
  store.atomic.release i32 1, @x !1:10:1
  fence.atomic.seq_cst
  ret void
}
func @strong() -> void {
block entry:
  store.atomic.seq_cst i32 1, @x !1:16:1
  ret void
}
func @put() -> void {
block entry:
  store.atomic.relaxed i32 1, @x !1:21:1
  ret void
}
func @calls_and_swaps() -> void {
  reg %0 : i32
block entry:
  call @put()
  %0 = rmw.atomic.relaxed xchg @x, i32 2
  ret void
}
)",
                                              "late.hir");
  ASSERT_TRUE(module) << module.error().message;
  const auto late =
      [&](const std::string& function, std::uint32_t line, const std::string& operation) {
        return !effects_that_may_be_late(
                    *module, {{function, line, EffectPlace::How::kFlush, {}}}, {operation})
                    .empty();
      };
  EXPECT_TRUE(late("late", 5, "late"));
  EXPECT_FALSE(late("fenced", 10, "fenced"));
  EXPECT_FALSE(late("strong", 16, "strong"));
  EXPECT_FALSE(late("put", 21, "calls_and_swaps"));
  EXPECT_TRUE(late("put", 21, "put"));
}

TEST(Harness, AssertsThatAHistoryIsNotThere) {
  const std::vector<RecordedCall> calls(4);
  const Result<Harness> harness =
      make_harness(module_of_a_cell(), scenario(), Responses::kAtReturn, calls);
  ASSERT_TRUE(harness);
  EXPECT_TRUE(ir::verify(harness->module));
  EXPECT_EQ(count_assertions(harness->module), 1U);
}

TEST(Harness, RefusesWhatItCannotCall) {
  const auto code = [](const ScenarioCall& call) {
    Scenario made;
    made.threads = {{call}};
    const Result<Harness> harness = make_harness(module_of_a_cell(), made);
    return harness ? std::string() : harness.error().code;
  };
  EXPECT_EQ(code({"nothing"}), "HAR-001");
  EXPECT_EQ(code({"set"}), "HAR-002");
  EXPECT_EQ(code({"get", 1}), "HAR-002");
  EXPECT_EQ(code({"set", 127}), "");
  EXPECT_EQ(code({"set", 128}), "HAR-003"); // would come back as a negative value
}

TEST(ClockHarness, MakesAModuleThatIsWellFormed) {
  using What = CallMoment::What;
  for (const ClockPlan::Ask ask : {ClockPlan::Ask::kList,
                                   ClockPlan::Ask::kTimes,
                                   ClockPlan::Ask::kOther,
                                   ClockPlan::Ask::kShow}) {
    ClockPlan plan{ask, {{std::vector<CallResult>(4), {}}}, {}, false};
    for (const What what : {What::kReturn, What::kReturnFlushed})
      plan.known.front().forbidden.push_back({{{0, what}, {2, What::kCall}}});
    const Result<ClockHarness> harness = make_clock_harness(module_of_a_cell(), scenario(), plan);
    ASSERT_TRUE(harness);
    EXPECT_TRUE(ir::verify(harness->module));
    const bool asks = ask == ClockPlan::Ask::kOther || ask == ClockPlan::Ask::kShow;
    EXPECT_EQ(count_assertions(harness->module), asks ? 1U : 0U);
    EXPECT_TRUE(harness->module.find_global(kHarnessClock));
    // A function without a result has no cell for it, and only a call that may be left out or that
    // somebody asks for has one for its times.
    EXPECT_EQ(harness->results[0], "");
    EXPECT_NE(harness->results[1], "");
    EXPECT_NE(harness->times[3], "");
  }
}

TEST(ClockHarness, TellsWhatCellsSay) {
  KnownResults known{{}, {{{{0, CallMoment::What::kReturn}, {1, CallMoment::What::kCall}}}}};
  EXPECT_TRUE(saw_forbidden(known, {0x0100, 0x0302}));
  EXPECT_FALSE(saw_forbidden(known, {0x0200, 0x0302}));
  EXPECT_FALSE(call_result(RecordedCall::kNever, 0, std::nullopt).was_made);
  EXPECT_TRUE(call_result(std::nullopt, 5, std::nullopt).was_made);
  EXPECT_EQ(call_result(0x0100, 5, std::nullopt).value, 5);
  EXPECT_FALSE(call_result(std::nullopt, 5, 0).had_effect);
}

} // namespace
} // namespace heddle::object
