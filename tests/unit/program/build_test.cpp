// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build.h"
#include "program/model/control_flow.h"
#include "program/model/print_program.h"
#include "unit/program/program_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::program {
namespace {

using namespace program_test;

Program built(const ir::Module& module, BuildOptions options = {}) {
  Result<Program> program = build(module, options);
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  return std::move(program).value();
}

const Procedure& find(const Program& program, const std::string& name) {
  for (const Procedure& procedure : program.procedures)
    if (procedure.name == name)
      return procedure;
  ADD_FAILURE() << "no procedure " << name;
  return program.procedures.back();
}

/// The actions along the only path from the entry, as text.
std::vector<std::string> straight_line(const Program& program, const std::string& name) {
  const Procedure& procedure = find(program, name);
  std::vector<std::string> texts;
  LocationId at = procedure.entry;
  while (procedure.locations[at].out.size() == 1) {
    const Edge& edge = procedure.edges[procedure.locations[at].out[0]];
    texts.push_back(to_text(program, procedure, edge.action));
    at = edge.to;
  }
  return texts;
}

using Lines = std::vector<std::string>;

TEST(Build, FoldsTemporariesIntoTheTermsThatUseThem) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::RegisterId t = main.i32();
  main.add(load_of(a, ir::GlobalAddress{x}));
  main.compute(t, ir::Op::kAdd, {a, number(1)});
  main.add(store_of(ir::GlobalAddress{x}, t));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  EXPECT_EQ(straight_line(built(module), "main"),
            (Lines{"a := load32 [&x]", "store32 [&x] := a + 1", "return 0"}));
}

TEST(Build, WritesAFoldedTemporaryDownBeforeItsOperandChanges) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::RegisterId t = main.i32();
  main.compute(a, ir::Op::kCopy, {number(5)});
  main.compute(t, ir::Op::kAdd, {a, number(1)});
  main.compute(a, ir::Op::kCopy, {number(9)});
  main.add(store_of(ir::GlobalAddress{x}, t));
  main.add(store_of(ir::GlobalAddress{x}, a));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  EXPECT_EQ(straight_line(built(module), "main"),
            (Lines{"a := 5",
                   "t1 := a + 1",
                   "a := 9",
                   "store32 [&x] := t1",
                   "store32 [&x] := a",
                   "return 0"}));
}

TEST(Build, SwapThroughATemporaryKeepsBothValues) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::RegisterId b = main.i32("b");
  const ir::RegisterId t = main.i32();
  main.compute(a, ir::Op::kCopy, {number(1)});
  main.compute(b, ir::Op::kCopy, {number(2)});
  main.compute(t, ir::Op::kCopy, {a});
  main.compute(a, ir::Op::kCopy, {b});
  main.compute(b, ir::Op::kCopy, {t});
  main.add(store_of(ir::GlobalAddress{x}, b));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  EXPECT_EQ(
      straight_line(built(module), "main"),
      (Lines{"a := 1", "b := 2", "t2 := a", "a := b", "b := t2", "store32 [&x] := b", "return 0"}));
}

TEST(Build, LoadIntoATemporaryThatIsCopiedLoadsIntoTheVariable) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::RegisterId t = main.i32();
  main.add(load_of(t, ir::GlobalAddress{x}));
  main.compute(a, ir::Op::kCopy, {t});
  main.add(store_of(ir::GlobalAddress{x, 0}, a));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  EXPECT_EQ(straight_line(built(module), "main"),
            (Lines{"a := load32 [&x]", "store32 [&x] := a", "return 0"}));
}

TEST(Build, RepeatedLargeTermIsAssignedOnce) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  main.add(load_of(a, ir::GlobalAddress{x}));
  ir::RegisterId last = a;
  for (int i = 0; i < 40; ++i) {
    const ir::RegisterId next = main.i32();
    main.compute(next, ir::Op::kMul, {last, last});
    last = next;
  }
  main.add(store_of(ir::GlobalAddress{x}, last));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  const Program program = built(module);
  for (const std::string& line : straight_line(program, "main"))
    EXPECT_LT(line.size(), 200U) << line;
}

