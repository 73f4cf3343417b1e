// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory as C sees it: blocks and their ends, bad accesses, leaks.
#include "unit/memory/single_thread.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

TEST(Access, OfNullFaults) {
  Single test;
  test.code.store(test.maker.pointer(8), test.maker.number(1));
  EXPECT_EQ(test.run().faults, (Faults{FaultKind::kNullAccess}));
}

TEST(Access, BeyondAGlobalFaultsAtBothEnds) {
  for (const std::int64_t offset : {-4, -1, 1, 4, 1000}) {
    Single test;
    const ObjectId x = test.maker.global("x");
    test.maker.global("neighbour");
    test.code.load(test.code.local(), test.maker.at(x, static_cast<std::uint64_t>(offset)));
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kOutOfBounds})) << offset;
  }
}

TEST(Access, WriteToConstantFaults) {
  Single test;
  const ObjectId text = test.maker.constant("text", {'a', 'b'});
  const ObjectId result = test.maker.global("r");
  const LocalId read = test.code.local(8);
  test.code.load(read, test.maker.at(text, 1), 1);
  test.code.store(test.maker.at(result),
                  test.maker.program.terms.zero_extend(test.code.value(read), 32));
  test.code.store(test.maker.at(text), test.maker.number(1, 8), 1);
  EXPECT_EQ(test.run({result}).faults, (Faults{FaultKind::kReadOnlyWrite}));
}

TEST(Access, OfCodeOrNothingFaults) {
  for (const std::uint64_t unit :
       {std::uint64_t{1}, std::uint64_t{0x3000}, std::uint64_t{0x9000}}) {
    Single test;
    test.code.load(test.code.local(), test.maker.pointer(test.maker.program.space().base_of(unit)));
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidAccess})) << unit;
  }
}

TEST(Access, MisalignedIsFine) {
  Single test;
  const ObjectId x = test.maker.global("x", 8);
  const ObjectId r = test.maker.global("r");
  test.code.store(test.maker.at(x, 3), test.maker.number(0xdeadbeef));
  const LocalId read = test.code.local();
  test.code.load(read, test.maker.at(x, 3));
  test.code.store(test.maker.at(r), test.code.value(read));
  EXPECT_EQ(test.run({r}).outcomes, (Outcomes{{0xdeadbeef}}));
}

// Judged when the store is issued; what has died by the time of the flush is left alone.
TEST(Access, FlushToADeadBlockHasNoEffect) {
  for (const MachineKind kind : {MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    Single test;
    const LocalId block = test.allocate(4);
    test.code.store(test.code.value(block), test.maker.number(1));
    test.release(block);
    test.code.fence();
    const Explored explored = test.run({}, {}, kind);
    EXPECT_TRUE(explored.faults.empty());
    EXPECT_EQ(explored.outcomes.size(), 1U);
  }
}

// A store pending when its block is freed does not land in the block that comes to lie there.
TEST(Access, PendingStoreDiesWithItsBlock) {
  for (const MachineKind kind : {MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    Single test;
    const ObjectId r = test.maker.global("r");
    const LocalId first = test.allocate(4);
    test.code.store(test.code.value(first), test.maker.number(1));
    test.release(first);
    const LocalId second = test.allocate(4, Where::kHeap, true); // calloc: zero
    test.code.fence();
    const LocalId read = test.code.local();
    test.code.load(read, test.code.value(second));
    test.code.store(test.maker.at(r), test.code.value(read));
    EXPECT_EQ(test.run({r}, {}, kind).outcomes, (Outcomes{{0}}));
  }
}

TEST(Access, PendingStoreDiesWithItsFrame) {
  for (const MachineKind kind : {MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    Single test;
    const ObjectId r = test.maker.global("r");
    const auto frame_with = [&](const std::string& name, bool is_visible, std::uint64_t value) {
      const ProcedureId id = test.maker.procedure(name);
      CodeMaker body(test.maker, id);
      const LocalId slot = body.local(64);
      body.add(Allocate{slot, test.maker.pointer(4), Where::kFrame, false, test.slot, false});
      body.store(body.value(slot), test.maker.number(value), 4, is_visible);
      if (!is_visible) {
        body.fence();
        const LocalId read = body.local();
        body.load(read, body.value(slot), 4, false);
        body.store(test.maker.at(r), body.value(read));
      }
      body.give_back();
      return id;
    };
    const ProcedureId shares = frame_with("shares", true, 1);
    const ProcedureId keeps = frame_with("keeps", false, 2);
    test.code.add(Call{std::nullopt, std::nullopt, {shares}, {}});
    test.code.add(Call{std::nullopt, std::nullopt, {keeps}, {}});
    EXPECT_EQ(test.run({r}, {}, kind).outcomes, (Outcomes{{2}}));
  }
}

TEST(Heap, UseAfterFree) {
  Single test;
  const LocalId block = test.allocate(4);
  test.release(block);
  test.code.store(test.code.value(block), test.maker.number(1));
  EXPECT_EQ(test.run().faults, (Faults{FaultKind::kUseAfterFree}));
}

TEST(Heap, DoubleFree) {
  Single test;
  const LocalId block = test.allocate(4);
  test.release(block);
  test.release(block);
  EXPECT_EQ(test.run().faults, (Faults{FaultKind::kDoubleFree}));
}

TEST(Heap, FreeOfNullIsFine) {
  Single test;
  test.code.add(Free{test.maker.pointer(0), true, {}});
  EXPECT_TRUE(test.run().faults.empty());
}

TEST(Heap, InvalidFrees) {
  { // inside a block
    Single test;
    const LocalId block = test.allocate(8);
    test.code.add(Free{test.plus(block, 4), true, {}});
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidFree}));
  }
  { // of a global
    Single test;
    test.code.add(Free{test.maker.at(test.maker.global("x")), true, {}});
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidFree}));
  }
  { // of a local
    Single test;
    test.release(test.allocate(4, Where::kFrame));
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidFree}));
  }
}

