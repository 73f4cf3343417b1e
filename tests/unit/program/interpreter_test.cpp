// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiled program against its definition: expressions against the term store, and the parts of
// the interpreter that need no machine.
#include "program/analyse/liveness.h"
#include "program/run/compiled_expression.h"
#include "program/run/interpreter.h"
#include "support/rng.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace heddle::program {
namespace {

using logic::Op;
using logic::Sort;
using program_test::CodeMaker;
using program_test::ProgramMaker;

/// A random term of that width over locals 0 to 3 (of 32 bits) and the thread's index.
Term random_term(logic::TermStore& terms, Rng& rng, unsigned width, unsigned depth) {
  if (depth == 0 || rng.chance(1, 5)) {
    switch (rng.below(3)) {
    case 0:
      return terms.constant(rng.next() & logic::mask_of(width), width);
    case 1: {
      const Term self = terms.variable(kSelfVariable, Sort{64});
      return width == 64 ? self : terms.extract(self, 0, width);
    }
    default: {
      const Term local = terms.variable(rng.below(4), Sort{32});
      if (width == 32)
        return local;
      return width < 32 ? terms.extract(local, static_cast<unsigned>(rng.below(33 - width)), width)
                        : terms.zero_extend(local, width);
    }
    }
  }
  const auto part = [&](unsigned part_width) {
    return random_term(terms, rng, part_width, depth - 1);
  };
  const auto truth = [&] {
    constexpr Op kComparisons[] = {Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
    const auto shape = rng.below(6);
    const Term a = part(16);
    const Term b = part(16);
    return shape == 5 ? terms.not_(terms.equal(a, b))
                      : (shape == 4 ? terms.equal(a, b) : terms.binary(kComparisons[shape], a, b));
  };
  constexpr Op kBinary[] = {Op::kAdd,
                            Op::kSub,
                            Op::kMul,
                            Op::kUDiv,
                            Op::kURem,
                            Op::kSDiv,
                            Op::kSRem,
                            Op::kBitAnd,
                            Op::kBitOr,
                            Op::kBitXor,
                            Op::kShl,
                            Op::kLShr,
                            Op::kAShr};
  switch (rng.below(8)) {
  case 0:
    return terms.ite(terms.and_(truth(), terms.or_(truth(), truth())), part(width), part(width));
  case 1:
    return terms.bit_not(part(width));
  case 2:
    return terms.negate(part(width));
  case 3:
    if (width > 8)
      return terms.sign_extend(part(8), width);
    return part(width);
  case 4:
    if (width >= 16)
      return terms.concat(part(width - 8), part(8));
    return part(width);
  default: {
    const Op op = kBinary[rng.below(std::size(kBinary))];
    const Term a = part(width);
    const Term b = part(width);
    return terms.binary(op, a, b);
  }
  }
}

TEST(CompiledExpression, HasTheValueOfItsTerm) {
  EXPECT_TRUE(rc::check("compiled and interpreted terms agree", [](std::uint64_t seed) {
    Rng rng(seed);
    logic::TermStore terms;
    ExpressionTable table;
    for (int i = 0; i < 20; ++i) {
      constexpr unsigned kWidths[] = {8, 16, 32, 64};
      const Term term = random_term(terms, rng, kWidths[rng.below(4)], 5);
      const Expression expression = table.compile(terms, term);
      std::uint64_t locals[4];
      for (std::uint64_t& local : locals)
        local = (rng.chance(1, 2) ? rng.below(3) : rng.next()) & 0xffffffffU;
      const std::uint64_t self = rng.below(4);
      const std::uint64_t expected = terms.evaluate(term, [&](std::uint64_t number) {
        return number == kSelfVariable ? self : locals[number];
      });
      RC_ASSERT(table.evaluate(expression, locals, self) == expected);
    }
  }));
}

TEST(CompiledExpression, OfManyOperationsIsEvaluatedToo) {
  logic::TermStore terms;
  Term sum = terms.variable(0, Sort{32});
  for (unsigned i = 0; i < 200; ++i)
    sum = terms.binary(Op::kBitXor,
                       terms.binary(Op::kMul, sum, terms.variable(1, Sort{32})),
                       terms.constant(i, 32));
  ExpressionTable table;
  const Expression expression = table.compile(terms, sum);
  const std::uint64_t locals[] = {3, 5};
  EXPECT_EQ(table.evaluate(expression, locals, 0),
            terms.evaluate(sum, [&](std::uint64_t number) { return locals[number]; }));
}

TEST(Modify, IsTheOperationOfItsWidth) {
  EXPECT_EQ(Interpreter::modify(RmwOp::kAdd, 0xff, 2, 1), 1U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kSub, 0, 1, 4), 0xffffffffU);
  EXPECT_EQ(Interpreter::modify(RmwOp::kMax, 0xff, 1, 1), 1U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kUMax, 0xff, 1, 1), 0xffU);
  EXPECT_EQ(Interpreter::modify(RmwOp::kMin, 0xff, 1, 1), 0xffU);
  EXPECT_EQ(Interpreter::modify(RmwOp::kUMin, 0xff, 1, 1), 1U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kNand, 0x0f, 0x3c, 1), 0xf3U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kExchange, 1, 0x1234, 1), 0x34U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kXor, 6, 3, 8), 5U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kAnd, 6, 3, 8), 2U);
  EXPECT_EQ(Interpreter::modify(RmwOp::kOr, 6, 3, 8), 7U);
}

