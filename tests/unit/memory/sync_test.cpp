// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every synchronisation: what it returns, whom it blocks, whom it wakes, and what a deadlock is.
#include "program/model/sync_layout.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

using namespace program_test;
using namespace program::sync_layout;

constexpr std::uint64_t kMutexSize = 40;
constexpr std::uint64_t kReadWriteSize = 56;

/// A main thread whose synchronisation results are kept in globals.
struct Results {
  ProgramMaker maker;
  ProcedureId main = maker.procedure("main");
  CodeMaker code{maker, main};
  std::vector<ObjectId> observed;

  Results() { maker.program.templates.push_back({main, "main"}); }

  /// Performs the operation and keeps its result.
  void keep(SyncOp op, std::vector<Term> operands) { keep_in(code, op, std::move(operands)); }
  void keep(SyncOp op, ObjectId object) { keep(op, std::vector<Term>{maker.at(object)}); }
  void keep_in(CodeMaker& where, SyncOp op, std::vector<Term> operands) {
    const LocalId dest = where.local(32);
    where.sync(op, std::move(operands), dest);
    observed.push_back(maker.global("result" + std::to_string(observed.size())));
    where.store(maker.at(observed.back()), where.value(dest));
  }
  Explored run(MachineKind kind = MachineKind::kSequential) {
    return explore(maker.program, kind, Globals{observed});
  }
};

using Outcomes = std::set<Words>;

TEST(Synchronisation, ErrorCheckingMutex) {
  Results test;
  const ObjectId mutex = test.maker.global("m", kMutexSize);
  test.keep(SyncOp::kMutexInit, {test.maker.at(mutex), test.maker.number(kMutexErrorCheck)});
  test.keep(SyncOp::kMutexUnlock, mutex); // not the owner
  test.keep(SyncOp::kMutexLock, mutex);
  test.keep(SyncOp::kMutexLock, mutex);
  test.keep(SyncOp::kMutexTryLock, mutex);
  test.keep(SyncOp::kMutexDestroy, mutex);
  test.keep(SyncOp::kMutexUnlock, mutex);
  test.keep(SyncOp::kMutexDestroy, mutex);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes,
            (Outcomes{{0, kErrorPerm, 0, kErrorDeadlock, kErrorBusy, kErrorBusy, 0, 0}}));
}

TEST(Synchronisation, RecursiveMutexCounts) {
  Results test;
  const ObjectId mutex = test.maker.global("m", kMutexSize);
  test.maker.program.objects[mutex].initial[16] = kMutexRecursive; // glibc's static initialiser
  for (const SyncOp op : {SyncOp::kMutexLock,
                          SyncOp::kMutexLock,
                          SyncOp::kMutexTryLock,
                          SyncOp::kMutexUnlock,
                          SyncOp::kMutexUnlock,
                          SyncOp::kMutexUnlock,
                          SyncOp::kMutexUnlock})
    test.keep(op, mutex);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes, (Outcomes{{0, 0, 0, 0, 0, 0, kErrorPerm}}));
}

TEST(Synchronisation, NormalMutexTakenTwiceIsADeadlockOfOneThread) {
  Results test;
  const ObjectId mutex = test.maker.global("m", kMutexSize);
  test.keep(SyncOp::kMutexLock, mutex);
  test.keep(SyncOp::kMutexLock, mutex);
  test.code.give_back();
  const Explored explored = test.run();
  EXPECT_TRUE(explored.outcomes.empty());
  EXPECT_EQ(explored.deadlocks, (std::set<std::uint64_t>{1}));
}

TEST(Synchronisation, TryLockFailsExactlyWhenHeld) {
  Results test;
  const ObjectId mutex = test.maker.global("m", kMutexSize);
  test.keep(SyncOp::kMutexTryLock, mutex);
  test.keep(SyncOp::kMutexTryLock, mutex);
  test.keep(SyncOp::kMutexUnlock, mutex);
  test.keep(SyncOp::kMutexTryLock, mutex);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes, (Outcomes{{0, kErrorBusy, 0, 0}}));
}

