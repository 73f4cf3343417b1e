// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait: without idle turns the same outcomes and faults are found under every machine,
// and a loop that does nothing but wait meets no bound. Loops whose turns somebody can tell keep
// them.
#include "ir/parse.h"
#include "ir/verify.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "transform/basic/idle.h"
#include "transform/basic/transform.h"
#include "unit/memory/explore.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::transform {
namespace {

using program::FaultKind;
using program::Program;

/// Two threads over @x, @y, @lock and @condition; `waiter` has the registers %1 to %4.
Program with_threads(const std::string& waiter, const std::string& other) {
  const std::string text = R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
global @z : 4 align 4
global @lock : 40 align 8
global @condition : 48 align 8
func @waiter(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i1
  reg %3 : i32
  reg %4 : i1
)" + waiter + R"(
}
func @other(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i1
block entry:
)" + other + R"(
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64
  reg %1 : i64
block entry:
  %0 = create(@waiter, ptr 0)
  %1 = create(@other, ptr 0)
  join(%0)
  join(%1)
  ret i32 0
}
)";
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

memory_test::Explored explored(const Program& program, const memory::Model& model) {
  memory_test::Globals globals;
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (const program::Object& object = program.objects[program::ObjectId{i}];
        object.kind == program::Object::Kind::kGlobal && object.size == 4)
      globals.objects.emplace_back(i);
  program::InterpreterOptions options;
  options.check_analyses = true;
  return memory_test::explore(program, *model.machine, globals, options);
}

/// The same with idle turns, without them, and without them unrolled once or twice; whether a bound
/// was met then.
bool meets_bound(const Program& source, IdleTurns kept = IdleTurns::kNone) {
  bool result = false;
  for (const std::string name : {"sc", "tso", "pso"}) {
    const memory::Model model = *memory::find_model(name);
    const Program program = applied(*lower(model), source);
    const auto expected = explored(program, model);
    EXPECT_FALSE(expected.outcomes.empty()) << "vacuous";
    const Program busy = applied(*skip_idle_turns(kept), program);
    auto found = explored(busy, model);
    found.faults.erase(FaultKind::kDiscarded);
    EXPECT_EQ(found.outcomes, expected.outcomes) << name;
    EXPECT_EQ(found.faults, expected.faults) << name;
    spec::Bounds bounds;
    bounds.unwind = 2;
    auto unrolled = explored(applied(*unroll(), busy, bounds), model);
    unrolled.faults.erase(FaultKind::kDiscarded);
    if (unrolled.faults.erase(FaultKind::kCut) != 0) {
      result = true;
      continue;
    }
    EXPECT_EQ(unrolled.outcomes, expected.outcomes) << name;
    EXPECT_EQ(unrolled.faults, expected.faults) << name;
  }
  return result;
}

TEST(IdleLoops, OfALoopThatReads) {
  EXPECT_FALSE(meets_bound(with_threads(R"(
block entry:
  store i32 1, @y
  jump head
block head:
  %1 = load @x
  %2 = eq %1, i32 1
  branch %2, done, head
block done:
  %3 = load @z
  %4 = eq %3, i32 2
  assert %4, "z"
  ret ptr 0)",
                                        "  store i32 2, @z\n  store i32 1, @x\n")));
}

TEST(IdleLoops, OfALoopThatCountsAreNone) {
  EXPECT_TRUE(meets_bound(with_threads(R"(
block entry:
  %3 = load @z
  jump head
block head:
  %3 = add %3, i32 1
  %2 = slt %3, i32 4
  branch %2, head, done
block done:
  store i32 %3, @y
  ret ptr 0)",
                                       "  store i32 1, @x\n")));
}

TEST(IdleLoops, WhatWasReadLastIsKept) {
  // The value read in one turn is used in the next: turns with one value are idle, others not.
  EXPECT_TRUE(
      meets_bound(with_threads(R"(
block entry:
  %3 = copy i32 7
  jump head
block head:
  store i32 %3, @y
  jump wait
block wait:
  %1 = load @x
  %2 = eq %1, %3
  branch %2, wait, next
block next:
  %3 = copy %1
  %2 = eq %1, i32 3
  branch %2, done, head
block done:
  ret ptr 0)",
                               "  store i32 1, @x\n  store i32 2, @x\n  store i32 3, @x\n")));
}

