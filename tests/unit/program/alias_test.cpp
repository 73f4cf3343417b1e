// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects accesses may touch, and which of them other threads can tell.
#include "ir/parse.h"
#include "ir/verify.h"
#include "program/analyse/alias.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/model/print_program.h"
#include "support/rng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <set>

namespace heddle::program {
namespace {

Program annotated(const std::string& text, AliasAnalysis analysis = AliasAnalysis::kPointsTo) {
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  const Status status = ir::verify(*module);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  Result<Program> program = build(*module, {});
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  annotate(*program, analysis);
  return std::move(program).value();
}

using Names = std::set<std::string>;

/// The objects that the stores of a procedure may touch; "any" where nothing is known.
Names stored_to(const Program& program, const std::string& procedure_name) {
  Names names;
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges) {
      const auto* store = std::get_if<Store>(&edge.action);
      if (store == nullptr || procedure.name != procedure_name)
        continue;
      if (!store->access.may.is_valid()) {
        names.insert("any");
        continue;
      }
      for (const ObjectId object : program.object_sets[store->access.may])
        names.insert(program.objects[object].name);
    }
  return names;
}

/// The visible accesses of a procedure, as text.
std::vector<std::string> visible(const Program& program, const std::string& procedure_name) {
  std::vector<std::string> lines;
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges)
      if (procedure.name == procedure_name && is_visible(edge.action) &&
          (std::holds_alternative<Load>(edge.action) || std::holds_alternative<Store>(edge.action)))
        lines.push_back(to_text(program, procedure, edge.action));
  return lines;
}

TEST(Offsets, OverlapAgreesWithEnumeration) {
  EXPECT_TRUE(rc::check("overlap", [](std::uint64_t seed) {
    Rng rng(seed);
    const auto offsets = [&] {
      return Offsets{static_cast<std::int64_t>(rng.below(24)) - 8,
                     rng.below(4) == 0 ? 0 : rng.below(12)};
    };
    const Offsets a = offsets();
    const Offsets b = offsets();
    const std::uint64_t a_size = 1 + rng.below(8);
    const std::uint64_t b_size = 1 + rng.below(8);
    bool overlaps = false;
    bool differs = a_size != b_size;
    bool has_shifted = false;
    for (std::int64_t i = -30; i <= 30; ++i)
      for (std::int64_t j = -30; j <= 30; ++j) {
        const std::int64_t x = a.first + i * static_cast<std::int64_t>(a.stride);
        const std::int64_t y = b.first + j * static_cast<std::int64_t>(b.stride);
        const bool meets =
            x < y + static_cast<std::int64_t>(b_size) && y < x + static_cast<std::int64_t>(a_size);
        overlaps = overlaps || meets;
        has_shifted = has_shifted || (meets && x != y);
      }
    const Overlap how = overlap(a, a_size, b, b_size);
    RC_ASSERT((how == Overlap::kNever) == !overlaps);
    if (overlaps)
      RC_ASSERT((how == Overlap::kSame) == (!differs && !has_shifted));
    // Joining covers both.
    const Offsets both = a.join(b);
    for (std::int64_t i = -5; i <= 5; ++i)
      for (const Offsets& one : {a, b}) {
        const std::int64_t x = one.first + i * static_cast<std::int64_t>(one.stride);
        const bool is_covered =
            both.stride == 0 ? x == both.first
                             : (x - both.first) % static_cast<std::int64_t>(both.stride) == 0;
        RC_ASSERT(is_covered);
      }
  }));
}