TEST(Build, BranchesAreAssumeEdgesAndLoopsAreMarked) {
  ir::Module module = empty_module();
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId i = main.i32("i");
  const ir::RegisterId c = main.i1();
  const ir::BlockId head = main.block("head");
  const ir::BlockId body = main.block("body");
  const ir::BlockId done = main.block("done");
  main.compute(i, ir::Op::kCopy, {number(0)});
  main.add(ir::Jump{head});
  main.at(head);
  main.compute(c, ir::Op::kSLt, {i, number(3)});
  main.add(ir::Branch{c, body, done});
  main.at(body);
  main.compute(i, ir::Op::kAdd, {i, number(1)});
  main.add(ir::Jump{head});
  main.at(done);
  main.add(ir::Return{i});
  module.functions.push_back(main.done());
  const Program program = built(module);
  const Procedure& procedure = find(program, "main");
  unsigned heads = 0;
  unsigned branches = 0;
  for (const Location& location : procedure.locations) {
    heads += location.is_loop_head ? 1 : 0;
    if (location.out.size() > 1) {
      ++branches;
      for (const std::uint32_t edge : location.out) {
        const auto* assume = std::get_if<Assume>(&procedure.edges[edge].action);
        ASSERT_NE(assume, nullptr);
        EXPECT_TRUE(assume->is_branch);
      }
    }
  }
  EXPECT_EQ(heads, 1U);
  EXPECT_EQ(branches, 1U);
  for (const Edge& edge : procedure.edges)
    EXPECT_FALSE(std::holds_alternative<Skip>(edge.action));
}

TEST(Build, EndlessEmptyLoopKeepsOneSkip) {
  ir::Module module = empty_module();
  FunctionWriter main("main");
  const ir::BlockId loop = main.block("loop");
  const ir::BlockId back = main.block("back");
  main.add(ir::Jump{loop});
  main.at(loop);
  main.add(ir::Jump{back});
  main.at(back);
  main.add(ir::Jump{loop});
  module.functions.push_back(main.done());
  const Program program = built(module);
  const Procedure& procedure = find(program, "main");
  ASSERT_EQ(procedure.edges.size(), 1U);
  EXPECT_EQ(procedure.edges[0].from, procedure.edges[0].to);
  EXPECT_TRUE(procedure.locations[procedure.entry].is_loop_head);
}

TEST(Build, SwitchEdgesExcludeEachOther) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::BlockId one = main.block("one");
  const ir::BlockId two = main.block("two");
  const ir::BlockId other = main.block("other");
  main.add(load_of(a, ir::GlobalAddress{x}));
  main.add(ir::Switch{a, {{1, one}, {2, two}, {3, one}}, other});
  for (const ir::BlockId block : {one, two, other}) {
    main.at(block);
    main.add(ir::Return{number(block.value)});
  }
  module.functions.push_back(main.done());
  const Program program = built(module);
  const Procedure& procedure = find(program, "main");
  for (std::uint64_t value = 0; value < 5; ++value) {
    unsigned holding = 0;
    for (const Edge& edge : procedure.edges)
      if (const auto* assume = std::get_if<Assume>(&edge.action))
        holding += program.terms.evaluate(assume->condition,
                                          [value](std::uint64_t) { return value; }) != 0;
    EXPECT_EQ(holding, 1U) << value;
  }
}

TEST(Build, SlotsAreAllocatedAtEntry) {
  ir::Module module = empty_module();
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::SlotId buffer = main.slot("buffer", 16);
  main.add(store_of(ir::SlotAddress{buffer}, number(7)));
  main.add(ir::Return{number(0)});
  module.functions.push_back(main.done());
  const Program program = built(module);
  EXPECT_EQ(straight_line(program, "main"),
            (Lines{"&buffer := allocate frame 16", "store32 [&buffer] := 7", "return 0"}));
  ASSERT_EQ(program.objects.size(), 1U);
  EXPECT_EQ(program.objects.back().kind, Object::Kind::kFrameSite);
  EXPECT_EQ(program.objects.back().name, "buffer");
}

TEST(Build, RelocationsBecomeBytes) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  const ir::GlobalId p = add_global(module, "p", 16);
  module.globals[p].relocations = {{0, ir::GlobalAddress{x, 2}},
                                   {8, ir::FunctionAddress{ir::FunctionId{1U}}}};
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId q = main.pointer("q");
  main.add(load_of(q, ir::GlobalAddress{p}));
  main.add(ir::Return{number(0)});
  FunctionWriter f("f");
  f.add(ir::Return{});
  module.functions.push_back(main.done());
  module.functions.push_back(f.done());
  const Program program = built(module);
  ASSERT_EQ(program.objects.size(), 2U);
  const AddressSpace space = program.space();
  const auto word = [&](std::size_t offset) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i)
      value |= std::uint64_t{program.objects.back().initial[offset + i]} << (8 * i);
    return value;
  };
  EXPECT_EQ(word(0), space.base_of(program.objects[ObjectId{0U}].unit) + 2);
  EXPECT_EQ(word(8), space.function_address(1));
  EXPECT_EQ(find(program, "f").name, "f");
}

TEST(Build, UnreachableFunctionsAndGlobalsAreDropped) {
  ir::Module module = empty_module();
  add_global(module, "unused", 4);
  FunctionWriter main("main");
  main.add(ir::Return{});
  FunctionWriter f("f");
  f.add(ir::Return{});
  module.functions.push_back(main.done());
  module.functions.push_back(f.done());
  const Program program = built(module);
  EXPECT_EQ(program.procedures.size(), 1U);
  EXPECT_TRUE(program.objects.empty());
}

