// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// That the reduced program under SC does what the original does on the machine, with every run
// carried back.
#include "support/rng.h"
#include "transform/buffers/store_buffer_graph.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::transform {
namespace {

using namespace program_test; // NOLINT: makes programs
using memory::MachineKind;

constexpr MachineKind kMachines[] = {MachineKind::kTotalStoreOrder,
                                     MachineKind::kPartialStoreOrder};

struct Observed {
  ProgramMaker maker;
  std::vector<ObjectId> globals;
  std::vector<ProcedureId> threads;

  ObjectId shared(std::string name, std::vector<std::uint8_t> initial = {}) {
    const std::size_t size = initial.empty() ? 4 : initial.size();
    return maker.global(std::move(name), size, std::move(initial));
  }
  ObjectId result(const std::string& name) {
    globals.push_back(maker.global(name));
    return globals.back();
  }
  CodeMaker thread() {
    threads.push_back(maker.procedure("thread" + std::to_string(threads.size())));
    return {maker, threads.back()};
  }
  Program program() {
    add_main(maker, threads);
    for (const ProcedureId thread : threads)
      maker.program.templates.push_back({thread, "thread"});
    return maker.program;
  }
};

using Outcomes = std::set<memory_test::Words>;

/// A random run of the reduced program ends as the machine does on the same run carried back.
void expect_runs_carry_back(const Program& source,
                            MachineKind machine,
                            const Transformed& reduced,
                            const memory_test::Globals& globals) {
  const program::Interpreter of_reduced(reduced.program, {});
  const program::Interpreter of_source(source, {});
  const auto sc = memory::Machine::make(MachineKind::kSequential, of_reduced);
  const auto weak = memory::Machine::make(machine, of_source);
  Rng rng(7);
  for (int round = 0; round < 60; ++round) {
    memory::MachineState state;
    (void)sc->initial(state);
    execution::Schedule schedule;
    program::Fault fault;
    for (int step = 0; step < 300 && fault.is_none() && !sc->is_final(state); ++step) {
      std::vector<memory::Transition> enabled;
      (void)sc->enabled(state, enabled);
      if (enabled.empty())
        break;
      schedule.push_back(enabled[rng.below(enabled.size())]);
      fault = sc->apply(state, schedule.back());
    }
    const Result<execution::Schedule> lifted = reduced.lift(schedule);
    ASSERT_TRUE(lifted.has_value()) << lifted.error().to_string();
    memory::MachineState original;
    (void)weak->initial(original);
    program::Fault met;
    for (const memory::Transition& transition : *lifted) {
      ASSERT_TRUE(weak->is_enabled(original, transition));
      met = weak->apply(original, transition);
    }
    EXPECT_EQ(met.kind, fault.kind);
    EXPECT_EQ(weak->is_final(original), sc->is_final(state));
    // Where a run ends early, the one program may be further on in private memory.
    if (fault.is_none()) {
      EXPECT_EQ(globals(of_source, original), globals(of_reduced, state));
    }
  }
}

/// The outcomes, the same before and after.
Outcomes outcomes(const Program& source,
                  const std::vector<ObjectId>& globals,
                  MachineKind machine,
                  const StoreBufferOptions& more = {}) {
  StoreBufferOptions options = more;
  options.machine = machine;
  const memory_test::Globals observe{globals};
  const memory_test::Explored expected = memory_test::explore(source, machine, observe);
  const Result<Reduction> reduction = reduce(source, options);
  EXPECT_TRUE(reduction.has_value()) << reduction.error().to_string();
  if (!reduction)
    return {};
  const memory_test::Explored found =
      memory_test::explore(reduction->transformed.program, MachineKind::kSequential, observe);
  EXPECT_EQ(found.outcomes, expected.outcomes);
  EXPECT_EQ(found.faults, expected.faults);
  EXPECT_EQ(found.deadlocks, expected.deadlocks);
  EXPECT_EQ(found.stuck_states == 0, expected.stuck_states == 0);
  EXPECT_FALSE(expected.outcomes.empty() && expected.faults.empty()) << "vacuous";
  expect_runs_carry_back(source, machine, reduction->transformed, observe);
  // The same with flushes offered at every location, as published.
  options.defers_flushes = false;
  const Result<Reduction> plain = reduce(source, options);
  EXPECT_TRUE(plain.has_value());
  if (plain) {
    const memory_test::Explored again =
        memory_test::explore(plain->transformed.program, MachineKind::kSequential, observe);
    EXPECT_EQ(again.outcomes, expected.outcomes);
    EXPECT_EQ(again.faults, expected.faults);
    expect_runs_carry_back(source, machine, plain->transformed, observe);
  }
  return found.outcomes;
}

TEST(StoreBufferReduction, StoreBufferingAndEarlyReads) {
  for (const bool has_fence : {false, true}) {
    Observed test;
    const ObjectId x = test.shared("x");
    const ObjectId y = test.shared("y");
    std::vector<ObjectId> results;
    for (const char* name : {"r1", "r2", "r3", "r4"})
      results.push_back(test.result(name));
    for (const bool is_first : {true, false}) {
      CodeMaker code = test.thread();
      code.store(is_first ? x : y, 1);
      if (has_fence)
        code.fence();
      code.copy(is_first ? x : y, results[is_first ? 0 : 2]);
      code.copy(is_first ? y : x, results[is_first ? 1 : 3]);
      code.give_back();
    }
    const Program program = test.program();
    for (const MachineKind machine : kMachines) {
      const Outcomes found = outcomes(program, test.globals, machine);
      EXPECT_EQ(found.size(), has_fence ? 3U : 4U);
      EXPECT_EQ(found.contains({1, 0, 1, 0}), !has_fence);
    }
  }
}

/// The same through pointers that are loaded anew for each access: names of registers say nothing
/// here.
TEST(StoreBufferReduction, EarlyReadsThroughReloadedPointers) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId y = test.shared("y");
  const auto pointer_to = [&](ObjectId object) {
    std::vector<std::uint8_t> bytes(8);
    for (unsigned i = 0; i < 8; ++i)
      bytes[i] = static_cast<std::uint8_t>(test.maker.address(object) >> (8 * i));
    return bytes;
  };
  const ObjectId px = test.shared("px", pointer_to(x));
  const ObjectId py = test.shared("py", pointer_to(y));
  std::vector<ObjectId> results;
  for (const char* name : {"r1", "r2", "r3", "r4"})
    results.push_back(test.result(name));
  for (const bool is_first : {true, false}) {
    CodeMaker code = test.thread();
    const ObjectId own = is_first ? px : py;
    const ObjectId other = is_first ? py : px;
    code.store(code.value(code.load(own, 8)), test.maker.number(1));
    for (const auto& [pointer, result] : {std::pair(own, 0), std::pair(other, 1)}) {
      const LocalId address = code.load(pointer, 8);
      const LocalId seen = code.local();
      code.load(seen, code.value(address));
      code.store(test.maker.at(results[static_cast<std::size_t>((is_first ? 0 : 2) + result)]),
                 code.value(seen),
                 4,
                 false);
    }
    code.give_back();
  }
  const Program program = test.program();
  for (const MachineKind machine : kMachines) {
    EXPECT_EQ(outcomes(program, test.globals, machine),
              (Outcomes{{1, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}}));
    const Result<Reduction> reduction = reduce(program, {machine});
    ASSERT_TRUE(reduction.has_value());
    EXPECT_GT(reduction->size.guarded, 0U);
  }
}

