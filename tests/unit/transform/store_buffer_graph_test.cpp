// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store-buffer graphs: the published sizes, on code with one location per instruction; and that the
// reduced program under SC does what the original does on the machine, with every run carried back.
#include "support/rng.h"
#include "transform/store_buffer_graph.h"
#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::transform {
namespace {

using namespace program_test; // NOLINT: makes programs
using memory::MachineKind;
using Kind = GraphEdge::Kind;

constexpr MachineKind kMachines[] = {MachineKind::kTotalStoreOrder,
                                     MachineKind::kPartialStoreOrder};

// Sizes.

/// Code as a list of instructions; the end is the location after the last.
class Listing {
public:
  explicit Listing(unsigned instructions) {
    id = maker.procedure("f");
    Procedure& procedure = maker.program.procedures[id];
    for (unsigned i = 0; i < instructions; ++i)
      procedure.locations.push_back({});
    maker.program.templates.push_back({id, "f"});
  }

  /// Instruction `at`, which leads to the next.
  void line(std::size_t at, Action action) { line(at, std::move(action), at + 1); }
  void line(std::size_t at, Action action, std::size_t to) {
    add_edge(
        maker.program.procedures[id],
        {LocationId{at}, LocationId{to}, std::move(action), {1, 1 + static_cast<unsigned>(at), 1}});
  }
  void branch(std::size_t at, std::size_t yes, std::size_t no) {
    const Term condition = maker.program.terms.equal(value(local(32)), maker.number(0));
    line(at, Assume{condition, true}, yes);
    line(at, Assume{maker.program.terms.not_(condition), true}, no);
  }
  LocalId local(unsigned width) {
    return maker.program.procedures[id].locals.push_back(
        {"", static_cast<std::uint8_t>(width), {}});
  }
  Term value(LocalId local) {
    return maker.program.terms.variable(
        local.value, logic::Sort{maker.program.procedures[id].locals[local].width});
  }
  Action load(LocalId dest, Term address, ObjectId object) {
    return Load{dest, address, access(object, dest)};
  }
  Action store(Term address, Term stored, ObjectId object) {
    Access made;
    made.size = 4;
    made.may = only(object);
    return Store{address, stored, made};
  }
  Action compare_exchange(Term address, ObjectId object) {
    Access made;
    made.size = 4;
    made.may = only(object);
    return CompareExchange{local(32), local(1), address, maker.number(0), maker.number(1), made};
  }
  Action compute(LocalId dest) {
    return Assign{dest, maker.number(0, maker.program.procedures[id].locals[dest].width)};
  }
  static Action full_fence() { return Fence{{}, Fence::Strength::kFull}; }

  /// Nodes and edges.
  std::pair<std::size_t, std::size_t> size(MachineKind machine) {
    const StoreBufferGraph graph = this->graph(machine);
    return {graph.nodes.size(), graph.edges.size()};
  }
  StoreBufferGraph graph(MachineKind machine) {
    Program program = maker.program;
    Result<StoreBufferGraph> graph = build_graph(program, id, {machine});
    EXPECT_TRUE(graph.has_value()) << graph.error().to_string();
    return std::move(graph).value();
  }

  ProgramMaker maker;
  ProcedureId id;

private:
  ObjectSetId only(ObjectId object) { return maker.program.object_sets.push_back({object}); }
  Access access(ObjectId object, LocalId dest) {
    Access made;
    made.size = static_cast<std::uint8_t>(maker.program.procedures[id].locals[dest].width / 8);
    made.may = only(object);
    return made;
  }
};

using Size = std::pair<std::size_t, std::size_t>;

void expect_sizes(Listing& code, Size sc, Size tso, Size pso) {
  EXPECT_EQ(code.size(MachineKind::kSequential), sc);
  EXPECT_EQ(code.size(MachineKind::kTotalStoreOrder), tso);
  EXPECT_EQ(code.size(MachineKind::kPartialStoreOrder), pso);
}

TEST(StoreBufferGraphSize, StoreBufferingThread) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.load(code.local(32), code.maker.at(y), y));
  code.line(2, Return{});
  expect_sizes(code, {4, 3}, {6, 6}, {6, 6});
}

TEST(StoreBufferGraphSize, EarlyReadThread) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.load(code.local(32), code.maker.at(x), x));
  code.line(2, code.load(code.local(32), code.maker.at(y), y));
  code.line(3, Return{});
  expect_sizes(code, {5, 4}, {8, 9}, {8, 9});
  for (const MachineKind machine : kMachines)
    EXPECT_EQ(code.graph(machine).count(Kind::kEarlyRead), 1U);
}

TEST(StoreBufferGraphSize, MessagePassingWriter) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.store(code.maker.at(y), code.maker.number(1), y));
  code.line(2, Return{});
  expect_sizes(code, {4, 3}, {7, 7}, {8, 9});
}

/// 1: r := x; 2: fence; 3: y := r; 4: goto 1. The only store whose value is assigned again while it
/// is pending.
void write_def_chain(Listing& code) {
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  const LocalId r = code.local(32);
  code.line(0, code.load(r, code.maker.at(x), x));
  code.line(1, Listing::full_fence());
  code.line(2, code.store(code.maker.at(y), code.value(r), y));
  code.line(3, Skip{}, 0);
}

