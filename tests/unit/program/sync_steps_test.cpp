// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's synchronisation against the second definition (sync_oracle.h), over all words:
// faults, who waits for whom, the ways to go on, the bytes of the object and what is answered.
#include "program/run/interpreter.h"
#include "sync_oracle.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

namespace heddle::program_test {
namespace {

/// Threads 1 to 31 all stand at the same operation.
class SyncProgram {
public:
  static constexpr ThreadIndex kThreads = kMaxThreads - 1;

  explicit SyncProgram(SyncOp op) : op_(op) {
    const ProcedureId main = maker_.procedure("main");
    const ProcedureId worker = maker_.procedure("worker");
    object_ = maker_.global("object", 64);
    condition_ = maker_.global("condition", 4);
    argument_ = maker_.global("argument", 4);
    CodeMaker create(maker_, main);
    for (ThreadIndex i = 0; i < kThreads; ++i)
      create.sync(SyncOp::kCreate, std::vector<Term>{maker_.function(worker), maker_.pointer(0)});
    create.give_back();
    CodeMaker code(maker_, worker);
    given_ = code.local(32);
    dest_ = code.local(64);
    code.load(given_, maker_.at(argument_));
    code.sync(op, operands(code), dest_);
    code.give_back();
    maker_.program.templates.push_back({main, "main"});
    InterpreterOptions options;
    options.keep_dead_locals = true;
    interpreter_ = std::make_unique<Interpreter>(maker_.program, options);
    start_ = interpreter_->initial();
    for (ThreadIndex i = 0; i < kThreads; ++i)
      EXPECT_TRUE(step(start_, 0, 0).is_none());
  }

  [[nodiscard]] const Interpreter& interpreter() const { return *interpreter_; }
  [[nodiscard]] std::uint64_t object() const { return maker_.address(object_); }
  [[nodiscard]] std::uint64_t condition() const { return maker_.address(condition_); }

  Fault step(State& state, ThreadIndex thread, std::uint64_t choice) const {
    return interpreter_->execute(state, thread, interpreter_->request(state, thread), choice);
  }

  /// Where the operation begins, with that argument.
  [[nodiscard]] State begin(ThreadIndex thread, std::uint32_t argument) const {
    State state = start_;
    interpreter_->write(state.memory, maker_.address(argument_), 4, argument);
    EXPECT_TRUE(step(state, thread, 0).is_none());
    return state;
  }

  /// The state in which the thread is at the case's stage and its object has the case's words.
  [[nodiscard]] State state_of(const SyncCase& given) const {
    State state = begin(given.thread, given.argument);
    if (given.stage == Stage::kWoken || given.stage == Stage::kAgain) {
      write(state, object(), 4, given.thread + 1);
      EXPECT_TRUE(step(state, given.thread, 0).is_none());
      if (given.stage == Stage::kAgain) {
        EXPECT_TRUE(step(state, given.thread, given.kept).is_none());
      }
    } else if (given.stage == Stage::kLeave) {
      write(state, object(), 4, 9);
      write(state, object() + 8, 4, given.kept);
      EXPECT_TRUE(step(state, given.thread, 0).is_none());
    }
    write_case(state, given);
    return state;
  }

  void write_case(State& state, const SyncCase& given) const {
    for (std::uint64_t offset = 0; offset < 64; offset += 8)
      write(state, object() + offset, 8, 0);
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      const Place place = place_of(given, i);
      if (place.size == 4)
        interpreter_->write(
            state.memory, object() + place.offset, 4, given.words[i], given.unwritten[i] ? 0xf : 0);
      else if (place.size == 1)
        interpreter_->write(state.memory,
                            object() + place.offset,
                            1,
                            other_nibble(given) | given.words[i] << place.shift);
    }
    write(state, condition(), 4, given.condition_gone ? sync_layout::kGone : 0);
  }

