// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Executions by a solver: the same as an enumeration that leaves nothing out, one by one, for every
// kind of model.
#include "driver/litmus.h"
#include "litmus_outcomes.h"
#include "naive_executions.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace heddle::engine_test {
namespace {

driver::LitmusOptions by_solver(bool counts) {
  driver::LitmusOptions options;
  options.by_solver = true;
  options.counts = counts;
  return options;
}

/// One after another they are slow to find.
constexpr std::uint64_t kMostCounted = 200;

struct Compared {
  std::uint64_t executions = 0;
  std::uint64_t states = 0;
  std::uint64_t flags = 0;
};

/// Both ways to ask the solver, against brute force.
void compare(const NaiveProgram& program, const std::string& model_text, Compared& compared) {
  const std::string test_text = print_litmus(program);
  const std::optional<LitmusTest> test = parse(test_text);
  RC_ASSERT(test.has_value());
  const std::optional<memory::Model> model = model_from(model_text, *test);
  RC_ASSERT(model.has_value());
  const NaiveOutcomes expected = enumerate_naively(program, *model->core);
  const std::string where = test_text + "\n" + model_text;
  const auto states = outcomes_of(test_text, model_text, by_solver(false));
  RC_ASSERT(states.has_value());
  NaiveOutcomes uncounted = expected;
  for (auto& [state, count] : uncounted.states)
    count = 1;
  for (auto& [flag, count] : uncounted.flags)
    count = 1;
  RC_ASSERT((where + to_text(as_naive(*states))) == (where + to_text(uncounted)));
  RC_ASSERT(states->complete);
  compared.states += states->states.size();
  compared.flags += states->flags.size();
  std::uint64_t executions = 0;
  for (const auto& [state, count] : expected.states)
    executions += count;
  // Relations that a model chooses multiply executions; the solver sees one.
  if (!model->core->generators.empty() || executions > kMostCounted)
    return;
  const auto counted = outcomes_of(test_text, model_text, by_solver(true));
  RC_ASSERT(counted.has_value());
  RC_ASSERT((where + to_text(as_naive(*counted))) == (where + to_text(expected)));
  compared.executions += total(*counted);
}

TEST(ModelQuestion, AgreesWithBruteForce) {
  constexpr int kModelsPerTest = 4;
  Compared compared;
  EXPECT_TRUE(rc::check([&] {
    const NaiveProgram program = random_naive_program();
    for (int i = 0; i < kModelsPerTest; ++i)
      compare(program, random_model_text(), compared);
  }));
  EXPECT_GT(compared.executions, 1000U);
  EXPECT_GT(compared.states, 500U);
  EXPECT_GT(compared.flags, 20U);
}

} // namespace
} // namespace heddle::engine_test