TEST(StoreBufferGraphSize, WriteDefChain) {
  Listing code(4);
  write_def_chain(code);
  for (const MachineKind machine : kMachines) {
    EXPECT_EQ(code.size(machine), Size(7, 9));
    const StoreBufferGraph graph = code.graph(machine);
    EXPECT_TRUE(graph.stores.redefines_value[2]);
    EXPECT_FALSE(graph.stores.redefines_address[2]);
    ASSERT_EQ(graph.operands[2].size(), 1U);
    EXPECT_EQ(graph.operands[2][0].copies.size(), 1U);
  }
}

TEST(StoreBufferGraphSize, AFenceAfterTheStoreEndsTheChain) {
  Listing code(5);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  const LocalId r = code.local(32);
  code.line(0, code.load(r, code.maker.at(x), x));
  code.line(1, code.store(code.maker.at(y), code.value(r), y));
  code.line(2, Listing::full_fence());
  code.line(3, Skip{}, 0);
  const StoreBufferGraph graph = code.graph(MachineKind::kTotalStoreOrder);
  EXPECT_FALSE(graph.stores.redefines_value[1]);
  EXPECT_TRUE(graph.operands[1][0].copies.empty());
}

TEST(StoreBufferGraphSize, AnAddressThatIsAssignedAgainIsCopied) {
  Listing code(4);
  const ObjectId x = code.maker.global("x", 16);
  const LocalId p = code.local(64);
  code.line(0, Listing::full_fence());
  code.line(1, code.store(code.value(p), code.maker.number(1), x));
  code.line(2, Assign{p, code.maker.at(x, 4)});
  code.line(3, Skip{}, 0);
  const StoreBufferGraph graph = code.graph(MachineKind::kPartialStoreOrder);
  EXPECT_TRUE(graph.stores.redefines_address[1]);
  EXPECT_EQ(graph.operands[1][0].copies.size(), 1U);
}

/// The work-stealing queue of Arora, Blumofe and Plaxton as an optimising compiler leaves it: one
/// cell each for the bottom and for top and tag, reached through pointers.
class Arora : public Listing {
public:
  using Listing::Listing;
  const ObjectId bot_pointer = maker.global("bot", 8);
  const ObjectId deq_pointer = maker.global("deq", 8);
  const ObjectId age_pointer = maker.global("age", 8);
  const ObjectId bottom = maker.global("bottom");
  const ObjectId elements = maker.global("elements", 40);
  const ObjectId age = maker.global("top and tag");
  const LocalId p0 = local(64), p2 = local(64), p4 = local(64), idx = local(64), p8 = local(64);
  const LocalId b = local(32), e = local(32), a = local(32), t = local(32);

  Action load_pointer(LocalId dest, ObjectId from) { return load(dest, maker.at(from), from); }
};

void push_bottom(Arora& code, bool has_fence) {
  code.line(0, code.load_pointer(code.p0, code.bot_pointer));
  code.line(1, code.load(code.b, code.value(code.p0), code.bottom));
  code.line(2, code.load_pointer(code.p2, code.deq_pointer));
  code.line(3, code.compute(code.idx));
  code.line(4, code.store(code.value(code.idx), code.value(code.e), code.elements));
  code.line(5, code.compute(code.t));
  std::size_t at = 6;
  if (has_fence)
    code.line(at++, Listing::full_fence());
  code.line(at, code.store(code.value(code.p0), code.value(code.t), code.bottom));
  code.line(at + 1, Return{});
}

TEST(StoreBufferGraphSize, AroraPushBottom) {
  Arora code(8);
  push_bottom(code, false);
  expect_sizes(code, {9, 8}, {13, 14}, {14, 16});
  Arora fenced(9);
  push_bottom(fenced, true);
  expect_sizes(fenced, {10, 9}, {13, 13}, {13, 13});
}

TEST(StoreBufferGraphSize, AroraPopTop) {
  Arora code(17);
  code.line(0, code.load_pointer(code.p0, code.age_pointer));
  code.line(1, code.load(code.a, code.value(code.p0), code.age));
  code.line(2, code.load_pointer(code.p2, code.bot_pointer));
  code.line(3, code.load(code.b, code.value(code.p2), code.bottom));
  code.line(4, code.compute(code.t));
  code.line(5, code.compute(code.t));
  code.branch(6, 7, 15);
  code.line(7, code.load_pointer(code.p4, code.deq_pointer));
  code.line(8, code.compute(code.idx));
  code.line(9, code.load(code.e, code.value(code.idx), code.elements));
  code.line(10, code.compute(code.t));
  code.line(11, code.compare_exchange(code.value(code.p0), code.age));
  code.line(12, code.compute(code.t));
  code.line(13, code.compute(code.t));
  code.line(14, Skip{});
  code.line(15, code.compute(code.e)); // phi
  code.line(16, Return{});
  expect_sizes(code, {18, 18}, {18, 18}, {18, 18});
}