TEST(Alias, PointersThroughMemoryCallsAndFields) {
  const Program program = annotated(R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
global @p : 8 align 8
global @pair : 16 align 8 reloc [0: @x, 8: @y]
func @set(%0 : ptr "target") -> void {
block entry:
  store i32 1, %0
  ret void
}
func @second() -> void {
  reg %0 : ptr
block entry:
  %0 = load @pair+8
  store i32 2, %0
  ret void
}
func @through() -> void {
  reg %0 : ptr
block entry:
  store ptr @x, @p
  %0 = load @p
  call @store_it(%0)
  ret void
}
func @store_it(%0 : ptr) -> void {
block entry:
  store i32 3, %0
  ret void
}
func @main() -> i32 {
block entry:
  call @set(@x)
  call @set(@y)
  call @second()
  call @through()
  ret i32 0
}
)");
  EXPECT_EQ(stored_to(program, "set"), (Names{"x", "y"}));
  EXPECT_EQ(stored_to(program, "second"), (Names{"y"}));
  EXPECT_EQ(stored_to(program, "through"), (Names{"p"}));
  EXPECT_EQ(stored_to(program, "store_it"), (Names{"x"}));
}

TEST(Alias, NumbersThatNobodyControlsMayPointAnywhere) {
  const Program program = annotated(R"(
module ilp32
global @x : 4 align 4
global @y : 4 align 4
func @nondet() -> void {
  reg %0 : i32
block entry:
  %0 = nondet "n"
  store i32 1, %0
  ret void
}
func @counted() -> void {
  reg %0 : i32 "i"
  reg %1 : i1
block entry:
  %0 = copy i32 0
  jump loop
block loop:
  %0 = add %0, i32 4
  %1 = eq %0, i32 147456
  branch %1, done, loop
block done:
  store i32 1, %0
  ret void
}
func @integer_step() -> void {
  reg %0 : i32 "a"
  reg %1 : i32 "n"
block entry:
  %0 = copy @x
  %1 = nondet "n"
  %0 = add %0, %1
  store i32 1, %0
  ret void
}
func @walking_integer() -> void {
  reg %0 : i32 "a"
  reg %1 : i1 "c"
block entry:
  %0 = copy @x
  jump loop
block loop:
  %0 = add %0, i32 4
  %1 = nondet "c"
  branch %1, done, loop
block done:
  store i32 1, %0
  ret void
}
func @pointer_step() -> void {
  reg %0 : ptr "a"
  reg %1 : i32 "n"
block entry:
  %1 = nondet "n"
  %0 = ptradd @x, %1
  store i32 1, %0
  ret void
}
func @far() -> void {
  reg %0 : i32 "a"
block entry:
  %0 = nondet "n"
  %0 = and %0, i32 1
  %0 = add %0, i32 0x34000
  store i32 1, %0
  ret void
}
func @tag() -> void {
  reg %0 : i32 "a"
block entry:
  %0 = copy @x
  %0 = or %0, i32 1
  %0 = and %0, i32 -2
  store i32 1, %0
  ret void
}
func @main() -> i32 {
block entry:
  store i32 0, @y
  call @nondet()
  call @counted()
  call @integer_step()
  call @walking_integer()
  call @pointer_step()
  call @far()
  call @tag()
  ret i32 0
}
)");
  EXPECT_EQ(stored_to(program, "nondet"), (Names{"any"}));
  EXPECT_EQ(stored_to(program, "counted"), (Names{"any"}));
  EXPECT_EQ(stored_to(program, "integer_step"), (Names{"any"}));
  EXPECT_EQ(stored_to(program, "walking_integer"), (Names{"any"}));
  EXPECT_EQ(stored_to(program, "pointer_step"), (Names{"x"}));
  EXPECT_EQ(stored_to(program, "far"), (Names{"any"}));
  EXPECT_EQ(stored_to(program, "tag"), (Names{"x"}));
}

TEST(Alias, GuardedAndUnguardedSumsOfTheSameTermsAreKeptApart) {
  const Program program = annotated(R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
func @main() -> i32 {
  reg %0 : ptr "p"
  reg %1 : i64 "n"
  reg %2 : ptr
  reg %3 : i64
  reg %4 : ptr "q"
block entry:
  %0 = copy @x
  %1 = nondet "n"
  %2 = ptradd %0, %1
  store i32 1, %2
  jump again
block again:
  %3 = copy %0
  %3 = add %3, %1
  store i32 2, %3
  store i32 3, @y
  ret i32 0
}
)");
  EXPECT_TRUE(stored_to(program, "main").contains("any"));
}