TEST(Build, CallOfADeclaredFunctionIsATrapThatNamesIt) {
  ir::Module module = empty_module();
  ir::Function external;
  external.name = "mystery";
  FunctionWriter main("main");
  main.add(ir::Call{std::nullopt, ir::FunctionAddress{ir::FunctionId{1U}}, {}});
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  module.functions.push_back(external);
  const Lines lines = straight_line(built(module), "main");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "trap: call of 'mystery', which has no body");
}

TEST(Build, VariableThatIsDefinedNowhereForbidsAProof) {
  ir::Module module = empty_module();
  const ir::GlobalId external = add_global(module, "external", 4);
  module.globals[external].is_declaration = true;
  FunctionWriter main("main");
  main.add(store_of(ir::GlobalAddress{external}, number(1), 32));
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  const Program program = built(module);
  ASSERT_EQ(program.approximations.size(), 1U);
  EXPECT_EQ(program.approximations[0].kind, Approximation::Kind::kUnder);
  EXPECT_NE(program.approximations[0].what.find("'external' is defined nowhere"),
            std::string::npos);
}

TEST(Build, DirectCallAdaptsArgumentsToTheParameters) {
  ir::Module module = empty_module();
  FunctionWriter main("main");
  main.add(ir::Call{std::nullopt, ir::FunctionAddress{ir::FunctionId{1U}}, {number(0x1ff, 32)}});
  main.add(ir::Return{});
  FunctionWriter f("f");
  f.parameter(ir::Type::integer(8), "a");
  f.parameter(ir::Type::integer(16), "b");
  f.add(ir::Return{});
  module.functions.push_back(main.done());
  module.functions.push_back(f.done());
  EXPECT_EQ(straight_line(built(module), "main"),
            (Lines{"t0 := nondet missing argument 2 of f", "call f(-1, t0)", "return"}));
}

TEST(Build, PointerCallsReachAddressTakenFunctionsThatFit) {
  ir::Module module = empty_module();
  const ir::GlobalId table = add_global(module, "table", 24);
  for (unsigned i = 0; i < 3; ++i)
    module.globals[table].relocations.push_back(
        {8 * i, ir::FunctionAddress{ir::FunctionId{i + 1U}}});
  FunctionWriter main("main");
  const ir::RegisterId p = main.pointer("p");
  main.add(load_of(p, ir::GlobalAddress{table}));
  main.add(ir::Call{std::nullopt, p, {number(1)}});
  main.add(ir::Call{std::nullopt, ir::FunctionAddress{ir::FunctionId{4U}}, {}});
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  for (unsigned parameters = 0; parameters < 3; ++parameters) {
    FunctionWriter f("f" + std::to_string(parameters));
    for (unsigned i = 0; i < parameters; ++i)
      f.parameter(ir::Type::integer(32));
    f.add(ir::Return{});
    module.functions.push_back(f.done());
  }
  FunctionWriter direct("direct");
  direct.add(ir::Return{});
  module.functions.push_back(direct.done());
  const Lines lines = straight_line(built(module), "main");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1], "call (*p = f0|f1)(1)");
  EXPECT_EQ(lines[2], "call direct()");
}

TEST(Build, UndefinedArithmeticIsChecked) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main", ir::Type::integer(32));
  const ir::RegisterId a = main.i32("a");
  const ir::RegisterId b = main.i32("b");
  main.add(load_of(a, ir::GlobalAddress{x}));
  main.compute(b, ir::Op::kSDiv, {number(7), a});
  main.compute(b, ir::Op::kUDiv, {b, number(2)});
  main.compute(b, ir::Op::kShl, {b, a});
  main.compute(b, ir::Op::kShl, {b, number(31)});
  main.compute(b, ir::Op::kAdd, {b, number(1)}, true);
  main.add(ir::Return{b});
  module.functions.push_back(main.done());
  const auto kinds = [&](bool overflow) {
    std::vector<CheckKind> result;
    const Program program = built(module, {"main", overflow});
    for (const Edge& edge : find(program, "main").edges)
      if (const auto* check = std::get_if<Check>(&edge.action))
        result.push_back(check->kind);
    std::sort(result.begin(), result.end());
    return result;
  };
  EXPECT_EQ(kinds(false), (std::vector{CheckKind::kDivisionByZero, CheckKind::kOversizedShift}));
  EXPECT_EQ(kinds(true),
            (std::vector{CheckKind::kSignedOverflow,
                         CheckKind::kDivisionByZero,
                         CheckKind::kOversizedShift}));
}

