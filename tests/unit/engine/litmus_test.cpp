// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The classical litmus tests: how many outcomes each model allows.
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

namespace heddle::engine_test {
namespace {

using Threads = std::vector<std::vector<std::string>>;

std::size_t outcomes(const Threads& threads, const std::string& model, bool reduction) {
  const Built built = build(ir_of(threads, Main::kJoinAll), model, spec::Enumerate{});
  engine::ExplicitOptions options;
  options.reduction = reduction;
  const verdict::Verdict verdict = run(built, options);
  const auto* found = std::get_if<verdict::Outcomes>(&verdict.answer);
  if (found == nullptr)
    return 0;
  EXPECT_TRUE(found->complete) << (verdict.approximations.empty() ? ""
                                                                  : verdict.approximations[0].what);
  return found->states.size();
}

void expect(const Threads& threads, std::size_t sc, std::size_t tso, std::size_t pso) {
  for (const bool reduction : {false, true}) {
    EXPECT_EQ(outcomes(threads, "sc", reduction), sc);
    EXPECT_EQ(outcomes(threads, "tso", reduction), tso);
    EXPECT_EQ(outcomes(threads, "pso", reduction), pso);
  }
}

TEST(Litmus, StoreBuffering) {
  expect({{"x=1", "r0=y"}, {"y=1", "r1=x"}}, 3, 4, 4);
  expect({{"x=1", "fence", "r0=y"}, {"y=1", "fence", "r1=x"}}, 3, 3, 3);
}
TEST(Litmus, EarlyRead) {
  expect({{"x=1", "r0=x", "r1=y"}, {"y=1", "r2=y", "r3=x"}}, 3, 4, 4);
}
TEST(Litmus, MessagePassing) {
  expect({{"x=1", "y=1"}, {"r0=y", "r1=x"}}, 3, 3, 4);
  expect({{"x=1", "fence", "y=1"}, {"r0=y", "r1=x"}}, 3, 3, 3);
}
TEST(Litmus, IndependentReadsOfIndependentWrites) {
  expect({{"x=1"}, {"y=1"}, {"r0=x", "r1=y"}, {"r2=y", "r3=x"}}, 15, 15, 15);
}
TEST(Litmus, CoherenceOfWrites) {
  expect({{"x=1", "x=2"}, {"r0=x", "r1=x"}}, 6, 6, 6);
}

} // namespace
} // namespace heddle::engine_test