TEST(StoreBufferReduction, MessagePassingAndStoreStoreFences) {
  for (const auto strength :
       {Fence::Strength::kNone, Fence::Strength::kStoreStore, Fence::Strength::kFull}) {
    Observed test;
    const ObjectId x = test.shared("x");
    const ObjectId y = test.shared("y");
    const ObjectId r1 = test.result("r1");
    const ObjectId r2 = test.result("r2");
    CodeMaker writer = test.thread();
    writer.store(x, 1);
    writer.fence(strength);
    writer.store(y, 1);
    writer.give_back();
    CodeMaker reader = test.thread();
    reader.copy(y, r1);
    reader.copy(x, r2);
    reader.give_back();
    const Program program = test.program();
    EXPECT_FALSE(outcomes(program, test.globals, MachineKind::kTotalStoreOrder).contains({1, 0}));
    EXPECT_EQ(outcomes(program, test.globals, MachineKind::kPartialStoreOrder).contains({1, 0}),
              strength == Fence::Strength::kNone);
  }
}

TEST(StoreBufferReduction, AStoreStoreFenceDoesNotHoldLoadsBack) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId y = test.shared("y");
  for (const bool is_first : {true, false}) {
    const ObjectId result = test.result(is_first ? "r1" : "r2");
    CodeMaker code = test.thread();
    code.store(is_first ? x : y, 1);
    code.fence(Fence::Strength::kStoreStore);
    code.copy(is_first ? y : x, result);
    code.give_back();
  }
  const Program program = test.program();
  for (const MachineKind machine : kMachines)
    EXPECT_TRUE(outcomes(program, test.globals, machine).contains({0, 0}));
}

