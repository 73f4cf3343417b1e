// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Conditions and what counts as a deadlock: lost wake-ups, partial deadlocks, and what is no
// progress.
#include "program/model/sync_layout.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

using namespace program_test;
using Outcomes = std::set<Words>;
using Masks = std::set<std::uint64_t>;

/// A waiter and a signaller around a flag.
struct Conditions {
  ProgramMaker maker;
  ObjectId mutex = maker.global("m", 40);
  ObjectId condition = maker.global("c", 48);
  ObjectId flag = maker.global("flag");
  ObjectId seen = maker.global("seen");

  enum class Test : std::uint8_t { kNone, kIf, kWhile };
  ProcedureId waiter(Test test, SyncOp wait = SyncOp::kConditionWait) {
    const ProcedureId id = maker.procedure("waiter");
    CodeMaker code(maker, id);
    code.sync(SyncOp::kMutexLock, mutex);
    const LocationId start = code.here();
    const LocalId value = code.local();
    code.load(value, maker.at(flag));
    const LocationId go_on = maker.program.procedures[id].locations.push_back({});
    const Term is_set = maker.program.terms.equal(code.value(value), maker.number(1));
    if (test != Test::kNone)
      code.branch_to(go_on, is_set);
    code.sync(wait, {maker.at(condition), maker.at(mutex)});
    code.jump_to(test == Test::kWhile ? start : go_on);
    // seen := flag; unlock; return
    Procedure& procedure = maker.program.procedures[id];
    const LocalId last = procedure.locals.push_back({"", 32, {}});
    const LocationId a = procedure.locations.push_back({});
    const LocationId b = procedure.locations.push_back({});
    const LocationId c = procedure.locations.push_back({});
    Access access;
    access.size = 4;
    add_edge(procedure, {go_on, a, Load{last, maker.at(flag), access}, {}});
    add_edge(
        procedure,
        {a, b, Store{maker.at(seen), maker.program.terms.variable(last.value, {32}), access}, {}});
    add_edge(procedure,
             {b, c, Synchronize{{}, SyncOp::kMutexUnlock, {maker.at(mutex)}, {}, true, {}}, {}});
    add_edge(procedure, {c, c, Return{}, {}});
    return id;
  }
  ProcedureId signaller(SyncOp op, bool sets_flag = true) {
    const ProcedureId id = maker.procedure("signaller");
    CodeMaker code(maker, id);
    code.sync(SyncOp::kMutexLock, mutex);
    if (sets_flag)
      code.store(flag, 1);
    code.sync(op, condition);
    code.sync(SyncOp::kMutexUnlock, mutex);
    code.give_back();
    return id;
  }
  Explored run(std::vector<ProcedureId> threads, MachineKind kind = MachineKind::kSequential) {
    add_main(maker, threads);
    return explore(maker.program, kind, Globals{{seen}});
  }
};

TEST(Condition, WaitedForInALoopIsSafe) {
  for (const MachineKind kind : {MachineKind::kSequential, MachineKind::kPartialStoreOrder}) {
    Conditions test;
    const std::vector<ProcedureId> threads = {test.waiter(Conditions::Test::kWhile),
                                              test.signaller(SyncOp::kConditionSignal)};
    const Explored explored = test.run(threads, kind);
    EXPECT_EQ(explored.outcomes, (Outcomes{{1}}));
    EXPECT_TRUE(explored.deadlocks.empty());
    EXPECT_TRUE(explored.faults.empty());
  }
}

TEST(Condition, WaitedForUnderIfSeesASpuriousWakeUp) {
  Conditions test;
  const std::vector<ProcedureId> threads = {test.waiter(Conditions::Test::kIf),
                                            test.signaller(SyncOp::kConditionSignal)};
  EXPECT_EQ(test.run(threads).outcomes, (Outcomes{{0}, {1}}));
}

// The signal may come before the wait; then nobody signals again. That the waiter could wake
// spuriously is no rescue.
TEST(Condition, LostWakeUpIsADeadlock) {
  Conditions test;
  const std::vector<ProcedureId> threads = {test.waiter(Conditions::Test::kNone),
                                            test.signaller(SyncOp::kConditionSignal)};
  const Explored explored = test.run(threads);
  EXPECT_TRUE(explored.deadlocks.contains(0b011)); // main joins the waiter (thread 1)
  EXPECT_EQ(explored.stuck_states, 0U);            // a spurious wake-up is always possible
}

