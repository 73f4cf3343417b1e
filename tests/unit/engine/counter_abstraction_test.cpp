// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// States that stand for any number of threads (engine/explicit/counter_abstraction.h): what is
// shown with them must hold of every number that plain exploration can follow.
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::engine_test {
namespace {

using Threads = std::vector<std::vector<std::string>>;

constexpr std::uint64_t kMaxReferenceStates = 2000;

unsigned rounds(unsigned usual) {
  const char* given = std::getenv("HEDDLE_TEST_ROUNDS");
  return given == nullptr ? usual : usual * static_cast<unsigned>(std::atoi(given));
}

bool is_for_any_number(const verdict::Verdict& verdict) {
  const auto* proved = std::get_if<verdict::Proved>(&verdict.answer);
  const auto* exhausted =
      proved == nullptr ? nullptr : std::get_if<verdict::StateSpaceExhausted>(&proved->proof);
  return exhausted != nullptr && exhausted->any_number_of_threads;
}

Threads random_bodies(Rng& rng) {
  Mix mix;
  mix.threads = 2;
  mix.operations = 6;
  Threads bodies = random_threads(rng, mix);
  bodies.resize(1 + rng.below(2));
  for (std::vector<std::string>& body : bodies) {
    std::erase(body, "exit");
    // Numbers that grow with the threads have no end.
    std::erase_if(body, [](const std::string& step) { return step.ends_with("+=1"); });
    if (rng.chance(1, 2))
      body.insert(body.begin(), {"if ?", "y=1", "endif"});
    if (rng.chance(1, 2)) {
      body.insert(body.begin(), "lock m");
      body.insert(body.begin() + 1, "x=0");
      body.insert(body.end(), {"x=1", "r0=x", "assert r0", "unlock m"});
    }
  }
  return bodies;
}

verdict::Verdict search(const Threads& bodies, const std::string& model, spec::Property property) {
  engine::ExplicitOptions options;
  options.max_states = 3000;
  return run(build(ir_of(bodies, Main::kStartForEver), model, spec::Check{property}), options);
}

/// Do `threads`, each started once, violate it in some run?
bool is_violated(const Threads& threads, const std::string& model, spec::Property property) {
  const Built built = build(ir_of(threads, Main::kEndAlone), model, spec::Check{property});
  const Reference reference = explore(built, kMaxReferenceStates, {});
  return property == spec::Property::kRace
             ? reference.has_adjacent_race
             : reference.faults.contains(program::FaultKind::kAssertion);
}

TEST(CounterAbstraction, WhatIsShownHoldsOfEachNumber) {
  unsigned shown = 0;
  unsigned refuted = 0;
  for (unsigned round = 0; round < rounds(150) && !HasFailure(); ++round) {
    Rng rng(77000 + round);
    const Threads bodies = random_bodies(rng);
    const std::string model = round % 3 == 0 ? "sc" : round % 3 == 1 ? "tso" : "pso";
    for (const spec::Property property : {spec::Property::kReach, spec::Property::kRace}) {
      const bool is_shown = is_for_any_number(search(bodies, model, property));
      shown += is_shown ? 1 : 0;
      bool violated = false;
      for (std::size_t first = 0; first <= 3 && !violated; ++first)
        for (std::size_t second = 0; second <= (bodies.size() > 1 ? 3 - first : 0); ++second) {
          Threads threads(first, bodies.front());
          threads.insert(threads.end(), second, bodies.back());
          if (!threads.empty())
            violated = violated || is_violated(threads, model, property);
        }
      refuted += violated ? 1 : 0;
      EXPECT_FALSE(is_shown && violated)
          << model << " property " << static_cast<int>(property) << "\n"
          << show(bodies);
    }
  }
  EXPECT_GT(shown, rounds(150) / 3);
  EXPECT_GT(refuted, rounds(150) / 5);
}

TEST(CounterAbstraction, MutualExclusionOfAnyNumber) {
  const Threads bodies = {{"lock m", "x=0", "x=1", "r0=x", "assert r0", "unlock m"}};
  for (const char* model : {"sc", "tso", "pso"}) {
    EXPECT_TRUE(is_for_any_number(search(bodies, model, spec::Property::kReach)));
    EXPECT_TRUE(is_for_any_number(search(bodies, model, spec::Property::kRace)));
  }
}

TEST(CounterAbstraction, TwoStandForThree) {
  // Who has seen w at 0 goes on; nobody comes after them once w is 1, and it takes three.
  const Threads bodies = {{"if w",
                           "r0=x",
                           "assume",
                           "endif",
                           "w=1",
                           "begin",
                           "if y",
                           "if z",
                           "r1=x",
                           "assert r1",
                           "endif",
                           "z=1",
                           "endif",
                           "y=1",
                           "end"}};
  const Threads two(2, bodies.front());
  EXPECT_FALSE(is_violated(two, "sc", spec::Property::kReach));
  const Threads three(3, bodies.front());
  EXPECT_TRUE(is_violated(three, "sc", spec::Property::kReach));
  EXPECT_FALSE(is_for_any_number(search(bodies, "sc", spec::Property::kReach)));
}

TEST(CounterAbstraction, NumbersThatGrowAreNotShown) {
  const Threads bodies = {{"x+=1", "r0=x", "assert r0"}}; // false after 2^32 threads
  EXPECT_FALSE(is_for_any_number(search(bodies, "sc", spec::Property::kReach)));
}

TEST(CounterAbstraction, WhatIsLeftAtTheEndIsNotAsked) {
  const Threads bodies = {{"x=1"}};
  EXPECT_FALSE(is_for_any_number(search(bodies, "sc", spec::Property::kMemory)));
  EXPECT_FALSE(is_for_any_number(search(bodies, "sc", spec::Property::kDeadlock)));
}

} // namespace
} // namespace heddle::engine_test
