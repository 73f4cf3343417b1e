// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Executions by a solver: the same as an enumeration that leaves nothing out, one by one, for every
// kind of model; and assertions under models that have no machine.
#include "driver/pipeline/litmus.h"
#include "engine/axiomatic/axiomatic.h"
#include "engine/enumerate/enumerate.h"
#include "engine_fixture.h"
#include "ir/parse.h"
#include "litmus_outcomes.h"
#include "memory/cat/load_model.h"
#include "memory/prefix_axioms.h"
#include "naive_executions.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "random_program.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>
#include <string>

namespace heddle::engine_test {
namespace {

driver::LitmusOptions by_solver(bool counts) {
  driver::LitmusOptions options;
  options.by_solver = true;
  options.counts = counts;
  return options;
}

/// One after another they are slow to find.
constexpr std::uint64_t kMostCounted = 200;

struct Compared {
  std::uint64_t executions = 0;
  std::uint64_t states = 0;
  std::uint64_t flags = 0;
};

/// Both ways to ask the solver, against brute force.
void compare(const NaiveProgram& program, const std::string& model_text, Compared& compared) {
  const std::string test_text = print_litmus(program);
  const std::optional<LitmusTest> test = parse(test_text);
  RC_ASSERT(test.has_value());
  const std::optional<memory::Model> model = model_from(model_text, *test);
  RC_ASSERT(model.has_value());
  const NaiveOutcomes expected = enumerate_naively(program, *model->core);
  const std::string where = test_text + "\n" + model_text;
  const auto states = outcomes_of(test_text, model_text, by_solver(false));
  RC_ASSERT(states.has_value());
  NaiveOutcomes uncounted = expected;
  for (auto& [state, count] : uncounted.states)
    count = 1;
  for (auto& [flag, count] : uncounted.flags)
    count = 1;
  RC_ASSERT((where + to_text(as_naive(*states))) == (where + to_text(uncounted)));
  RC_ASSERT(states->complete);
  compared.states += states->states.size();
  compared.flags += states->flags.size();
  std::uint64_t executions = 0;
  for (const auto& [state, count] : expected.states)
    executions += count;
  // Relations that a model chooses multiply executions; the solver sees one.
  if (!model->core->generators.empty() || executions > kMostCounted)
    return;
  const auto counted = outcomes_of(test_text, model_text, by_solver(true));
  RC_ASSERT(counted.has_value());
  RC_ASSERT((where + to_text(as_naive(*counted))) == (where + to_text(expected)));
  compared.executions += total(*counted);
}

TEST(ModelQuestion, AgreesWithBruteForce) {
  constexpr int kModelsPerTest = 4;
  Compared compared;
  EXPECT_TRUE(rc::check([&] {
    const NaiveProgram program = random_naive_program();
    for (int i = 0; i < kModelsPerTest; ++i)
      compare(program, random_model_text(), compared);
  }));
  EXPECT_GT(compared.executions, 200U);
  EXPECT_GT(compared.states, 150U);
  EXPECT_GT(compared.flags, 5U);
}

TEST(ModelQuestion, WhatHappensMayDependOnItself) {
  // Each thread writes only if it has read the other's write. Only a model says that this is not
  // so.
  const std::string control = R"(AArch64 control
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 MOV W4,#1 | MOV W4,#1 ;
 LDR W2,[X1] | LDR W2,[X1] ;
 CBZ W2,L0 | CBZ W2,L1 ;
 STR W4,[X3] | STR W4,[X3] ;
 L0: | L1: ;
exists (0:X2=1 /\ 1:X2=1)
)";
  EXPECT_EQ(outcomes_of(control, "", by_solver(false))->states.size(), 2U);
  EXPECT_EQ(outcomes_of(control, "acyclic ctrl | rf", by_solver(false))->states.size(), 1U);
  // No value comes out of nothing, whatever the model.
  const std::string data = R"(AArch64 data
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 LDR W2,[X1] | LDR W2,[X1] ;
 STR W2,[X3] | STR W2,[X3] ;
exists (0:X2=1 /\ 1:X2=1)
)";
  EXPECT_EQ(outcomes_of(data, "", by_solver(false))->states.size(), 1U);
}