void pop_bottom(Arora& code, bool has_fence) {
  const std::size_t f = has_fence ? 1 : 0;
  code.line(0, code.load_pointer(code.p0, code.bot_pointer));
  code.line(1, code.load(code.b, code.value(code.p0), code.bottom));
  code.line(2, code.compute(code.t));
  code.branch(3, 27 + f, 4);
  const LocalId dec = code.local(32);
  code.line(4, code.compute(dec));
  code.line(5, code.store(code.value(code.p0), code.value(dec), code.bottom));
  code.line(6, code.load_pointer(code.p2, code.deq_pointer));
  code.line(7, code.compute(code.idx));
  code.line(8, code.load(code.e, code.value(code.idx), code.elements));
  code.line(9, code.load_pointer(code.p4, code.age_pointer));
  if (has_fence)
    code.line(10, Listing::full_fence());
  code.line(10 + f, code.load(code.a, code.value(code.p4), code.age));
  code.line(11 + f, code.compute(code.local(32)));
  code.line(12 + f, code.compute(code.t));
  code.branch(13 + f, 27 + f, 14 + f);
  code.line(14 + f, code.store(code.value(code.p0), code.maker.number(0), code.bottom));
  code.line(15 + f, code.compute(code.local(32)));
  const LocalId add = code.local(32);
  code.line(16 + f, code.compute(add));
  code.line(17 + f, code.compute(code.t));
  code.branch(18 + f, 19 + f, 24 + f);
  code.line(19 + f, code.compare_exchange(code.value(code.p4), code.age));
  code.line(20 + f, code.compute(code.t));
  code.branch(21 + f, 27 + f, 22 + f);
  code.line(22 + f, code.load_pointer(code.local(64), code.age_pointer));
  code.line(23 + f, Skip{});
  code.line(24 + f, code.compute(code.p8)); // phi
  code.line(25 + f, code.store(code.value(code.p8), code.value(add), code.age));
  code.line(26 + f, Skip{});
  code.line(27 + f, code.compute(code.local(32))); // phi
  code.line(28 + f, Return{});
}

TEST(StoreBufferGraphSize, AroraPopBottom) {
  Arora code(29);
  pop_bottom(code, false);
  expect_sizes(code, {30, 33}, {64, 98}, {70, 114});
  Arora fenced(30);
  pop_bottom(fenced, true);
  expect_sizes(fenced, {31, 34}, {49, 67}, {52, 75});
}

// Loops.

TEST(StoreBufferGraphLoop, AStoreInALoopWithoutAFenceIsRefusedWithItsCycle) {
  Listing code(3);
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  code.maker.program.files = {"", "f.c"};
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(1, code.store(code.maker.at(y), code.maker.number(1), y));
  code.line(2, Skip{}, 0);
  const Result<StoreBufferGraph> refused =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, kUnfencedLoopCode);
  EXPECT_EQ(refused.error().line, 1U);
  EXPECT_NE(refused.error().message.find("the stores at f.c:1 and f.c:2 (around f.c:1, f.c:2, "
                                         "f.c:3, f.c:1)"),
            std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("--pending N"), std::string::npos);
  const Result<StoreBufferGraph> bounded =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder, 3});
  ASSERT_TRUE(bounded.has_value());
  EXPECT_GT(bounded->count(Kind::kCut), 0U);
}

TEST(StoreBufferGraphLoop, AFenceOnOneBranchIsNotEnough) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  code.line(0, code.store(code.maker.at(x), code.maker.number(1), x));
  code.branch(1, 2, 3);
  code.line(2, Listing::full_fence());
  code.line(3, Skip{}, 0);
  const Result<StoreBufferGraph> refused =
      build_graph(code.maker.program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, kUnfencedLoopCode);
}

TEST(StoreBufferGraphLoop, ReadingLoopsAndCompareExchangeLoopsAreFine) {
  Listing code(4);
  const ObjectId x = code.maker.global("x");
  code.line(0, code.load(code.local(32), code.maker.at(x), x));
  code.branch(1, 0, 2);
  code.line(2, code.store(code.maker.at(x), code.maker.number(1), x));
  code.line(3, code.compare_exchange(code.maker.at(x), x), 0);
  EXPECT_TRUE(
      build_graph(code.maker.program, code.id, {MachineKind::kPartialStoreOrder}).has_value());
}

TEST(StoreBufferGraphDot, HasTheColoursOfTheKinds) {
  Listing code(4);
  write_def_chain(code);
  Program program = code.maker.program;
  const Result<StoreBufferGraph> graph =
      build_graph(program, code.id, {MachineKind::kTotalStoreOrder});
  ASSERT_TRUE(graph.has_value());
  const std::string dot = to_dot(program, program.procedures[code.id], *graph);
  for (const char* text : {"f: 7 nodes, 9 edges",
                           "color=green4",
                           "color=red",
                           "color=brown",
                           "color=blue",
                           "color=gray50",
                           "flush &y = "})
    EXPECT_NE(dot.find(text), std::string::npos) << text << " in\n" << dot;
}

// Behaviour.

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
    EXPECT_EQ(globals(of_source, original), globals(of_reduced, state));
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
