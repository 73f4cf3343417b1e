// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/loop_turns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::program {
namespace {

/// for (i = 0; CONDITION; i += STEP) BODY;
struct Counting {
  Program program;
  Procedure procedure;
  LocalId local;

  Counting() { local = procedure.locals.push_back({"i", 32, {}}); }

  Term i() { return program.terms.variable(local.value, logic::Sort{32}); }
  Term number(std::uint64_t value) { return program.terms.constant(value, 32); }

  std::optional<std::uint64_t>
  turns(Term goes_on, const Action& step, const Action& body = Skip{}, std::uint64_t first = 0) {
    std::vector<LocationId> at;
    for (int n = 0; n < 5; ++n)
      at.push_back(procedure.locations.push_back({}));
    procedure.entry = at[0];
    add_edge(procedure, {at[0], at[1], Assign{local, number(first)}, {}});
    add_edge(procedure, {at[1], at[2], Assume{goes_on}, {}});
    add_edge(procedure, {at[1], at[4], Assume{program.terms.not_(goes_on)}, {}});
    add_edge(procedure, {at[2], at[3], body, {}});
    add_edge(procedure, {at[3], at[1], step, {}});
    const std::vector<Loop> loops = find_loops(procedure);
    EXPECT_EQ(loops.size(), 1U);
    return loops.empty() ? std::nullopt : most_turns(program, procedure, loops.front());
  }
  Action plus(std::uint64_t value) {
    return Assign{local, program.terms.binary(logic::Op::kAdd, i(), number(value))};
  }
};

TEST(LoopTurns, ACounterBelowAConstant) {
  Counting loop;
  EXPECT_EQ(loop.turns(loop.program.terms.binary(logic::Op::kULt, loop.i(), loop.number(6)),
                       loop.plus(1)),
            6U);
}

TEST(LoopTurns, ACounterPlusSomethingBelowAConstant) {
  Counting loop;
  const Term next = loop.program.terms.binary(logic::Op::kAdd, loop.i(), loop.number(1));
  EXPECT_EQ(
      loop.turns(loop.program.terms.binary(logic::Op::kULt, next, loop.number(3)), loop.plus(2)),
      3U);
}

TEST(LoopTurns, BelowOneIsEqualToZero) {
  Counting loop;
  EXPECT_EQ(loop.turns(loop.program.terms.equal(loop.i(), loop.number(0)), loop.plus(1)), 1U);
}

TEST(LoopTurns, ASignedCounterThatStartsAtZero) {
  Counting loop;
  EXPECT_EQ(loop.turns(loop.program.terms.binary(logic::Op::kSLt, loop.i(), loop.number(6)),
                       loop.plus(1)),
            6U);
  Counting up_to;
  EXPECT_EQ(up_to.turns(up_to.program.terms.binary(logic::Op::kSLe, up_to.i(), up_to.number(6)),
                        up_to.plus(2)),
            7U);
}

TEST(LoopTurns, ASignedCounterThatMayStartBelowZeroIsNotCounted) {
  Counting loop;
  const Term below = loop.program.terms.binary(logic::Op::kSLt, loop.i(), loop.number(6));
  EXPECT_FALSE(loop.turns(below, loop.plus(1), Skip{}, 0xffff'fff0));
  Counting parameter;
  parameter.procedure.parameters.push_back(parameter.local);
  EXPECT_FALSE(parameter.turns(
      parameter.program.terms.binary(logic::Op::kSLt, parameter.i(), parameter.number(6)),
      parameter.plus(1)));
}

TEST(LoopTurns, ACounterThatGoesDownIsNotCounted) {
  Counting loop;
  EXPECT_FALSE(loop.turns(loop.program.terms.binary(logic::Op::kULt, loop.number(0), loop.i()),
                          loop.plus(1)));
}

TEST(LoopTurns, ACounterThatIsAlsoSetInTheLoopIsNotCounted) {
  Counting loop;
  EXPECT_FALSE(loop.turns(loop.program.terms.binary(logic::Op::kULt, loop.i(), loop.number(6)),
                          loop.plus(1),
                          Assign{loop.local, loop.number(0)}));
}

TEST(LoopTurns, ALoopThatDoesNotCountIsNotCounted) {
  Counting loop;
  EXPECT_FALSE(loop.turns(loop.program.terms.binary(logic::Op::kULt, loop.i(), loop.number(6)),
                          loop.plus(0)));
  Counting waiting;
  EXPECT_FALSE(
      waiting.turns(waiting.program.terms.binary(logic::Op::kULt, waiting.i(), waiting.number(6)),
                    Nondet{waiting.local, "any"}));
}

} // namespace
} // namespace heddle::program