memory::Model model_of(const std::string& name, memory::Vocabulary vocabulary) {
  memory::cat::LoadOptions options;
  options.search_path = {HEDDLE_SOURCE_DIR "/models"};
  options.base_names = &memory::base_names(vocabulary);
  std::variant<memory::Core, memory::cat::Diagnostics> loaded =
      memory::cat::load(HEDDLE_SOURCE_DIR "/models/" + name + ".cat", options);
  memory::Model model;
  model.name = name;
  model.vocabulary = vocabulary;
  if (auto* core = std::get_if<memory::Core>(&loaded))
    model.core = std::make_shared<memory::Core>(std::move(*core));
  else
    ADD_FAILURE() << std::get<memory::cat::Diagnostics>(loaded).errors.front().to_string();
  return model;
}

/// What the engine says of the assertions of a program under a model of C.
std::string check(const std::vector<std::vector<std::string>>& threads,
                  const std::string& model,
                  std::uint32_t unwind = 0) {
  // A barrier has no events, and the threads here need none.
  std::istringstream lines(ir_of(threads, Main::kJoinAll));
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (line.find("barrier") == std::string::npos)
      text += line + "\n";
  const auto module = ir::parse(text, "test.ir");
  if (!module)
    return module.error().to_string();
  auto program = program::build(*module, {});
  if (!program)
    return program.error().to_string();
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  spec::Task task;
  task.program = &*program;
  task.model = model_of(model, memory::Vocabulary::kC11);
  task.question = spec::Check{spec::Property::kReach};
  task.bounds.unwind = unwind;
  const auto engine = engine::make_axiomatic({});
  if (const auto why = engine->supports(task))
    return *why;
  const verdict::Verdict verdict = engine->run(task, {});
  const auto* const violated = std::get_if<verdict::Violated>(&verdict.answer);
  EXPECT_TRUE(violated == nullptr || violated->violation.execution.has_value());
  return kind_of(verdict);
}

TEST(ModelQuestion, AssertionsUnderModelsOfC) {
  const std::vector<std::string> reader = {"r1=ay.acq", "assume", "r0=ax.rlx", "assert"};
  EXPECT_EQ(check({{"ax.rlx=1", "ay.rel=1"}, reader}, "rc11"), "proved");
  EXPECT_EQ(check({{"ax.rlx=1", "ay.rlx=1"}, reader}, "rc11"), "violated");
  EXPECT_EQ(check({{"ax.rlx=1", "ay.rlx=1"}, reader}, "tso"), "proved");
  EXPECT_EQ(check({{"ax.rlx=1", "ay.rlx=1"}, reader}, "pso"), "violated");
}

TEST(ModelQuestion, AThreadThatWaitsForEverHidesNothing) {
  EXPECT_EQ(check({{"r0=ay", "assume", "ax=1"}, {"r1=ax", "assert"}}, "rc11"), "violated");
  // What it would do afterwards is not done.
  EXPECT_EQ(check({{"ax=1"}, {"r0=ay", "assume", "ax=0"}, {"r2=ax", "assume", "r3=ax", "assert"}},
                  "rc11"),
            "proved");
}

