// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory as C sees it: unwritten bytes and choices, frames and calls, thread-locals.
#include "unit/memory/single_thread.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

TEST(Unwritten, ByteIsAnyValueAndKeepsIt) {
  for (const Where where : {Where::kHeap, Where::kFrame}) {
    Single test;
    const ObjectId a = test.maker.global("a", 1);
    const ObjectId b = test.maker.global("b", 1);
    const LocalId block = test.allocate(4, where);
    for (const ObjectId to : {a, b}) {
      const LocalId read = test.code.local(8);
      test.code.load(read, test.code.value(block), 1);
      test.code.store(test.maker.at(to), test.code.value(read), 1);
    }
    test.code.give_back();
    const Explored explored =
        explore(test.maker.program, MachineKind::kTotalStoreOrder, Globals{{a, b}, 1});
    EXPECT_TRUE(explored.is_complete);
    EXPECT_EQ(explored.outcomes.size(), 256U);
    for (const Words& values : explored.outcomes)
      EXPECT_EQ(values[0], values[1]);
  }
}

TEST(Unwritten, OnlyUnwrittenBytesAreArbitrary) {
  Single test;
  const ObjectId r = test.maker.global("r", 2);
  const LocalId block = test.allocate(2);
  test.code.store(test.code.value(block), test.maker.number(0x5a, 8), 1);
  const LocalId read = test.code.local(16);
  test.code.load(read, test.code.value(block), 2);
  test.code.store(test.maker.at(r), test.code.value(read), 2);
  test.code.give_back();
  for (const MachineKind kind : {MachineKind::kSequential, MachineKind::kPartialStoreOrder}) {
    const Explored explored = explore(test.maker.program, kind, Globals{{r}, 2});
    EXPECT_EQ(explored.outcomes.size(), 256U);
    for (const Words& values : explored.outcomes)
      EXPECT_EQ(values[0] & 0xffU, 0x5aU);
  }
}

// A pending store of one's own hides that memory was never written.
TEST(Unwritten, OwnPendingStoreIsNoChoice) {
  Single test;
  const ObjectId r = test.maker.global("r");
  const LocalId block = test.allocate(4);
  test.code.store(test.code.value(block), test.maker.number(7));
  const LocalId read = test.code.local();
  test.code.load(read, test.code.value(block));
  test.code.store(test.maker.at(r), test.code.value(read));
  const Explored explored = test.run({r}, {}, MachineKind::kTotalStoreOrder);
  EXPECT_TRUE(explored.is_complete);
  EXPECT_EQ(explored.outcomes, (Outcomes{{7}}));
}

/// Copies two bytes, marks and all.
void copy(Single& test, const Term& to, const Term& from) {
  Access access;
  access.size = 2;
  const LocalId value = test.code.local(16);
  const LocalId marks = test.code.local(8);
  test.code.add(Load{value, from, access, marks});
  test.code.add(Store{to, test.code.value(value), access, test.code.value(marks)});
}

// Nobody has looked at the bytes: there is nothing to choose.
TEST(Unwritten, CopyIsNoChoice) {
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    Single test;
    const ObjectId x = test.maker.global("x", 2);
    const LocalId from = test.allocate(8);
    const LocalId to = test.allocate(8, Where::kFrame);
    copy(test, test.code.value(to), test.code.value(from));
    copy(test, test.maker.at(x), test.code.value(to));
    copy(test, test.code.value(from), test.maker.at(x));
    test.code.give_back();
    const Explored explored = explore(test.maker.program, kind, Globals{{x}, 2});
    EXPECT_TRUE(explored.is_complete);
    EXPECT_EQ(explored.outcomes.size(), 1U);
    EXPECT_TRUE(explored.faults.empty());
  }
}

// The copy of a byte nobody has written is as arbitrary as the byte, wherever it is read from:
// a block, a global, or the thread's own buffer; a written byte is copied as it is.
TEST(Unwritten, CopyIsAsArbitraryAsItsSource) {
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder})
    for (const bool is_global : {false, true})
      for (const bool is_fenced : {false, true}) {
        Single test;
        const ObjectId r = test.maker.global("r", 2);
        const ObjectId s = test.maker.global("s", 2);
        const ObjectId x = test.maker.global("x", 2);
        const LocalId from = test.allocate(2);
        const LocalId block = test.allocate(2);
        test.code.store(test.code.value(from), test.maker.number(0x5a, 8), 1);
        const Term to = is_global ? test.maker.at(x) : test.code.value(block);
        copy(test, to, test.code.value(from));
        if (is_fenced)
          test.code.fence();
        for (const ObjectId result : {r, s}) { // the second read gives the same
          const LocalId read = test.code.local(16);
          test.code.load(read, to, 2);
          test.code.store(test.maker.at(result), test.code.value(read), 2);
        }
        test.code.give_back();
        const Explored explored = explore(test.maker.program, kind, Globals{{r, s, x}, 2});
        EXPECT_TRUE(explored.is_complete);
        EXPECT_EQ(explored.outcomes.size(), 256U);
        for (const Words& values : explored.outcomes) {
          EXPECT_EQ(values[0] & 0xffU, 0x5aU);
          EXPECT_EQ(values[0], values[1]);
          EXPECT_EQ(values[2], is_global ? values[0] : 0U);
        }
      }
}

