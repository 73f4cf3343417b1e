// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bounds that are too small: some outcomes are missing, no outcome is wrong, and the bound is
// named.
#include "checker.h"

#include <algorithm>
#include <array>

namespace heddle::sma {
namespace {

constexpr const char* kRead = "x=1;y=1 || y=2;a=x";                // R
constexpr const char* kForwarding = "x=1;a=x;b=y || y=2;x=2";      // n6
constexpr const char* kWrites = "x=1;y=2 || y=1;x=2";              // 2+2W
constexpr const char* kBuffering = "x=1;a=y || y=1;b=x";           // SB
constexpr const char* kPassing = "x=1;y=1 || a=y;b=x";             // MP
constexpr const char* kAlternation = "x=1;x=2;x=3 || a=x;b=x;c=x"; // a=1 b=2 c=3 needs three writes
constexpr const char* kUpdates = "a=add(x,1);b=add(x,1) || c=add(x,1)";

Answer ask(Checker& checker,
           const char* name,
           const Program& program,
           const Sizes& sizes,
           bool complete = true) {
  return explore(checker.abstraction(name),
                 {.program = program, .sizes = sizes, .complete = complete, .order = {}});
}

bool is_subset(const Outcomes& some, const Outcomes& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// With one point in time the timed lists are sc.
void check_clock_of_one(Checker& checker) {
  for (const char* text : {kRead, kForwarding, kWrites, kBuffering, kPassing, kUpdates})
    for (const char* name : {"etso", "epso"}) {
      if (!checker.tries(name))
        continue;
      const Program program = parse(text);
      const Answer answer = ask(checker, name, program, {.queue = 4, .clock = 1});
      const std::string what = std::string(text) + " by " + name + " with clock 1";
      checker.expect(answer.outcomes == checker.expected(program, Model::Sc, true),
                     what + ": outcomes of sc");
      const bool has_writes = std::string_view(text) != kUpdates;
      checker.expect(answer.bounds ==
                         (has_writes ? std::set<unsigned>{kBoundClock} : std::set<unsigned>{}),
                     what + ": bounds");
    }
}

// Two pending writes of a cell need three nodes.
void check_queues(Checker& checker) {
  const struct {
    const char* text;
    const char* name;
    Model model;
    unsigned least; // nodes
  } cases[] = {
      {kBuffering, "etso", Model::Tso, 2},
      {kRead, "etso", Model::Tso, 3},
      {kForwarding, "etso", Model::Tso, 3},
      {kPassing, "epso", Model::Pso, 2},
      {kWrites, "epso", Model::Pso, 3},
  };
  for (const auto& one : cases) {
    if (!checker.tries(one.name))
      continue;
    const Program program = parse(one.text);
    const Outcomes& expected = checker.expected(program, one.model, true);
    for (const unsigned clock : {2u, 3u, 5u})
      for (const unsigned queue : {2u, 3u, 4u}) {
        const Answer answer = ask(checker, one.name, program, {.queue = queue, .clock = clock});
        const std::string what =
            std::string(one.text) + " by " + one.name + " with queue " + std::to_string(queue);
        checker.expect((answer.outcomes == expected) == (queue >= one.least),
                       what + ": all outcomes");
        checker.expect(is_subset(answer.outcomes, expected), what + ": no other outcomes");
        const bool is_cut = answer.bounds.contains(kBoundQueue);
        checker.expect(queue >= one.least || is_cut, what + ": the queue is named");
        checker.expect(queue <= most_writes_of_a_cell(program) || !is_cut,
                       what + ": the queue is not named");
      }
  }
  // A buffer of the reference that is full.
  const Program program = parse(kAlternation);
  for (const char* name : {"tso", "pso"})
    for (const unsigned queue : {1u, 2u, 3u})
      if (checker.tries(name))
        checker.expect(ask(checker, name, program, {.queue = queue}).bounds.contains(kBoundQueue) ==
                           (queue < 3),
                       std::string(name) + " with queue " + std::to_string(queue) +
                           ": the queue is named");
}

// One position is the initial state: n writes need n + 1.
void check_writes(Checker& checker) {
  for (const char* text :
       {kAlternation, kUpdates, "lock m;x=1;unlock m || a=x", "a=cas(x,0,1);b=cas(x,1,2)"}) {
    const Program program = parse(text);
    for (const char* name : {"mu", "mu-implicit", "mu-hybrid", "imu-sc", "imu-tso", "imu-pso"}) {
      if (!checker.tries(name))
        continue;
      const Abstraction& abstraction = checker.abstraction(name);
      const Model model = abstraction.name == "imu-tso"   ? Model::Tso
                          : abstraction.name == "imu-pso" ? Model::Pso
                                                          : Model::Sc;
      const Outcomes& expected = checker.expected(program, model, false);
      const Sizes large = enough(abstraction, program);
      for (unsigned writes = 1; writes <= large.writes + 1; ++writes) {
        const Answer answer =
            ask(checker, name, program, {.writes = writes, .clock = large.clock}, false);
        const bool is_enough = writes >= large.writes;
        const std::string what =
            std::string(text) + " by " + name + " with writes " + std::to_string(writes);
        checker.expect((answer.outcomes == expected) == is_enough, what + ": all states");
        checker.expect(is_subset(answer.outcomes, expected), what + ": no other states");
        checker.expect(answer.bounds ==
                           (is_enough ? std::set<unsigned>{} : std::set<unsigned>{kBoundWrites}),
                       what + ": bounds");
      }
      if (!abstraction.name.starts_with("imu"))
        continue;
      for (unsigned clock = 1; clock < large.clock; ++clock) {
        const Answer answer =
            ask(checker, name, program, {.writes = large.writes, .clock = clock}, false);
        const std::string what =
            std::string(text) + " by " + name + " with clock " + std::to_string(clock);
        checker.expect(is_subset(answer.outcomes, expected), what + ": no other states");
        checker.expect(answer.bounds == std::set<unsigned>{kBoundClock}, what + ": bounds");
      }
    }
  }
}

// How many clusters the outcomes of sc need when the threads are called in order.
void check_clusters(Checker& checker) {
  const struct {
    const char* text;
    unsigned with_two; // outcomes with two clusters
    unsigned with_three;
  } cases[] = {
      {kBuffering, 3, 3},
      {kPassing, 3, 3},
      {"a=x;y=1 || b=y;x=1", 3, 3},
      {kWrites, 3, 3},
      {kRead, 3, 3},
      {"x=2;y=1 || a=y;x=1", 3, 3},
      {kForwarding, 4, 4},
      {"x=1 || a=x;y=1 || b=y;c=x", 7, 7},
      {"x=1;x=2 || a=x;b=x", 5, 6},
      {"x=1;y=1;x=2 || a=x;b=y;c=x", 8, 10},
  };
  for (const auto& one : cases) {
    const Program program = parse(one.text);
    const Outcomes& expected = checker.expected(program, Model::Sc, true);
    for (const unsigned clusters : {2u, 3u}) {
      const Answer answer = ask(checker, "mu-coarse", program, {.writes = clusters});
      const std::string what =
          std::string(one.text) + " in " + std::to_string(clusters) + " clusters";
      checker.expect(answer.outcomes.size() == (clusters == 2 ? one.with_two : one.with_three),
                     what + ": outcomes");
      checker.expect(is_subset(answer.outcomes, expected), what + ": no other outcomes");
    }
  }
  const Program one_write = parse("x=1 || a=x");
  checker.expect(ask(checker, "mu-coarse", one_write, {.writes = 4}, false).bounds.empty(),
                 "four clusters are enough for one write");
}

// A write that reaches memory later does so in a later cluster.
void check_delays(Checker& checker, const char* name, Model model) {
  for (const char* text : {kBuffering,
                           kPassing,
                           kWrites,
                           kRead,
                           kForwarding,
                           "x=1;F;a=y || y=1;b=x",
                           "x=2;y=1 || a=y;x=1",
                           "x=1;x=2 || a=x;b=x",
                           "x=1;a=add(y,1) || b=y;c=x"}) {
    const Program program = parse(text);
    const Answer answer = ask(checker, name, program, {.writes = 3});
    checker.expect(answer.outcomes == checker.expected(program, model, true),
                   std::string(text) + " by " + name + " in 3 clusters: all outcomes");
  }
}

void check_orders(Checker& checker, const char* name, Model model) {
  // In any order of the threads what is found is right, and nothing is missing without saying so.
  for (const char* text : {kBuffering,
                           kPassing,
                           "a=add(x,1) || b=add(x,1)",
                           "[;x=1;x=2;] || a=x",
                           "lock m;x=1;unlock m || lock m;a=x;unlock m"}) {
    const Program program = parse(text);
    const Outcomes& expected = checker.expected(program, model, false);
    for (unsigned clusters = 1; clusters <= 3; ++clusters)
      for (const std::vector<unsigned>& order : orders(program)) {
        const Answer answer = explore(
            checker.abstraction(name),
            {.program = program, .sizes = {.writes = clusters}, .complete = false, .order = order});
        const std::string what =
            std::string(text) + " by " + name + " in " + std::to_string(clusters) + " clusters";
        checker.expect(is_subset(answer.outcomes, expected), what + ": no other states");
        checker.expect(answer.outcomes == expected ||
                           answer.bounds == std::set<unsigned>{kBoundWrites},
                       what + ": the bound is named");
      }
  }
}

} // namespace

void check_bounds(Checker& checker) {
  check_clock_of_one(checker);
  check_queues(checker);
  check_writes(checker);
  if (checker.tries("mu-coarse"))
    check_clusters(checker);
  for (const Model model : kModels) {
    const std::string name = coarse_of(model);
    if (!checker.tries(name))
      continue;
    check_orders(checker, name.c_str(), model);
    if (model != Model::Sc)
      check_delays(checker, name.c_str(), model);
  }
}

} // namespace heddle::sma
