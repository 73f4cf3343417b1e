// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Races by happens-before and robustness against the definition: every run of a small program, one
// by one, judged by check/ (which knows no engine, and keeps whole runs where the engine keeps a
// finite summary).
#include "check/confirm.h"
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::engine_test {
namespace {

using spec::Property;

/// Enumerates maximal runs; nothing if there are more than `limit`.
class Runs {
public:
  Runs(const Built& built, std::size_t limit)
      : built_(built), limit_(limit), interpreter_(*built.program, {}),
        machine_(memory::Machine::make(*built.task.model.machine, interpreter_)) {
    memory::MachineState state;
    (void)machine_->initial(state);
    execution::Schedule schedule;
    is_complete = visit(state, schedule);
  }

  bool is_complete = false;
  bool has_race = false;
  bool is_robust = true;

private:
  bool visit(const memory::MachineState& state, execution::Schedule& schedule) {
    std::vector<execution::Transition> transitions;
    (void)machine_->enabled(state, transitions);
    if (transitions.empty()) {
      judge(schedule);
      return ++count_ <= limit_;
    }
    for (const execution::Transition& transition : transitions) {
      memory::MachineState next = state;
      schedule.push_back(transition);
      const bool ends = !machine_->apply(next, transition).is_none();
      bool go_on = true;
      if (has_race || !is_robust) {
        go_on = false;
      } else if (ends) {
        judge(schedule);
        go_on = ++count_ <= limit_;
      } else {
        go_on = visit(next, schedule);
      }
      schedule.pop_back();
      if (!go_on)
        return false;
    }
    return true;
  }

  void judge(const execution::Schedule& schedule) {
    verdict::Violation violation;
    violation.schedule = schedule;
    const auto* check = std::get_if<spec::Check>(&built_.task.question);
    violation.property = check->property;
    if (check->property == Property::kRace)
      violation.kind = verdict::Race{};
    else
      violation.kind = verdict::NotRobust{};
    if (has_race || !is_robust)
      return; // known already
    const bool confirmed = check::confirm(built_.task, violation).has_value();
    has_race |= confirmed && check->property == Property::kRace;
    is_robust &= !(confirmed && check->property == Property::kRobustness);
  }

  const Built& built_;
  std::size_t limit_;
  std::size_t count_ = 0;
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
};

unsigned rounds(unsigned usual) {
  const char* given = std::getenv("HEDDLE_TEST_ROUNDS");
  return given == nullptr ? usual : usual * static_cast<unsigned>(std::atoi(given));
}

Mix small_mix() {
  Mix mix;
  mix.threads = 2;
  mix.operations = 4;
  mix.has_loops = false;
  mix.has_asserts = false;
  mix.has_weak_atomics = true;
  return mix;
}

TEST(Monitor, RacesAreThoseOfTheDefinition) {
  unsigned compared = 0;
  unsigned racy = 0;
  for (unsigned round = 0; round < rounds(60); ++round) {
    Rng rng(100 + round);
    const auto threads = random_threads(rng, small_mix());
    const char* const models[] = {"sc", "tso", "pso"};
    const Built built =
        build(ir_of(threads, Main::kJoinAll), models[rng.below(3)], spec::Check{Property::kRace});
    const Runs runs(built, 300);
    if (!runs.is_complete && !runs.has_race)
      continue;
    ++compared;
    racy += runs.has_race ? 1 : 0;
    engine::ExplicitOptions options;
    options.always_monitor_races = true;
    EXPECT_EQ(kind_of(run(built, options)) == "violated", runs.has_race) << round << "\n"
                                                                         << show(threads);
  }
  EXPECT_GT(compared, 10U);
  EXPECT_GT(racy, 3U);
  EXPECT_LT(racy, compared);
}

TEST(Monitor, RobustnessIsThatOfTheDefinition) {
  unsigned compared = 0;
  unsigned broken = 0;
  const std::vector<std::string> operations = {"x=1",
                                               "y=1",
                                               "z=1",
                                               "r0=x",
                                               "r1=y",
                                               "r2=z",
                                               "x=2",
                                               "r3=x",
                                               "y+=1",
                                               "fence",
                                               "lock m",
                                               "unlock m"};
  // One thread in three stores and then loads: otherwise hardly a program is not robust.
  for (unsigned round = 0; round < rounds(80); ++round) {
    Rng rng(900 + round);
    std::vector<std::vector<std::string>> threads(2);
    for (auto& thread : threads) {
      bool is_locked = false;
      while (thread.size() < 2) {
        const std::string& operation =
            operations[rng.below(operations.size() - (is_locked ? 0 : 1))];
        if (operation == "lock m" && is_locked)
          continue;
        is_locked = operation == "lock m" || (is_locked && operation != "unlock m");
        thread.push_back(operation);
      }
      if (is_locked)
        thread.push_back("unlock m");
      if (rng.chance(1, 2))
        thread = rng.chance(1, 2) ? std::vector<std::string>{"x=1", "r1=y"}
                                  : std::vector<std::string>{"y=1", "r3=x"};
    }
    const Built built = build(ir_of(threads, Main::kEndAlone),
                              round % 3 == 0 ? "pso" : "tso",
                              spec::Check{Property::kRobustness});
    const Runs runs(built, 5000);
    if (!runs.is_complete && runs.is_robust)
      continue;
    ++compared;
    broken += runs.is_robust ? 0 : 1;
    EXPECT_EQ(kind_of(run(built)) == "violated", !runs.is_robust) << round << "\n" << show(threads);
  }
  EXPECT_GT(compared, 10U);
  EXPECT_GT(broken, 1U);
  EXPECT_LT(broken, compared);
}

std::string verdict_of(const std::vector<std::vector<std::string>>& threads,
                       const std::string& model,
                       Property property) {
  return kind_of(run(build(ir_of(threads, Main::kJoinAll), model, spec::Check{property})));
}

TEST(Monitor, MessagePassingWithReleaseAndAcquireHasNoRace) {
  EXPECT_EQ(verdict_of({{"x=1", "ay.rel=1"}, {"r0=ay.acq", "if y", "x=2", "endif"}},
                       "tso",
                       Property::kRace),
            "violated")
      << "the plain read of y in the branch races with the atomic store";
  EXPECT_EQ(
      verdict_of({{"x=1", "ay.rel=1"}, {"while y", "endwhile", "r0=x"}}, "pso", Property::kRace),
      "proved");
  EXPECT_EQ(
      verdict_of({{"x=1", "ay.rlx=1"}, {"while y", "endwhile", "r0=x"}}, "pso", Property::kRace),
      "violated");
  EXPECT_EQ(verdict_of({{"x=1", "fence.rel", "ay.rlx=1"}, {"while y", "endwhile", "r0=x"}},
                       "tso",
                       Property::kRace),
            "proved");
}

TEST(Monitor, StoreBufferingIsNotRobust) {
  EXPECT_EQ(verdict_of({{"x=1", "r0=y"}, {"y=1", "r1=x"}}, "tso", Property::kRobustness),
            "violated");
  EXPECT_EQ(verdict_of({{"x=1", "r0=y"}, {"y=1", "r1=x"}}, "sc", Property::kRobustness), "proved");
  EXPECT_EQ(verdict_of(
                {{"x=1", "fence", "r0=y"}, {"y=1", "fence", "r1=x"}}, "tso", Property::kRobustness),
            "proved");
  EXPECT_EQ(verdict_of({{"x=1", "y=1"}, {"r0=y", "r1=x"}}, "tso", Property::kRobustness), "proved");
  EXPECT_EQ(verdict_of({{"x=1", "y=1"}, {"r0=y", "r1=x"}}, "pso", Property::kRobustness),
            "violated");
}

} // namespace
} // namespace heddle::engine_test
