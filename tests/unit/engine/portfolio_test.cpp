// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which engine the portfolio believes: the explicit one where few states are enough, a solver where
// there are too many states or values, and none where all have seen the same obstacle.
#include "engine/axiomatic/axiomatic.h"
#include "engine/portfolio/portfolio.h"
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"
#include "verdict/settle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <thread>

namespace heddle::engine_test {
namespace {

using spec::Property;
using Threads = std::vector<std::vector<std::string>>;

verdict::Verdict ask(const std::string& text, Property property, spec::Bounds bounds = {}) {
  Built built = build(text, "sc", spec::Check{property});
  built.task.bounds = bounds;
  engine::Registry registry;
  registry.add(engine::make_portfolio());
  registry.add(engine::make_explicit({}));
  registry.add(engine::make_axiomatic({}));
  engine::Context context;
  context.registry = &registry;
  EXPECT_FALSE(registry.engines().front()->supports(built.task));
  return registry.engines().front()->run(built.task, context);
}

std::string main_with(const std::string& body) {
  return "module lp64\nglobal @x : 4 align 4\nfunc @main() -> i32 {\n  reg %0 : i32\n  reg %1 : "
         "i32\n"
         "  reg %2 : i1\nblock entry:\n" +
         body + "  ret i32 0\n}\n";
}

TEST(Portfolio, BelievesTheExplicitEngineAboutSmallPrograms) {
  const verdict::Verdict verdict =
      ask(ir_of({{"x=1"}, {"r0=x", "assert"}}, Main::kJoinAll), Property::kReach);
  EXPECT_EQ(kind_of(verdict), "violated");
  EXPECT_EQ(verdict.engine, "explicit");
}

TEST(Portfolio, AsksASolverAboutValuesOfManyBits) {
  const std::string text =
      main_with("  %0 = nondet \"a\"\n  %1 = and %0, i32 1\n  %2 = ult %1, i32 2\n"
                "  assert %2, \"small\"\n");
  const verdict::Verdict verdict = ask(text, Property::kReach);
  EXPECT_EQ(kind_of(verdict), "proved");
  EXPECT_EQ(verdict.engine, "axiomatic");
}

TEST(Portfolio, UndefinedBehaviourIsThereForAll) {
  const std::string text =
      main_with("  %0 = copy i32 0\n  %1 = sdiv i32 1, %0\n  store i32 %1, @x\n");
  const verdict::Verdict verdict = ask(text, Property::kReach);
  EXPECT_EQ(kind_of(verdict), "unknown");
  EXPECT_EQ(verdict.engine, "explicit");
}

TEST(Portfolio, LeavesBoundedSearchesToOneEngine) {
  Built built = build(ir_of({{"x=1"}}, Main::kJoinAll), "sc", spec::Check{Property::kReach});
  built.task.bounds.max_states = 10;
  EXPECT_TRUE(engine::make_portfolio()->supports(built.task));
  built.task.bounds.max_states = 0;
  built.task.question = spec::Enumerate{};
  EXPECT_TRUE(engine::make_portfolio()->supports(built.task));
}

/// Counts as long as x is 0, in main; another thread may write x.
const std::string kWaits = "module lp64\nglobal @x : 4 align 4\n"
                           "func @other(%0: ptr) -> ptr {\nblock entry:\n  store i32 1, @x\n"
                           "  ret %0\n}\n"
                           "func @main() -> i32 {\n  reg %0 : i64\n  reg %1 : i32\n  reg %2 : i1\n"
                           "  reg %3 : i32\nblock entry:\n  %0 = create(@other, ptr 0)\n"
                           "  %3 = copy i32 0\n  jump turn\nblock turn:\n  %1 = load @x\n"
                           "  %3 = add %3, i32 1\n  %2 = eq %1, i32 0\n"
                           "  branch %2, turn, done\nblock done:\n  %2 = ne %3, i32 0\n"
                           "  assert %2, \"some\"\n  ret i32 0\n}\n";

/// Has no memory any more after so many calls of progress.
engine::Context without_memory_after(int calls) {
  engine::Context context;
  context.progress = [calls](const engine::Progress&) mutable {
    if (calls-- == 0)
      throw std::bad_alloc();
  };
  return context;
}

TEST(OutOfMemory, WhatWasCompletedStands) {
  const Built built = build(kWaits, "sc", spec::Check{Property::kReach});
  const auto axiomatic = engine::make_axiomatic({});
  EXPECT_EQ(kind_of(axiomatic->run(built.task, without_memory_after(0))), "unknown");
  const verdict::Verdict verdict = axiomatic->run(built.task, without_memory_after(1));
  EXPECT_EQ(kind_of(verdict), "bounded");
}

class HasNoMemory final : public engine::Engine {
public:
  [[nodiscard]] std::string_view name() const override { return "explicit"; }
  [[nodiscard]] std::string_view description() const override { return "has no memory"; }
  [[nodiscard]] std::optional<std::string> supports(const spec::Task&) const override {
    return std::nullopt;
  }
  [[nodiscard]] verdict::Verdict run(const spec::Task&, const engine::Context&) const override {
    throw std::bad_alloc();
  }
};

TEST(OutOfMemory, AnotherEngineIsAsked) {
  const Built built = build(
      ir_of({{"x=1"}, {"r0=x", "assert"}}, Main::kJoinAll), "sc", spec::Check{Property::kReach});
  engine::Registry registry;
  registry.add(engine::make_portfolio());
  registry.add(std::make_unique<HasNoMemory>());
  registry.add(engine::make_axiomatic({}));
  engine::Context context;
  context.registry = &registry;
  const verdict::Verdict verdict = registry.engines().front()->run(built.task, context);
  EXPECT_EQ(kind_of(verdict), "violated");
  EXPECT_EQ(verdict.engine, "axiomatic");
}

/// Uses all the time it is given, and sees not one state.
class MakesNoProgress final : public engine::Engine {
public:
  [[nodiscard]] std::string_view name() const override { return "explicit"; }
  [[nodiscard]] std::string_view description() const override { return "makes no progress"; }
  [[nodiscard]] std::optional<std::string> supports(const spec::Task&) const override {
    return std::nullopt;
  }
  [[nodiscard]] verdict::Verdict run(const spec::Task&,
                                     const engine::Context& context) const override {
    while (!context.budget.exhausted(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    verdict::Verdict verdict;
    verdict.answer = verdict::out_of(*context.budget.exhausted(0), "0 states were explored");
    return verdict;
  }
};

TEST(Portfolio, HandsOverWhereAnEngineMakesNoProgress) {
  const Built built = build(
      ir_of({{"x=1"}, {"r0=x", "assert"}}, Main::kJoinAll), "sc", spec::Check{Property::kReach});
  engine::Registry registry;
  registry.add(engine::make_portfolio());
  registry.add(std::make_unique<MakesNoProgress>());
  registry.add(engine::make_axiomatic({}));
  engine::Context context;
  context.registry = &registry;
  context.budget = Budget(std::chrono::milliseconds(2000), ~std::uint64_t{0});
  context.has_deadline = true;
  const verdict::Verdict verdict = registry.engines().front()->run(built.task, context);
  EXPECT_EQ(kind_of(verdict), "violated");
  EXPECT_EQ(verdict.engine, "axiomatic");
}

} // namespace
} // namespace heddle::engine_test
