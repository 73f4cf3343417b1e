// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The axiomatic engine lets equal threads begin in the order of their creation
// (encode/order/equal_threads.h). Every final state that plain exploration finds must still be
// found, in whichever way the order is encoded.
#include "engine/axiomatic/axiomatic.h"
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::engine_test {
namespace {

using Ordering = engine::AxiomaticOptions::Ordering;
using Threads = std::vector<std::vector<std::string>>;

constexpr std::uint64_t kMaxReferenceStates = 20000;

unsigned rounds(unsigned usual) {
  const char* given = std::getenv("HEDDLE_TEST_ROUNDS");
  return given == nullptr ? usual : usual * static_cast<unsigned>(std::atoi(given));
}

/// Two or three threads of the same code, and now and then one that watches them.
Threads equal_threads(Rng& rng) {
  Mix mix;
  mix.operations = 4;
  mix.has_asserts = false;
  mix.has_loops = false;
  Threads threads = random_threads(rng, mix);
  for (std::vector<std::string>& thread : threads) {
    std::erase(thread, "exit"); // the initial thread looks at the final state
    if (rng.chance(1, 2)) {
      const char* const steps[] = {"x+=1", "r0=y", "ax=2"};
      thread.insert(thread.begin(), {"if ?", steps[rng.below(3)], "endif"});
    }
  }
  const std::vector<std::string> other = threads[1];
  threads.assign(rng.chance(1, 3) ? 3 : 2, threads[0]);
  if (threads.size() == 2)
    threads.insert(threads.begin() + static_cast<std::ptrdiff_t>(rng.below(3)), other);
  return threads;
}

/// The number of final states that were asked about, about `most` of them.
std::size_t
compare(const Threads& threads, Main main, const std::string& model, std::size_t most = 1000) {
  const Built plain = build(ir_of(threads, main), model, spec::Enumerate{});
  const Reference reference = explore(plain, kMaxReferenceStates, observed_globals(*plain.program));
  if (!reference.is_complete)
    return 0;
  const std::size_t stride = reference.outcomes.size() / most + 1;
  std::size_t index = 0;
  std::size_t asked = 0;
  for (const verdict::Outcome& outcome : reference.outcomes) {
    if (index++ % stride != 0 || outcome.empty()) // nothing to look at
      continue;
    const std::map<std::string, std::uint64_t> values(outcome.begin(), outcome.end());
    const Built built =
        build(ir_of(threads, main, values), model, spec::Check{spec::Property::kReach});
    for (const Ordering ordering : {Ordering::kPairs, Ordering::kOnline, Ordering::kSlices}) {
      const verdict::Verdict verdict = engine::make_axiomatic({ordering})->run(built.task, {});
      EXPECT_EQ(kind_of(verdict), "violated")
          << model << " ordering " << static_cast<int>(ordering) << " main "
          << static_cast<int>(main) << " state " << index - 1 << "\n"
          << show(threads);
    }
    ++asked;
  }
  return asked;
}

TEST(EqualThreads, EveryFinalStateIsFound) {
  std::size_t asked = 0;
  const char* const models[] = {"sc", "tso", "pso"};
  for (unsigned round = 0; round < rounds(40) && !HasFailure(); ++round) {
    Rng rng(91000 + round);
    const Threads threads = equal_threads(rng);
    const Main main = rng.chance(1, 2) ? Main::kJoinAll : Main::kWriteAndJoin;
    asked += compare(threads, main, models[rng.below(3)], 16);
  }
  EXPECT_GT(asked, 40U);
}

/// The first thread reads y before it is written, and its writes reach memory after those of the
/// second one, which is created after that: with buffers, the threads cannot be exchanged.
TEST(EqualThreads, AWriteThatWaitsIsNoFirstStep) {
  const Threads threads = {{"x=1", "r0=y"}, {"if r0", "x?1=2", "r1=x"}, {"x=1", "r0=y"}};
  for (const char* model : {"sc", "tso", "pso"})
    EXPECT_GT(compare(threads, Main::kWriteAndJoin, model), 0U);
}

/// What comes after a first step may be after those of the other thread, also if another branch
/// could have begun with it.
TEST(EqualThreads, FirstStepsOfOtherBranchesOrderNothing) {
  const std::vector<std::string> code = {
      "if ?", "x+=1", "y+=1", "endif", "if ?", "if x", "y?0=2", "endif", "endif"};
  for (const char* model : {"sc", "tso", "pso"})
    EXPECT_GT(compare({code, code}, Main::kJoinAll, model), 0U);
}

} // namespace
} // namespace heddle::engine_test