// A store ends what a copy has marked, and a copy marks again what was written.
TEST(Unwritten, CopyAndStoreReplaceEachOther) {
  for (const bool is_global : {false, true}) {
    Single test;
    const ObjectId r = test.maker.global("r", 2);
    const ObjectId x = test.maker.global("x", 200);
    const LocalId from = test.allocate(2);
    const LocalId block = test.allocate(200);
    const auto at = [&](std::uint64_t offset) {
      return is_global ? test.maker.at(x, offset) : test.plus(block, offset);
    };
    test.code.store(at(127), test.maker.number(0x0102, 16), 2);
    copy(test, at(127), test.code.value(from)); // across two words of marks
    test.code.store(at(128), test.maker.number(0x77, 8), 1);
    const LocalId read = test.code.local(16);
    test.code.load(read, at(127), 2);
    test.code.store(test.maker.at(r), test.code.value(read), 2);
    test.code.give_back();
    const Explored explored =
        explore(test.maker.program, MachineKind::kSequential, Globals{{r}, 2});
    EXPECT_EQ(explored.outcomes.size(), 256U);
    for (const Words& values : explored.outcomes)
      EXPECT_EQ(values[0] >> 8U, 0x77U);
  }
}

/// A procedure with one slot, whose address it leaves in `where`.
ProcedureId leaves_its_slot(Single& test, const std::string& name, ObjectId where) {
  const ProcedureId id = test.maker.procedure(name);
  CodeMaker body(test.maker, id);
  const LocalId slot = body.local(64);
  body.add(Allocate{slot, test.maker.pointer(4), Where::kFrame, false, test.slot, false});
  body.store(body.value(slot), test.maker.number(1), 4, false);
  body.store(test.maker.at(where), body.value(slot), 8);
  body.give_back();
  return id;
}

TEST(Frame, PlaceIsNotUsedAgainWhileAPointerIsLeft) {
  for (const bool is_forgotten : {false, true}) {
    Single test;
    const ObjectId p = test.maker.global("p", 8);
    const ObjectId q = test.maker.global("q", 8);
    const ObjectId r = test.maker.global("r");
    const ProcedureId f = leaves_its_slot(test, "f", p);
    const ProcedureId g = leaves_its_slot(test, "g", q);
    test.code.add(Call{std::nullopt, std::nullopt, {f}, {}});
    const LocalId stale = test.code.load(p, 8);
    if (is_forgotten)
      test.code.store(test.maker.at(p), test.maker.pointer(0), 8);
    test.code.add(Call{std::nullopt, std::nullopt, {g}, {}});
    const LocalId fresh = test.code.load(q, 8);
    const Term is_same = test.maker.program.terms.to_bit(
        test.maker.program.terms.equal(test.code.value(stale), test.code.value(fresh)));
    // Where the first pointer is still needed it differs from the second.
    test.code.store(test.maker.at(r),
                    is_forgotten
                        ? test.maker.program.terms.zero_extend(
                              test.maker.program.terms.to_bit(test.maker.program.terms.equal(
                                  test.code.value(fresh),
                                  test.maker.pointer(test.maker.program.space().base_of(
                                      AddressSpace::kFirstFrameUnit)))),
                              32)
                        : test.maker.program.terms.zero_extend(is_same, 32));
    EXPECT_EQ(test.run({r}).outcomes, (Outcomes{{is_forgotten ? 1U : 0U}}));
  }
}

TEST(Frame, UseAfterReturnFaultsThoughAnotherFrameHasCome) {
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    Single test;
    const ObjectId p = test.maker.global("p", 8);
    const ProcedureId f = leaves_its_slot(test, "f", p);
    const ProcedureId uses = test.maker.procedure("uses");
    CodeMaker body(test.maker, uses);
    const LocalId slot = body.local(64);
    body.add(Allocate{slot, test.maker.pointer(4), Where::kFrame, false, test.slot, false});
    body.store(body.value(slot), test.maker.number(2), 4, false);
    const LocalId stale = body.load(p, 8);
    body.load(body.local(), body.value(stale));
    body.give_back();
    test.code.add(Call{std::nullopt, std::nullopt, {f}, {}});
    test.code.add(Call{std::nullopt, std::nullopt, {uses}, {}});
    // Whether the pointer is in memory already or not.
    const Explored explored = test.run({}, {}, kind);
    EXPECT_TRUE(explored.outcomes.empty());
    EXPECT_EQ(explored.faults, (Faults{FaultKind::kInvalidAccess}));
  }
}

