// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The classic small tests: how many outcomes each machine has, and which ones are forbidden.
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

#include <functional>

namespace heddle::memory_test {
namespace {

using namespace program_test;

struct Litmus {
  ProgramMaker maker;
  std::vector<ObjectId> observed;
  std::vector<ProcedureId> threads;

  CodeMaker thread() {
    threads.push_back(maker.procedure("t" + std::to_string(threads.size())));
    return {maker, threads.back()};
  }
  ObjectId result(const std::string& name) {
    observed.push_back(maker.global(name));
    return observed.back();
  }
  std::set<Words> outcomes(MachineKind kind) {
    if (maker.program.templates.empty())
      add_main(maker, threads);
    const Explored explored = explore(maker.program, kind, Globals{observed});
    EXPECT_TRUE(explored.faults.empty());
    EXPECT_TRUE(explored.deadlocks.empty());
    EXPECT_TRUE(explored.is_complete);
    EXPECT_EQ(explored.stuck_states, 0U);
    return explored.outcomes;
  }
  /// Numbers of outcomes under SC, TSO and PSO.
  std::vector<std::size_t> counts() {
    const std::set<Words> sc = outcomes(MachineKind::kSequential);
    const std::set<Words> tso = outcomes(MachineKind::kTotalStoreOrder);
    const std::set<Words> pso = outcomes(MachineKind::kPartialStoreOrder);
    EXPECT_TRUE(std::includes(tso.begin(), tso.end(), sc.begin(), sc.end()));
    EXPECT_TRUE(std::includes(pso.begin(), pso.end(), tso.begin(), tso.end()));
    return {sc.size(), tso.size(), pso.size()};
  }
};

using Counts = std::vector<std::size_t>;

Litmus store_buffering(bool has_fences) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  for (const auto& [mine, other, name] : {std::tuple{x, y, "r1"}, std::tuple{y, x, "r2"}}) {
    const ObjectId result = test.result(name);
    CodeMaker code = test.thread();
    code.store(mine, 1);
    if (has_fences)
      code.fence();
    code.copy(other, result);
    code.give_back();
  }
  return test;
}

Litmus message_passing(std::optional<Fence::Strength> fence) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  const ObjectId r1 = test.result("r1");
  const ObjectId r2 = test.result("r2");
  CodeMaker writer = test.thread();
  writer.store(x, 1);
  if (fence)
    writer.fence(*fence);
  writer.store(y, 1);
  writer.give_back();
  CodeMaker reader = test.thread();
  reader.copy(y, r1);
  reader.copy(x, r2);
  reader.give_back();
  return test;
}

TEST(Litmus, StoreBuffering) {
  Litmus test = store_buffering(false);
  EXPECT_EQ(test.counts(), (Counts{3, 4, 4}));
  EXPECT_FALSE(test.outcomes(MachineKind::kSequential).contains(Words{0, 0}));
  EXPECT_TRUE(test.outcomes(MachineKind::kTotalStoreOrder).contains(Words{0, 0}));
}

TEST(Litmus, StoreBufferingWithFences) {
  Litmus test = store_buffering(true);
  EXPECT_EQ(test.counts(), (Counts{3, 3, 3}));
}

TEST(Litmus, EarlyReadOfOnesOwnStore) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  for (const auto& [mine, other] : {std::pair{x, y}, std::pair{y, x}}) {
    const ObjectId own = test.result("own");
    const ObjectId others = test.result("others");
    CodeMaker code = test.thread();
    code.store(mine, 1);
    code.copy(mine, own);
    code.copy(other, others);
    code.give_back();
  }
  EXPECT_EQ(test.counts(), (Counts{3, 4, 4}));
  EXPECT_TRUE(test.outcomes(MachineKind::kTotalStoreOrder).contains(Words{1, 0, 1, 0}));
}

TEST(Litmus, MessagePassing) {
  Litmus test = message_passing(std::nullopt);
  EXPECT_EQ(test.counts(), (Counts{3, 3, 4}));
  EXPECT_TRUE(test.outcomes(MachineKind::kPartialStoreOrder).contains(Words{1, 0}));
}

TEST(Litmus, MessagePassingWithFence) {
  EXPECT_EQ(message_passing(Fence::Strength::kFull).counts(), (Counts{3, 3, 3}));
}

TEST(Litmus, MessagePassingWithStoreStoreFence) {
  EXPECT_EQ(message_passing(Fence::Strength::kStoreStore).counts(), (Counts{3, 3, 3}));
}