TEST(Synchronisation, TimedLockMayRunOutOfTime) {
  Results test;
  const ObjectId mutex = test.maker.global("m", kMutexSize);
  test.keep(SyncOp::kMutexTimedLock, mutex);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes, (Outcomes{{0}, {kErrorTimedOut}}));
}

TEST(Synchronisation, MutexExcludes) {
  for (const MachineKind kind :
       {MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder}) {
    for (const bool is_locked : {true, false}) {
      ProgramMaker maker;
      const ObjectId mutex = maker.global("m", kMutexSize);
      const ObjectId counter = maker.global("counter");
      const ProcedureId thread = maker.procedure("t");
      CodeMaker code(maker, thread);
      if (is_locked)
        code.sync(SyncOp::kMutexLock, mutex);
      const LocalId read = code.load(counter);
      code.store(maker.at(counter),
                 maker.program.terms.binary(logic::Op::kAdd, code.value(read), maker.number(1)));
      if (is_locked)
        code.sync(SyncOp::kMutexUnlock, mutex);
      code.give_back();
      add_main(maker, {thread, thread});
      const Explored explored = explore(maker.program, kind, Globals{{counter}});
      EXPECT_EQ(explored.outcomes, is_locked ? (Outcomes{{2}}) : (Outcomes{{1}, {2}}));
      EXPECT_TRUE(explored.deadlocks.empty());
    }
  }
}

TEST(Synchronisation, UninitialisedLockIsUndefined) {
  Results test;
  const ObjectId site = test.maker.site("heap", Object::Kind::kHeapSite);
  const LocalId pointer = test.code.local(64);
  test.code.add(Allocate{
      pointer, test.maker.pointer(kMutexSize), ir::Allocate::Where::kHeap, false, site, true});
  test.keep(SyncOp::kMutexLock, {test.code.value(pointer)});
  test.code.give_back();
  EXPECT_EQ(test.run().faults, (std::set<FaultKind>{FaultKind::kBadSynchronisation}));
}

TEST(Synchronisation, SpinLock) {
  Results test;
  const ObjectId lock = test.maker.global("l");
  for (const SyncOp op :
       {SyncOp::kSpinTryLock, SyncOp::kSpinTryLock, SyncOp::kSpinUnlock, SyncOp::kSpinLock})
    test.keep(op, lock);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes, (Outcomes{{0, kErrorBusy, 0, 0}}));
}

TEST(Synchronisation, ReadWriteLock) {
  Results test;
  const ObjectId lock = test.maker.global("rw", kReadWriteSize);
  for (const SyncOp op : {SyncOp::kReadLock,
                          SyncOp::kTryReadLock,
                          SyncOp::kTryWriteLock, // held for reading, twice
                          SyncOp::kReadWriteUnlock,
                          SyncOp::kTryWriteLock, // still once
                          SyncOp::kReadWriteUnlock,
                          SyncOp::kTryWriteLock,
                          SyncOp::kTryReadLock, // held for writing
                          SyncOp::kWriteLock,   // by itself
                          SyncOp::kReadWriteUnlock})
    test.keep(op, lock);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes,
            (Outcomes{{0, 0, kErrorBusy, 0, kErrorBusy, 0, 0, kErrorBusy, kErrorDeadlock, 0}}));
}

TEST(Synchronisation, ReadWriteUnlockOfWhatIsNotHeldIsUndefined) {
  Results test;
  const ObjectId lock = test.maker.global("rw", kReadWriteSize);
  test.keep(SyncOp::kReadWriteUnlock, lock);
  test.code.give_back();
  EXPECT_EQ(test.run().faults, (std::set<FaultKind>{FaultKind::kBadSynchronisation}));
}