TEST(Call, ThroughAPointerWithTooFewArgumentsFaults) {
  for (const bool is_given : {false, true}) {
    Single test;
    const ProcedureId f = test.maker.procedure("f");
    CodeMaker body(test.maker, f);
    body.parameter(32);
    body.give_back();
    std::vector<Term> arguments;
    if (is_given)
      arguments.push_back(test.maker.number(1));
    test.code.add(Call{std::nullopt, test.maker.function(f), {}, arguments});
    EXPECT_EQ(test.run().faults, is_given ? Faults{} : (Faults{FaultKind::kInvalidAccess}));
  }
}

TEST(Unwritten, WideValuesAreSampledAndSaidToBe) {
  Single test;
  const ObjectId r = test.maker.global("r");
  const LocalId block = test.allocate(4);
  const LocalId read = test.code.local();
  test.code.load(read, test.code.value(block));
  // 77777 stands in the program: a sample, with its neighbours.
  test.code.store(test.maker.at(r),
                  test.maker.program.terms.zero_extend(
                      test.maker.program.terms.to_bit(test.maker.program.terms.equal(
                          test.code.value(read), test.maker.number(77777))),
                      32));
  const Explored explored = test.run({r});
  EXPECT_FALSE(explored.is_complete);
  EXPECT_EQ(explored.outcomes, (Outcomes{{0}, {1}}));
}

TEST(Unwritten, CallocIsZero) {
  Single test;
  const ObjectId r = test.maker.global("r");
  const LocalId block = test.allocate(4, Where::kHeap, true);
  const LocalId read = test.code.local();
  test.code.load(read, test.code.value(block));
  test.code.store(test.maker.at(r), test.code.value(read));
  EXPECT_EQ(test.run({r}).outcomes, (Outcomes{{0}}));
}

TEST(Nondet, TakesEveryValueUpToTheBound) {
  for (const unsigned width : {1U, 3U, 8U}) {
    Single test;
    const ObjectId r = test.maker.global("r");
    const LocalId value = test.code.local(width);
    test.code.add(program::Nondet{value, "nondet"});
    test.code.store(test.maker.at(r),
                    test.maker.program.terms.zero_extend(test.code.value(value), 32));
    const Explored explored = test.run({r});
    EXPECT_TRUE(explored.is_complete);
    EXPECT_EQ(explored.outcomes.size(), std::size_t{1} << width);
  }
}

TEST(CompareExchange, WeakMayFailStrongMayNot) {
  for (const bool weak : {true, false}) {
    Single test;
    const ObjectId x = test.maker.global("x");
    const ObjectId r = test.maker.global("r");
    const LocalId old = test.code.local();
    const LocalId success = test.code.local(1);
    Access access;
    access.size = 4;
    access.kind = AccessKind::kAtomic;
    access.drains = true;
    test.code.add(CompareExchange{old,
                                  success,
                                  test.maker.at(x),
                                  test.maker.number(0),
                                  test.maker.number(5),
                                  access,
                                  Order::kSeqCst,
                                  weak});
    test.code.store(test.maker.at(r),
                    test.maker.program.terms.zero_extend(test.code.value(success), 32));
    EXPECT_EQ(test.run({x, r}).outcomes, weak ? (Outcomes{{5, 1}, {0, 0}}) : (Outcomes{{5, 1}}));
  }
}

TEST(ThreadLocal, EachThreadHasItsOwn) {
  ProgramMaker maker;
  const ObjectId own = maker.thread_local_object("own", {7, 0, 0, 0});
  const ObjectId a = maker.global("a");
  const ObjectId b = maker.global("b");
  const std::uint64_t step = maker.program.space().units_for(4) << maker.program.space().unit_shift;
  const auto address = [&] {
    logic::TermStore& terms = maker.program.terms;
    const Term self = terms.variable(kSelfVariable, logic::Sort{64});
    return terms.binary(
        logic::Op::kAdd, maker.at(own), terms.binary(logic::Op::kMul, self, maker.pointer(step)));
  };
  std::vector<ProcedureId> threads;
  for (const auto& [to, added] : {std::pair{a, 1U}, std::pair{b, 2U}}) {
    threads.push_back(maker.procedure("t"));
    CodeMaker code(maker, threads.back());
    const LocalId first = code.local();
    code.load(first, address(), 4, false);
    code.store(address(),
               maker.program.terms.binary(logic::Op::kAdd, code.value(first), maker.number(added)),
               4,
               false);
    const LocalId second = code.local();
    code.load(second, address(), 4, false);
    code.store(maker.at(to), code.value(second));
    code.give_back();
  }
  add_main(maker, threads);
  EXPECT_EQ(explore(maker.program, MachineKind::kTotalStoreOrder, Globals{{a, b}}).outcomes,
            (Outcomes{{8, 9}}));
}