TEST(IdleLoops, OfTestAndSet) {
  const std::string enter_and_leave = R"(
  %3 = load @y
  %3 = add %3, i32 1
  store i32 %3, @y
  store.atomic.release i32 0, @x
  ret ptr 0)";
  const Program both = with_threads(R"(
block entry:
  jump head
block head:
  %1 = rmw.atomic.seq_cst xchg @x, i32 1
  %2 = eq %1, i32 0
  branch %2, done, head
block done:)" + enter_and_leave,
                                    R"(  jump head
block head:
  %1, %2 = cmpxchg.atomic.seq_cst @x, i32 0, i32 1 failure relaxed
  branch %2, done, head
block done:
  %1 = load @y
  %1 = add %1, i32 1
  store i32 %1, @y
  store.atomic.release i32 0, @x)");
  EXPECT_FALSE(meets_bound(both));
}

TEST(IdleLoops, OfAnUpdateThatChangesSomethingAreNone) {
  EXPECT_TRUE(meets_bound(with_threads(R"(
block entry:
  jump head
block head:
  %1 = rmw.atomic.seq_cst add @x, i32 1
  %2 = eq %1, i32 3
  branch %2, done, head
block done:
  ret ptr 0)",
                                       "  %1 = load @x\n  store i32 %1, @z\n")));
}

const char* const kPollUnderLock = R"(
block entry:
  jump head
block head:
  mutex_lock(@lock)
  %1 = load @x
  %2 = eq %1, i32 1
  mutex_unlock(@lock)
  branch %2, done, head
block done:
  %3 = load @y
  store i32 %3, @z
  ret ptr 0)";

TEST(IdleLoops, UnderALock) {
  EXPECT_FALSE(meets_bound(with_threads(
      kPollUnderLock,
      "  mutex_lock(@lock)\n  store i32 1, @x\n  store i32 1, @y\n  mutex_unlock(@lock)\n")));
}

TEST(IdleLoops, OneMayBeKept) {
  EXPECT_FALSE(meets_bound(
      with_threads(
          kPollUnderLock,
          "  mutex_lock(@lock)\n  store i32 1, @x\n  store i32 1, @y\n  mutex_unlock(@lock)\n"),
      IdleTurns::kOne));
}

TEST(IdleLoops, UnderALockThatIsTriedAreNone) {
  EXPECT_TRUE(meets_bound(with_threads(
      kPollUnderLock, "  %1 = mutex_trylock(@lock)\n  store i32 %1, @y\n  store i32 1, @x\n")));
}

