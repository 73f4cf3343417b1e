// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The base sets and relations of one execution by their names.
#include "cat_helpers.h"
#include "memory/execution_values.h"

namespace heddle::memory {
namespace {

using execution::Event;
using execution::Execution;
using Kind = Event::Kind;
using Elements = std::vector<std::size_t>;

Event event(Kind kind, unsigned thread, std::uint64_t address, std::uint32_t instruction) {
  Event made;
  made.kind = kind;
  made.thread = static_cast<program::ThreadIndex>(thread);
  made.address = address;
  made.instruction = instruction;
  return made;
}

/// 0, 1: initial writes of 8 and 16. Thread 1: 2: W 8, 3: fence, 4: R 16, 5: branch. Thread 2: an
/// update of 16 (6, 7), registers 8 and 9, and an access of 8 in two pieces (10, 11).
Execution sample() {
  Execution made;
  made.events = {event(Kind::kInitialWrite, 0, 8, 0),
                 event(Kind::kInitialWrite, 0, 16, 0),
                 event(Kind::kWrite, 1, 8, 1),
                 event(Kind::kFence, 1, 0, 2),
                 event(Kind::kRead, 1, 16, 3),
                 event(Kind::kBranch, 1, 0, 4),
                 event(Kind::kRead, 2, 16, 1),
                 event(Kind::kWrite, 2, 16, 1),
                 event(Kind::kRegisterRead, 2, 0, 2),
                 event(Kind::kRegisterWrite, 2, 0, 2),
                 event(Kind::kRead, 2, 8, 3),
                 event(Kind::kRead, 2, 12, 3)};
  made.events[2].tags = {"L"};
  made.events[3].tags = {"DMB.ISH", "once"};
  made.events[7].value = 5;
  made.events[8].register_name = "X1";
  made.events[8].feeds_address = true;
  made.events[9].register_name = "X1";
  made.events[10].access = 10;
  made.events[11].access = 10;
  const std::size_t count = made.events.size();
  made.po = matrix(count, {{2, 3}, {2, 4}, {3, 4}, {6, 7}, {7, 10}});
  made.rf = matrix(count, {{7, 4}, {1, 6}, {2, 10}});
  made.co = matrix(count, {{0, 2}, {1, 7}});
  made.rmw = matrix(count, {{6, 7}, {4, 7}});
  made.addr = matrix(count, {{4, 10}});
  made.intra_data = matrix(count, {{8, 9}});
  return made;
}

TEST(ExecutionValues, SetsOfKinds) {
  const Execution made = sample();
  const auto set = [&](const char* name) { return base_set(made, name).elements(); };
  EXPECT_EQ(set("R"), (Elements{4, 6, 10, 11}));
  EXPECT_EQ(set("W"), (Elements{0, 1, 2, 7}));
  EXPECT_EQ(set("IW"), (Elements{0, 1}));
  EXPECT_EQ(set("M"), (Elements{0, 1, 2, 4, 6, 7, 10, 11}));
  EXPECT_EQ(set("F"), (Elements{3}));
  EXPECT_EQ(set("B"), (Elements{5}));
  EXPECT_EQ(set("Rreg"), (Elements{8}));
  EXPECT_EQ(set("Wreg"), (Elements{9}));
  EXPECT_EQ(set("ADDR"), (Elements{8}));
  EXPECT_EQ(set("DATA"), (Elements{}));
  EXPECT_EQ(set("_").size(), 12U);
  EXPECT_EQ(set("FW"), (Elements{2, 7}));
}

TEST(ExecutionValues, SetsOfTags) {
  const Execution made = sample();
  const auto set = [&](const char* name) { return base_set(made, name).elements(); };
  EXPECT_EQ(set("L"), (Elements{2}));
  EXPECT_EQ(set("DMB.ISH"), (Elements{3}));
  EXPECT_EQ(set("once"), (Elements{3}));
  EXPECT_EQ(set("Once"), (Elements{3}));
  EXPECT_EQ(set("ONCE"), (Elements{}));
  EXPECT_EQ(set("DMB"), (Elements{}));
  EXPECT_EQ(set("nothing"), (Elements{}));
}

TEST(ExecutionValues, GivenRelations) {
  const Execution made = sample();
  EXPECT_EQ(base_relation(made, "po"), made.po);
  EXPECT_EQ(base_relation(made, "rf"), made.rf);
  EXPECT_EQ(base_relation(made, "co"), made.co);
  EXPECT_EQ(base_relation(made, "rmw"), made.rmw);
  EXPECT_EQ(base_relation(made, "addr"), made.addr);
  EXPECT_EQ(base_relation(made, "iico_data"), made.intra_data);
  EXPECT_EQ(base_relation(made, "id"), relation::BitMatrix::identity(12));
  // One that the execution was not given is empty, not of another size.
  EXPECT_EQ(base_relation(made, "ctrl"), relation::BitMatrix(12));
  EXPECT_TRUE(base_relation(made, "nothing").empty());
}

TEST(ExecutionValues, UpdatesOfOneInstructionAndOfTwo) {
  const Execution made = sample();
  EXPECT_EQ(base_relation(made, "amo").pairs(), (Pairs{{6, 7}}));
  EXPECT_EQ(base_relation(made, "lxsx").pairs(), (Pairs{{4, 7}}));
}

TEST(ExecutionValues, PlacesAndThreads) {
  const Execution made = sample();
  const relation::BitMatrix loc = base_relation(made, "loc");
  EXPECT_EQ(loc.row(0).elements(), (Elements{0, 2, 10}));
  EXPECT_EQ(loc.row(4).elements(), (Elements{1, 4, 6, 7}));
  EXPECT_EQ(loc.row(3).elements(), (Elements{}));     // a fence has no place
  EXPECT_EQ(loc.row(8).elements(), (Elements{8, 9})); // a register has
  const relation::BitMatrix in = base_relation(made, "int");
  EXPECT_EQ(in.row(2).elements(), (Elements{2, 3, 4, 5}));
  EXPECT_EQ(in.row(0).elements(), (Elements{})); // initial writes are in no thread
  const relation::BitMatrix ext = base_relation(made, "ext");
  EXPECT_EQ(ext.row(0).size(), 11U); // and outside all others
  EXPECT_EQ(ext.row(2).elements(), (Elements{0, 1, 6, 7, 8, 9, 10, 11}));
  EXPECT_TRUE(ext.is_irreflexive());
  EXPECT_TRUE((in & ext).empty());
}

TEST(ExecutionValues, InstructionsAndPieces) {
  const Execution made = sample();
  EXPECT_EQ(base_relation(made, "si").row(6).elements(), (Elements{6, 7}));
  EXPECT_EQ(base_relation(made, "same-instance"), base_relation(made, "si"));
  EXPECT_EQ(base_relation(made, "sm").row(10).elements(), (Elements{10, 11}));
  EXPECT_EQ(base_relation(made, "sm").row(6).elements(), (Elements{6})); // not a read and a write
  EXPECT_EQ(base_relation(made, "same-gpr").pairs(), (Pairs{{8, 8}, {8, 9}, {9, 8}, {9, 9}}));
  EXPECT_TRUE(base_relation(made, "different-values").contains(1, 7));
  EXPECT_FALSE(base_relation(made, "different-values").contains(1, 4));
}

} // namespace
} // namespace heddle::memory