TEST(Condition, SignalWakesOneBroadcastAll) {
  for (const SyncOp op : {SyncOp::kConditionSignal, SyncOp::kConditionBroadcast}) {
    Conditions test;
    const ProcedureId waiter = test.waiter(Conditions::Test::kWhile);
    const Explored explored = test.run({waiter, waiter, test.signaller(op)});
    EXPECT_EQ(explored.deadlocks.empty(), op == SyncOp::kConditionBroadcast);
  }
}

TEST(Condition, TimedWaitNeverBlocksForEver) {
  Conditions test;
  const ProcedureId waiter = test.waiter(Conditions::Test::kNone, SyncOp::kConditionTimedWait);
  const Explored explored = test.run({waiter});
  EXPECT_TRUE(explored.deadlocks.empty());
  EXPECT_EQ(explored.outcomes, (Outcomes{{0}}));
}

TEST(Condition, TimedWaitSaysThatTimeIsUp) {
  ProgramMaker maker;
  const ObjectId mutex = maker.global("m", 40);
  const ObjectId condition = maker.global("c", 48);
  const ObjectId result = maker.global("r");
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.sync(SyncOp::kMutexLock, mutex);
  const LocalId value = code.local();
  code.sync(SyncOp::kConditionTimedWait, {maker.at(condition), maker.at(mutex)}, value);
  code.store(maker.at(result), code.value(value));
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{result}}).outcomes,
            (Outcomes{{0}, {sync_layout::kErrorTimedOut}}));
}

TEST(Condition, WaitWithoutTheMutexIsUndefined) {
  ProgramMaker maker;
  const ObjectId mutex = maker.global("m", 40);
  const ObjectId condition = maker.global("c", 48);
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.sync(SyncOp::kConditionWait, {maker.at(condition), maker.at(mutex)});
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).faults,
            (std::set<FaultKind>{FaultKind::kBadSynchronisation}));
}

ProcedureId locks_in_order(ProgramMaker& maker, ObjectId first, ObjectId second) {
  const ProcedureId id = maker.procedure("t");
  CodeMaker code(maker, id);
  code.sync(SyncOp::kMutexLock, first);
  code.sync(SyncOp::kMutexLock, second);
  code.sync(SyncOp::kMutexUnlock, second);
  code.sync(SyncOp::kMutexUnlock, first);
  code.give_back();
  return id;
}

TEST(Deadlock, LocksTakenInOppositeOrders) {
  ProgramMaker maker;
  const ObjectId a = maker.global("a", 40);
  const ObjectId b = maker.global("b", 40);
  const std::vector<ProcedureId> threads = {locks_in_order(maker, a, b),
                                            locks_in_order(maker, b, a)};
  add_main(maker, threads);
  for (const MachineKind kind : {MachineKind::kSequential, MachineKind::kTotalStoreOrder})
    EXPECT_EQ(explore(maker.program, kind, Globals{{}}).deadlocks, (Masks{0b111}));
}

TEST(Deadlock, SameOrderIsFine) {
  ProgramMaker maker;
  const ObjectId a = maker.global("a", 40);
  const ObjectId b = maker.global("b", 40);
  const std::vector<ProcedureId> threads = {locks_in_order(maker, a, b),
                                            locks_in_order(maker, a, b)};
  add_main(maker, threads);
  EXPECT_TRUE(explore(maker.program, MachineKind::kSequential, Globals{{}}).deadlocks.empty());
}

// Two threads are stuck for ever while a third goes on for ever.
TEST(Deadlock, Partial) {
  ProgramMaker maker;
  const ObjectId a = maker.global("a", 40);
  const ObjectId b = maker.global("b", 40);
  const ObjectId x = maker.global("x");
  const ProcedureId busy = maker.procedure("busy");
  CodeMaker loop(maker, busy);
  const LocationId start = loop.here();
  loop.store(x, 1);
  loop.store(x, 0);
  loop.jump_to(start);
  const std::vector<ProcedureId> threads = {
      busy, locks_in_order(maker, a, b), locks_in_order(maker, b, a)};
  add_main(maker, threads);
  const Explored explored = explore(maker.program, MachineKind::kSequential, Globals{{}});
  EXPECT_EQ(explored.deadlocks, (Masks{0b1100}));
  EXPECT_EQ(explored.stuck_states, 0U);
}