TEST(Alias, AddressPutTogetherFromPartsMayPointAnywhere) {
  const Program program = annotated(R"(
module lp64
global @x : 4 align 4
global @p : 8 align 8
global @q : 8 align 8
func @main() -> i32 {
  reg %0 : i32 "low"
  reg %1 : i32 "high"
  reg %2 : ptr "r"
block entry:
  store ptr @x, @p
  %0 = load @p
  %1 = load @p+4
  store i32 %0, @q
  store i32 %1, @q+4
  %2 = load @q
  store i32 5, %2
  ret i32 0
}
)");
  EXPECT_TRUE(stored_to(program, "main").contains("any"));
}

TEST(Alias, FieldsOfBlocksInAnArrayStayApart) {
  const Program program = annotated(R"(
module lp64
global @table : 160 align 8
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "i"
  reg %1 : i64
  reg %2 : i64
  reg %3 : ptr "e"
  reg %4 : ptr
  reg %5 : i64
  reg %6 : ptr "p"
block entry:
  %0 = nondet "i"
  %1 = sext %0
  %2 = mul %1, i64 16
  %3 = ptradd @table, %2
  %5 = nondet "number"
  store i64 %5, %3
  %4 = ptradd %3, i64 8
  store ptr @x, %4
  %6 = load %4
  store i32 1, %6
  ret i32 0
}
)");
  EXPECT_EQ(stored_to(program, "main"), (Names{"table", "x"}));
}

TEST(Alias, FieldsStayApartForElementsOfAnySize) {
  const Program program = annotated(R"(
module ilp32
global @table : 120 align 4
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "i"
  reg %1 : ptr "kept"
  reg %2 : i32
  reg %3 : ptr "e"
  reg %4 : ptr
  reg %5 : i32
  reg %6 : ptr "p"
block entry:
  %0 = nondet "i"
  %2 = mul %0, i32 12
  %3 = ptradd @table, %2
  %5 = nondet "number"
  store i32 %5, %3
  %4 = ptradd %3, i32 8
  store ptr @x, %4
  %1 = ptradd %3, i32 4
  store i32 %5, %1
  %6 = load %4
  store i32 1, %6
  ret i32 0
}
)");
  EXPECT_EQ(stored_to(program, "main"), (Names{"table", "x"}));
}

TEST(Alias, CallsThroughPointersAreNarrowed) {
  const Program program = annotated(R"(
module lp64
global @handler : 8 align 8 reloc [0: @a]
global @other : 8 align 8 reloc [0: @b]
func @a() -> void {
block entry:
  ret void
}
func @b() -> void {
block entry:
  ret void
}
func @main() -> i32 {
  reg %0 : ptr "f"
block entry:
  %0 = load @handler
  call %0()
  %0 = load @other
  ret i32 0
}
)");
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges)
      if (const auto* call = std::get_if<Call>(&edge.action)) {
        ASSERT_TRUE(call->function.has_value());
        EXPECT_EQ(call->targets.size(), 2U); // flow-insensitive: %0 holds both
      }
}

TEST(Escape, WhatOnlyOneThreadCanReachIsInvisible) {
  const Program program = annotated(R"(
module lp64
global @shared : 4 align 4
global @only_main : 4 align 4
global @only_read : 4 align 4
global constant @fixed : 4 align 4
global thread_local @own : 4 align 4
global @published : 8 align 8
func @worker(%0 : ptr "argument") -> ptr {
  reg %1 : i32 "v"
  reg %2 : ptr "block"
  reg %3 : ptr "given"
  slot $0 : 4 align 4 "mine"
  slot $1 : 4 align 4 "told"
block entry:
  store i32 1, @shared
  store i32 2, $0
  store i32 3, $1
  store ptr $1, @published
  %3 = load @published
  %1 = load %3
  store i32 4, @own
  %1 = load @fixed
  %1 = load @only_read
  %2 = alloc heap i64 4
  store i32 5, %2
  %1 = load %0
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "t"
  reg %1 : i32 "v"
  reg %2 : ptr "block"
  reg %3 : ptr "secret"
block entry:
  %2 = alloc heap i64 4
  %3 = alloc heap i64 4
  store i32 1, @only_main
  store i32 1, %2
  store i32 1, %3
  %1 = load @shared
  %0 = create(@worker, %2)
  join(%0)
  ret i32 0
}
)");
  EXPECT_EQ(visible(program, "worker"),
            (std::vector<std::string>{"store32 [&shared] := 1",
                                      "store32 [&told] := 3",
                                      "store64 [&published] := &told",
                                      "given := load64 [&published]",
                                      "v := load32 [given]",
                                      "v := load32 [argument]"}));
  EXPECT_EQ(visible(program, "main"),
            (std::vector<std::string>{"store32 [block] := 1", "v := load32 [&shared]"}));
}

