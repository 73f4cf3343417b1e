// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each transform on small programs: what it makes of them, and that the plainest explorer finds the
// same outcomes and faults before and after, under every machine.
#include "ir/parse.h"
#include "ir/verify.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/model/print_program.h"
#include "transform/basic/transform.h"
#include "unit/memory/explore.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::transform {
namespace {

using memory::MachineKind;
using program::Program;

Program built(const std::string& text) {
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  const Status status = ir::verify(*module);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  Result<Program> program = program::build(*module, {});
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  return std::move(program).value();
}

Program applied(const Transform& transform, const Program& program, spec::Bounds bounds = {}) {
  Result<Transformed> result = transform.apply(program, bounds);
  EXPECT_TRUE(result.has_value()) << result.error().to_string();
  return std::move(result->program);
}

Program lowered(const Program& program, const std::string& model) {
  return applied(*lower(*memory::find_model(model)), program);
}

/// The actions of a procedure that are of that kind, as text.
template <class Kind>
std::vector<std::string> actions(const Program& program, const std::string& name) {
  std::vector<std::string> lines;
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (procedure.name == name && std::holds_alternative<Kind>(edge.action))
        lines.push_back(program::to_text(program, procedure, edge.action));
  return lines;
}

/// The actions along the only path from the entry.
std::vector<std::string> straight_line(const Program& program, const std::string& name) {
  std::vector<std::string> lines;
  for (const program::Procedure& procedure : program.procedures) {
    if (procedure.name != name)
      continue;
    program::LocationId at = procedure.entry;
    while (procedure.locations[at].out.size() == 1) {
      const program::Edge& edge = procedure.edges[procedure.locations[at].out[0]];
      lines.push_back(program::to_text(program, procedure, edge.action));
      at = edge.to;
    }
  }
  return lines;
}

using Lines = std::vector<std::string>;

struct Behaviour {
  std::set<memory_test::Words> outcomes;
  std::set<program::FaultKind> faults;
  std::size_t states = 0;
};

/// Final values of all 4-byte globals, with the analyses' findings asserted on the way.
Behaviour behaviour(const Program& source, const std::string& model) {
  const Program program = source.vocabulary == "machine" ? source : lowered(source, model);
  memory_test::Globals globals;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const program::Object& object = program.objects[program::ObjectId{i}];
    if (object.kind == program::Object::Kind::kGlobal && object.size == 4)
      globals.objects.emplace_back(i);
  }
  program::InterpreterOptions options;
  options.check_analyses = true;
  const memory_test::Explored explored =
      memory_test::explore(program, *memory::find_model(model)->machine, globals, options);
  return {explored.outcomes, explored.faults, explored.states};
}

void expect_same_behaviour(const Program& before, const Program& after) {
  for (const std::string model : {"sc", "tso", "pso"}) {
    const Behaviour expected = behaviour(before, model);
    const Behaviour found = behaviour(after, model);
    EXPECT_EQ(found.outcomes, expected.outcomes) << model;
    EXPECT_EQ(found.faults, expected.faults) << model;
    EXPECT_FALSE(expected.outcomes.empty() && expected.faults.empty()) << "vacuous";
  }
}

constexpr const char* kOrders = R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "v"
  reg %1 : i1 "done"
block entry:
  store i32 1, @x
  store.atomic.relaxed i32 2, @x
  store.atomic.release i32 3, @x
  store.atomic.seq_cst i32 4, @x
  %0 = load.atomic.seq_cst @x
  fence.atomic.acquire
  fence.atomic.release
  fence.atomic.seq_cst
  fence
  %0 = rmw.atomic.relaxed add @x, i32 1
  %0, %1 = cmpxchg.atomic.relaxed @x, i32 1, i32 2 failure relaxed
  ret i32 0
}
)";

