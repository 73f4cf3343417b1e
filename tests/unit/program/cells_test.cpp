// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The partition against its definition, by brute force over all pairs of accesses.
#include "ir/parse.h"
#include "program/analyse/cells.h"
#include "program/build/build.h"
#include "support/rng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

namespace heddle::program {
namespace {

struct Range {
  std::uint64_t start;
  std::uint64_t end;
  bool operator==(const Range&) const = default;
};

std::vector<Range> all_accesses(std::uint64_t size, const std::vector<AccessPattern>& patterns) {
  std::vector<Range> ranges;
  for (const AccessPattern& pattern : patterns)
    for (std::uint64_t start = 0; start + pattern.size <= size; ++start) {
      const std::int64_t distance = static_cast<std::int64_t>(start) - pattern.offsets.first;
      const bool fits = pattern.offsets.stride == 0
                            ? distance == 0
                            : distance % static_cast<std::int64_t>(pattern.offsets.stride) == 0;
      if (fits)
        ranges.push_back({start, start + pattern.size});
    }
  return ranges;
}

TEST(Partition, AgreesWithBruteForce) {
  EXPECT_TRUE(rc::check("partition", [](std::uint64_t seed) {
    Rng rng(seed);
    const std::uint64_t size = 1 + rng.below(40);
    std::vector<AccessPattern> patterns;
    const std::uint64_t count = rng.below(5);
    for (std::uint64_t i = 0; i < count; ++i)
      patterns.push_back(
          {{static_cast<std::int64_t>(rng.below(50)) - 10, rng.below(2) * rng.below(16)},
           std::uint64_t{1} << rng.below(4)});
    const std::vector<std::uint64_t> cuts = partition(size, patterns);
    RC_ASSERT(cuts.front() == 0U);
    RC_ASSERT(cuts.back() == size);
    const std::set<std::uint64_t> is_cut(cuts.begin(), cuts.end());
    RC_ASSERT(is_cut.size() == cuts.size());
    const std::vector<Range> ranges = all_accesses(size, patterns);
    // Which bytes lie in a group of accesses that overlap without being the same: transitively.
    std::vector<bool> is_mixed(ranges.size(), false);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 0; i < ranges.size(); ++i)
        for (std::size_t j = 0; j < ranges.size(); ++j) {
          const bool overlap = ranges[i].start < ranges[j].end && ranges[j].start < ranges[i].end;
          if (overlap && !(ranges[i] == ranges[j]) && !is_mixed[i])
            is_mixed[i] = is_changed = true;
        }
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      RC_ASSERT(is_cut.contains(ranges[i].start));
      RC_ASSERT(is_cut.contains(ranges[i].end));
      for (std::uint64_t at = ranges[i].start + 1; at < ranges[i].end; ++at)
        RC_ASSERT(is_cut.contains(at) == is_mixed[i]);
    }
    // Nothing else is cut: an inner cut is an end of an access or inside a mixed one.
    for (std::size_t c = 1; c + 1 < cuts.size(); ++c) {
      bool has_reason = false;
      for (std::size_t i = 0; i < ranges.size(); ++i)
        has_reason = has_reason || ranges[i].start == cuts[c] || ranges[i].end == cuts[c] ||
                     (is_mixed[i] && ranges[i].start < cuts[c] && cuts[c] < ranges[i].end);
      RC_ASSERT(has_reason);
    }
  }));
}

TEST(Cells, EachAccessIsOneCellUnlessTheyOverlap) {
  const Result<ir::Module> module = ir::parse(R"(
module lp64
global @x : 4 align 4
global @mixed : 16 align 8
global @table : 40 align 4
func @main() -> i32 {
  reg %0 : i32 "v"
  reg %1 : i32 "i"
  reg %2 : i64
  reg %3 : i64
  reg %4 : ptr
  reg %5 : i16 "half"
block entry:
  store i32 1, @x
  %0 = load @x
  store i64 1, @mixed
  %5 = load @mixed+2
  store i64 2, @mixed+8
  %1 = nondet "i"
  %2 = sext %1
  %3 = mul %2, i64 4
  %4 = ptradd @table, %3
  store i32 7, %4
  ret i32 0
}
)",
                                              "cells.hir");
  ASSERT_TRUE(module.has_value()) << module.error().to_string();
  const Result<Program> program = build(*module, {});
  ASSERT_TRUE(program.has_value());
  const Cells cells(*program);
  const ObjectId x{0U};
  const ObjectId mixed{1U};
  const ObjectId table{2U};
  EXPECT_EQ(cells.covering(x, 0, 4).size(), 1U);
  EXPECT_EQ(cells.covering(mixed, 0, 8).size(), 8U);
  EXPECT_EQ(cells.covering(mixed, 2, 2).size(), 2U);
  EXPECT_EQ(cells.covering(mixed, 8, 8).size(), 1U);
  EXPECT_EQ(cells.cells().size(), 1U + 9U + 10U);
  for (std::uint64_t i = 0; i < 10; ++i)
    EXPECT_TRUE(cells.is_one_cell(table, 4 * i, 4)) << i;
  EXPECT_TRUE(cells.covering(table, 38, 4).empty());
}

TEST(Cells, LocksAreAsLargeAsForTheInterpreter) {
  const Result<ir::Module> module = ir::parse(R"(
module lp64
global @mutex : 40 align 8
global @rw : 56 align 8
global @small : 16 align 8
global @condition : 48 align 8
global @other : 40 align 8
func @main() -> i32 {
block entry:
  mutex_lock(@mutex)
  read_lock(@rw)
  write_lock(@small)
  mutex_lock(@other)
  cond_wait(@condition, @other)
  ret i32 0
}
)",
                                              "locks.hir");
  ASSERT_TRUE(module.has_value()) << module.error().to_string();
  const Result<Program> program = build(*module, {});
  ASSERT_TRUE(program.has_value());
  const Cells cells(*program);
  const auto first = [&](std::uint64_t object) {
    return cells.cells()[cells.covering(ObjectId{object}, 0, 1).front()].size;
  };
  EXPECT_EQ(first(0), 20U);
  EXPECT_EQ(first(1), 24U) << "the counts of threads that read twice belong to the lock";
  EXPECT_EQ(first(2), 16U) << "a lock that is larger than its object is a fault";
  EXPECT_EQ(first(3), 4U);
  EXPECT_EQ(first(4), 20U);
}

TEST(Cells, AnAddressThatMayBeAnythingCutsEverythingIntoBytes) {
  const Result<ir::Module> module = ir::parse(R"(
module lp64
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i64 "a"
block entry:
  %0 = nondet "a"
  store i16 1, %0
  store i32 1, @x
  ret i32 0
}
)",
                                              "cells.hir");
  ASSERT_TRUE(module.has_value()) << module.error().to_string();
  const Result<Program> program = build(*module, {});
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(Cells(*program).covering(ObjectId{0U}, 0, 4).size(), 4U);
}

} // namespace
} // namespace heddle::program