TEST(Escape, WhatIsTouchedInTheSameWayAsSharedMemoryIsVisible) {
  const Program program = annotated(R"(
module lp64
global @shared : 4 align 4
global @only_main : 4 align 4
global @not_written : 4 align 4
global @apart : 4 align 4
func @worker(%0 : ptr "argument") -> ptr {
block entry:
  store i32 1, @shared
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "t"
  reg %1 : i32 "v"
  reg %2 : ptr "place"
  reg %3 : i1 "c"
block entry:
  %0 = create(@worker, ptr 0)
  store i32 2, @only_main
  store i32 3, @apart
  %1 = load @not_written
  %3 = nondet "c"
  branch %3, one, other
block one:
  %2 = copy @only_main
  jump both
block other:
  %2 = copy @shared
  jump both
block both:
  store i32 4, %2
  %1 = load @only_main
  ret i32 0
}
)");
  EXPECT_EQ(visible(program, "main"),
            (std::vector<std::string>{
                "store32 [&only_main] := 2", "store32 [place] := 4", "v := load32 [&only_main]"}));
}

TEST(Escape, WithoutAnalysisEverythingIsVisible) {
  const Program program = annotated(R"(
module lp64
global constant @fixed : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "v"
  slot $0 : 4 align 4 "mine"
block entry:
  store i32 2, $0
  %0 = load @fixed
  ret i32 0
}
)",
                                    AliasAnalysis::kNone);
  EXPECT_EQ(visible(program, "main").size(), 2U);
  EXPECT_TRUE(program.object_sets.empty());
}

TEST(Escape, AThreadsResultReachesWhoJoinsIt) {
  const Program program = annotated(R"(
module lp64
func @worker(%0 : ptr "argument") -> ptr {
  reg %1 : ptr "block"
block entry:
  %1 = alloc heap i64 4
  store i32 5, %1
  ret %1
}
func @main() -> i32 {
  reg %0 : i64 "t"
  reg %1 : ptr "block"
block entry:
  %0 = create(@worker, ptr 0)
  %1 = join(%0)
  store i32 6, %1
  ret i32 0
}
)");
  EXPECT_EQ(visible(program, "worker").size(), 1U);
  EXPECT_EQ(visible(program, "main").size(), 1U);
  EXPECT_EQ(stored_to(program, "main").size(), 1U);
}

TEST(Escape, ANumberBesideAnAddressDoesNotHideIt) {
  const Program program = annotated(R"(
module lp64
global @pair : 16 align 8
func @in_memory(%0 : ptr) -> ptr {
  reg %1 : i64
  reg %2 : ptr
block entry:
  %1 = nondet "n"
  store i64 %1, @pair
  %2 = load @pair+8
  store i32 1, %2
  ret ptr 0
}
func @as_argument(%0 : ptr) -> ptr {
block entry:
  store i32 2, %0
  ret ptr 0
}
func @number(%0 : ptr) -> ptr {
block entry:
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : ptr
  reg %2 : ptr
  reg %3 : ptr
block entry:
  %1 = alloc heap i64 4
  store ptr %1, @pair+8
  %2 = alloc heap i64 4
  %3 = nondet "m"
  %0 = create(@number, %3)
  %0 = create(@as_argument, %2)
  %0 = create(@in_memory, ptr 0)
  ret i32 0
}
)");
  EXPECT_EQ(visible(program, "in_memory").size(), 3U);
  EXPECT_EQ(visible(program, "as_argument").size(), 1U);
}