TEST(Lower, FollowsTheTable) {
  const Program program = built(kOrders);
  using program::Fence;
  using program::ReadModifyWrite;
  EXPECT_EQ(
      actions<Fence>(lowered(program, "sc"), "main"),
      (Lines{"fence mark (acquire)", "fence mark (release)", "fence mark (seq_cst)", "fence"}));
  EXPECT_EQ(actions<Fence>(lowered(program, "tso"), "main"),
            (Lines{"fence full",
                   "fence mark (acquire)",
                   "fence mark (release)",
                   "fence full (seq_cst)",
                   "fence"}));
  EXPECT_EQ(actions<Fence>(lowered(program, "pso"), "main"),
            (Lines{"fence store-store",
                   "fence store-store",
                   "fence full",
                   "fence mark (acquire)",
                   "fence store-store (release)",
                   "fence full (seq_cst)",
                   "fence"}));
  const Lines pso = straight_line(lowered(program, "pso"), "main");
  const Lines start(pso.begin(), pso.begin() + 7);
  EXPECT_EQ(start,
            (Lines{"store32 [&x] := 1 (private)",
                   "store32 [&x] := 2 (relaxed, private)",
                   "fence store-store",
                   "store32 [&x] := 3 (release, private)",
                   "fence store-store",
                   "store32 [&x] := 4 (seq_cst, private)",
                   "fence full"}));
  for (const std::string model : {"tso", "pso"}) {
    EXPECT_NE(actions<ReadModifyWrite>(lowered(program, model), "main")[0].find("drains"),
              std::string::npos);
    EXPECT_NE(actions<program::CompareExchange>(lowered(program, model), "main")[0].find("drains"),
              std::string::npos);
  }
  EXPECT_EQ(lowered(program, "tso").vocabulary, "machine");
}

TEST(Lower, RefusesUnknownVocabulariesAndLoweringTwice) {
  const Program program = built(kOrders);
  memory::Model rc11;
  rc11.name = "rc11";
  rc11.vocabulary = memory::Vocabulary::kC11;
  const Result<Transformed> refused = lower(rc11)->apply(program, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "TRF-001");
  EXPECT_NE(refused.error().message.find("rc11"), std::string::npos);
  const Result<Transformed> twice =
      lower(*memory::find_model("sc"))->apply(lowered(program, "sc"), {});
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().code, "TRF-002");
}

/// Store buffering with calls, a loop, a private array and a lock-free increment.
constexpr const char* kStoreBuffering = R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
global @r : 4 align 4
global @s : 4 align 4
global @count : 4 align 4
func @write(%0 : ptr "where", %1 : i32 "what") -> void {
block entry:
  store i32 %1, %0
  ret void
}
func @twice(%0 : i32 "n") -> i32 {
  reg %1 : i32 "unset"
  reg %2 : i32
block entry:
  %1 = add %1, %0
  %1 = add %1, %0
  ret %1
}
func @left(%0 : ptr) -> ptr {
  reg %1 : i32 "v"
  reg %2 : i32
  reg %3 : i32 "i"
  reg %4 : i1
  reg %5 : i32
  reg %6 : i32
block entry:
  call @write(@x, i32 1)
  %1 = load @y
  %2 = call @twice(%1)
  store i32 %2, @r
  %3 = copy i32 0
  jump head
block head:
  %4 = slt %3, i32 2
  branch %4, body, done
block body:
  hint loop_bound (i32 2)
  %5 = rmw.atomic.relaxed add @count, i32 1
  %6 = call @twice(%3)
  %3 = add %3, i32 1
  jump head
block done:
  ret ptr 0
}
func @right(%0 : ptr) -> ptr {
  reg %1 : i32 "v"
  reg %2 : i32
block entry:
  call @write(@y, i32 1)
  %1 = load @x
  %2 = call @twice(%1)
  store i32 %2, @s
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "a"
  reg %1 : i64 "b"
block entry:
  %0 = create(@left, ptr 0)
  %1 = create(@right, ptr 0)
  join(%0)
  join(%1)
  ret i32 0
}
)";

TEST(Inline, KeepsBehaviourAndRemovesCalls) {
  const Program program = built(kStoreBuffering);
  const Program inlined = applied(*inline_calls(), program);
  EXPECT_TRUE(actions<program::Call>(inlined, "left").empty());
  EXPECT_TRUE(actions<program::Call>(inlined, "right").empty());
  EXPECT_FALSE(actions<program::Call>(program, "left").empty());
  expect_same_behaviour(program, inlined);
  // A weaker machine shows more here: the test would notice if the fences went wrong.
  EXPECT_GT(behaviour(inlined, "tso").outcomes.size(), behaviour(inlined, "sc").outcomes.size());
}