/// Whether a second malloc of `size` bytes returned the block of 8 bytes freed before.
Outcomes reuse(std::uint64_t size, const program::InterpreterOptions& options) {
  Single test;
  const ObjectId same = test.maker.global("same");
  const LocalId first = test.allocate(8);
  const LocalId kept = test.code.local(64);
  test.code.add(Assign{kept, test.code.value(first)});
  test.release(first);
  const LocalId second = test.allocate(size);
  logic::TermStore& terms = test.maker.program.terms;
  const Term is_same = terms.equal(test.code.value(kept), test.code.value(second));
  const Term is_null = terms.equal(test.code.value(second), test.maker.pointer(0));
  test.code.store(
      test.maker.at(same),
      terms.ite(is_null, test.maker.number(2), terms.zero_extend(terms.to_bit(is_same), 32)));
  return test.run({same}, options).outcomes;
}

// The ABA problem needs it: malloc may return what was freed.
TEST(Heap, FreedBlocksMayComeBack) {
  EXPECT_EQ(reuse(8, {}), (Outcomes{{0}, {1}}));
  EXPECT_EQ(reuse(4, {}), (Outcomes{{0}, {1}}));
  EXPECT_EQ(reuse(9, {}), (Outcomes{{0}}));
  program::InterpreterOptions options;
  options.reuse_freed_blocks = false;
  EXPECT_EQ(reuse(8, options), (Outcomes{{0}}));
  options.malloc_may_fail = true;
  EXPECT_EQ(reuse(8, options), (Outcomes{{0}, {2}})); // the first may fail too: free(NULL)
}

TEST(Heap, BlocksOfOneThreadOrAnotherAreReusedByAnybody) {
  ProgramMaker maker;
  const ObjectId site = maker.site("malloc", Object::Kind::kHeapSite);
  const ObjectId mine = maker.global("mine", 8);
  const ObjectId theirs = maker.global("theirs", 8);
  const ProcedureId thread = maker.procedure("t");
  CodeMaker body(maker, thread);
  const LocalId block = body.local(64);
  body.add(Allocate{block, maker.pointer(4), Where::kHeap, false, site, true});
  body.store(maker.at(theirs), body.value(block), 8);
  body.add(Free{body.value(block), true, {}});
  body.give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.join(code.create(thread));
  const LocalId own = code.local(64);
  code.add(Allocate{own, maker.pointer(4), Where::kHeap, false, site, true});
  code.store(maker.at(mine), code.value(own), 8);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  const std::set<Words> outcomes =
      explore(maker.program, MachineKind::kSequential, Globals{{mine, theirs}, 8}).outcomes;
  ASSERT_EQ(outcomes.size(), 2U);
  std::size_t same = 0;
  for (const Words& values : outcomes)
    same += values[0] == values[1] ? 1 : 0;
  EXPECT_EQ(same, 1U);
}

