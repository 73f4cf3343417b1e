// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// States at a moment of the order: threads that are stuck, blocks that are left. Small programs of
// which it is clear what they can do, under SC, TSO and PSO.
#include "encode/order/leaks.h"
#include "encode/order/memory_formula.h"
#include "encode/order/pair_order.h"
#include "encode/order/stuck.h"
#include "ir/parse.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/events/event_set.h"
#include "solve/cadical.h"
#include "transform/basic/transform.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace heddle::encode {
namespace {

enum class Asked : std::uint8_t { kDeadlock, kLiveness, kLeak };

/// Is there a run that ends in such a state?
bool can(Asked asked, const std::string& functions, const std::string& model_name) {
  const auto module = ir::parse("module lp64\nfile 1 \"test.c\"\n" + functions, "test.ir");
  if (!module) {
    ADD_FAILURE() << module.error().to_string();
    return false;
  }
  const memory::Model model = *memory::find_model(model_name);
  Result<program::Program> built = program::build(*module, {});
  EXPECT_TRUE(built) << built.error().to_string();
  program::Program program = std::move(transform::lower(model)->apply(*built, {})->program);
  program::annotate(program, program::AliasAnalysis::kPointsTo);
  if (asked == Asked::kLiveness) {
    spec::Bounds bounds;
    bounds.unwind = 3;
    program = std::move(transform::skip_idle_turns(transform::IdleTurns::kTurning)
                            ->apply(program, bounds)
                            ->program);
    program = std::move(transform::unroll()->apply(program, bounds)->program);
  }
  program::EventSetOptions options;
  options.for_solver = true;
  options.keeps_waits = true;
  Result<program::EventSet> set = program::make_events(program, options);
  EXPECT_TRUE(set) << set.error().to_string();
  const Skeleton skeleton = make_skeleton(*set, order_of(*model.machine), true);
  const std::unique_ptr<solve::Sat> sat = solve::make_cadical();
  logic::Gates gates(*sat);
  PairOrder order(skeleton, gates);
  MemoryFormula formula(*set, skeleton, gates, order);
  EXPECT_TRUE(formula.encode());
  std::vector<Literal> goals;
  Stuck stuck(*set, skeleton, gates, order, formula);
  Leaks leaks(*set, skeleton, gates, order, formula);
  if (asked == Asked::kLeak) {
    leaks.encode();
    for (const Leaks::Kept& kept : leaks.kept())
      goals.push_back(kept.is_left);
  } else {
    EXPECT_TRUE(stuck.encode(asked == Asked::kDeadlock ? Stuck::Question::kDeadlock
                                                       : Stuck::Question::kLiveness));
    for (const Stuck::Member& member : stuck.members())
      if (member.is_violation)
        goals.push_back(member.is_in);
  }
  order.finish();
  const Literal goal = gates.or_(goals);
  return !gates.is_false(goal) && sat->solve(std::vector{goal}, {}) == solve::Answer::kSatisfiable;
}

constexpr const char* kModels[] = {"sc", "tso", "pso"};

std::string main_with(const std::string& body) {
  return "func @main() -> i32 {\n  reg %0 : ptr\n  reg %1 : ptr\n  reg %2 : i32\nblock entry:\n" +
         body + "  ret i32 0\n}\n";
}

const std::string kStartAndJoin = "  %0 = create(@left, ptr 0)\n  %1 = create(@right, ptr 0)\n"
                                  "  %0 = join(%0)\n  %1 = join(%1)\n";

std::string thread(const std::string& name, const std::string& body) {
  return "func @" + name + "(%0 : ptr) -> ptr {\n  reg %1 : i32\n  reg %2 : i1\nblock entry:\n" +
         body + "  ret ptr 0\n}\n";
}

std::string locks(const std::string& first, const std::string& second) {
  return "  mutex_lock(@" + first + ")\n  mutex_lock(@" + second + ")\n  mutex_unlock(@" + second +
         ")\n  mutex_unlock(@" + first + ")\n";
}

const std::string kMutexes = "global @m : 40 align 8\nglobal @n : 40 align 8\n";

TEST(Stuck, two_locks_in_opposite_orders) {
  for (const char* model : kModels) {
    EXPECT_TRUE(can(Asked::kDeadlock,
                    kMutexes + thread("left", locks("m", "n")) + thread("right", locks("n", "m")) +
                        main_with(kStartAndJoin),
                    model));
    EXPECT_FALSE(can(Asked::kDeadlock,
                     kMutexes + thread("left", locks("m", "n")) + thread("right", locks("m", "n")) +
                         main_with(kStartAndJoin),
                     model));
  }
}

TEST(Stuck, a_lock_that_its_holder_takes_again) {
  for (const char* model : kModels)
    EXPECT_TRUE(can(Asked::kDeadlock, kMutexes + main_with(locks("m", "m")), model));
}

TEST(Stuck, a_lock_whose_holder_has_ended) {
  const std::string ends = "  mutex_lock(@m)\n";
  const std::string waits = "  mutex_lock(@m)\n  mutex_unlock(@m)\n";
  for (const char* model : kModels)
    EXPECT_TRUE(
        can(Asked::kDeadlock,
            kMutexes + thread("left", ends) + thread("right", waits) + main_with(kStartAndJoin),
            model));
}

TEST(Stuck, a_failed_assumption_is_no_wait) {
  for (const char* model : kModels)
    EXPECT_FALSE(can(Asked::kDeadlock,
                     kMutexes + thread("left", "  assume i1 0\n") + thread("right", "") +
                         main_with(kStartAndJoin),
                     model));
}

std::string waits_for(const std::string& flag) {
  return "  jump loop\nblock loop:\n  %1 = load.atomic.seq_cst @" + flag +
         "\n  %2 = eq %1, i32 0\n  branch %2, loop, done\nblock done:\n";
}

const std::string kFlags = "global @x : 4 align 4 signed 32\nglobal @y : 4 align 4 signed 32\n";

std::string sets(const std::string& flag) {
  return "  store.atomic.seq_cst i32 1, @" + flag + "\n";
}

TEST(Stuck, a_loop_waits_for_ever_where_nobody_writes) {
  for (const char* model : kModels) {
    EXPECT_TRUE(can(Asked::kLiveness,
                    kFlags + thread("left", waits_for("x")) + thread("right", sets("y")) +
                        main_with(kStartAndJoin),
                    model));
    // A store reaches memory in the end.
    EXPECT_FALSE(can(Asked::kLiveness,
                     kFlags + thread("left", waits_for("x")) + thread("right", sets("x")) +
                         main_with(kStartAndJoin),
                     model));
  }
}

TEST(Stuck, two_loops_that_wait_for_each_other) {
  for (const char* model : kModels) {
    EXPECT_TRUE(can(Asked::kLiveness,
                    kFlags + thread("left", waits_for("x") + sets("y")) +
                        thread("right", waits_for("y") + sets("x")) + main_with(kStartAndJoin),
                    model));
    EXPECT_FALSE(can(Asked::kLiveness,
                     kFlags + thread("left", waits_for("x") + sets("y")) +
                         thread("right", sets("x") + waits_for("y")) + main_with(kStartAndJoin),
                     model));
  }
}

TEST(Stuck, a_deadlock_without_a_loop_is_none_of_liveness) {
  for (const char* model : kModels)
    EXPECT_FALSE(can(Asked::kLiveness, kMutexes + main_with(locks("m", "m")), model));
}

TEST(Leaks, a_block_that_is_freed_on_every_way_is_not_left) {
  const std::string makes = "  %0 = alloc heap i64 4\n";
  for (const char* model : kModels) {
    EXPECT_TRUE(can(Asked::kLeak, main_with(makes), model));
    EXPECT_FALSE(can(Asked::kLeak, main_with(makes + "  free %0\n"), model));
  }
}

TEST(Leaks, a_thread_that_is_not_joined_may_not_come_to_its_free) {
  const std::string frees = thread("left", "  free %0\n");
  const std::string makes = "  %0 = alloc heap i64 4\n  %1 = create(@left, %0)\n";
  for (const char* model : kModels) {
    EXPECT_TRUE(can(Asked::kLeak, frees + main_with(makes), model));
    EXPECT_FALSE(can(Asked::kLeak, frees + main_with(makes + "  %1 = join(%1)\n"), model));
  }
}

TEST(Leaks, what_is_allocated_after_the_run_has_ended_is_not_left) {
  // Who waits for ever never ends the run, and so nothing is left at its end.
  const std::string waits = "  %0 = alloc heap i64 4\n  mutex_lock(@m)\n  mutex_lock(@m)\n";
  for (const char* model : kModels)
    EXPECT_FALSE(can(Asked::kLeak, kMutexes + main_with(waits), model));
}

} // namespace
} // namespace heddle::encode