TEST(Inline, LeavesRecursionAndFramesWithSlotsAlone) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @down(%0 : i32 "n") -> i32 {
  reg %1 : i1
  reg %2 : i32
  reg %3 : i32
block entry:
  %1 = eq %0, i32 0
  branch %1, zero, more
block zero:
  ret i32 0
block more:
  %2 = sub %0, i32 1
  %3 = call @down(%2)
  %3 = add %3, %0
  ret %3
}
func @slotted() -> i32 {
  slot $0 : 4 align 4 "s"
  reg %0 : i32
block entry:
  store i32 3, $0
  %0 = load $0
  ret %0
}
func @main() -> i32 {
  reg %0 : i32
  reg %1 : i32
block entry:
  %0 = call @down(i32 3)
  %1 = call @slotted()
  %0 = add %0, %1
  store i32 %0, @x
  ret i32 0
}
)");
  const Program inlined = applied(*inline_calls(), program);
  EXPECT_EQ(actions<program::Call>(inlined, "main").size(), 2U);
  EXPECT_EQ(actions<program::Call>(inlined, "down").size(), 1U);
  expect_same_behaviour(program, inlined);
  EXPECT_EQ(behaviour(inlined, "sc").outcomes, (std::set<memory_test::Words>{{9}}));
}

TEST(MergeLocal, KeepsBehaviourWithFewerEdges) {
  const Program program = applied(*inline_calls(), built(kStoreBuffering));
  const Program merged = applied(*merge_local(), program);
  const auto edges = [](const Program& of) {
    std::size_t count = 0;
    for (const program::Procedure& procedure : of.procedures)
      count += procedure.edges.size();
    return count;
  };
  EXPECT_LT(edges(merged), edges(program));
  for (const program::Procedure& procedure : merged.procedures)
    for (const program::Edge& edge : procedure.edges)
      EXPECT_FALSE(std::holds_alternative<program::Hint>(edge.action));
  expect_same_behaviour(program, merged);
}

TEST(Instantiate, GivesEachCreationItsOwnProcedure) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @worker(%0 : ptr) -> ptr {
  reg %1 : i32
block entry:
  %1 = load @x
  %1 = add %1, i32 1
  store i32 %1, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "a"
  reg %1 : i64 "b"
block entry:
  %0 = create(@worker, ptr 0)
  %1 = create(@worker, ptr 0)
  join(%0)
  join(%1)
  ret i32 0
}
)");
  const Program instances = applied(*instantiate(), program);
  EXPECT_EQ(instances.procedures.size(), program.procedures.size() + 1);
  ASSERT_EQ(instances.templates.size(), 3U);
  EXPECT_EQ(instances.templates[2].name, "worker#2");
  expect_same_behaviour(program, instances);
}

TEST(Unroll, EnoughCopiesKeepBehaviourAndReachNoCut) {
  const Program program = built(kStoreBuffering);
  for (const std::uint32_t bound : {2U, 3U, 5U}) {
    const Program unrolled = applied(*unroll(), program, {bound, 0, 8});
    for (const program::Procedure& procedure : unrolled.procedures)
      for (const program::Location& location : procedure.locations)
        EXPECT_FALSE(location.is_loop_head);
    expect_same_behaviour(program, unrolled);
  }
}

/// It starts with what x holds, which is 0 and not known to be, or as it is told.
std::string
counting_loop(const std::string& before, unsigned times, const std::string& start = "load @x") {
  return R"(
module lp64
file 1 "loop.c"
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "i"
  reg %1 : i1
  reg %2 : i32 "j"
  reg %3 : i32
  reg %4 : i1
block entry:
  %0 = )" +
         start + R"(
  )" + before +
         R"(
  jump head
block head:
  %1 = slt %0, i32 )" +
         std::to_string(times) + R"( !1:7:3
  branch %1, outer, done !1:7:3
block outer:
  %2 = copy i32 0
  jump inner
block inner:
  %3 = load @x
  %3 = add %3, i32 1
  store i32 %3, @x
  %2 = add %2, i32 1
  %4 = slt %2, i32 2
  branch %4, inner, next