TEST(IdleLoops, WithALockGivenAwayAndTakenAgain) {
  EXPECT_FALSE(meets_bound(with_threads(R"(
block entry:
  mutex_lock(@lock)
  jump head
block head:
  %1 = load @x
  %2 = eq %1, i32 1
  branch %2, done, wait
block wait:
  mutex_unlock(@lock)
  mutex_lock(@lock)
  jump head
block done:
  store i32 1, @z
  mutex_unlock(@lock)
  ret ptr 0)",
                                        R"(
  mutex_lock(@lock)
  store i32 1, @y
  mutex_unlock(@lock)
  mutex_lock(@lock)
  store i32 1, @x
  mutex_unlock(@lock))")));
}

TEST(IdleLoops, OfAConditionWait) {
  EXPECT_FALSE(meets_bound(with_threads(R"(
block entry:
  mutex_lock(@lock)
  jump head
block head:
  %1 = load @x
  %2 = eq %1, i32 2
  branch %2, done, wait
block wait:
  cond_wait(@condition, @lock)
  jump head
block done:
  store i32 %1, @z
  mutex_unlock(@lock)
  ret ptr 0)",
                                        R"(
  mutex_lock(@lock)
  store i32 1, @x
  cond_signal(@condition)
  mutex_unlock(@lock)
  mutex_lock(@lock)
  store i32 2, @x
  cond_signal(@condition)
  mutex_unlock(@lock))")));
}

/// The faults of the program without the turns, its loops unrolled twice.
std::set<FaultKind> faults_of_unrolled(const Transform& transform, const Program& source) {
  const memory::Model model = *memory::find_model("tso");
  spec::Bounds bounds;
  bounds.unwind = 2;
  const Program program = applied(transform, applied(*lower(model), source));
  auto found = explored(applied(*unroll(), program, bounds), model);
  found.faults.erase(FaultKind::kDiscarded);
  return found.faults;
}

TEST(IdleLoops, OfALoopThatStoresWhatNobodyReads) {
  const std::string waits = R"(
block entry:
  jump head
block head:
  %1 = load @x
  store i32 %1, @z
  %2 = eq %1, i32 1
  branch %2, done, head
block done:
  %3 = load @y
  %4 = eq %3, i32 2
  assert %4, "y"
  ret ptr 0)";
  const Program unread = with_threads(waits, "  store i32 1, @x\n  store i32 2, @y\n");
  EXPECT_EQ(faults_of_unrolled(*skip_unseen_turns(), unread), std::set{FaultKind::kAssertion});
  EXPECT_TRUE(
      faults_of_unrolled(*skip_idle_turns(IdleTurns::kNone), unread).contains(FaultKind::kCut));
  const Program read =
      with_threads(waits, "  %1 = load @z\n  store i32 1, @x\n  store i32 2, @y\n");
  EXPECT_TRUE(faults_of_unrolled(*skip_unseen_turns(), read).contains(FaultKind::kCut));
}

TEST(IdleLoops, KeepWhatIsNotAboutStates) {
  const auto unseen = skip_unseen_turns();
  EXPECT_TRUE(unseen->preserves(spec::Property::kReach));
  EXPECT_FALSE(unseen->preserves(spec::Property::kMemory));
  EXPECT_FALSE(unseen->preserves(spec::Property::kRace));
  const auto none = skip_idle_turns(IdleTurns::kNone);
  const auto one = skip_idle_turns(IdleTurns::kOne);
  EXPECT_TRUE(none->preserves(spec::Property::kReach));
  EXPECT_FALSE(none->preserves(spec::Property::kRace));
  EXPECT_TRUE(one->preserves(spec::Property::kRace));
  EXPECT_FALSE(one->preserves(spec::Property::kDeadlock));
  EXPECT_FALSE(one->preserves(spec::Property::kLiveness));
  const auto signalled = skip_idle_turns(IdleTurns::kSignalled);
  EXPECT_TRUE(signalled->preserves(spec::Property::kDeadlock));
  EXPECT_FALSE(signalled->preserves(spec::Property::kLiveness));
  const auto turning = skip_idle_turns(IdleTurns::kTurning);
  EXPECT_TRUE(turning->preserves(spec::Property::kLiveness));
  EXPECT_FALSE(turning->preserves(spec::Property::kDeadlock));
}

TEST(IdleLoops, OfALoopThatReadsForLiveness) {
  EXPECT_FALSE(meets_bound(with_threads(R"(
block entry:
  store i32 1, @y
  jump head
block head:
  %1 = load @x
  %2 = eq %1, i32 1
  branch %2, done, head
block done:
  ret ptr 0)",
                                        "  store i32 1, @x"),
                           IdleTurns::kTurning));
}

TEST(IdleLoops, OfALoopWithALockAreNoTurnsForLiveness) {
  EXPECT_TRUE(meets_bound(with_threads(R"(
block entry:
  jump head
block head:
  mutex_lock(@lock)
  %1 = load @x
  mutex_unlock(@lock)
  %2 = eq %1, i32 1
  branch %2, done, head
block done:
  ret ptr 0)",
                                       "  store i32 1, @x"),
                          IdleTurns::kTurning));
}

} // namespace
} // namespace heddle::transform