// A semaphore can be raised by anybody, so it is a deadlock only once nobody is left.
TEST(Deadlock, SemaphoreNobodyRaises) {
  ProgramMaker maker;
  const ObjectId semaphore = maker.global("s", 32);
  const ProcedureId thread = maker.procedure("t");
  CodeMaker code(maker, thread);
  code.sync(SyncOp::kSemaphoreWait, semaphore);
  code.give_back();
  add_main(maker, {thread});
  const Explored explored = explore(maker.program, MachineKind::kSequential, Globals{{}});
  EXPECT_EQ(explored.deadlocks, (Masks{0b11}));
  EXPECT_EQ(explored.stuck_states, 1U);
}

TEST(Deadlock, OwnerThatHasEndedReleasesNothing) {
  ProgramMaker maker;
  const ObjectId mutex = maker.global("m", 40);
  const ProcedureId thread = maker.procedure("t");
  CodeMaker code(maker, thread);
  code.sync(SyncOp::kMutexLock, mutex);
  code.give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker last(maker, main);
  last.join(last.create(thread));
  last.sync(SyncOp::kMutexLock, mutex);
  last.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).deadlocks, (Masks{1}));
}

TEST(AtomicSection, ExcludesOthersAndNests) {
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    ProgramMaker maker;
    const ObjectId counter = maker.global("counter");
    const ProcedureId thread = maker.procedure("t");
    CodeMaker code(maker, thread);
    code.add(AtomicBegin{true});
    code.add(AtomicBegin{true});
    const LocalId read = code.load(counter);
    code.add(AtomicEnd{true});
    code.store(maker.at(counter),
               maker.program.terms.binary(logic::Op::kAdd, code.value(read), maker.number(1)));
    code.add(AtomicEnd{true});
    code.give_back();
    add_main(maker, {thread, thread, thread});
    const Explored explored = explore(maker.program, kind, Globals{{counter}});
    EXPECT_EQ(explored.outcomes, (Outcomes{{3}}));
    EXPECT_EQ(explored.stuck_states, 0U);
  }
}

TEST(AtomicSection, EndWithoutBeginIsUndefined) {
  ProgramMaker maker;
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.add(AtomicEnd{});
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).faults,
            (std::set<FaultKind>{FaultKind::kBadSynchronisation}));
}

TEST(AtomicSection, BlockingInsideStopsEverybody) {
  ProgramMaker maker;
  const ObjectId mutex = maker.global("m", 40);
  const ProcedureId holder = maker.procedure("holder");
  CodeMaker holds(maker, holder);
  holds.sync(SyncOp::kMutexLock, mutex);
  holds.sync(SyncOp::kMutexUnlock, mutex);
  holds.give_back();
  const ProcedureId section = maker.procedure("section");
  CodeMaker inside(maker, section);
  inside.add(AtomicBegin{true});
  inside.sync(SyncOp::kMutexLock, mutex);
  inside.sync(SyncOp::kMutexUnlock, mutex);
  inside.add(AtomicEnd{true});
  inside.give_back();
  add_main(maker, {holder, section});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).deadlocks,
            (Masks{0b111}));
}

// An assumption that fails after a visible step must not discard what other threads do in the
// meantime.
TEST(Assumption, DoesNotHideWhatHappensBeforeIt) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId doomed = maker.procedure("doomed");
  CodeMaker code(maker, doomed);
  code.store(x, 1);
  code.add(Assume{maker.program.terms.boolean(false), false});
  code.give_back();
  const ProcedureId checker = maker.procedure("checker");
  CodeMaker check(maker, checker);
  const LocalId read = check.load(x);
  check.add(Check{maker.program.terms.equal(check.value(read), maker.number(0)),
                  CheckKind::kAssertion,
                  "x == 0"});
  check.give_back();
  add_main(maker, {doomed, checker});
  const Explored explored = explore(maker.program, MachineKind::kSequential, Globals{{}});
  EXPECT_EQ(explored.faults, (std::set<FaultKind>{FaultKind::kDiscarded, FaultKind::kAssertion}));
  EXPECT_TRUE(explored.outcomes.empty());
}

} // namespace
} // namespace heddle::memory_test