TEST(Escape, AFreedSharedBlockMayComeBackAsAnyOther) {
  const std::string text = R"(
module lp64
func @worker(%0 : ptr "argument") -> ptr {
  reg %1 : ptr "mine"
block entry:
  store i32 1, %0
  %1 = alloc heap i64 4
  store i32 5, %1
  FREE
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "t"
  reg %1 : ptr "block"
block entry:
  %1 = alloc heap i64 4
  %0 = create(@worker, %1)
  store i32 6, %1
  ret i32 0
}
)";
  const auto with = [&text](const std::string& line) {
    std::string copy = text;
    copy.replace(copy.find("FREE"), 4, line);
    return annotated(copy);
  };
  EXPECT_EQ(visible(with(""), "worker").size(), 1U);
  EXPECT_EQ(visible(with("free %0"), "worker").size(), 2U);
}

// The second block may lie where the first one was: what is stored there is read through the stale
// pointer, too, and the other way round.
TEST(Alias, StalePointerReadsWhatTheNextBlockHolds) {
  const std::string text = R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
global @z : 4 align 4
func @main() -> i32 {
  reg %0 : ptr "first"
  reg %1 : ptr "second"
  reg %2 : ptr "found"
block entry:
  %0 = alloc heap i64 8
  store ptr @x, %0
  FREE
  %1 = alloc heap i64 8
  store ptr @y, %1
  ret i32 0
}
func @reader(%0 : ptr, %1 : ptr) -> void {
  reg %2 : ptr "found"
block entry:
  %2 = load WHICH
  store i32 7, %2
  ret void
}
)";
  const auto found = [&text](bool is_freed, bool is_stale) {
    std::string copy = text;
    copy.replace(copy.find("FREE"), 4, is_freed ? "free %0" : "");
    copy.replace(copy.find("WHICH"), 5, is_stale ? "%0" : "%1");
    copy.replace(copy.find("  ret i32 0"), 11, "  call @reader(%0, %1)\n  ret i32 0");
    return stored_to(annotated(copy), "reader");
  };
  EXPECT_EQ(found(false, true), (Names{"x"}));
  EXPECT_EQ(found(true, true), (Names{"x", "y"}));
  EXPECT_EQ(found(true, false), (Names{"x", "y"})); // "store @x" may hit the second block, too
}

TEST(Escape, WhoMayKnowWhereAFrameWas) {
  const Program program = annotated(R"(
module lp64
global @p : 8 align 8
func @keeps(%0 : ptr) -> void {
  slot $0 : 4 align 4 "own"
block entry:
  store i32 1, $0
  store i32 2, %0
  ret void
}
func @leaves() -> ptr {
  slot $0 : 4 align 4 "returned"
block entry:
  ret $0
}
func @worker(%0 : ptr) -> ptr {
  slot $0 : 4 align 4 "stored"
  reg %1 : ptr
block entry:
  store ptr $0, @p
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : ptr
  slot $0 : 4 align 4 "of main"
block entry:
  call @keeps($0)
  %1 = call @leaves()
  %0 = create(@worker, $0)
  %1 = load @p
  store i32 1, %1
  ret i32 0
}
)");
  using Dangling = Object::Dangling;
  std::map<std::string, Dangling> found;
  for (const Object& object : program.objects)
    if (object.kind == Object::Kind::kFrameSite)
      found.emplace(object.name, object.dangling);
  EXPECT_EQ(found.at("own"), Dangling::kNever);
  EXPECT_EQ(found.at("returned"), Dangling::kOwnThread);
  EXPECT_EQ(found.at("stored"), Dangling::kAnyThread);
  EXPECT_EQ(found.at("of main"), Dangling::kNever);
}

} // namespace
} // namespace heddle::program