block next:
  %0 = add %0, i32 1
  jump head
block done:
  ret i32 0
}
)";
}

TEST(Unroll, TooFewCopiesEndInACutThatNamesTheLoop) {
  using program::FaultKind;
  for (unsigned times = 0; times <= 4; ++times) {
    const Program program = built(counting_loop("", times));
    for (const std::uint32_t bound : {2U, 3U, 4U}) {
      const Program unrolled = applied(*unroll(), program, {bound, 0, 8});
      const Behaviour found = behaviour(unrolled, "sc");
      if (times <= bound) {
        EXPECT_EQ(found.outcomes, (std::set<memory_test::Words>{{2 * times}}))
            << times << " " << bound;
        EXPECT_TRUE(found.faults.empty());
      } else {
        EXPECT_TRUE(found.outcomes.empty());
        EXPECT_EQ(found.faults, (std::set{FaultKind::kCut}));
      }
    }
  }
  const Lines cuts =
      actions<program::Cut>(applied(*unroll(), built(counting_loop("", 3)), {1, 0, 8}), "main");
  EXPECT_NE(std::find(cuts.begin(), cuts.end(), "cut: loop at loop.c:7 unrolled 1 time"),
            cuts.end());
}

TEST(Unroll, LoopsThatEndAfterAKnownNumberOfTurnsCountAgainstNoBound) {
  for (const unsigned times : {0U, 1U, 3U, 40U}) {
    const Program unrolled =
        applied(*unroll(), built(counting_loop("", times, "copy i32 0")), {2, 0, 8});
    EXPECT_TRUE(actions<program::Cut>(unrolled, "main").empty());
    const Behaviour found = behaviour(unrolled, "sc");
    EXPECT_EQ(found.outcomes, (std::set<memory_test::Words>{{2 * times}}));
    EXPECT_TRUE(found.faults.empty());
  }
  // But what is said of a loop by name, or by a hint, is obeyed.
  const Program program = built(counting_loop("", 4, "copy i32 0"));
  EXPECT_EQ(behaviour(applied(*unroll(), program, {2, 0, 8, {{"loop.c", 7, 3}}}), "sc").faults,
            (std::set{program::FaultKind::kCut}));
  const Program hinted = built(counting_loop("hint loop_bound (i32 3)", 4, "copy i32 0"));
  EXPECT_EQ(behaviour(applied(*unroll(), hinted, {2, 0, 8}), "sc").faults,
            (std::set{program::FaultKind::kCut}));
}

TEST(Unroll, AnInnerLoopIsKnownInEachCopyOfTheOuterOne) {
  const std::string text = counting_loop("", 5, "copy i32 0");
  const std::size_t at = text.find("slt %2, i32 2");
  std::string triangle = text;
  triangle.replace(at, 13, "slt %2, %0"); // as a do-while: 1, 1, 2, 3, 4 turns
  const Program unrolled = applied(*unroll(), built(triangle), {1, 0, 8});
  EXPECT_TRUE(actions<program::Cut>(unrolled, "main").empty());
  EXPECT_EQ(behaviour(unrolled, "sc").outcomes, (std::set<memory_test::Words>{{11}}));
}

TEST(Unroll, WhatOnlyComputesIsNotCopied) {
  const auto loop = [](const std::string& start) {
    return R"(
module lp64
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "i"
  reg %1 : i1
  reg %2 : i32 "sum"
  reg %3 : i1
block entry:
  %2 = )" + start +
           R"(
  %0 = copy i32 0
  jump head
block head:
  %1 = slt %0, i32 10000
  branch %1, body, done
block body:
  %2 = add %2, %0
  %0 = add %0, i32 1
  %3 = slt %0, i32 20000
  assert %3, "not known to fail"
  jump head
block done:
  store i32 %2, @x
  ret i32 0
}
)";
  };
  const Program unrolled = applied(*unroll(), built(loop("copy i32 1")), {2, 0, 8});
  EXPECT_LT(unrolled.procedures[unrolled.templates[0].entry].locations.size(), 12U);
  EXPECT_EQ(behaviour(unrolled, "sc").outcomes, (std::set<memory_test::Words>{{49'995'001}}));
  // What is computed from memory is.
  const Program copied = applied(*unroll(), built(loop("load @x")), {2, 0, 8});
  EXPECT_GT(copied.procedures[copied.templates[0].entry].locations.size(), 10'000U);
  EXPECT_EQ(behaviour(copied, "sc").outcomes, (std::set<memory_test::Words>{{49'995'000}}));
}