// A local that nobody reads again is zero wherever a thread stops, so that states recur; with
// keep_dead_locals it stays.
TEST(RunLocal, LeavesDeadLocalsZero) {
  for (const bool keep : {false, true}) {
    ProgramMaker maker;
    const ObjectId x = maker.global("x");
    const ProcedureId main = maker.procedure("main");
    CodeMaker code(maker, main);
    const LocalId dead = code.local();
    const LocalId live = code.local();
    code.add(Assign{dead, maker.number(5)});
    code.add(Assign{live, maker.program.terms.binary(Op::kAdd, code.value(dead), maker.number(1))});
    code.store(maker.at(x), code.value(live));
    code.give_back();
    maker.program.templates.push_back({main, "main"});
    InterpreterOptions options;
    options.keep_dead_locals = keep;
    const Interpreter interpreter(maker.program, options);
    State state = interpreter.initial();
    EXPECT_TRUE(interpreter.run_local(state, 0, 100).is_none());
    EXPECT_EQ(state.threads[0].local(0, dead), keep ? 5U : 0U);
    EXPECT_EQ(state.threads[0].local(0, live), 6U);
    EXPECT_EQ(interpreter.request(state, 0).kind, Request::Kind::kStore);
    EXPECT_EQ(interpreter.request(state, 0).value, 6U);
  }
}

TEST(RunLocal, StopsAtTheLimitOfAnEndlessLoop) {
  ProgramMaker maker;
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocationId start = code.here();
  code.add(Skip{});
  code.jump_to(start);
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  State state = interpreter.initial();
  const State before = state;
  EXPECT_TRUE(interpreter.run_local(state, 0, 10).is_none());
  EXPECT_EQ(state, before); // five times around
  EXPECT_EQ(interpreter.request(state, 0).kind, Request::Kind::kLocal);
}

TEST(RunLocal, FaultIsAStepOfItsOwn) {
  ProgramMaker maker;
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.add(Skip{});
  code.add(Check{maker.program.terms.boolean(false), CheckKind::kErrorCall, "reach_error"});
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  State state = interpreter.initial();
  EXPECT_TRUE(interpreter.run_local(state, 0, 10).is_none());
  const Fault fault = interpreter.run_local(state, 0, 10);
  EXPECT_EQ(fault.kind, FaultKind::kErrorCall);
  EXPECT_EQ(fault.what, "reach_error");
  EXPECT_EQ(fault.procedure, main);
  EXPECT_EQ(fault.loc.line, 2U);
}

TEST(RunLocal, TrapAndCutSayWhatTheyAre) {
  for (const bool is_trap : {true, false}) {
    ProgramMaker maker;
    const ProcedureId main = maker.procedure("main");
    CodeMaker code(maker, main);
    if (is_trap)
      code.add(Trap{"floating point", "use integers"});
    else
      code.add(Cut{"loop unrolled 4 times"});
    maker.program.templates.push_back({main, "main"});
    const Interpreter interpreter(maker.program, {});
    State state = interpreter.initial();
    EXPECT_EQ(interpreter.request(state, 0).kind, Request::Kind::kFault);
    const Fault fault = interpreter.run_local(state, 0, 10);
    EXPECT_EQ(fault.kind, is_trap ? FaultKind::kTrap : FaultKind::kCut);
    EXPECT_EQ(fault.what, is_trap ? "floating point" : "loop unrolled 4 times");
  }
}

TEST(State, ShowsFramesFromTheInnermost) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId inner = maker.procedure("inner");
  CodeMaker body(maker, inner);
  const LocalId argument = body.parameter(32);
  body.store(maker.at(x), body.value(argument));
  body.give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocalId kept = code.local();
  code.add(Assign{kept, maker.number(3)});
  const LocationId call = code.here();
  code.add(Call{std::nullopt, std::nullopt, {inner}, {maker.number(8)}});
  code.store(maker.at(x), code.value(kept));
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  State state = interpreter.initial();
  EXPECT_EQ(state.threads[0].status(), ThreadStatus::kRunning);
  ASSERT_TRUE(interpreter.run_local(state, 0, 100).is_none());
  const ThreadState& thread = state.threads[0];
  ASSERT_EQ(thread.frame_count(), 2U);
  EXPECT_EQ(thread.procedure(0), inner);
  EXPECT_EQ(thread.local(0, argument), 8U);
  EXPECT_EQ(thread.procedure(1), main);
  EXPECT_EQ(thread.location(1), call);
  EXPECT_EQ(thread.local(1, kept), 3U);
}