TEST(ModelQuestion, AThreadThatIsNotCreatedDoesNothing) {
  // left creates the thread that writes z only if it sees what right writes.
  const auto module = ir::parse("module lp64\n"
                                "file 1 \"test.c\"\n"
                                "global @x : 4 align 4 signed 32\n"
                                "global @z : 4 align 4 signed 32\n"
                                "global @own : 4 align 4 signed 32\n"
                                "func @third(%0 : ptr) -> ptr {\n"
                                "block entry:\n"
                                "  store.atomic.relaxed i32 1, @z !1:11:1\n"
                                "  store i32 7, @own !1:12:1\n"
                                "  ret ptr 0 !1:13:1\n}\n"
                                "func @left(%0 : ptr) -> ptr {\n"
                                "  reg %1 : i32\n  reg %2 : i1\n  reg %3 : ptr\n"
                                "block entry:\n"
                                "  %1 = load.atomic.relaxed @x !1:21:1\n"
                                "  %2 = ne %1, i32 0 !1:22:1\n"
                                "  branch %2, make, end !1:22:2\n"
                                "block make:\n"
                                "  %3 = create(@third, ptr 0) !1:23:1\n"
                                "  jump end !1:23:2\n"
                                "block end:\n"
                                "  ret ptr 0 !1:24:1\n}\n"
                                "func @right(%0 : ptr) -> ptr {\n"
                                "block entry:\n"
                                "  store.atomic.relaxed i32 1, @x !1:31:1\n"
                                "  ret ptr 0 !1:32:1\n}\n"
                                "func @main() -> i32 {\n"
                                "  reg %0 : ptr\n"
                                "block entry:\n"
                                "  %0 = create(@left, ptr 0) !1:41:1\n"
                                "  %0 = create(@right, ptr 0) !1:42:1\n"
                                "  ret i32 0 !1:43:1\n}\n",
                                "test.ir");
  ASSERT_TRUE(module) << module.error().to_string();
  auto program = program::build(*module, {});
  ASSERT_TRUE(program);
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  spec::Task task;
  task.program = &*program;
  task.model = model_of("rc11", memory::Vocabulary::kC11);
  task.question = spec::Enumerate{};
  const std::vector<verdict::Outcome> expected = {{{"own", 0}, {"x", 1}, {"z", 0}},
                                                  {{"own", 7}, {"x", 1}, {"z", 1}}};
  for (const auto& engine : {engine::make_axiomatic({}), engine::make_enumerate()}) {
    const verdict::Verdict verdict = engine->run(task, {});
    const auto* const outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    ASSERT_NE(outcomes, nullptr) << engine->name();
    EXPECT_EQ(outcomes->states, expected) << engine->name();
    EXPECT_TRUE(outcomes->complete);
  }
}

TEST(ModelQuestion, LoopsAreCutAndSaidToBe) {
  const std::vector<std::string> waits = {"while x", "endwhile", "r0=ax", "assert"};
  EXPECT_EQ(check({{"ax=1"}, waits}, "sc", 3), "proved"); // turns that only read are left out
  const std::vector<std::string> works = {"while x", "ay=1", "endwhile", "r0=ax", "assert"};
  EXPECT_EQ(check({{"ax=1"}, works}, "sc", 3), "bounded");
  EXPECT_EQ(check({{"ax=1"}, {"r0=ax", "assert"}}, "sc", 3), "violated");
}

TEST(ModelQuestion, OurModelsAllowPrefixesOfWhatTheyAllow) {
  using memory::Vocabulary;
  for (const auto& [name, vocabulary] :
       std::vector<std::pair<std::string, Vocabulary>>{{"sc", Vocabulary::kC11},
                                                       {"tso", Vocabulary::kC11},
                                                       {"pso", Vocabulary::kC11},
                                                       {"rc11", Vocabulary::kC11},
                                                       {"imm", Vocabulary::kC11},
                                                       {"x86tso", Vocabulary::kX86},
                                                       {"armv8", Vocabulary::kAArch64},
                                                       {"power", Vocabulary::kPower},
                                                       {"riscv", Vocabulary::kRiscV},
                                                       {"arm", Vocabulary::kArm},
                                                       {"mips", Vocabulary::kMips}}) {
    const memory::Model model = model_of(name, vocabulary);
    for (const memory::Axiom& axiom : model.core->axioms)
      EXPECT_TRUE(axiom.role != memory::Axiom::Role::kRequire ||
                  memory::holds_of_prefixes(*model.core, axiom))
          << name << " " << axiom.name;
  }
  const std::optional<LitmusTest> test = parse(print_litmus({{{NaiveStep{}}}}));
  ASSERT_TRUE(test);
  for (const char* axiom : {"~empty rf", "empty W \\ FW", "empty rf \\ (co; co)"}) {
    const std::optional<memory::Model> model = model_from(axiom, *test);
    ASSERT_TRUE(model);
    EXPECT_FALSE(memory::holds_of_prefixes(*model->core, model->core->axioms.front())) << axiom;
  }
}

} // namespace
} // namespace heddle::engine_test
