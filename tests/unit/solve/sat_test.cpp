// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What solve/sat.h promises, for both solvers.
#include "random_formula.h"
#include "solve/cadical.h"
#include "solve/clause_log.h"
#include "solve/core/make_core.h"
#include "solve/recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>
#include <tuple>

namespace heddle::solve::test {
namespace {

struct Maker {
  const char* name;
  std::function<std::unique_ptr<Sat>()> make;
};

class SatTest : public testing::TestWithParam<Maker> {
protected:
  std::unique_ptr<Sat> sat = GetParam().make();
  std::vector<Literal> fresh(std::size_t count) {
    std::vector<Literal> literals;
    for (std::size_t i = 0; i < count; ++i)
      literals.push_back(Literal::from(sat->new_variable(), false));
    return literals;
  }
  void add(std::vector<Literal> clause) { sat->add_clause(clause); }

  /// More pigeons than holes: far too hard to finish.
  void add_pigeons(std::size_t holes) {
    std::vector<std::vector<Literal>> at;
    for (std::size_t pigeon = 0; pigeon <= holes; ++pigeon) {
      at.push_back(fresh(holes));
      add(at.back());
    }
    for (std::size_t hole = 0; hole < holes; ++hole)
      for (std::size_t a = 0; a <= holes; ++a)
        for (std::size_t b = a + 1; b <= holes; ++b)
          add({~at[a][hole], ~at[b][hole]});
  }
};

TEST_P(SatTest, EmptyFormulaHasAModel) {
  EXPECT_EQ(sat->solve(), Answer::kSatisfiable);
  const auto x = fresh(2);
  EXPECT_EQ(sat->solve(), Answer::kSatisfiable);
  // Both values exist, also of variables in no clause, and a literal is the opposite of its
  // negation.
  EXPECT_NE(sat->value(x[0]), sat->value(~x[0]));
  EXPECT_NE(sat->value(x[1]), sat->value(~x[1]));
}

TEST_P(SatTest, EmptyClauseHasNone) {
  add({});
  EXPECT_EQ(sat->solve(), Answer::kUnsatisfiable);
  EXPECT_TRUE(sat->failed().empty());
}

TEST_P(SatTest, FailedAssumptionsAreThoseNeeded) {
  const auto x = fresh(4);
  add({~x[0], ~x[1]});
  add({x[2], x[3]});
  EXPECT_EQ(sat->solve(std::vector{x[3], x[0], x[2], x[1]}), Answer::kUnsatisfiable);
  std::vector<Literal> failed(sat->failed().begin(), sat->failed().end());
  std::ranges::sort(failed);
  EXPECT_EQ(failed, (std::vector{x[0], x[1]}));
  EXPECT_EQ(sat->solve(std::vector{x[3], x[0]}), Answer::kSatisfiable);
  EXPECT_TRUE(sat->value(x[0]));
  EXPECT_FALSE(sat->value(x[1]));
}

TEST_P(SatTest, AssumptionAndItsNegationFail) {
  const auto x = fresh(2);
  EXPECT_EQ(sat->solve(std::vector{x[1], x[0], ~x[0]}), Answer::kUnsatisfiable);
  std::vector<Literal> failed(sat->failed().begin(), sat->failed().end());
  std::ranges::sort(failed);
  EXPECT_EQ(failed, (std::vector{x[0], ~x[0]}));
}

TEST_P(SatTest, AssumptionsAreForgotten) {
  const auto x = fresh(1);
  EXPECT_EQ(sat->solve(std::vector{~x[0]}), Answer::kSatisfiable);
  add({x[0]});
  EXPECT_EQ(sat->solve(std::vector{~x[0]}), Answer::kUnsatisfiable);
  EXPECT_EQ(sat->solve(), Answer::kSatisfiable);
}

TEST_P(SatTest, TimeBudgetStopsSoon) {
  add_pigeons(14);
  const auto start = std::chrono::steady_clock::now();
  const Budget budget(std::chrono::milliseconds(100), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(sat->solve({}, {.budget = &budget}), Answer::kUnknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(5)); // even on a busy machine
}

TEST_P(SatTest, MemoryBudgetStops) {
  add_pigeons(14);
  const Budget budget(std::nullopt, 1000);
  EXPECT_EQ(sat->solve({}, {.budget = &budget}), Answer::kUnknown);
}

TEST_P(SatTest, ConflictLimitStopsAndTheWorkIsNotLost) {
  add_pigeons(6);
  int calls = 1;
  while (sat->solve({}, {.conflicts = 50}) == Answer::kUnknown && calls < 1000)
    ++calls;
  EXPECT_GT(calls, 1);
  EXPECT_LT(calls, 1000);
  EXPECT_EQ(sat->solve(), Answer::kUnsatisfiable);
}

TEST_P(SatTest, InterruptStopsFromAnotherThread) {
  add_pigeons(14);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    sat->interrupt();
  });
  EXPECT_EQ(sat->solve(), Answer::kUnknown);
  other.join();
  EXPECT_EQ(sat->solve(), Answer::kUnknown);
}

INSTANTIATE_TEST_SUITE_P(Both,
                         SatTest,
                         testing::Values(Maker{"core", [] { return make_core(); }},
                                         Maker{"cadical", [] { return make_cadical(); }}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Recorder, WritesWhatItPassesOn) {
  Recorder recorder(make_core());
  const Literal x = Literal::from(recorder.new_variable(), false);
  const Literal y = Literal::from(recorder.new_variable(), false);
  recorder.add_clause(std::vector{x, ~y});
  recorder.add_clause({});
  EXPECT_EQ(recorder.solve(std::vector{y}), Answer::kUnsatisfiable);
  std::ostringstream out;
  recorder.write_dimacs(out);
  EXPECT_EQ(out.str(), "p cnf 2 3\n1 -2 0\n0\n2 0\n");
}

TEST(ClauseLog, TellsEverySolverWhatItDoesNotKnow) {
  ClauseLog log;
  const Literal x = Literal::from(log.new_variable(), false);
  const Literal y = Literal::from(log.new_variable(), false);
  log.add_clause(std::vector{x, y});
  const auto kept = make_cadical();
  std::size_t known = log.tell(*kept, 0);
  EXPECT_EQ(kept->solve(std::vector{~x}), Answer::kSatisfiable);
  const Literal z = Literal::from(log.new_variable(), false);
  log.add_clause(std::vector{~y, z});
  log.add_clause(std::vector{~z});
  known = log.tell(*kept, known);
  EXPECT_EQ(log.tell(*kept, known), known); // nothing is left
  EXPECT_EQ(kept->solve(std::vector{~x}), Answer::kUnsatisfiable);
  EXPECT_EQ(kept->solve(std::vector{x}), Answer::kSatisfiable);
  const auto single = make_core();
  static_cast<void>(log.tell(*single, 0));
  single->add_clause(std::vector{~x});
  EXPECT_EQ(single->solve(), Answer::kUnsatisfiable);
  log.add_clause({});
  static_cast<void>(log.tell(*kept, known));
  EXPECT_EQ(kept->solve(), Answer::kUnsatisfiable);
}

/// A hint only; CaDiCaL looks for constant solutions before it follows it.
TEST(Core, PreferredValuesAreTriedFirst) {
  const auto core = make_core();
  std::vector<Literal> x;
  for (std::size_t i = 0; i < 20; ++i) {
    x.push_back(Literal::from(core->new_variable(), i % 3 == 0));
    core->prefer(x.back());
  }
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    core->add_clause(std::vector{x[i], ~x[i + 1]});
  ASSERT_EQ(core->solve(), Answer::kSatisfiable);
  EXPECT_TRUE(satisfies(*core, x));
}

TEST(Core, SameCallsSameRun) {
  const auto run = [] {
    const auto core =
        make_core({.reduce_interval = 50, .probe_interval = 100, .eliminate_interval = 100});
    Rng rng(7);
    const std::size_t variables = 150;
    add_variables(*core, variables);
    for (std::size_t i = 0; i < variables * 426 / 100; ++i)
      core->add_clause(std::vector{random_literal(rng, variables),
                                   random_literal(rng, variables),
                                   random_literal(rng, variables)});
    const Answer answer = core->solve();
    const Statistics counts = core->statistics();
    return std::tuple(answer, counts.conflicts, counts.decisions, counts.propagations);
  };
  const auto first = run();
  EXPECT_GT(std::get<1>(first), 100U);
  EXPECT_EQ(first, run());
}

TEST(Core, EliminatesAndRestores) {
  // A chain of equivalences is substituted away; asking for its ends brings them back.
  const auto core = make_core({.probe_interval = 0, .eliminate_interval = 0});
  std::vector<Literal> x;
  for (int i = 0; i < 50; ++i)
    x.push_back(Literal::from(core->new_variable(), false));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    core->add_clause(std::vector{~x[i], x[i + 1]});
    core->add_clause(std::vector{x[i], ~x[i + 1]});
  }
  ASSERT_EQ(core->solve(), Answer::kSatisfiable);
  EXPECT_GT(core->statistics().eliminated, 40U);
  EXPECT_EQ(core->value(x.front()), core->value(x.back()));
  EXPECT_EQ(core->solve(std::vector{x.front(), ~x.back()}), Answer::kUnsatisfiable);
  core->add_clause(std::vector{x[20]});
  core->add_clause(std::vector{~x[30], ~x[10]});
  EXPECT_EQ(core->solve(), Answer::kUnsatisfiable);
}

TEST(Core, FrozenVariablesStay) {
  const auto core = make_core({.probe_interval = 0, .eliminate_interval = 0});
  std::vector<Literal> x;
  for (int i = 0; i < 50; ++i) {
    x.push_back(Literal::from(core->new_variable(), false));
    core->freeze(x.back().variable());
  }
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    core->add_clause(std::vector{~x[i], x[i + 1]});
  ASSERT_EQ(core->solve(), Answer::kSatisfiable);
  EXPECT_EQ(core->statistics().eliminated, 0U);
}

} // namespace
} // namespace heddle::solve::test
