// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Litmus shapes with the number of their outcomes under each model and what is relaxed about them: every abstraction must have exactly the outcomes of
// its model, with the threads run in any order.
#include "checker.h"

#include <array>

namespace heddle::sma {
namespace {

struct Shape {
  const char* name;
  const char* text;
  std::array<unsigned, 3> outcomes;  // registers and final memory, all threads complete; sc, tso, pso
  const char* relaxed;               // registers
  std::array<bool, 3> allowed;
};

constexpr Shape kShapes[] = {
    {"SB", "x=1;a=y || y=1;b=x", {3, 4, 4}, "a=0 b=0", {false, true, true}},
    {"SB+F", "x=1;F;a=y || y=1;F;b=x", {3, 3, 3}, "a=0 b=0", {false, false, false}},
    {"SB+F1", "x=1;F;a=y || y=1;b=x", {3, 4, 4}, "a=0 b=0", {false, true, true}},
    {"MP", "x=1;y=1 || a=y;b=x", {3, 3, 4}, "a=1 b=0", {false, false, true}},
    {"MP+F", "x=1;F;y=1 || a=y;b=x", {3, 3, 3}, "a=1 b=0", {false, false, false}},
    {"MP+S", "x=1;S;y=1 || a=y;b=x", {3, 3, 3}, "a=1 b=0", {false, false, false}},
    {"SB+S", "x=1;S;a=y || y=1;S;b=x", {3, 4, 4}, "a=0 b=0", {false, true, true}},
    {"LB", "a=x;y=1 || b=y;x=1", {3, 3, 3}, "a=1 b=1", {false, false, false}},
    {"2+2W", "x=1;y=2 || y=1;x=2", {3, 3, 4}, "X=1 Y=1", {false, false, true}},
    {"R", "x=1;y=1 || y=2;a=x", {3, 4, 4}, "Y=2 a=0", {false, true, true}},
    {"S", "x=2;y=1 || a=y;x=1", {3, 3, 4}, "a=1 X=2", {false, false, true}},
    {"n6", "x=1;a=x;b=y || y=2;x=2", {4, 5, 6}, "a=1 b=0 X=1", {false, true, true}},
    {"n5", "x=1;a=x || x=2;b=x", {4, 4, 4}, "a=2 b=1", {false, false, false}},
    {"own", "x=1;a=x || y=1;b=y", {1, 1, 1}, "a=0", {false, false, false}},
    {"SB+rfi", "x=1;a=x;b=y || y=1;c=y;d=x", {3, 4, 4}, "b=0 d=0", {false, true, true}},
    {"CoRR", "x=1;x=2 || a=x;b=x", {6, 6, 6}, "a=2 b=1", {false, false, false}},
    {"CoWR", "x=1;x=2;a=x || x=3;b=x", {5, 5, 5}, "a=1", {false, false, false}},
    {"IRIW", "x=1 || y=1 || a=x;b=y || c=y;d=x", {15, 15, 15}, "a=1 b=0 c=1 d=0", {false, false, false}},
    {"WRC", "x=1 || a=x;y=1 || b=y;c=x", {7, 7, 7}, "a=1 b=1 c=0", {false, false, false}},
    {"SB+own", "x=1;y=1;a=x;b=z || z=1;c=y;d=x", {4, 6, 8}, "b=0 c=1 d=0", {false, false, true}},
    {"3SB", "x=1;a=y || y=1;b=z || z=1;c=x", {7, 8, 8}, "a=0 b=0 c=0", {false, true, true}},
    {"xyx", "x=1;y=1;x=2 || a=x;b=y;c=x", {10, 10, 12}, "a=2 b=0", {false, false, true}},
    {"MUTEX-MP", "lock m;x=1;y=1;unlock m || lock m;a=x;b=y;unlock m", {2, 2, 2}, "a=1 b=0", {false, false, false}},
    {"LOCK-SB", "x=1;lock m;a=y;unlock m || y=1;lock m;b=x;unlock m", {3, 3, 3}, "a=0 b=0", {false, false, false}},
    {"2-mutex SB", "x=1;lock m1;a=y;unlock m1 || y=1;lock m2;b=x;unlock m2", {3, 3, 3}, "a=0 b=0", {false, false, false}},
    {"SB2", "x=1;x=2;a=y || y=1;y=2;b=x", {5, 9, 9}, "a=0 b=0", {false, true, true}},
    {"SB3", "x=1;x=2;x=3;a=y || y=1;y=2;y=3;b=x", {7, 16, 16}, "a=0 b=0", {false, true, true}},
};


std::string describe(const Shape& shape, const std::string& who, const char* what) {
  return std::string(shape.name) + " (" + shape.text + ") by " + who + ": " + what;
}

// The table above and the reference say the same.
void check_reference(Checker& checker, const Shape& shape, const Program& program) {
  for (const Model model : kModels) {
    const auto index = static_cast<std::size_t>(model);
    const Outcomes& outcomes = checker.expected(program, model, true);
    checker.expect(outcomes.size() == shape.outcomes[index], describe(shape, name_of(model), "number of outcomes"));
    checker.expect(contains(outcomes, program, shape.relaxed) == shape.allowed[index],
                   describe(shape, name_of(model), "the relaxed outcome"));
  }
}

void check_abstraction(Checker& checker, const Shape& shape, const Program& program, Model model, const Abstraction& abstraction) {
  Sizes sizes = enough(abstraction, program);
  // More points in time than this only make more states.
  const bool is_short = !abstraction.is_asynchronous && sizes.clock > 3;
  if (is_short)
    sizes.clock = 3;
  const Outcomes& expected = checker.expected(program, model, true);
  std::vector<std::vector<unsigned>> all = {{}};
  if (abstraction.is_asynchronous)
    all = orders(program);
  for (const std::vector<unsigned>& order : all) {
    const Answer answer = explore(abstraction, {.program = program, .sizes = sizes, .order = order});
    checker.expect(answer.outcomes == expected, describe(shape, abstraction.name, "outcomes"));
    checker.expect(answer.bounds.empty() || (is_short && answer.bounds == std::set<unsigned>{kBoundClock}),
                   describe(shape, abstraction.name, "a bound was exceeded"));
  }
  // How far the threads can come, whoever is interrupted.
  const Answer partial = explore(abstraction, {.program = program, .sizes = sizes, .complete = false, .order = {}});
  checker.expect(partial.outcomes == checker.expected(program, model, false),
                 describe(shape, abstraction.name, "states with interrupted threads"));
}

// Guesses that no run has: all of them for the small shapes, one per run for others.
void check_wrong_guesses(Checker& checker, const Shape& shape, const Program& program, Model model, const Abstraction& abstraction) {
  const unsigned all = count_writes(program);
  if (!abstraction.is_asynchronous || all > 4 || program.threads.size() > 4)
    return;
  const bool free = all <= 2 && program.threads.size() <= 3;
  const Answer answer = explore(abstraction,
                                {.program = program,
                                 .sizes = enough(abstraction, program),
                                 .complete = false,
                                 .guessing = free ? Guessing::Free : Guessing::OneWrong,
                                 .distinct_stamps = false,
                                 .order = {}});
  checker.expect(answer.outcomes == checker.expected(program, model, false),
                 describe(shape, abstraction.name, free ? "states with any guess" : "states with a wrong guess"));
}

}  // namespace

// The example holds back one write: it is the reference with buffers of one entry.
void check_example(Checker& checker) {
  unsigned between = 0;
  for (const Shape& shape : kShapes) {
    const Program program = parse(shape.text);
    const Question question{.program = program, .sizes = {.queue = 1}, .order = {}};
    const Outcomes outcomes = explore(checker.abstraction("one_entry"), question).outcomes;
    checker.expect(outcomes == explore(checker.abstraction("tso"), question).outcomes, describe(shape, "one_entry", "outcomes"));
    if (outcomes != checker.expected(program, Model::Sc, true) && outcomes != checker.expected(program, Model::Tso, true))
      ++between;
  }
  checker.expect(between > 0, "the example is neither sc nor tso");
}

void check_shapes(Checker& checker) {
  for (const Shape& shape : kShapes) {
    const Program program = parse(shape.text);
    check_reference(checker, shape, program);
    for (const Model model : kModels)
      for (const std::string& name : abstractions_of(model)) {
        if (!checker.tries(name))
          continue;
        const Abstraction& abstraction = checker.abstraction(name);
        check_abstraction(checker, shape, program, model, abstraction);
        check_wrong_guesses(checker, shape, program, model, abstraction);
      }
    // The lists of etso and epso keep their invariants in every state.
    for (const char* name : {"etso_checked", "epso_checked"})
      for (const unsigned queue : {2u, 3u}) {
        if (!checker.tries(name))
          continue;
        const Answer answer = explore(checker.abstraction(name), {.program = program, .sizes = {.queue = queue, .clock = 3}, .order = {}});
        checker.expect(answer.broken.empty(), describe(shape, name, answer.broken.c_str()));
        checker.expect(answer.states > 1, describe(shape, name, "no state"));
      }
  }
}

}  // namespace heddle::sma
