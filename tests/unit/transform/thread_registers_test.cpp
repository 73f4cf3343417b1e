// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/transform.h"
#include "unit/transform/built.h"
#include "unit/transform/failing_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::transform {
namespace {

using program::FaultKind;
using program::Object;
using program::Program;

/// A thread that calls a function, which adds 1 to its own variable; `rest` comes before it ends.
Program adding(const std::string& initial, const std::string& rest) {
  return built(R"(module lp64
global thread_local @own : 4 align 4 init ")" +
               initial + R"("
global @shared : 8 align 8
func @add() -> void {
  reg %0 : i32
  reg %1 : i32
block entry:
  %0 = load @own
  %1 = add %0, i32 1
  store i32 %1, @own
  ret void
}
func @main() -> i32 {
  reg %0 : i32
  reg %1 : i1
  reg %2 : ptr
block entry:
  call @add()
  call @add()
  %0 = load @own
)" + rest + R"(
  assert %1, "the value"
  ret i32 0
}
)");
}

Program registered(const Program& program) {
  Result<Transformed> result = thread_registers()->apply(program, {});
  EXPECT_TRUE(result.has_value());
  return std::move(result->program);
}

bool has_thread_locals(const Program& program) {
  return std::any_of(program.objects.begin(), program.objects.end(), [](const Object& object) {
    return object.kind == Object::Kind::kThreadLocal;
  });
}

TEST(ThreadRegisters, KeepTheInitialValueAndWhatCallsDo) {
  const Program right = adding("05000000", "  %1 = eq %0, i32 7");
  EXPECT_TRUE(has_thread_locals(right));
  EXPECT_FALSE(has_thread_locals(registered(right)));
  EXPECT_FALSE(find_run(registered(right), FaultKind::kAssertion));

  const Program wrong = adding("05000000", "  %1 = ne %0, i32 7");
  const auto run = find_run(registered(wrong), FaultKind::kAssertion);
  ASSERT_TRUE(run);
  EXPECT_EQ(replay(wrong, *run), FaultKind::kAssertion);
}

TEST(ThreadRegisters, NotWhereSomebodyHasAnAddress) {
  EXPECT_TRUE(has_thread_locals(
      registered(adding("05000000", "  store ptr @own, @shared\n  %1 = eq %0, i32 7"))));
}

TEST(ThreadRegisters, NotWhereAPartIsAccessed) {
  EXPECT_TRUE(
      has_thread_locals(registered(adding("05000000", "  store i8 1, @own\n  %1 = eq %0, i32 7"))));
  EXPECT_TRUE(has_thread_locals(registered(
      adding("05000000", "  %2 = ptradd @own, i64 2\n  store i8 1, %2\n  %1 = eq %0, i32 7"))));
}

} // namespace
} // namespace heddle::transform