TEST(Synchronisation, Semaphore) {
  Results test;
  const ObjectId semaphore = test.maker.global("s", 32);
  test.keep(SyncOp::kSemaphoreInit, {test.maker.at(semaphore), test.maker.number(1)});
  for (const SyncOp op : {SyncOp::kSemaphoreTryWait,
                          SyncOp::kSemaphoreTryWait,
                          SyncOp::kSemaphorePost,
                          SyncOp::kSemaphorePost,
                          SyncOp::kSemaphoreValue,
                          SyncOp::kSemaphoreWait,
                          SyncOp::kSemaphoreTimedWait})
    test.keep(op, semaphore);
  test.code.give_back();
  EXPECT_EQ(test.run().outcomes,
            (Outcomes{{0, 0, kErrorAgain, 0, 0, 2, 0, 0},
                      {0, 0, kErrorAgain, 0, 0, 2, 0, kErrorTimedOut}}));
}

TEST(Synchronisation, OnceRunsOnce) {
  ProgramMaker maker;
  const ObjectId once = maker.global("once");
  const ObjectId runs = maker.global("runs");
  const ProcedureId thread = maker.procedure("t");
  CodeMaker code(maker, thread);
  const LocalId first = code.local(32);
  code.sync(SyncOp::kOnceEnter, once, first);
  // if (first) { ++runs; once_leave } return
  const Term is_late = maker.program.terms.equal(code.value(first), maker.number(0));
  const LocationId end = maker.program.procedures[thread].locations.push_back({});
  code.branch_to(end, is_late);
  const LocalId read = code.load(runs);
  code.store(maker.at(runs),
             maker.program.terms.binary(logic::Op::kAdd, code.value(read), maker.number(1)));
  code.sync(SyncOp::kOnceLeave, once);
  code.jump_to(end);
  add_edge(maker.program.procedures[thread], {end, end, Return{}, {}});
  add_main(maker, {thread, thread, thread});
  const Explored explored = explore(maker.program, MachineKind::kSequential, Globals{{runs}});
  EXPECT_EQ(explored.outcomes, (Outcomes{{1}}));
  EXPECT_TRUE(explored.deadlocks.empty());
}

TEST(Synchronisation, BarrierLetsNobodyThroughEarlyAndCanBeUsedAgain) {
  ProgramMaker maker;
  const ObjectId barrier = maker.global("b", 32);
  maker.program.objects[barrier].initial[kBarrierThreshold] = 2;
  const ObjectId x = maker.global("x");
  const ObjectId y = maker.global("y");
  const ObjectId serial = maker.global("serial");
  std::vector<ObjectId> observed;
  std::vector<ProcedureId> threads;
  for (const auto& [mine, other] : {std::pair{x, y}, std::pair{y, x}}) {
    threads.push_back(maker.procedure("t"));
    CodeMaker code(maker, threads.back());
    for (const std::uint64_t round : {1ULL, 2ULL}) {
      code.store(mine, round);
      const LocalId result = code.local(32);
      code.sync(SyncOp::kBarrierWait, barrier, result);
      observed.push_back(maker.global("seen"));
      code.copy(other, observed.back());
      Access access;
      access.size = 4;
      access.drains = true;
      code.add(
          ReadModifyWrite{code.local(), maker.at(serial), RmwOp::kAdd, code.value(result), access});
      code.sync(SyncOp::kBarrierWait, barrier);
    }
    code.give_back();
  }
  observed.push_back(serial);
  add_main(maker, threads);
  for (const MachineKind kind : {MachineKind::kSequential, MachineKind::kPartialStoreOrder}) {
    const Explored explored = explore(maker.program, kind, Globals{observed});
    EXPECT_EQ(explored.outcomes, (Outcomes{{1, 2, 1, 2, 0xfffffffe}})); // one serial thread a round
    EXPECT_TRUE(explored.deadlocks.empty());
  }
}

// More threads than the barrier waits for: one of an earlier round may leave late, and must not be
// lost.
TEST(Synchronisation, BarrierRoundsDoNotTrapSlowLeavers) {
  ProgramMaker maker;
  const ObjectId barrier = maker.global("b", 32);
  maker.program.objects[barrier].initial[kBarrierThreshold] = 2;
  const ProcedureId thread = maker.procedure("t");
  CodeMaker code(maker, thread);
  code.sync(SyncOp::kBarrierWait, barrier);
  code.give_back();
  add_main(maker, {thread, thread, thread, thread});
  const Explored explored = explore(maker.program, MachineKind::kSequential, Globals{{}});
  EXPECT_TRUE(explored.deadlocks.empty());
  EXPECT_EQ(explored.stuck_states, 0U);
  EXPECT_EQ(explored.outcomes.size(), 1U);
}

