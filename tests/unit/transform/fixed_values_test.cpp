// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/fixed_values.h"
#include "transform/sequential/foreign_writes.h"
#include "transform/sequential/sequentialize.h"
#include "unit/transform/built.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::transform {
namespace {

/// A thread that reads @x and another one that does what is said; main reads @x, too.
std::string reader_and(const std::string& other, const std::string& at_first = "") {
  return R"(module lp64
global @x : 8 align 4
global @y : 4 align 4 signed 32
func @reader(%0 : ptr) -> ptr {
  reg %1 : i32
block entry:
  store i32 1, @y
  %1 = load @x
  store i32 %1, @y
  ret ptr 0
}
func @other(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : ptr
block entry:
)" + other +
         R"(
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i64
  reg %2 : i32
block entry:
)" + at_first +
         R"(
  %0 = create(@reader, ptr 0)
  %1 = create(@other, ptr 0)
  %2 = load @x
  ret i32 0
}
)";
}

/// Where the reader can stop.
std::size_t labels_of_reader(const std::string& text) {
  const program::Program program = built(text);
  const auto threads = find_threads(program);
  EXPECT_TRUE(threads);
  const auto labels = find_labels(program, *threads, 1, ForeignWrites(program, *threads));
  EXPECT_TRUE(labels);
  return labels ? labels->size() : 0;
}

constexpr std::size_t kWithoutTheLoad = 3; // two stores and the end

TEST(ForeignWrites, NobodyCanTellWhenALoadHappensThatNoOtherThreadAffects) {
  EXPECT_EQ(labels_of_reader(reader_and("  %1 = load @x")), kWithoutTheLoad);
  EXPECT_EQ(labels_of_reader(reader_and("", "  store i32 7, @x")), kWithoutTheLoad);
}

TEST(ForeignWrites, AWriteOfAnotherThreadIsSeen) {
  EXPECT_EQ(labels_of_reader(reader_and("  store i32 1, @x")), kWithoutTheLoad + 1);
  EXPECT_EQ(labels_of_reader(reader_and("  %1 = rmw.atomic.relaxed add @x, i32 1")),
            kWithoutTheLoad + 1);
}

TEST(ForeignWrites, OnlyTheBytesCount) {
  EXPECT_EQ(labels_of_reader(
                reader_and("  %2 = ptradd @x, i64 4\n  store i32 1, %2", "  store i32 1, @x")),
            kWithoutTheLoad);
}

/// Of the reader's stores to @y, how many go to a place of its own?
std::size_t own_stores_of_reader(const std::string& text) {
  const program::Program program = built(text);
  const auto threads = find_threads(program);
  EXPECT_TRUE(threads);
  const ForeignWrites writes(program, *threads);
  std::size_t count = 0;
  for (const program::Edge& edge : program.procedures[(*threads)[1].procedure].edges)
    if (std::holds_alternative<program::Store>(edge.action) && writes.own_place(1, edge.action))
      ++count;
  return count;
}

TEST(ForeignWrites, APlaceThatOneThreadWritesIsItsOwn) {
  EXPECT_EQ(own_stores_of_reader(reader_and("  %1 = load @y\n  store i32 1, @x")), 2U);
}

TEST(ForeignWrites, APlaceThatAnyOtherThreadEverWritesIsNot) {
  EXPECT_EQ(own_stores_of_reader(reader_and("  store i32 1, @y")), 0U);
  EXPECT_EQ(own_stores_of_reader(reader_and("  %1 = rmw.atomic.relaxed add @y, i32 1")), 0U);
  EXPECT_EQ(own_stores_of_reader(reader_and("", "  store i32 7, @y")), 0U);
}

/// The program's actions as FixedValues writes them, with locals that keep their names.
std::vector<program::Action> fixed(program::Program& program, const std::string& name) {
  std::vector<program::Action> result;
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const program::ProcedureId id{i};
    const program::Procedure& procedure = program.procedures[id];
    if (procedure.name != name)
      continue;
    LocalMap same;
    for (std::size_t local = 0; local < procedure.locals.size(); ++local)
      same.push_back(program::LocalId{local});
    const FixedValues values(program, id, 1, same, {}, program.terms);
    for (std::uint32_t edge = 0; edge < procedure.edges.size(); ++edge)
      result.push_back(values.action(edge));
  }
  return result;
}

/// What is stored, in the order of the edges; none where it is not constant.
std::vector<std::optional<std::uint64_t>> stored(const std::string& body) {
  program::Program program = built(R"(module lp64
global @x : 4 align 4 signed 32
func @main() -> i32 {
  reg %0 : i32
  reg %1 : i32
  reg %2 : i1
)" + body + "}\n");
  std::vector<std::optional<std::uint64_t>> result;
  for (const program::Action& action : fixed(program, "main"))
    if (const auto* store = std::get_if<program::Store>(&action))
      result.push_back(program.terms.is_constant(store->value)
                           ? std::optional(program.terms.node(store->value).value)
                           : std::nullopt);
  return result;
}

using Stored = std::vector<std::optional<std::uint64_t>>;

TEST(FixedValues, CountersAreNumbers) {
  EXPECT_EQ(stored(R"(block entry:
  %0 = copy i32 1
  %0 = add %0, i32 1
  store i32 %0, @x
  %0 = add %0, i32 3
  store i32 %0, @x
  ret i32 0
)"),
            (Stored{2, 5}));
}

TEST(FixedValues, WhatIsReadIsNotKnown) {
  EXPECT_EQ(stored(R"(block entry:
  %0 = copy i32 1
  %0 = load @x
  store i32 %0, @x
  ret i32 0
)"),
            Stored{std::nullopt});
}

constexpr const char* kTwoWays = R"(block entry:
  %1 = load @x
  %2 = eq %1, i32 0
  branch %2, one, other
block one:
  %0 = copy i32 1
  jump both
block other:
  %0 = copy i32 @OTHER@
  jump both
block both:
  store i32 %0, @x
  ret i32 0
)";

TEST(FixedValues, OnlyWhatAllWaysAgreeOn) {
  std::string same = kTwoWays;
  same.replace(same.find("@OTHER@"), 7, "1");
  EXPECT_EQ(stored(same), Stored{1});
  std::string different = kTwoWays;
  different.replace(different.find("@OTHER@"), 7, "2");
  EXPECT_EQ(stored(different), Stored{std::nullopt});
}

TEST(FixedValues, WaysThatAreNeverTakenDoNotCount) {
  std::string text = kTwoWays;
  text.replace(text.find("@OTHER@"), 7, "2");
  text.replace(text.find("load @x"), 7, "copy i32 3");
  EXPECT_EQ(stored(text), Stored{2});
}

} // namespace
} // namespace heddle::transform
