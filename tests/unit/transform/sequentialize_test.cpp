// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/foreign_writes.h"
#include "transform/sequential/sequentialize.h"
#include "transform/sequential/sma.h"
#include "unit/transform/built.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::transform {
namespace {

constexpr const char* kTwoWriters = R"(module lp64
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
func @writer(%0 : ptr) -> ptr {
block entry:
  store i32 1, @x
  store i32 2, @y
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i64
block entry:
  %0 = create(@writer, ptr 0)
  %1 = create(@writer, ptr 0)
  ret i32 0
}
)";

TEST(Sequentialize, AThreadForEachPlaceThatCreatesOne) {
  const program::Program program = built(kTwoWriters);
  const auto threads = find_threads(program);
  ASSERT_TRUE(threads) << threads.error().to_string();
  ASSERT_EQ(threads->size(), 3U);
  EXPECT_FALSE((*threads)[0].creator);
  EXPECT_EQ((*threads)[1].creator, 0U);
  EXPECT_EQ((*threads)[2].creator, 0U);
  EXPECT_NE((*threads)[1].edge, (*threads)[2].edge);
}

TEST(Sequentialize, AThreadStopsBeforeWhatOthersCanTell) {
  const program::Program program = built(kTwoWriters);
  const auto threads = find_threads(program);
  ASSERT_TRUE(threads);
  const auto labels = find_labels(program, *threads, 1, ForeignWrites(program, *threads));
  ASSERT_TRUE(labels) << labels.error().to_string();
  EXPECT_EQ(labels->size(), 3U); // two stores and the end
  for (const SliceLabel& label : *labels)
    EXPECT_FALSE(label.is_inside);
}

TEST(Sequentialize, OneThreadIsLeft) {
  const program::Program program = built(kTwoWriters);
  const auto sequential = sequentialize_lazily({2})->apply(program, {});
  ASSERT_TRUE(sequential) << sequential.error().to_string();
  EXPECT_EQ(sequential->program.templates.size(), 1U);
  for (const program::Procedure& procedure : sequential->program.procedures)
    for (const program::Edge& edge : procedure.edges)
      EXPECT_FALSE(std::holds_alternative<program::Synchronize>(edge.action));
}

TEST(Sequentialize, ALoopIsRefused) {
  const program::Program program = built(R"(module lp64
global @x : 4 align 4 signed 32
func @main() -> i32 {
block entry:
  store i32 1, @x
  jump entry
}
)");
  const auto sequential = sequentialize_lazily({2})->apply(program, {});
  ASSERT_FALSE(sequential);
  EXPECT_EQ(sequential.error().code, "SEQ-003");
}

TEST(Sequentialize, WhatItDoesNotKeepIsNotPreserved) {
  const auto lazy = sequentialize_lazily({});
  EXPECT_TRUE(lazy->preserves(spec::Property::kReach));
  EXPECT_TRUE(lazy->preserves(spec::Property::kMemory));
  EXPECT_FALSE(lazy->preserves(spec::Property::kCleanup));
  LazyOptions cells;
  cells.abstraction = std::make_shared<const Abstraction>();
  EXPECT_FALSE(sequentialize_lazily(cells)->preserves(spec::Property::kMemory));
  EXPECT_FALSE(lazy->preserves(spec::Property::kDeadlock));
  EXPECT_FALSE(lazy->preserves(spec::Property::kRace));
  EXPECT_FALSE(lazy->preserves(spec::Property::kLiveness));
}

constexpr const char* kLocalForAnother = R"(module lp64
global @place : 8 align 8
func @lender(%0 : ptr) -> ptr {
  slot $0 : 4 align 4 "lent"
block entry:
  store ptr $0, @place
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
block entry:
  %0 = create(@lender, ptr 0)
  join(%0)
  ret i32 0
}
)";

TEST(Sequentialize, ALocalThatOutlivesItsThreadIsAssumedUnusedOrRefused) {
  const program::Program program = built(kLocalForAnother);
  const auto sequential = sequentialize_lazily({2})->apply(program, {});
  ASSERT_TRUE(sequential) << sequential.error().to_string();
  ASSERT_EQ(sequential->approximations.size(), 1U);
  EXPECT_EQ(sequential->approximations[0].kind, Approximation::Kind::kAssumed);
  LazyOptions memory;
  memory.checks_memory = true;
  const auto refused = sequentialize_lazily(memory)->apply(program, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "SEQ-016");
}

} // namespace
} // namespace heddle::transform
