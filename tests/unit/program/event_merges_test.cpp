// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a value depends on that a branch has chosen.
#include "event_set_fixture.h"
#include "program/analyse/control_reach.h"
#include "program/model/control_flow.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::program_test {
namespace {

using Merges = EventSetOptions::Merges;

/// A test in C whose first thread has read x into r0 and does this; the second writes x.
Events after_read(const std::string& body, Merges merges) {
  return from_litmus("C merges\n{}\nP0 (int *x, int *y, int *z) {\n  int r0 = READ_ONCE(*x);\n" +
                         body +
                         "}\nP1 (int *x, int *y, int *z) {\n  WRITE_ONCE(*x, 1);\n"
                         "  int r1 = READ_ONCE(*y);\n  int r2 = READ_ONCE(*z);\n}\n"
                         "exists (0:r0=1)\n",
                     false,
                     merges);
}

constexpr const char* kChosen =
    "  int r3 = 0;\n  if (r0 == 1) {\n    r3 = 2;\n  }\n  WRITE_ONCE(*y, r3);\n";

TEST(EventMerges, AChosenValueWaitsForTheBranch) {
  const Events made = after_read(kChosen, Merges::kControl);
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
  EXPECT_TRUE(made.set->data.empty());
}

TEST(EventMerges, WhereControlReachesOnItIsData) {
  const Events made = after_read(kChosen, Merges::kData);
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->data),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
  EXPECT_TRUE(made.set->ctrl.empty());
}

TEST(EventMerges, InTestsOnlyTheArmsDepend) {
  const Events made = after_read(kChosen, Merges::kNothing);
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.set->ctrl.empty());
  EXPECT_TRUE(made.set->data.empty());
}

TEST(EventMerges, ArmsThatLeaveTheSameValueChooseNothing) {
  const Events made = after_read("  int r3 = 0;\n  if (r0 == 1) {\n    r3 = 2;\n  } else {\n"
                                 "    r3 = 2;\n  }\n  WRITE_ONCE(*y, r3);\n",
                                 Merges::kControl);
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.set->ctrl.empty());
}

TEST(EventMerges, WhatDoesNotUseTheValueDoesNotWait) {
  const Events made = after_read(std::string(kChosen) + "  WRITE_ONCE(*z, 1);\n", Merges::kControl);
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
}

TEST(EventMerges, AChoiceIsFollowedThroughBranches) {
  const Events made = after_read("  int r3 = 0;\n  if (r0 == 1) {\n    r3 = 2;\n  }\n"
                                 "  int r4 = 0;\n  if (r3 == 2) {\n    r4 = 1;\n  }\n"
                                 "  WRITE_ONCE(*y, r4);\n",
                                 Merges::kControl);
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
}

TEST(EventMerges, AChoiceIsFollowedThroughSharedMemory) {
  const Events made = after_read("  if (r0 == 1) {\n    WRITE_ONCE(*z, 2);\n  }\n"
                                 "  int r3 = READ_ONCE(*z);\n  WRITE_ONCE(*y, r3);\n",
                                 Merges::kControl);
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(pairs(made.set->ctrl), (Pairs{{reads[0], writes[0]}, {reads[0], writes[1]}}));
  EXPECT_EQ(pairs(made.set->data), (Pairs{{reads[1], writes[1]}}));
}

TEST(EventMerges, WhatIsOverwrittenChoosesNothing) {
  const Events made = after_read("  if (r0 == 1) {\n    WRITE_ONCE(*z, 2);\n  }\n"
                                 "  WRITE_ONCE(*z, 3);\n  int r3 = READ_ONCE(*z);\n"
                                 "  WRITE_ONCE(*y, r3);\n",
                                 Merges::kControl);
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
}

// How far control reaches

/// do r = WHAT; while (r == 0 [&& n < 3]);
struct Waiting {
  Program program;
  LocationId head;

  Waiting(bool reads, bool counts) {
    Procedure procedure;
    const LocalId r = procedure.locals.push_back({"r", 32, {}});
    const LocalId n = procedure.locals.push_back({"n", 32, {}});
    logic::TermStore& terms = program.terms;
    const logic::Sort sort{32};
    const auto is = [&](LocalId local, std::uint64_t value) {
      return terms.equal(terms.variable(local.value, sort), terms.constant(value, 32));
    };
    std::vector<LocationId> at;
    for (int i = 0; i < 6; ++i)
      at.push_back(procedure.locations.push_back({}));
    procedure.entry = at[0];
    Load load;
    load.dest = r;
    load.address = terms.constant(4096, 64);
    load.access.size = 4;
    const Term one_more =
        terms.binary(logic::Op::kAdd, terms.variable(n.value, sort), terms.constant(1, 32));
    add_edge(procedure, {at[0], at[1], Assign{n, terms.constant(0, 32)}, {}});
    if (reads)
      add_edge(procedure, {at[1], at[2], load, {}});
    else
      add_edge(procedure, {at[1], at[2], Assign{n, one_more}, {}});
    const Term stays = reads ? is(r, 0) : terms.not_(is(n, 3));
    const Term leaves = terms.not_(is(n, 3));
    add_edge(procedure, {at[2], at[3], Assume{stays, true}, {}});
    add_edge(procedure, {at[2], at[5], Assume{terms.not_(stays), true}, {}});
    if (counts) {
      add_edge(procedure, {at[3], at[4], Assume{leaves, true}, {}});
      add_edge(procedure, {at[3], at[5], Assume{terms.not_(leaves), true}, {}});
      add_edge(procedure, {at[4], at[1], Assign{n, one_more}, {}});
    } else {
      add_edge(procedure, {at[3], at[1], Skip{}, {}});
    }
    program.procedures.push_back(std::move(procedure));
    mark_control(program);
  }

  [[nodiscard]] bool lasts() const {
    for (const Edge& edge : program.procedures[ProcedureId{0}].edges)
      if (const auto* assume = std::get_if<Assume>(&edge.action); assume && assume->lasts)
        return true;
    return false;
  }
};

TEST(ControlReach, ALoopThatWaitsDecidesAboutAllThatFollows) {
  EXPECT_TRUE(Waiting(true, false).lasts());
}

TEST(ControlReach, ALoopThatAlsoCountsDoesNot) {
  EXPECT_FALSE(Waiting(true, true).lasts());
}

TEST(ControlReach, ALoopThatOnlyComputesDoesNot) {
  EXPECT_FALSE(Waiting(false, false).lasts());
}

} // namespace
} // namespace heddle::program_test