TEST(StoreBufferReduction, StoresOfOneLocationStayInOrder) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId r1 = test.result("r1");
  const ObjectId r2 = test.result("r2");
  const ObjectId r3 = test.result("r3");
  CodeMaker writer = test.thread();
  writer.store(x, 1);
  writer.store(x, 2);
  writer.copy(x, r3);
  writer.give_back();
  CodeMaker reader = test.thread();
  reader.copy(x, r1);
  reader.copy(x, r2);
  reader.give_back();
  const Program program = test.program();
  for (const MachineKind machine : kMachines) {
    const Outcomes found = outcomes(program, test.globals, machine);
    EXPECT_EQ(found.size(), 6U);
    for (const memory_test::Words& one : found) {
      EXPECT_LE(one[0], one[1]);
      EXPECT_EQ(one[2], 2U);
    }
  }
}

TEST(StoreBufferReduction, LoadsComposeBytesOfBufferAndMemory) {
  for (const bool is_known : {true, false}) {
    Observed test;
    const ObjectId x = test.shared("x", {0x11, 0x22, 0x33, 0x44});
    const ObjectId r1 = test.result("r1");
    const ObjectId r2 = test.result("r2");
    CodeMaker first = test.thread();
    // At offset 1 and 3, one of them by way of a local.
    const LocalId offset = first.local(64);
    first.add(Nondet{offset, ""});
    first.add(Assume{test.maker.program.terms.equal(first.value(offset), test.maker.pointer(0))});
    Term address = test.maker.at(x, 1);
    if (!is_known)
      address = test.maker.program.terms.binary(logic::Op::kAdd, address, first.value(offset));
    first.store(address, test.maker.number(0xaa, 8), 1);
    first.store(test.maker.at(x, 2), test.maker.number(0xccbb, 16), 2);
    first.copy(x, r1);
    first.give_back();
    CodeMaker second = test.thread();
    second.store(test.maker.at(x), test.maker.number(0xffeeddcc, 32), 4);
    second.copy(x, r2);
    second.give_back();
    const Program program = test.program();
    for (const MachineKind machine : kMachines)
      EXPECT_GT(outcomes(program, test.globals, machine).size(), 3U);
  }
}

TEST(StoreBufferReduction, CompareExchangeDrainsEvenWhereItFails) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId y = test.shared("y");
  const ObjectId z = test.shared("z");
  for (const bool is_first : {true, false}) {
    const ObjectId result = test.result(is_first ? "r1" : "r2");
    CodeMaker code = test.thread();
    code.store(is_first ? x : y, 1);
    Access access;
    access.size = 4;
    code.add(CompareExchange{code.local(),
                             code.local(1),
                             test.maker.at(z),
                             test.maker.number(7),
                             test.maker.number(8),
                             access});
    code.copy(is_first ? y : x, result);
    code.give_back();
  }
  const Program program = test.program();
  for (const MachineKind machine : kMachines)
    EXPECT_FALSE(outcomes(program, test.globals, machine).contains({0, 0}));
}