TEST(Unroll, ALoopThatWaitsIsCutWhateverItCounts) {
  // The counter is known in every turn, but says nothing about the end.
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "turns"
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = copy i32 0
  jump head
block head:
  %0 = add %0, i32 1
  %1 = load @x
  %2 = eq %1, i32 0
  branch %2, head, done
block done:
  ret i32 0
}
)");
  const Program unrolled = applied(*unroll(), program, {3, 0, 8});
  EXPECT_FALSE(actions<program::Cut>(unrolled, "main").empty());
}

TEST(Unroll, AHintGivesItsLoopABoundOfItsOwn) {
  const Program program = built(counting_loop("hint loop_bound (i32 4)", 4));
  const Behaviour found = behaviour(applied(*unroll(), program, {2, 0, 8}), "sc");
  EXPECT_EQ(found.outcomes, (std::set<memory_test::Words>{{8}}));
  const Behaviour without =
      behaviour(applied(*unroll(), built(counting_loop("", 4)), {2, 0, 8}), "sc");
  EXPECT_EQ(without.faults, (std::set{program::FaultKind::kCut}));
}

TEST(Unroll, ALoopMayHaveABoundOfItsOwnByItsLine) {
  using program::FaultKind;
  const Program program = built(counting_loop("", 4));
  spec::Bounds bounds{2, 0, 8, {{"loop.c", 7, 4}}};
  EXPECT_EQ(behaviour(applied(*unroll(), program, bounds), "sc").outcomes,
            (std::set<memory_test::Words>{{8}}));
  // Only that loop is cut.
  bounds = {0, 0, 8, {{"loop.c", 7, 3}}};
  EXPECT_EQ(behaviour(applied(*unroll(), program, bounds), "sc").faults,
            (std::set{FaultKind::kCut}));
  bounds.loops[0].unwind = 4;
  EXPECT_EQ(behaviour(applied(*unroll(), program, bounds), "sc").outcomes,
            (std::set<memory_test::Words>{{8}}));
  // All loops but that.
  bounds = {2, 0, 8, {{"loop.c", 7, 0}}};
  EXPECT_EQ(behaviour(applied(*unroll(), program, bounds), "sc").outcomes,
            (std::set<memory_test::Words>{{8}}));
  // A bound for no loop is a mistake, and so is one for another file.
  for (const spec::LoopBound& wrong :
       {spec::LoopBound{"loop.c", 8, 1}, spec::LoopBound{"op.c", 7, 1}}) {
    const Result<Transformed> refused = unroll()->apply(program, {0, 0, 8, {wrong}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "TRF-005");
    EXPECT_NE(refused.error().message.find("loop.c:7"), std::string::npos);
  }
}

/// down(n) adds up n, n - 1, … by recursion; with `mutual` through another procedure.
std::string recursive_sum(unsigned n, bool is_mutual) {
  const std::string callee = is_mutual ? "@other" : "@down";
  const auto body = [](const std::string& name, const std::string& calls) {
    return "func " + name + R"((%0 : i32 "n") -> i32 {
  reg %1 : i1
  reg %2 : i32
  reg %3 : i32
block entry:
  %1 = eq %0, i32 0
  branch %1, zero, more
block zero:
  ret i32 0
block more:
  %2 = sub %0, i32 1
  %3 = call )" +
           calls + R"((%2) !1:5:9
  %3 = add %3, %0
  ret %3
}
)";
  };
  return "module lp64\nfile 1 \"sum.c\"\nglobal @x : 4 align 4\n" + body("@down", callee) +
         (is_mutual ? body("@other", "@down") : "") + R"(func @main() -> i32 {
  reg %0 : i32
block entry:
  %0 = call @down(i32 )" +
         std::to_string(n) + R"()
  store i32 %0, @x
  ret i32 0
}
)";
}