TEST(Litmus, StoreStoreFenceDoesNotDelayLoads) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  for (const auto& [mine, other, name] : {std::tuple{x, y, "r1"}, std::tuple{y, x, "r2"}}) {
    const ObjectId result = test.result(name);
    CodeMaker code = test.thread();
    code.store(mine, 1);
    code.fence(Fence::Strength::kStoreStore);
    code.copy(other, result);
    code.give_back();
  }
  EXPECT_EQ(test.counts(), (Counts{3, 4, 4}));
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  for (const ObjectId object : {x, y}) {
    CodeMaker code = test.thread();
    code.store(object, 1);
    code.give_back();
  }
  for (const auto& [first, second] : {std::pair{x, y}, std::pair{y, x}}) {
    const ObjectId a = test.result("a");
    const ObjectId b = test.result("b");
    CodeMaker code = test.thread();
    code.copy(first, a);
    code.copy(second, b);
    code.give_back();
  }
  EXPECT_EQ(test.counts(), (Counts{15, 15, 15}));
  EXPECT_FALSE(test.outcomes(MachineKind::kPartialStoreOrder).contains(Words{1, 0, 1, 0}));
}

TEST(Litmus, CoherenceOfTwoWrites) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId r1 = test.result("r1");
  const ObjectId r2 = test.result("r2");
  CodeMaker writer = test.thread();
  writer.store(x, 1);
  writer.store(x, 2);
  writer.give_back();
  CodeMaker reader = test.thread();
  reader.copy(x, r1);
  reader.copy(x, r2);
  reader.give_back();
  EXPECT_EQ(test.counts(), (Counts{6, 6, 6}));
  EXPECT_FALSE(test.outcomes(MachineKind::kPartialStoreOrder).contains(Words{2, 1}));
}

// A four-byte load takes each byte from the newest own store that covers it, the rest from memory.
TEST(Litmus, MixedSizeForwarding) {
  Litmus test;
  const ObjectId x = test.maker.global("x", 4, {0x11, 0x22, 0x33, 0x44});
  const ObjectId r = test.result("r");
  CodeMaker code = test.thread();
  code.store(test.maker.at(x, 1), test.maker.number(0xaabb, 16), 2);
  code.store(test.maker.at(x, 2), test.maker.number(0xcc, 8), 1);
  code.copy(x, r);
  code.give_back();
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder})
    EXPECT_EQ(test.outcomes(kind), (std::set<Words>{{0x44ccbb11}}));
}

// Overlapping stores keep their order under PSO; disjoint halves of one word do not.
TEST(Litmus, OverlapOrdersStoresUnderPso) {
  const auto run = [](std::uint64_t second_offset) {
    Litmus test;
    const ObjectId x = test.maker.global("x");
    const ObjectId r1 = test.result("r1");
    CodeMaker writer = test.thread();
    writer.store(test.maker.at(x, 0), test.maker.number(0x0101, 16), 2);
    writer.store(test.maker.at(x, second_offset), test.maker.number(0x0202, 16), 2);
    writer.give_back();
    CodeMaker reader = test.thread();
    reader.copy(x, r1);
    reader.give_back();
    return test.outcomes(MachineKind::kPartialStoreOrder);
  };
  EXPECT_EQ(run(1), (std::set<Words>{{0}, {0x0101}, {0x020201}}));
  EXPECT_EQ(run(2), (std::set<Words>{{0}, {0x0101}, {0x02020000}, {0x02020101}}));
}

TEST(Litmus, ReadModifyWritesDrain) {
  Litmus test;
  const ObjectId x = test.maker.global("x");
  const ObjectId y = test.maker.global("y");
  for (const auto& [mine, other, name] : {std::tuple{x, y, "r1"}, std::tuple{y, x, "r2"}}) {
    const ObjectId result = test.result(name);
    CodeMaker code = test.thread();
    Access access;
    access.size = 4;
    access.kind = AccessKind::kAtomic;
    access.drains = true;
    code.add(ReadModifyWrite{
        code.local(), test.maker.at(mine), RmwOp::kExchange, test.maker.number(1), access});
    code.copy(other, result);
    code.give_back();
  }
  EXPECT_EQ(test.counts(), (Counts{3, 3, 3}));
}

// Epochs do not count fences, only what they separate: equal buffers are equal states.
TEST(Litmus, RepeatedStoreStoreFencesMakeNoNewStates) {
  const auto states = [](unsigned fences) {
    ProgramMaker maker;
    const ObjectId x = maker.global("x");
    const ObjectId y = maker.global("y");
    const ProcedureId thread = maker.procedure("t");
    CodeMaker code(maker, thread);
    code.store(x, 1);
    for (unsigned i = 0; i < fences; ++i)
      code.fence(Fence::Strength::kStoreStore);
    code.store(y, 1);
    code.give_back();
    add_main(maker, {thread});
    return explore(maker.program, MachineKind::kPartialStoreOrder, Globals{{x, y}}).states;
  };
  EXPECT_EQ(states(3) - states(2), states(2) - states(1));
}

} // namespace
} // namespace heddle::memory_test