TEST(Frame, BlocksEndWithTheirFunction) {
  for (const ir::DataModel model : {ir::DataModel::kLP64, ir::DataModel::kILP32}) {
    Single test(model);
    const ProcedureId inner = test.maker.procedure("inner");
    CodeMaker body(test.maker, inner);
    const LocalId slot = body.local(test.maker.pointer_bits());
    body.add(Allocate{slot,
                      test.maker.pointer(40'000),
                      Where::kFrame,
                      false,
                      test.slot,
                      true}); // two units in ILP32
    body.store(body.value(slot), test.maker.number(3));
    body.add(Return{body.value(slot)});
    const LocalId dangling = test.code.local(test.maker.pointer_bits());
    test.code.add(Call{dangling, std::nullopt, {inner}, {}});
    test.code.load(test.code.local(), test.code.value(dangling));
    EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidAccess}));
  }
}

TEST(Frame, RecursionHasABlockPerFrame) {
  Single test;
  const ObjectId r = test.maker.global("r");
  const ProcedureId sum =
      test.maker.procedure("sum"); // n == 0 ? 0 : n + sum(n - 1), n kept in memory
  CodeMaker body(test.maker, sum);
  logic::TermStore& terms = test.maker.program.terms;
  const LocalId n = body.parameter(32);
  const LocalId slot = body.local(64);
  body.add(Allocate{slot, test.maker.pointer(4), Where::kFrame, false, test.slot, false});
  body.store(body.value(slot), body.value(n), 4, false);
  const LocationId base = test.maker.program.procedures[sum].locations.push_back({});
  body.branch_to(base, terms.equal(body.value(n), test.maker.number(0)));
  const LocalId rest = body.local();
  body.add(Call{rest,
                std::nullopt,
                {sum},
                {terms.binary(logic::Op::kSub, body.value(n), test.maker.number(1))}});
  const LocalId kept = body.local();
  body.load(kept, body.value(slot), 4, false);
  body.add(Return{terms.binary(logic::Op::kAdd, body.value(kept), body.value(rest))});
  add_edge(test.maker.program.procedures[sum], {base, base, Return{test.maker.number(0)}, {}});
  const LocalId total = test.code.local();
  test.code.add(Call{total, std::nullopt, {sum}, {test.maker.number(10)}});
  test.code.store(test.maker.at(r), test.code.value(total));
  const Explored explored = test.run({r});
  EXPECT_EQ(explored.outcomes, (Outcomes{{55}}));
  EXPECT_TRUE(explored.faults.empty());
}

TEST(Frame, EndlessRecursionIsABound) {
  Single test;
  const ProcedureId down = test.maker.procedure("down");
  CodeMaker body(test.maker, down);
  body.add(Allocate{body.local(64), test.maker.pointer(4), Where::kFrame, false, test.slot, false});
  body.add(Call{std::nullopt, std::nullopt, {down}, {}});
  body.give_back();
  test.code.add(Call{std::nullopt, std::nullopt, {down}, {}});
  EXPECT_EQ(test.run().faults, (Faults{FaultKind::kCut}));
}

TEST(Call, ThroughAPointer) {
  Single test;
  const ObjectId r = test.maker.global("r");
  const ProcedureId inner = test.maker.procedure("inner");
  CodeMaker body(test.maker, inner);
  const LocalId a = body.parameter(32);
  const LocalId b = body.parameter(32);
  body.add(Return{test.maker.program.terms.binary(logic::Op::kSub, body.value(a), body.value(b))});
  const LocalId result = test.code.local();
  test.code.add(Call{
      result, test.maker.function(inner), {inner}, {test.maker.number(9), test.maker.number(4)}});
  test.code.store(test.maker.at(r), test.code.value(result));
  EXPECT_EQ(test.run({r}).outcomes, (Outcomes{{5}}));
}

TEST(Call, OfWhatIsNoFunctionFaults) {
  Single test;
  const ObjectId x = test.maker.global("x");
  test.code.add(Call{std::nullopt, test.maker.at(x), {}, {}});
  EXPECT_EQ(test.run().faults, (Faults{FaultKind::kInvalidAccess}));
}

TEST(Check, PointerMustStayInItsNeighbourhood) {
  for (const auto& [offset, is_fine] : {std::pair{4ULL, true}, std::pair{1ULL << 33U, false}}) {
    Single test;
    const ObjectId x = test.maker.global("x");
    test.code.add(CheckNeighbourhood{test.maker.at(x), test.maker.at(x, offset)});
    EXPECT_EQ(test.run().faults, is_fine ? Faults{} : Faults{FaultKind::kPointerArithmetic});
  }
}

} // namespace
} // namespace heddle::memory_test