TEST(Build, ThreadLocalAddressDependsOnTheThread) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  module.globals[x].is_thread_local = true;
  FunctionWriter main("main");
  main.add(store_of(ir::GlobalAddress{x, 2}, number(1)));
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  const Program program = built(module);
  const auto& store = std::get<Store>(find(program, "main").edges[0].action);
  const AddressSpace space = program.space();
  const Object& object = program.objects.back();
  EXPECT_EQ(object.kind, Object::Kind::kThreadLocal);
  for (std::uint64_t self : {0U, 1U, 5U})
    EXPECT_EQ(program.terms.evaluate(store.address, [self](std::uint64_t) { return self; }),
              space.base_of(object.unit + self * space.units_for(4)) + 2);
}

TEST(Build, VariableIndexIsCheckedConstantFieldIsNot) {
  ir::Module module = empty_module();
  const ir::GlobalId a = add_global(module, "a", 40);
  const ir::GlobalId head = add_global(module, "head", 8);
  FunctionWriter main("main");
  const ir::RegisterId i = main.reg(ir::Type::integer(64), "i");
  const ir::RegisterId p = main.pointer();
  const ir::RegisterId q = main.pointer("q");
  const ir::RegisterId field = main.pointer();
  const ir::RegisterId kept = main.pointer("kept");
  main.add(ir::Nondet{i, "i"});
  main.compute(p, ir::Op::kPtrAdd, {ir::GlobalAddress{a}, i});
  main.add(store_of(p, number(1)));
  main.add(load_of(q, ir::GlobalAddress{head}));
  main.compute(field, ir::Op::kPtrAdd, {q, number(8, 64)});
  main.add(store_of(field, number(2)));
  main.compute(kept, ir::Op::kPtrAdd, {q, number(8, 64)});
  main.add(store_of(kept, number(3)));
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  EXPECT_EQ(straight_line(built(module), "main"),
            (Lines{"i := nondet i",
                   "check pointer i + &a from &a",
                   "store32 [i + &a] := 1",
                   "q := load64 [&head]",
                   "store32 [q + 8] := 2",
                   "check pointer q + 8 from q",
                   "kept := q + 8",
                   "store32 [kept] := 3",
                   "return"}));
}

TEST(Build, RefusesAMissingEntryAndAFullAddressSpace) {
  ir::Module module = empty_module(ir::DataModel::kILP32);
  EXPECT_EQ(build(module, {}).error().code, "PRG-001");
  ir::Function declared;
  declared.name = "main";
  declared.loc = {1, 3, 1};
  module.functions.push_back(declared);
  const Result<Program> without_body = build(module, {});
  EXPECT_EQ(without_body.error().code, "PRG-002");
  EXPECT_EQ(without_body.error().line, 3U);
  const ir::GlobalId huge = add_global(module, "huge", 0x7fff'ffff);
  FunctionWriter main("start");
  main.add(store_of(ir::GlobalAddress{huge}, number(1)));
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  const Result<Program> full = build(module, {"start", false});
  EXPECT_EQ(full.error().code, "PRG-003");
  EXPECT_EQ(full.error().file, "test.c");
}

TEST(Build, ThreadTemplatesAreTheEntryAndWhatIsCreated) {
  ir::Module module = empty_module();
  FunctionWriter main("main");
  const ir::RegisterId handle = main.reg(ir::Type::integer(64), "t");
  main.add(ir::Synchronize{
      handle, ir::SyncOp::kCreate, {ir::FunctionAddress{ir::FunctionId{1U}}, number(0, 64)}});
  main.add(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {handle}});
  main.add(ir::Return{});
  FunctionWriter worker("worker", ir::Type::pointer());
  worker.parameter(ir::Type::pointer(), "arg");
  worker.add(ir::Return{ir::Operand{ir::Constant{ir::Type::pointer(), 0}}});
  module.functions.push_back(main.done());
  module.functions.push_back(worker.done());
  const Program program = built(module);
  ASSERT_EQ(program.templates.size(), 2U);
  EXPECT_EQ(program.templates[0].name, "main");
  EXPECT_EQ(program.templates[1].name, "worker");
}

TEST(Build, KeysAreUniqueWithinAProcedure) {
  ir::Module module = empty_module();
  const ir::GlobalId x = add_global(module, "x", 4);
  FunctionWriter main("main");
  for (int i = 0; i < 3; ++i)
    main.add(store_of(ir::GlobalAddress{x}, number(1)));
  main.add(ir::Return{});
  module.functions.push_back(main.done());
  const Program program = built(module);
  Procedure procedure = find(program, "main");
  assign_keys(program, procedure);
  std::vector<std::string> keys;
  for (const Location& location : procedure.locations)
    keys.push_back(location.key);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  EXPECT_NE(std::find(keys.begin(), keys.end(), "main: store32 [&x] := 1 #2"), keys.end());
}

} // namespace
} // namespace heddle::program
