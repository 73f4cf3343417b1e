// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which engine the portfolio believes: the explicit one where few states are enough, a solver where
// there are too many states or values, and none where all have seen the same obstacle.
#include "engine/axiomatic/axiomatic.h"
#include "engine/portfolio/portfolio.h"
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace heddle::engine_test