/// The value and the address are assigned again before the stores reach memory.
TEST(StoreBufferReduction, OperandsAreCopied) {
  Observed test;
  const ObjectId x = test.shared("x", std::vector<std::uint8_t>(8));
  const ObjectId y = test.shared("y");
  const ObjectId r1 = test.result("r1");
  const ObjectId r2 = test.result("r2");
  CodeMaker writer = test.thread();
  const LocalId value = writer.local();
  const LocalId address = writer.local(64);
  writer.load(value, test.maker.at(y));
  writer.add(Assign{address, test.maker.at(x)});
  const LocationId again = writer.here();
  writer.fence();
  writer.store(
      writer.value(address),
      test.maker.program.terms.binary(logic::Op::kAdd, writer.value(value), test.maker.number(1)));
  writer.add(Assign{value, test.maker.number(5)});
  const Term is_first = test.maker.program.terms.equal(writer.value(address), test.maker.at(x));
  const LocalId was_first = writer.local(1);
  writer.add(Assign{was_first, test.maker.program.terms.to_bit(is_first)});
  writer.add(Assign{address, test.maker.at(x, 4)});
  writer.branch_to(again, test.maker.program.terms.to_bool(writer.value(was_first)));
  writer.give_back();
  CodeMaker reader = test.thread();
  for (const unsigned offset : {4U, 0U}) {
    const LocalId seen = reader.local();
    reader.load(seen, test.maker.at(x, offset));
    reader.store(test.maker.at(offset == 4 ? r1 : r2), reader.value(seen), 4, false);
  }
  reader.give_back();
  const Program program = test.program();
  for (const MachineKind machine : kMachines) {
    EXPECT_EQ(outcomes(program, test.globals, machine), (Outcomes{{0, 0}, {0, 1}, {6, 1}}));
    const Result<Reduction> reduction = reduce(program, {machine});
    ASSERT_TRUE(reduction.has_value());
    EXPECT_EQ(reduction->size.copied_stores, 1U);
  }
}

/// What a thread has stored reaches memory although the thread only goes around, or stands before
/// an assumption that fails.
TEST(StoreBufferReduction, FlushesAreOfferedInLocalLoopsAndBeforeTheEndOfARun) {
  for (const bool loops : {true, false}) {
    Observed test;
    const ObjectId x = test.shared("x");
    CodeMaker writer = test.thread();
    writer.store(x, 1);
    if (loops) {
      const LocationId head = writer.here();
      writer.add(Skip{});
      writer.jump_to(head);
    } else {
      writer.add(Assume{test.maker.program.terms.boolean(false)});
      writer.give_back();
    }
    CodeMaker reader = test.thread();
    const LocalId seen = reader.load(x);
    reader.add(Check{test.maker.program.terms.equal(reader.value(seen), test.maker.number(0)),
                     CheckKind::kAssertion,
                     "x == 0"});
    reader.give_back();
    const Program program = test.program();
    for (const MachineKind machine : kMachines) {
      const memory_test::Globals observe{{x}};
      const Result<Reduction> reduction = reduce(program, {machine});
      ASSERT_TRUE(reduction.has_value());
      const memory_test::Explored found =
          memory_test::explore(reduction->transformed.program, MachineKind::kSequential, observe);
      EXPECT_TRUE(found.faults.contains(FaultKind::kAssertion)) << loops;
      EXPECT_EQ(found.faults, memory_test::explore(program, machine, observe).faults);
    }
  }
}

