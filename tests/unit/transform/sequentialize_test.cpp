// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "ir/parse.h"
#include "ir/verify.h"
#include "program/analyse.h"
#include "program/build.h"
#include "transform/sequentialize.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::transform {
namespace {

program::Program built(const std::string& text) {
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  const Status status = ir::verify(*module);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  Result<program::Program> program = program::build(*module, {});
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  return std::move(program).value();
}

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
  const auto labels = find_labels(program, (*threads)[1].procedure);
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
  EXPECT_FALSE(lazy->preserves(spec::Property::kDeadlock));
  EXPECT_FALSE(lazy->preserves(spec::Property::kRace));
  EXPECT_FALSE(lazy->preserves(spec::Property::kLiveness));
}

} // namespace
} // namespace heddle::transform