TEST(Synchronisation, JoinGivesTheExitValue) {
  ProgramMaker maker;
  const ObjectId result = maker.global("result", 8);
  const ProcedureId thread = maker.procedure("t");
  CodeMaker body(maker, thread);
  const LocalId argument = body.parameter(64);
  body.add(ThreadExit{
      maker.program.terms.binary(logic::Op::kAdd, body.value(argument), maker.pointer(1)), true});
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocalId value = code.join(code.create(thread, 41));
  code.store(maker.at(result), code.value(value), 8);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kTotalStoreOrder, Globals{{result}, 8}).outcomes,
            (Outcomes{{42}}));
}

TEST(Synchronisation, JoiningTwiceOrNobodyIsUndefined) {
  for (const bool twice : {true, false}) {
    ProgramMaker maker;
    const ProcedureId thread = maker.procedure("t");
    CodeMaker(maker, thread).give_back();
    const ProcedureId main = maker.procedure("main");
    CodeMaker code(maker, main);
    if (twice) {
      const LocalId handle = code.create(thread);
      code.join(handle);
      code.join(handle);
    } else {
      code.sync(SyncOp::kJoin, {maker.pointer(7)});
    }
    code.give_back();
    maker.program.templates.push_back({main, "main"});
    EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).faults,
              (std::set<FaultKind>{FaultKind::kBadSynchronisation}));
  }
}

TEST(Synchronisation, JoiningOneselfIsADeadlock) {
  ProgramMaker maker;
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocalId self = code.local(64);
  code.sync(SyncOp::kSelf, std::vector<Term>{}, self);
  code.join(self);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).deadlocks,
            (std::set<std::uint64_t>{1}));
}

// Creating and joining in an endless loop has finitely many states: the place of a thread that is
// gone serves again.
TEST(Synchronisation, PlacesOfThreadsAreUsedAgain) {
  ProgramMaker maker;
  const ProcedureId thread = maker.procedure("t");
  CodeMaker(maker, thread).give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocationId start = code.here();
  code.join(code.create(thread));
  code.jump_to(start);
  maker.program.templates.push_back({main, "main"});
  const Explored explored = explore(maker.program, MachineKind::kTotalStoreOrder, Globals{{}});
  EXPECT_TRUE(explored.faults.empty());
  EXPECT_LT(explored.states, 10U);
}

TEST(Synchronisation, TooManyThreadsIsABound) {
  ProgramMaker maker;
  const ProcedureId thread = maker.procedure("t");
  CodeMaker blocked(maker, thread);
  const ObjectId semaphore = maker.global("s", 32);
  blocked.sync(SyncOp::kSemaphoreWait, semaphore);
  blocked.give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocationId start = code.here();
  code.create(thread);
  code.jump_to(start);
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{}}).faults,
            (std::set<FaultKind>{FaultKind::kCut}));
}

TEST(Synchronisation, MainMayExitBeforeItsThreads) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId thread = maker.procedure("t");
  CodeMaker body(maker, thread);
  body.store(x, 1);
  body.give_back();
  for (const bool only_thread : {true, false}) {
    const ProcedureId main = maker.procedure("main");
    CodeMaker code(maker, main);
    const LocalId handle = code.create(thread);
    code.sync(SyncOp::kDetach, {code.value(handle)});
    if (only_thread)
      code.add(ThreadExit{std::nullopt, true});
    else
      code.give_back();
    maker.program.templates = {{main, "main"}};
    EXPECT_EQ(explore(maker.program, MachineKind::kSequential, Globals{{x}}).outcomes,
              only_thread ? (Outcomes{{1}}) : (Outcomes{{0}, {1}}));
  }
}

} // namespace
} // namespace heddle::memory_test
