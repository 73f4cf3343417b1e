// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The machine's interface beyond exploring: names of models, which transitions are enabled, what a
// step reports.
#include "execution/execution.h"
#include "execution/from_steps.h"
#include "memory/machine/machine.h"
#include "memory/model.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

namespace heddle::memory_test {
namespace {

using namespace program_test;
using execution::Step;
using memory::StepDetail;
using memory::Transition;
using program::ThreadIndex;

TEST(Model, IsFoundByName) {
  for (const memory::Model& model : memory::built_in_models()) {
    const Result<memory::Model> found = memory::find_model(model.name);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->machine, model.machine);
    EXPECT_EQ(found->is_weak, model.name != "sc");
  }
  const Result<memory::Model> unknown = memory::find_model("arm");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, "MEM-001");
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_NE(unknown.error().message.find("sc, tso, pso"), std::string::npos);
}

/// main: x := 1; y := 2; r := x; exit(); stepped by hand.
struct Stepped {
  ProgramMaker maker;
  ObjectId x = maker.global("x");
  ObjectId y = maker.global("y");
  ProcedureId main = maker.procedure("main");

  Stepped() {
    CodeMaker code(maker, main);
    code.store(x, 1);
    code.store(y, 2);
    code.load(x);
    code.give_back();
    maker.program.templates.push_back({main, "main"});
  }
};

TEST(Machine, StepsReportWhatTheyDo) {
  Stepped test;
  const program::Interpreter interpreter(test.maker.program, {});
  const auto machine = Machine::make(MachineKind::kTotalStoreOrder, interpreter);
  MachineState state;
  ASSERT_TRUE(machine->initial(state).is_none());
  const Transition step{Transition::Kind::kStep, 0, 0};
  const Transition flush_oldest{Transition::Kind::kFlush, 0, 0};
  const Transition flush_second{Transition::Kind::kFlush, 0, 1};
  EXPECT_FALSE(machine->is_enabled(state, flush_oldest));
  EXPECT_FALSE(machine->is_enabled(state, {Transition::Kind::kStep, 1, 0})); // no such thread
  EXPECT_FALSE(machine->is_enabled(state, {Transition::Kind::kStep, 0, 7})); // no such choice
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(machine->apply(state, step).is_none());
  EXPECT_TRUE(machine->is_enabled(state, flush_oldest));
  EXPECT_FALSE(machine->is_enabled(state, flush_second)); // first in, first out
  StepDetail read;
  ASSERT_TRUE(machine->apply(state, step, &read).is_none());
  EXPECT_EQ(read.value_read, 1U);
  EXPECT_TRUE(read.from_own_buffer);
  EXPECT_EQ(read.request.kind, program::Request::Kind::kLoad);
  EXPECT_FALSE(machine->is_enabled(state, step)); // main's return waits for the buffer
  StepDetail flushed;
  ASSERT_TRUE(machine->apply(state, flush_oldest, &flushed).is_none());
  EXPECT_EQ(flushed.value_written, 1U);
  EXPECT_EQ(interpreter.read(state.core.memory, test.maker.address(test.x), 4), 1U);
  EXPECT_EQ(interpreter.read(state.core.memory, test.maker.address(test.y), 4), 0U);
  ASSERT_TRUE(machine->apply(state, flush_oldest).is_none());
  EXPECT_FALSE(machine->is_final(state));
  ASSERT_TRUE(machine->apply(state, step).is_none());
  EXPECT_TRUE(machine->is_final(state));
  std::vector<Transition> none;
  EXPECT_TRUE(machine->enabled(state, none));
  EXPECT_TRUE(none.empty());
}

TEST(Machine, ExitEndsTheRunWithStoresPending) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.store(x, 1);
  code.add(Exit{});
  maker.program.templates.push_back({main, "main"});
  EXPECT_EQ(explore(maker.program, MachineKind::kTotalStoreOrder, Globals{{x}}).outcomes,
            (std::set<Words>{{0}, {1}}));
}