// A freed block nothing points to is as good as new, so allocating and freeing for ever has
// finitely many states.
TEST(Heap, AllocatingAndFreeingForEverIsFinite) {
  for (const MachineKind kind : {MachineKind::kSequential, MachineKind::kTotalStoreOrder}) {
    Single test;
    const LocationId start = test.code.here();
    const LocalId first = test.allocate(4);
    const LocalId second = test.allocate(64);
    test.release(first);
    test.code.store(test.code.value(second), test.maker.number(1));
    test.release(second);
    test.code.fence(); // or the buffer would grow for ever
    test.code.jump_to(start);
    const Explored explored = explore(test.maker.program, kind, Globals{{}});
    EXPECT_TRUE(explored.faults.empty());
    EXPECT_LT(explored.states, 50U);
  }
}

// A pointer to a freed block may be in a buffer only; both a new address and the old one are
// possible then.
TEST(Heap, PointersInBuffersCount) {
  Single test;
  const ObjectId kept = test.maker.global("kept", 8);
  const ObjectId other = test.maker.global("other", 8);
  const LocalId first = test.allocate(4);
  test.code.store(test.maker.at(kept), test.code.value(first), 8);
  test.release(first);
  const LocalId second = test.allocate(4);
  test.code.store(test.maker.at(other), test.code.value(second), 8);
  test.code.give_back();
  std::size_t same = 0;
  std::size_t different = 0;
  for (const Words& values :
       explore(test.maker.program, MachineKind::kTotalStoreOrder, Globals{{kept, other}, 8})
           .outcomes)
    ++(values[0] == values[1] ? same : different);
  EXPECT_GT(same, 0U);
  EXPECT_GT(different, 0U);
}

TEST(Heap, AnEndlessLoopOfAllocationsIsABound) {
  Single test;
  const LocationId start = test.code.here();
  test.allocate(1);
  test.code.jump_to(start);
  EXPECT_EQ(explore(test.maker.program, MachineKind::kSequential, Globals{{}}).faults,
            (Faults{FaultKind::kCut}));
}

TEST(Heap, BlockSizeIsTheSizeAskedFor) {
  Single test;
  const ObjectId size = test.maker.global("size", 8);
  const LocalId block = test.allocate(13);
  const LocalId value = test.code.local(64);
  test.code.add(BlockSize{value, test.code.value(block)});
  test.code.store(test.maker.at(size), test.code.value(value), 8);
  test.code.give_back();
  EXPECT_EQ(explore(test.maker.program, MachineKind::kSequential, Globals{{size}, 8}).outcomes,
            (Outcomes{{13}}));
}

TEST(Leak, IsABlockNothingPointsTo) {
  for (const bool is_kept : {true, false}) {
    Single test;
    const ObjectId root = test.maker.global("root", 8);
    const LocalId first = test.allocate(16);
    const LocalId second = test.allocate(4);
    // root → first → second, the latter at an odd place
    if (is_kept)
      test.code.store(test.maker.at(root), test.code.value(first), 8);
    test.code.store(test.plus(first, 3), test.code.value(second), 8);
    test.code.give_back();
    const program::Interpreter interpreter(test.maker.program, {});
    std::size_t lost = 99;
    std::size_t left = 99;
    explore(test.maker.program,
            MachineKind::kSequential,
            [&](const program::Interpreter& running, const MachineState& state) {
              lost = running.leaked_blocks(state.core, false).size();
              left = running.leaked_blocks(state.core, true).size();
              return Words{};
            });
    EXPECT_EQ(lost, is_kept ? 0U : 2U);
    EXPECT_EQ(left, 2U);
  }
}

} // namespace
} // namespace heddle::memory_test
