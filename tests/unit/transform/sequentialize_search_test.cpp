// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/sequentialize_search.h"
#include "unit/transform/built.h"
#include "unit/transform/failing_run.h"
#include "unit/transform/small_abstraction.h"

#include <gtest/gtest.h>

namespace heddle::transform {
namespace {

using program::FaultKind;

/// The read has to come between the two writes of the thread, whose block is allocated before.
constexpr const char* kBetween = R"(module lp64
global @x : 4 align 4 signed 32
func @writer(%0 : ptr) -> ptr {
  reg %1 : ptr
block entry:
  %1 = alloc heap i64 8
  store i32 1, @x
  store i32 2, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = create(@writer, ptr 0)
  %1 = load @x
  %2 = ne %1, i32 1
  assert %2, "x != 1"
  ret i32 0
}
)";

LazyOptions over_small_abstraction(const program::Program& program) {
  LazyOptions options;
  options.abstraction = std::make_shared<const Abstraction>(small_abstraction(program));
  return options;
}

TEST(LiftBySearch, ARunThroughAnAbstractionIsARunOfTheThreads) {
  const program::Program program = built(kBetween);
  const auto sequential = sequentialize_lazily(over_small_abstraction(program))->apply(program, {});
  ASSERT_TRUE(sequential) << sequential.error().to_string();
  const auto run = find_run(sequential->program, FaultKind::kAssertion);
  ASSERT_TRUE(run);
  const auto lifted = sequential->lift(*run);
  ASSERT_TRUE(lifted) << lifted.error().to_string();
  EXPECT_EQ(replay(program, *lifted), FaultKind::kAssertion);
}

TEST(LiftBySearch, ARunWithoutAFailureIsNotCarriedBack) {
  const program::Program program = built(kBetween);
  const auto sequential = sequentialize_lazily(over_small_abstraction(program))->apply(program, {});
  ASSERT_TRUE(sequential);
  const auto lifted = sequential->lift({});
  ASSERT_FALSE(lifted);
  EXPECT_EQ(lifted.error().code, "SEQ-006");
}

/// An abstraction that forgets every write: what was read is nothing that the machine has.
TEST(LiftBySearch, AnAbstractionThatLiesIsFoundOut) {
  program::Program program = built(R"(module lp64
global @x : 4 align 4 signed 32
func @writer(%0 : ptr) -> ptr {
block entry:
  store i32 2, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = create(@writer, ptr 0)
  store i32 1, @x
  %1 = load @x
  %2 = ne %1, i32 0
  assert %2, "x != 0"
  ret i32 0
}
)");
  LazyOptions options = over_small_abstraction(program);
  auto lying = std::make_shared<Abstraction>(*options.abstraction);
  for (program::Procedure& procedure : lying->program.procedures)
    if (procedure.name == "sma_write")
      for (program::Edge& edge : procedure.edges)
        if (std::holds_alternative<program::Store>(edge.action))
          edge.action = program::Skip{};
  options.abstraction = lying;
  const auto sequential = sequentialize_lazily(options)->apply(program, {});
  ASSERT_TRUE(sequential) << sequential.error().to_string();
  const auto run = find_run(sequential->program, FaultKind::kAssertion);
  ASSERT_TRUE(run);
  const auto lifted = sequential->lift(*run);
  ASSERT_FALSE(lifted);
  EXPECT_EQ(lifted.error().code, "SEQ-006");
  EXPECT_FALSE(find_run(program, FaultKind::kAssertion));
}

/// Allocations are no steps of a schedule unless they can fail or use memory again.
TEST(LiftToThreads, AllocationsAreStepsWhereTheyAreForTheChecker) {
  const program::Program program = built(kBetween);
  const auto sequential = sequentialize_lazily({2})->apply(program, {});
  ASSERT_TRUE(sequential) << sequential.error().to_string();
  const auto run = find_run(sequential->program, FaultKind::kAssertion);
  ASSERT_TRUE(run);
  const auto lifted = sequential->lift(*run);
  ASSERT_TRUE(lifted) << lifted.error().to_string();
  EXPECT_EQ(replay(program, *lifted), FaultKind::kAssertion);
}

} // namespace
} // namespace heddle::transform