TEST(Unroll, RecursionIsFollowedToTheBound) {
  using program::FaultKind;
  for (const bool is_mutual : {false, true})
    for (unsigned n = 0; n <= 4; ++n) {
      const Program program = built(recursive_sum(n, is_mutual));
      for (const std::uint32_t bound : {1U, 2U, 3U})
        for (const bool is_inlined : {false, true}) {
          const spec::Bounds bounds{bound, 0, 8};
          Program cut = is_inlined ? applied(*inline_calls(), program, bounds) : program;
          cut = applied(*unroll(), cut, bounds);
          if (is_inlined) {
            EXPECT_TRUE(actions<program::Call>(cut, "main").empty());
          }
          const Behaviour found = behaviour(cut, "sc");
          if (n <= bound) {
            EXPECT_EQ(found.outcomes, (std::set<memory_test::Words>{{n * (n + 1) / 2}}));
            EXPECT_TRUE(found.faults.empty());
          } else {
            EXPECT_TRUE(found.outcomes.empty());
            EXPECT_EQ(found.faults, (std::set{FaultKind::kCut}));
          }
        }
    }
  const Program cut = applied(*unroll(), built(recursive_sum(3, false)), {1, 0, 8});
  const Lines cuts = actions<program::Cut>(cut, "down");
  EXPECT_EQ(cuts, (Lines{"cut: recursion of down at sum.c:5 followed 1 time"}));
}

TEST(Unroll, RecursionThatWouldMakeTheProgramTooLargeIsRefused) {
  const Result<Transformed> refused =
      unroll()->apply(built(recursive_sum(3, false)), {1000000, 0, 8});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "TRF-004");
}

TEST(Unroll, EndlessLoopsAreCutAndZeroMeansNoBound) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i32
block entry:
  jump loop
block loop:
  %0 = load @x
  jump loop
}
)");
  const Behaviour found = behaviour(applied(*unroll(), program, {3, 0, 8}), "sc");
  EXPECT_EQ(found.faults, (std::set{program::FaultKind::kCut}));
  const Program same = applied(*unroll(), program, {0, 0, 8});
  EXPECT_TRUE(std::any_of(same.procedures.back().locations.begin(),
                          same.procedures.back().locations.end(),
                          [](const program::Location& location) { return location.is_loop_head; }));
}

TEST(Unroll, TwoEntriesIntoOneLoopStillEnd) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @main() -> i32 {
  reg %0 : i1 "c"
  reg %1 : i32 "i"
  reg %2 : i1
block entry:
  %1 = copy i32 0
  %0 = nondet "c"
  branch %0, a, b
block a:
  %1 = add %1, i32 1
  store i32 %1, @x
  jump b
block b:
  %1 = add %1, i32 1
  %2 = slt %1, i32 5
  branch %2, a, done
block done:
  ret i32 0
}
)");
  const Program unrolled = applied(*unroll(), program, {6, 0, 8});
  for (const program::Procedure& procedure : unrolled.procedures)
    for (const program::Location& location : procedure.locations)
      EXPECT_FALSE(location.is_loop_head);
  EXPECT_EQ(behaviour(unrolled, "sc").outcomes, behaviour(program, "sc").outcomes);
}

TEST(Pipeline, AllTransformsTogetherKeepBehaviour) {
  const Program program = built(kStoreBuffering);
  Program all = program;
  std::vector<std::unique_ptr<Transform>> steps;
  steps.push_back(inline_calls());
  steps.push_back(instantiate());
  steps.push_back(unroll());
  steps.push_back(merge_local());
  for (const std::unique_ptr<Transform>& step : steps)
    all = applied(*step, all, {2, 0, 8});
  expect_same_behaviour(program, all);
}

TEST(Lift, GivesTheScheduleBack) {
  const Program program = built(kStoreBuffering);
  const Result<Transformed> result = inline_calls()->apply(program, {});
  ASSERT_TRUE(result.has_value());
  const execution::Schedule schedule{{execution::Transition::Kind::kStep, 0, 0},
                                     {execution::Transition::Kind::kFlush, 1, 0}};
  const Result<execution::Schedule> lifted = result->lift(schedule);
  ASSERT_TRUE(lifted.has_value());
  EXPECT_EQ(*lifted, schedule);
}

} // namespace
} // namespace heddle::transform