  void expect_words(const State& state, const SyncOutcome& expected, const SyncCase& given) const {
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      const Place place = place_of(given, i);
      const std::uint64_t value =
          interpreter_->read(state.memory, object() + place.offset, place.size);
      if (place.size == 1) {
        ASSERT_EQ(value, other_nibble(given) | expected.words[i] << place.shift);
      } else if (place.size == 4) {
        ASSERT_EQ(value, expected.words[i]) << "word " << i;
        ASSERT_EQ(interpreter_->is_unwritten(state.memory, object() + place.offset, 4),
                  given.unwritten[i] && !expected.written[i])
            << "word " << i;
      }
    }
  }

  [[nodiscard]] std::uint64_t answer(const State& state, ThreadIndex thread) const {
    return state.threads[thread].local(0, dest_);
  }

private:
  struct Place {
    std::uint64_t offset = 0;
    unsigned size = 0;
    unsigned shift = 0;
  };
  static Place place_of(const SyncCase& given, std::size_t index) {
    switch (OldSynchronisation::object_of(given.op)) {
    case OldObject::kMutex:
    case OldObject::kCondition:
      return {std::vector<std::uint64_t>{0, 4, 16}[index], 4, 0};
    case OldObject::kReadWrite:
      if (index == 2)
        return {8 + given.thread / 2, 1, 4 * (given.thread % 2)};
      return {4 * index, 4, 0};
    case OldObject::kBarrier:
      return {4 * index, 4, 0};
    default:
      return {0, index == 0 ? 4U : 0U, 0};
    }
  }
  /// What the byte says of the thread beside this one.
  static std::uint64_t other_nibble(const SyncCase& given) {
    return given.thread % 2 == 0 ? 0x70 : 0x07;
  }
  void write(State& state, std::uint64_t address, unsigned size, std::uint64_t value) const {
    interpreter_->write(state.memory, address, size, value);
  }
  std::vector<Term> operands(CodeMaker& code) {
    switch (op_) {
    case SyncOp::kMutexInit:
    case SyncOp::kSemaphoreInit:
    case SyncOp::kBarrierInit:
      return {maker_.at(object_), code.value(given_)};
    case SyncOp::kConditionWait:
    case SyncOp::kConditionTimedWait:
      return {maker_.at(condition_), maker_.at(object_)};
    case SyncOp::kConditionSignal:
    case SyncOp::kConditionBroadcast:
      return {maker_.at(condition_)};
    case SyncOp::kJoin:
    case SyncOp::kDetach:
      return {maker_.program.terms.zero_extend(code.value(given_), 64)};
    default:
      return {maker_.at(object_)};
    }
  }

  ProgramMaker maker_;
  SyncOp op_;
  ObjectId object_;
  ObjectId condition_;
  ObjectId argument_;
  LocalId given_;
  LocalId dest_;
  std::unique_ptr<Interpreter> interpreter_;
  State start_;
};

/// Who of threads 0 to 31 could end the wait, and what it is for.
Wait expected_wait(const SyncCase& given, WaitsFor what, const SyncProgram& program) {
  const std::uint32_t owner = given.words[0];
  const std::uint64_t holder = owner == 0 || owner > kMaxThreads ? 0 : 1ULL << (owner - 1);
  const std::uint64_t others = 0xffff'ffffULL & ~(1ULL << given.thread);
  switch (what) {
  case WaitsFor::kOwner:
    return {Wait::Reason::kMutex, program.object(), holder};
  case WaitsFor::kWriter:
    return {Wait::Reason::kReadWriteLock, program.object(), holder};
  case WaitsFor::kWriterAndReaders:
    return {Wait::Reason::kReadWriteLock, program.object(), holder | given.words[1]};
  case WaitsFor::kSignal:
    return {Wait::Reason::kCondition, program.condition(), others};
  case WaitsFor::kPost:
    return {Wait::Reason::kSemaphore, program.object(), others};
  case WaitsFor::kArrivals:
    return {Wait::Reason::kBarrier, program.object(), others};
  case WaitsFor::kOnce:
    return {Wait::Reason::kOnce, program.object(), others};
  case WaitsFor::kThread:
  case WaitsFor::kNothing:
    break;
  }
  ADD_FAILURE() << "a wait for nothing";
  return {};
}

