// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Turns of loops that only wait: what is one and what is none, on every machine.
#include "memory/machine/standstill.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

using namespace program_test;

/// One thread that goes around until it finds 1 in a flag, doing `more` in each turn.
struct Waiting {
  ProgramMaker maker;
  ObjectId flag = maker.global("flag");
  ObjectId other = maker.global("other");

  template <class More>
  void make(std::uint8_t initial, const More& more) {
    maker.program.objects[flag].initial = {initial, 0, 0, 0};
    const ProcedureId main = maker.procedure("main");
    CodeMaker code(maker, main);
    const LocationId head = code.here();
    const LocalId found = code.load(flag);
    more(code);
    code.branch_to(head, maker.program.terms.equal(code.value(found), maker.number(0)));
    code.give_back();
    maker.program.templates.push_back({main, "main"});
  }

  [[nodiscard]] memory::Standstill find(MachineKind kind) {
    for (Procedure& procedure : maker.program.procedures)
      tidy(procedure);
    const Interpreter interpreter(maker.program, {});
    const auto machine = Machine::make(kind, interpreter);
    MachineState state;
    EXPECT_TRUE(machine->initial(state).is_none());
    const memory::Standstill found = memory::find_standstill(*machine, state);
    // The two say the same of one thread.
    const memory::IdleTurn turn = memory::idle_turn(*machine, state, 0);
    EXPECT_EQ(found.turning == 0, turn.steps.empty() || turn.lead != 0);
    return found;
  }
};

constexpr MachineKind kMachines[] = {
    MachineKind::kSequential, MachineKind::kTotalStoreOrder, MachineKind::kPartialStoreOrder};

TEST(Standstill, a_loop_that_reads_what_nobody_writes) {
  for (const MachineKind kind : kMachines) {
    Waiting waiting;
    waiting.make(0, [](CodeMaker&) {});
    const memory::Standstill found = waiting.find(kind);
    EXPECT_EQ(found.turning, 1U);
    EXPECT_EQ(found.blocked, 0U);
  }
}

TEST(Standstill, a_loop_that_is_left_is_none) {
  for (const MachineKind kind : kMachines) {
    Waiting waiting;
    waiting.make(1, [](CodeMaker&) {});
    EXPECT_EQ(waiting.find(kind).turning, 0U);
  }
}

TEST(Standstill, a_turn_that_stores_is_none_though_nothing_changes) {
  for (const MachineKind kind : kMachines) {
    Waiting waiting;
    waiting.make(0, [&](CodeMaker& code) { code.store(waiting.other, 0); });
    EXPECT_EQ(waiting.find(kind).turning, 0U);
  }
}

TEST(Standstill, a_turn_that_counts_is_none) {
  Waiting waiting;
  waiting.make(0, [&](CodeMaker& code) {
    // A local of its own, read again in the next turn.
    const LocalId count = code.local(32);
    code.add(Assign{count,
                    waiting.maker.program.terms.binary(
                        logic::Op::kAdd, code.value(count), waiting.maker.number(1))});
    code.store(waiting.maker.at(waiting.other), code.value(count), 4, false);
  });
  EXPECT_EQ(waiting.find(MachineKind::kSequential).turning, 0U);
}

TEST(Standstill, a_turn_that_chooses_may_go_another_way) {
  Waiting waiting;
  waiting.make(0, [&](CodeMaker& code) {
    const LocalId chosen = code.local(32);
    code.add(Nondet{chosen, "nondet"});
    const LocalId sum = code.local(32);
    code.add(Assign{sum,
                    waiting.maker.program.terms.binary(
                        logic::Op::kAdd, code.value(chosen), waiting.maker.number(1))});
  });
  EXPECT_EQ(waiting.find(MachineKind::kSequential).turning, 0U);
}

TEST(Standstill, who_waits_for_a_lock_is_blocked_and_nobody_turns) {
  ProgramMaker maker;
  const ObjectId mutex = maker.global("m", 40);
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.sync(SyncOp::kMutexLock, mutex);
  code.sync(SyncOp::kMutexLock, mutex);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  const auto machine = Machine::make(MachineKind::kSequential, interpreter);
  MachineState state;
  ASSERT_TRUE(machine->initial(state).is_none());
  std::vector<memory::Transition> possible;
  ASSERT_TRUE(machine->enabled(state, possible));
  ASSERT_EQ(possible.size(), 1U);
  ASSERT_TRUE(machine->apply(state, possible.front()).is_none());
  const memory::Standstill found = memory::find_standstill(*machine, state);
  EXPECT_EQ(found.turning, 0U); // that is a deadlock
  EXPECT_EQ(found.blocked, 1U);
}

} // namespace
} // namespace heddle::memory_test