Step access(Step::What what,
            ThreadIndex thread,
            std::uint64_t address,
            std::uint8_t size,
            std::uint64_t value) {
  Step step;
  step.transition.thread = thread;
  step.what = what;
  step.address = address;
  step.size = size;
  (what == Step::What::kWrite ? step.value_written : step.value_read) = value;
  return step;
}

// Thread 0 writes two bytes of x, one after the other; the second reaches memory first (PSO).
// Thread 1 reads both in between.
TEST(Execution, OfARunWithDelayedStores) {
  execution::Run run;
  run.steps.push_back(access(Step::What::kWrite, 0, 100, 1, 1));
  run.steps.back().buffer = {0};
  run.steps.push_back(access(Step::What::kWrite, 0, 101, 1, 2));
  run.steps.back().buffer = {0, 1};
  run.steps.push_back(access(Step::What::kFlush, 0, 101, 1, 0));
  run.steps.back().flushes = 1;
  run.steps.push_back(access(Step::What::kRead, 1, 100, 2, 0x200));
  run.steps.push_back(access(Step::What::kRead, 0, 100, 2, 0x201));
  run.steps.push_back(access(Step::What::kWrite, 1, 100, 1, 3)); // at once
  run.steps.push_back(access(Step::What::kFlush, 0, 100, 1, 0));
  run.steps.back().flushes = 0;
  const execution::Execution result = execution::from_run(run);
  // 0 initial, 1 and 2 the writes of thread 0, 3 the read of thread 1, 4 that of thread 0, 5 the
  // write of thread 1
  ASSERT_EQ(result.events.size(), 6U);
  EXPECT_EQ(result.events[0].kind, execution::Event::Kind::kInitialWrite);
  EXPECT_EQ(result.events[0].size, 2U);
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(result.rf.pairs(), (Pairs{{0, 3}, {1, 4}, {2, 3}, {2, 4}}));
  EXPECT_EQ(result.co.pairs(), (Pairs{{0, 1}, {0, 2}, {0, 5}, {5, 1}}));
  EXPECT_EQ(result.po.pairs(), (Pairs{{1, 2}, {1, 4}, {2, 4}, {3, 5}}));

  // Without the second write: nobody reads from it, and the others read what they read.
  const execution::Execution part = execution::from_steps(run, {false, true});
  ASSERT_EQ(part.events.size(), 5U);
  EXPECT_EQ(part.rf.pairs(), (Pairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(part.co.pairs(), (Pairs{{0, 1}, {0, 4}, {4, 1}}));
  EXPECT_EQ(part.po.pairs(), (Pairs{{1, 3}, {2, 4}}));
}

TEST(Execution, OfReadModifyWritesAndThreads) {
  execution::Run run;
  Step create;
  create.what = Step::What::kSynchronize;
  create.created = 1;
  run.steps.push_back(create);
  run.steps.push_back(access(Step::What::kReadModifyWrite, 1, 100, 4, 0));
  run.steps.back().value_written = 1;
  Step end;
  end.what = Step::What::kThreadExit;
  end.transition.thread = 1;
  run.steps.push_back(end);
  const program::Edge edge{
      {}, {}, program::Synchronize{{}, program::SyncOp::kJoin, {}, {}, true, {}}, {}};
  Step join;
  join.what = Step::What::kSynchronize;
  join.edge = &edge;
  join.address = 2; // the handle of thread 1
  run.steps.push_back(join);
  const execution::Execution result = execution::from_run(run);
  // 0 initial, 1 create, 2 and 3 the read and write, 4 the end of thread 1, 5 join
  ASSERT_EQ(result.events.size(), 6U);
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(result.rmw.pairs(), (Pairs{{2, 3}}));
  EXPECT_EQ(result.rf.pairs(), (Pairs{{0, 2}}));
  EXPECT_EQ(result.co.pairs(), (Pairs{{0, 3}}));
  EXPECT_EQ(result.synchronises.pairs(), (Pairs{{1, 2}, {4, 5}}));
  EXPECT_EQ(run.schedule().size(), 4U);
}

} // namespace
} // namespace heddle::memory_test