void expect_step(const SyncProgram& program, const SyncCase& given) {
  const Interpreter& interpreter = program.interpreter();
  OldSynchronisation old(given);
  const State before = program.state_of(given);
  const Request request = interpreter.request(before, given.thread);
  const bool begins =
      given.stage != Stage::kWoken && given.stage != Stage::kAgain && given.stage != Stage::kLeave;
  ASSERT_EQ(interpreter.check_access(before, given.thread, request).what,
            begins ? old.fault() : "");
  const std::optional<Wait> blocked = interpreter.blocked(before, given.thread, request);
  const std::optional<WaitsFor> waits = old.blocked();
  ASSERT_EQ(blocked.has_value(), waits.has_value());
  if (waits) {
    const Wait expected = expected_wait(given, *waits, program);
    ASSERT_EQ(blocked->reason, expected.reason);
    ASSERT_EQ(blocked->address, expected.address);
    ASSERT_EQ(blocked->releasers, expected.releasers);
  }
  std::vector<std::uint64_t> choices;
  ASSERT_TRUE(interpreter.choices(before, given.thread, request, choices));
  ASSERT_EQ(choices, old.choices());
  for (const std::uint64_t choice : choices) {
    const std::uint32_t next_generation = given.words[2] == 0 ? 1 : 0; // the least one
    const SyncOutcome expected = OldSynchronisation(given).execute(choice != 0, next_generation);
    State state = before;
    const Fault fault = interpreter.execute(state, given.thread, request, choice);
    ASSERT_EQ(fault.what, expected.fault);
    if (!fault.is_none()) {
      ASSERT_EQ(state, before);
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(program.expect_words(state, expected, given));
    const bool is_over = state.threads[given.thread].status() == ThreadStatus::kRunning;
    ASSERT_EQ(is_over, expected.result.has_value());
    if (expected.result) {
      ASSERT_EQ(program.answer(state, given.thread), *expected.result);
    }
    ASSERT_NE(state.threads[given.thread].words, before.threads[given.thread].words);
  }
}

TEST(SyncSteps, MeanWhatTheSecondDefinitionSays) {
  std::size_t count = 0;
  for (const auto& [op, stage] : all_sync_stages()) {
    if (OldSynchronisation::object_of(op) == OldObject::kThread)
      continue;
    const SyncProgram program(op);
    for (const std::uint32_t thread : {1U, 2U, 31U})
      for_each_sync_case(op, stage, thread, [&](const SyncCase& given) {
        if (HasFatalFailure() || (given.condition_gone && !given.is_gone()))
          return; // the condition's word matters to operations on conditions only
        ++count;
        ASSERT_NO_FATAL_FAILURE(expect_step(program, given))
            << "operation " << static_cast<int>(op) << " stage " << static_cast<int>(stage)
            << " thread " << thread << " words " << given.words[0] << " " << given.words[1] << " "
            << given.words[2] << " argument " << given.argument << " kept " << given.kept;
      });
  }
  EXPECT_GT(count, 50'000U);
}

TEST(SyncSteps, OfThreadsAreThoseOfTheirPhase) {
  struct Expected {
    SyncOp op;
    std::uint32_t handle;
    const char* fault;
    bool waits;
  };
  // Thread 5 runs, 6 has ended, 7 was detached and runs, 8 was detached and has ended.
  const Expected all[] = {
      {SyncOp::kJoin, 0, "join of a thread that was never started", false},
      {SyncOp::kJoin, 33, "join of a thread that was never started", false},
      {SyncOp::kJoin, 6, "", true},
      {SyncOp::kJoin, 4, "", true}, // itself
      {SyncOp::kJoin, 7, "", false},
      {SyncOp::kJoin, 8, "join of a thread that was joined or detached", false},
      {SyncOp::kJoin, 9, "join of a thread that was joined or detached", false},
      {SyncOp::kDetach, 0, "detach of a thread that was never started", false},
      {SyncOp::kDetach, 33, "detach of a thread that was never started", false},
      {SyncOp::kDetach, 6, "", false},
      {SyncOp::kDetach, 4, "", false},
      {SyncOp::kDetach, 7, "", false},
      {SyncOp::kDetach, 8, "detach of a thread that was joined or detached", false},
      {SyncOp::kDetach, 9, "detach of a thread that was joined or detached", false},
  };
  const auto end = [](const SyncProgram& program, State& state, ThreadIndex thread) {
    Request exit;
    exit.kind = Request::Kind::kThreadExit;
    exit.value = 77;
    EXPECT_TRUE(program.interpreter().execute(state, thread, exit, 0).is_none());
  };
  const SyncProgram joins(SyncOp::kJoin);
  const SyncProgram detaches(SyncOp::kDetach);
  for (const Expected& expected : all) {
    const SyncProgram& program = expected.op == SyncOp::kJoin ? joins : detaches;
    const Interpreter& interpreter = program.interpreter();
    State state = program.begin(3, expected.handle);
    for (const ThreadIndex thread : {7U, 8U}) {
      Request detach;
      detach.kind = Request::Kind::kSynchronize;
      detach.address = thread + 1;
      State other = detaches.begin(3, 0);
      ASSERT_TRUE(detaches.interpreter().execute(other, 3, detach, 0).is_none());
      state.threads[thread] = other.threads[thread];
    }
    end(program, state, 6);
    end(program, state, 8);
    EXPECT_EQ(state.threads[8].status(), ThreadStatus::kJoined);
    const Request request = interpreter.request(state, 3);
    EXPECT_TRUE(interpreter.check_access(state, 3, request).is_none());
    const std::optional<Wait> wait = interpreter.blocked(state, 3, request);
    ASSERT_EQ(wait.has_value(), expected.waits) << expected.handle;
    std::vector<std::uint64_t> choices;
    ASSERT_TRUE(interpreter.choices(state, 3, request, choices));
    if (wait) {
      EXPECT_EQ(wait->reason, Wait::Reason::kJoin);
      EXPECT_EQ(wait->address, expected.handle);
      EXPECT_EQ(wait->releasers, 1ULL << (expected.handle - 1));
      EXPECT_TRUE(choices.empty());
      continue;
    }
    EXPECT_EQ(choices, std::vector<std::uint64_t>{0});
    const State before = state;
    const Fault fault = program.step(state, 3, 0);
    ASSERT_EQ(fault.what, expected.fault) << expected.handle;
    if (!fault.is_none()) {
      EXPECT_EQ(state, before);
      continue;
    }
    const ThreadState& target = state.threads[expected.handle - 1];
    const bool had_ended = expected.handle == 7;
    EXPECT_EQ(target.status(), had_ended ? ThreadStatus::kJoined : ThreadStatus::kRunning);
    EXPECT_EQ(target.is_detached(), !had_ended);
    EXPECT_EQ(program.answer(state, 3), expected.op == SyncOp::kJoin ? 77U : 0U);
    if (had_ended) {
      EXPECT_EQ(target.words[1], 0U); // nobody needs its value any more
    }
  }
}

TEST(SyncSteps, ThreadsAreCreatedUpToABound) {
  ProgramMaker maker;
  const ProcedureId main = maker.procedure("main");
  const ProcedureId worker = maker.procedure("worker");
  const ObjectId function = maker.global("function", 8);
  CodeMaker code(maker, main);
  const LocalId dest = code.local(32);
  const LocalId start = code.load(function, 8);
  code.sync(SyncOp::kCreate, std::vector<Term>{code.value(start), maker.pointer(0)}, dest);
  code.give_back();
  CodeMaker(maker, worker).give_back();
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  State state = interpreter.initial();
  interpreter.write(state.memory, maker.address(function), 8, 0x1234);
  State bad = state;
  const auto step = [&](State& at) {
    return interpreter.execute(at, 0, interpreter.request(at, 0), 0);
  };
  ASSERT_TRUE(step(bad).is_none());
  EXPECT_EQ(step(bad).what, "a thread starts at something that is no function");
  interpreter.write(
      state.memory, maker.address(function), 8, maker.program.space().function_address(1));
  ASSERT_TRUE(step(state).is_none());
  const ThreadState before = state.threads[0];
  for (ThreadIndex i = 1; i < kMaxThreads; ++i) {
    state.threads[0] = before;
    ASSERT_TRUE(step(state).is_none());
    EXPECT_EQ(state.threads.size(), i + 1U);
    EXPECT_EQ(state.threads[0].local(0, dest), i + 1U);
  }
  state.threads[0] = before;
  const Fault fault = step(state);
  EXPECT_EQ(fault.kind, FaultKind::kCut);
  EXPECT_EQ(fault.what, "at most 32 threads at a time");
}

TEST(SyncSteps, ABarrierOpensWithTheLeastGenerationNobodyWaitsIn) {
  const SyncProgram program(SyncOp::kBarrierWait);
  const Interpreter& interpreter = program.interpreter();
  SyncCase given;
  given.op = SyncOp::kBarrierWait;
  given.stage = Stage::kLeave;
  given.thread = 2;
  State state = program.state_of(given); // it has arrived in generation 0
  given.words[0] = 1;
  given.words[2] = 1;
  program.write_case(state, given);
  ASSERT_TRUE(program.step(state, 4, 0).is_none()); // its load
  ASSERT_TRUE(program.step(state, 4, 0).is_none());
  EXPECT_EQ(interpreter.read(state.memory, program.object() + 8, 4), 2U);
  ASSERT_TRUE(program.step(state, 2, 0).is_none());
  ASSERT_TRUE(program.step(state, 5, 0).is_none());
  ASSERT_TRUE(program.step(state, 5, 0).is_none());
  EXPECT_EQ(interpreter.read(state.memory, program.object() + 8, 4), 0U);
}

TEST(SyncSteps, SignalsWakeOneAndBroadcastsAllWhoWaitThere) {
  for (const SyncOp op : {SyncOp::kConditionSignal, SyncOp::kConditionBroadcast}) {
    const SyncProgram program(op);
    const SyncProgram waits(SyncOp::kConditionWait);
    const Interpreter& interpreter = program.interpreter();
    State state = program.begin(3, 0);
    std::vector<std::uint64_t> choices;
    ASSERT_TRUE(interpreter.choices(state, 3, interpreter.request(state, 3), choices));
    EXPECT_EQ(choices, std::vector<std::uint64_t>{0}); // it is lost
    for (const ThreadIndex thread : {5U, 9U}) {
      SyncCase given;
      given.op = SyncOp::kConditionWait;
      given.stage = Stage::kWoken;
      given.thread = thread;
      state.threads[thread] = waits.state_of(given).threads[thread];
    }
    choices.clear();
    ASSERT_TRUE(interpreter.choices(state, 3, interpreter.request(state, 3), choices));
    const bool is_signal = op == SyncOp::kConditionSignal;
    EXPECT_EQ(choices,
              is_signal ? (std::vector<std::uint64_t>{5, 9}) : (std::vector<std::uint64_t>{0}));
    ASSERT_TRUE(program.step(state, 3, choices.back()).is_none());
    EXPECT_EQ(state.threads[5].status(),
              is_signal ? ThreadStatus::kWaitingOnCondition : ThreadStatus::kReacquiring);
    EXPECT_EQ(state.threads[9].status(), ThreadStatus::kReacquiring);
    EXPECT_EQ(state.threads[3].status(), ThreadStatus::kRunning);
  }
}

} // namespace
} // namespace heddle::program_test
