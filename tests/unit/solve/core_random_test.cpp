// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The core against CaDiCaL on small random formulas, used incrementally, with every technique run
// so often that it does something: answers agree, models satisfy all clauses, failed assumptions
// fail.
#include "random_formula.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::solve::test {
namespace {

CoreOptions restless(Rng& rng) {
  CoreOptions options;
  options.reduce_interval = 1 + rng.below(10);
  options.rephase_interval = 1 + rng.below(10);
  options.mode_interval = 1 + rng.below(10);
  options.probe_interval = rng.below(6);
  options.eliminate_interval = rng.below(6);
  return options;
}

/// One solver lived through several rounds of clauses, assumptions and limits.
void live(std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Rng rng(seed);
  const auto core = make_core(restless(rng));
  std::size_t variables = 3 + rng.below(40);
  Clauses clauses;
  const std::size_t rounds = 1 + rng.below(5);
  for (std::size_t round = 0; round < rounds; ++round) {
    add_variables(*core, variables);
    const std::size_t percent = (round == 0 ? 250 + rng.below(200) : 10 + rng.below(60));
    const Clauses more = random_clauses(rng, variables, variables * percent / 100);
    add_all(*core, more);
    clauses.insert(clauses.end(), more.begin(), more.end());
    if (rng.chance(1, 3))
      core->freeze(random_literal(rng, variables).variable());
    if (rng.chance(1, 3))
      core->prefer(random_literal(rng, variables));

    std::vector<Literal> assumptions;
    for (std::size_t count = rng.below(4) * rng.below(3); count > 0; --count)
      assumptions.push_back(random_literal(rng, variables));
    Answer answer =
        core->solve(assumptions, {.conflicts = rng.chance(1, 4) ? rng.below(20) : 1000000});
    if (answer == Answer::kUnknown)
      answer = core->solve(assumptions);

    const auto reference = make_cadical();
    add_variables(*reference, variables);
    add_all(*reference, clauses);
    ASSERT_EQ(answer, reference->solve(assumptions)) << "round " << round;
    if (answer == Answer::kSatisfiable) {
      ASSERT_TRUE(satisfies(*core, clauses)) << "round " << round;
      ASSERT_TRUE(satisfies(*core, assumptions)) << "round " << round;
    } else {
      const std::vector<Literal> failed(core->failed().begin(), core->failed().end());
      for (const Literal literal : failed)
        ASSERT_NE(std::ranges::find(assumptions, literal), assumptions.end());
      ASSERT_EQ(reference->solve(failed), Answer::kUnsatisfiable);
      ASSERT_EQ(core->solve(failed), Answer::kUnsatisfiable);
    }
    variables += rng.below(4);
  }
}

TEST(CoreRandom, AgreesWithCadicalIncrementally) {
  const char* const text = std::getenv("HEDDLE_RANDOM_ROUNDS");
  const std::uint64_t rounds = text != nullptr ? std::strtoull(text, nullptr, 10) : 3000;
  for (std::uint64_t seed = 1; seed <= rounds && !testing::Test::HasFatalFailure(); ++seed)
    live(seed);
}

/// Larger ones near the threshold, where searches are long enough for learnt clauses to matter.
TEST(CoreRandom, AgreesWithCadicalNearTheThreshold) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    CoreOptions options = restless(rng);
    options.probe_interval *= 20;
    options.eliminate_interval *= 20;
    const auto core = make_core(options);
    const auto reference = make_cadical();
    const std::size_t variables = 60 + rng.below(60);
    Clauses clauses;
    for (std::size_t i = 0; i < variables * 426 / 100; ++i)
      clauses.push_back({random_literal(rng, variables),
                         random_literal(rng, variables),
                         random_literal(rng, variables)});
    add_variables(*core, variables);
    add_variables(*reference, variables);
    add_all(*core, clauses);
    add_all(*reference, clauses);
    const Answer answer = core->solve();
    ASSERT_EQ(answer, reference->solve());
    if (answer == Answer::kSatisfiable) {
      ASSERT_TRUE(satisfies(*core, clauses));
    }
  }
}

} // namespace
} // namespace heddle::solve::test