/// An address out of bounds ends the run when the store is issued: what comes after is not reached.
TEST(StoreBufferReduction, StoresAreJudgedWhenTheyAreIssued) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId constant = test.maker.constant("c", {1, 2, 3, 4});
  CodeMaker code = test.thread();
  const LocalId address = code.local(64);
  const LocalId which = code.local(1);
  code.add(Nondet{which, ""});
  code.add(Assign{address,
                  test.maker.program.terms.ite(test.maker.program.terms.to_bool(code.value(which)),
                                               test.maker.at(constant),
                                               test.maker.at(x, 4))});
  code.store(code.value(address), test.maker.number(1));
  code.add(Check{test.maker.program.terms.boolean(false), CheckKind::kAssertion, "not reached"});
  code.give_back();
  const Program program = test.program();
  for (const MachineKind machine : kMachines) {
    const memory_test::Globals observe{{x}};
    const auto expected = memory_test::explore(program, machine, observe);
    const Result<Reduction> reduction = reduce(program, {machine});
    ASSERT_TRUE(reduction.has_value());
    const auto found =
        memory_test::explore(reduction->transformed.program, MachineKind::kSequential, observe);
    EXPECT_EQ(found.faults, expected.faults);
    EXPECT_FALSE(found.faults.contains(FaultKind::kAssertion));
  }
}

/// Two locals swapped in a loop: what the stores hold is what they held.
TEST(StoreBufferReduction, ParallelCopies) {
  Observed test;
  const ObjectId x = test.shared("x");
  const ObjectId y = test.shared("y");
  const ObjectId r1 = test.result("r1");
  const ObjectId r2 = test.result("r2");
  CodeMaker code = test.thread();
  const LocalId a = code.local();
  const LocalId b = code.local();
  const LocalId kept = code.local();
  const LocalId count = code.local(2);
  code.add(AssignSequence{{{a, test.maker.number(1)}, {b, test.maker.number(2)}}});
  const LocationId head = code.here();
  code.store(test.maker.at(x), code.value(a));
  code.store(test.maker.at(y), code.value(b));
  code.add(AssignSequence{{{kept, code.value(a)}, {a, code.value(b)}, {b, code.value(kept)}}});
  code.fence();
  code.add(Assign{count,
                  test.maker.program.terms.binary(
                      logic::Op::kAdd, code.value(count), test.maker.number(1, 2))});
  code.branch_to(head,
                 test.maker.program.terms.not_(
                     test.maker.program.terms.equal(code.value(count), test.maker.number(3, 2))));
  code.give_back();
  CodeMaker reader = test.thread();
  reader.copy(x, r1);
  reader.copy(y, r2);
  reader.give_back();
  const Program program = test.program();
  for (const MachineKind machine : kMachines)
    EXPECT_GT(outcomes(program, test.globals, machine).size(), 4U);
}

/// A bound that is never met cuts nothing; one that is met is a cut of the run.
TEST(StoreBufferReduction, TheBoundOnPendingStoresIsSeen) {
  for (const std::uint32_t pending : {1U, 2U}) {
    Observed test;
    const ObjectId x = test.shared("x");
    const ObjectId y = test.shared("y");
    CodeMaker code = test.thread();
    code.store(x, 1);
    code.store(y, 1);
    code.give_back();
    test.globals = {x, y};
    const Program program = test.program();
    for (const MachineKind machine : kMachines) {
      const Result<Reduction> reduction = reduce(program, {machine, pending});
      ASSERT_TRUE(reduction.has_value());
      const auto found = memory_test::explore(reduction->transformed.program,
                                              MachineKind::kSequential,
                                              memory_test::Globals{test.globals});
      EXPECT_EQ(found.outcomes, (Outcomes{{1, 1}}));
      EXPECT_EQ(found.faults.contains(FaultKind::kCut), pending == 1);
    }
  }
}

TEST(StoreBufferReduction, WhatMayEndWhileAStoreIsPendingIsRefused) {
  Observed test;
  const ObjectId site = test.maker.site("block", Object::Kind::kHeapSite);
  CodeMaker code = test.thread();
  const LocalId block = code.local(64);
  Allocate allocate;
  allocate.dest = block;
  allocate.size = test.maker.pointer(4);
  allocate.site = site;
  code.add(allocate);
  code.store(code.value(block), test.maker.number(1));
  code.add(Free{code.value(block)});
  code.give_back();
  const Result<Reduction> refused = reduce(test.program(), {MachineKind::kTotalStoreOrder});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "SBG-003");
}

} // namespace
} // namespace heddle::transform