TEST(Liveness, ReadsMakeLiveWritesMakeDead) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  const LocalId a = code.local();
  const LocationId first = code.here();
  code.add(Assign{a, maker.program.terms.binary(Op::kAdd, code.value(a), maker.number(1))});
  const LocationId second = code.here();
  code.store(maker.at(x), code.value(a));
  const LocationId third = code.here();
  code.load(a, maker.at(x));
  const LocationId fourth = code.here();
  code.branch_to(second, maker.program.terms.equal(code.value(a), maker.number(2)));
  const LocationId last = code.here();
  code.give_back();
  const std::vector<std::vector<bool>> live =
      live_locals(maker.program, maker.program.procedures[main]);
  EXPECT_TRUE(live[first.index()][0]);
  EXPECT_TRUE(live[second.index()][0]);
  EXPECT_FALSE(live[third.index()][0]);
  EXPECT_TRUE(live[fourth.index()][0]);
  EXPECT_FALSE(live[last.index()][0]);
}

TEST(Footprint, OfAccessesAndLocks) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ObjectId mutex = maker.global("m", 40);
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.store(x, 1);
  code.sync(SyncOp::kMutexLock, mutex);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  State state = interpreter.initial();
  Request request = interpreter.request(state, 0);
  Footprint print = interpreter.footprint(state, 0, request);
  EXPECT_EQ(print.address, maker.address(x));
  EXPECT_EQ(print.size, 4U);
  EXPECT_TRUE(print.writes);
  interpreter.complete(state, 0, request, 0, true);
  request = interpreter.request(state, 0);
  EXPECT_EQ(request.kind, Request::Kind::kSynchronize);
  print = interpreter.footprint(state, 0, request);
  EXPECT_EQ(print.address, maker.address(mutex));
  EXPECT_TRUE(print.writes);
  EXPECT_FALSE(print.touches_everything);
}

TEST(Place, NamesWhatLiesAtAnAddress) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x", 8);
  const ProcedureId main = maker.procedure("main");
  CodeMaker(maker, main).give_back();
  maker.program.templates.push_back({main, "main"});
  const Interpreter interpreter(maker.program, {});
  const State state = interpreter.initial();
  const auto place = interpreter.place(state.memory, maker.address(x, 3));
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->object, x);
  EXPECT_EQ(place->offset, 3U);
  EXPECT_FALSE(interpreter.place(state.memory, 16).has_value());
}

using AnalysisDeathTest = testing::Test;

// The may-set of an access is wrong: our bug, and it is noticed.
TEST(AnalysisDeathTest, AccessOutsideItsMaySetIsNoticed) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ObjectId y = maker.global("y");
  maker.program.object_sets.push_back({y});
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  Access access;
  access.size = 4;
  access.is_visible = false;
  access.may = ObjectSetId{std::size_t{0}};
  code.add(Store{maker.at(x), maker.number(1), access});
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  InterpreterOptions options;
  options.check_analyses = true;
  const Interpreter interpreter(maker.program, options);
  State state = interpreter.initial();
  EXPECT_EXIT((void)interpreter.run_local(state, 0, 10), testing::ExitedWithCode(70), "may-set");
}

// Two threads touch a global, one of them "invisibly": the escape analysis would be wrong.
TEST(AnalysisDeathTest, InvisibleAccessToSharedMemoryIsNoticed) {
  ProgramMaker maker;
  const ObjectId x = maker.global("x");
  const ProcedureId thread = maker.procedure("t");
  CodeMaker body(maker, thread);
  body.store(maker.at(x), maker.number(1), 4, false);
  body.give_back();
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  code.create(thread);
  code.store(maker.at(x), maker.number(2), 4, false);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
  InterpreterOptions options;
  options.check_analyses = true;
  const Interpreter interpreter(maker.program, options);
  State state = interpreter.initial();
  ASSERT_TRUE(interpreter.execute(state, 0, interpreter.request(state, 0), 0).is_none());
  ASSERT_TRUE(interpreter.run_local(state, 0, 10).is_none());
  EXPECT_EXIT((void)interpreter.run_local(state, 1, 10), testing::ExitedWithCode(70), "invisible");
}

} // namespace
} // namespace heddle::program
