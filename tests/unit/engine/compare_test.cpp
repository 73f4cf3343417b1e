// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random programs: with and without reduction and symmetry, breadth and depth first, all must find
// what plain exploration finds. Every violation is confirmed by check/ (engine_fixture.cpp).
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::engine_test {
namespace {

using spec::Property;
using Search = engine::ExplicitOptions::Search;

constexpr std::uint64_t kMaxReferenceStates = 20000;

/// HEDDLE_TEST_ROUNDS makes a longer run of all of these.
unsigned rounds(unsigned usual) {
  const char* given = std::getenv("HEDDLE_TEST_ROUNDS");
  return given == nullptr ? usual : usual * static_cast<unsigned>(std::atoi(given));
}

std::vector<engine::ExplicitOptions> all_options() {
  std::vector<engine::ExplicitOptions> result;
  for (const bool reduction : {false, true})
    for (const bool symmetry : {false, true})
      for (const Search search : {Search::kMixed, Search::kBreadthFirst, Search::kDepthFirst}) {
        engine::ExplicitOptions options;
        options.reduction = reduction;
        options.symmetry = symmetry;
        options.search = search;
        options.breadth_first_states = 20;
        result.push_back(options);
      }
  return result;
}

bool should_be_violated(const Reference& reference, Property property) {
  switch (property) {
  case Property::kReach:
    return reference.faults.contains(program::FaultKind::kAssertion);
  case Property::kDeadlock:
    return reference.has_deadlock;
  case Property::kRace:
    return reference.has_adjacent_race;
  case Property::kMemory:
    for (const program::FaultKind fault : reference.faults)
      if (program::is_memory_safety(fault))
        return true;
    return reference.leaks;
  case Property::kCleanup:
    return reference.leaves_blocks;
  case Property::kOverflow:
  case Property::kRobustness:
  case Property::kLiveness:
    return false;
  }
  return false;
}

struct Counts {
  unsigned compared = 0;
  unsigned violated = 0;
  std::uint64_t full_states = 0;
  std::uint64_t reduced_states = 0;
};

Counts compare(std::uint64_t seed,
               unsigned count,
               const Mix& mix,
               const std::vector<Property>& properties) {
  Counts counts;
  for (unsigned round = 0; round < count; ++round) {
    Rng rng(seed * 1000003 + round);
    const auto threads = random_threads(rng, mix);
    const Main main = random_main(rng);
    const std::string text = ir_of(threads, main);
    const char* const models[] = {"sc", "tso", "pso"};
    const std::string model = models[rng.below(3)];
    const Built first = build(text, model, spec::Enumerate{});
    if (first.program == nullptr)
      return counts;
    const auto observed = observed_globals(*first.program);
    const Reference reference = explore(first, kMaxReferenceStates, observed);
    if (!reference.is_complete)
      continue;
    ++counts.compared;
    // Everything that tells a failing program apart.
    const std::string what = "seed " + std::to_string(seed) + " round " + std::to_string(round) +
                             " main " + std::to_string(static_cast<int>(main)) + " " + model +
                             "\n" + show(threads);
    for (const engine::ExplicitOptions& options : all_options()) {
      const verdict::Verdict verdict = run(first, options);
      const auto& found = std::get<verdict::Outcomes>(verdict.answer);
      const std::set<verdict::Outcome> states(found.states.begin(), found.states.end());
      EXPECT_EQ(states, reference.outcomes)
          << what << " reduction " << options.reduction << " symmetry " << options.symmetry;
      (options.reduction ? counts.reduced_states : counts.full_states) += states_of(verdict);
      if (!options.reduction && !options.symmetry) {
        EXPECT_EQ(states_of(verdict), reference.states) << what;
      }
      if (testing::Test::HasFailure())
        return counts;
    }
    const testing::ScopedTrace trace(__FILE__, __LINE__, what);
    for (const Property property : properties) {
      const Built built = build(text, model, spec::Check{property});
      const bool expected = should_be_violated(reference, property);
      counts.violated += expected ? 1 : 0;
      for (const engine::ExplicitOptions& options : all_options()) {
        const verdict::Verdict verdict = run(built, options);
        EXPECT_EQ(kind_of(verdict) == "violated", expected)
            << what << " property " << static_cast<int>(property) << " reduction "
            << options.reduction << " symmetry " << options.symmetry << " search "
            << static_cast<int>(options.search) << ": " << kind_of(verdict);
        (options.reduction ? counts.reduced_states : counts.full_states) += states_of(verdict);
        if (testing::Test::HasFailure())
          return counts;
      }
    }
  }
  std::printf("%u programs compared, %u violations, %lu states in full, %lu reduced\n",
              counts.compared,
              counts.violated,
              static_cast<unsigned long>(counts.full_states),
              static_cast<unsigned long>(counts.reduced_states));
  EXPECT_GT(counts.compared, count / 2);
  return counts;
}

TEST(Compare, AssertionsDeadlocksAndFinalStates) {
  const Counts counts = compare(1, rounds(60), Mix{}, {Property::kReach, Property::kDeadlock});
  EXPECT_GT(counts.violated, 0U);
  EXPECT_LT(counts.reduced_states, counts.full_states);
}

TEST(Compare, Heap) {
  Mix mix;
  mix.has_heap = true;
  mix.has_locks = false;
  mix.has_sections = false;
  mix.operations = 4;
  (void)compare(2, rounds(40), mix, {Property::kMemory, Property::kCleanup});
}

TEST(Compare, ConditionsBarriersAndSemaphores) {
  Mix mix;
  mix.has_conditions = true;
  mix.has_loops = false;
  const Counts counts = compare(3, rounds(50), mix, {Property::kReach, Property::kDeadlock});
  EXPECT_GT(counts.violated, 0U);
}

TEST(Compare, SameCodeInAllThreads) {
  for (unsigned round = 0; round < rounds(30); ++round) {
    Rng rng(77000 + round);
    Mix mix;
    mix.operations = 4;
    auto threads = random_threads(rng, mix);
    threads.assign(3, threads[0]);
    const char* const models[] = {"sc", "tso", "pso"};
    const std::string model = models[rng.below(3)];
    const Main main = random_main(rng);
    const Built first = build(ir_of(threads, main), model, spec::Enumerate{});
    const Reference reference =
        explore(first, kMaxReferenceStates, observed_globals(*first.program));
    if (!reference.is_complete)
      continue;
    for (const Property property : {Property::kReach, Property::kDeadlock}) {
      const Built built = build(ir_of(threads, main), model, spec::Check{property});
      for (const engine::ExplicitOptions& options : all_options())
        EXPECT_EQ(kind_of(run(built, options)) == "violated",
                  should_be_violated(reference, property))
            << "round " << round << " " << model << "\n"
            << show(threads) << " property " << static_cast<int>(property) << " reduction "
            << options.reduction << " symmetry " << options.symmetry;
    }
  }
}

/// Without atomics, sections and fences, races by adjacency, by the monitor and by the reference
/// are the same.
TEST(Compare, RacesByAdjacencyAndByHappensBefore) {
  Mix mix;
  mix.has_sections = false;
  mix.has_asserts = false;
  mix.has_loops = false;
  mix.operations = 4;
  unsigned violated = 0;
  for (unsigned round = 0; round < rounds(80); ++round) {
    Rng rng(5000 + round);
    auto threads = random_threads(rng, mix);
    for (auto& thread : threads)
      std::erase_if(thread, [](const std::string& operation) {
        return operation == "fence" || operation.find('?') != std::string::npos ||
               operation.find("+=") != std::string::npos || operation[0] == 'a' ||
               operation.find("=a") != std::string::npos;
      });
    const Built built = build(ir_of(threads, Main::kJoinAll), "sc", spec::Check{Property::kRace});
    const Reference reference = explore(built, kMaxReferenceStates, {});
    if (!reference.is_complete)
      continue;
    violated += reference.has_adjacent_race ? 1 : 0;
    for (engine::ExplicitOptions options : all_options())
      for (const bool monitor : {false, true}) {
        options.always_monitor_races = monitor;
        EXPECT_EQ(kind_of(run(built, options)) == "violated", reference.has_adjacent_race)
            << "round " << round << " monitor " << monitor << " reduction " << options.reduction
            << "\n"
            << show(threads);
      }
  }
  EXPECT_GT(violated, 5U);
}

} // namespace
} // namespace heddle::engine_test
