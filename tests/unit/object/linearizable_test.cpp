// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle linearizable from the outside, on a register and a lock written as .hir, and the scenarios
// behind it.
#include "driver/commands/run_command.h"
#include "object/scenarios/scenarios.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace heddle::object {
namespace {

namespace fs = std::filesystem;

/// A register of one cell. The torn one has two, which are written and read one after the other; a
/// read that finds them different returns a third value.
constexpr const char* kRegister = R"(module lp64
file 1 "register.c"
global @x : 4 align 4 signed 32
global @a : 4 align 4 signed 32
global @b : 4 align 4 signed 32
func @write(%0 : i32) -> void !1:5:1 {
block entry:
  store.atomic.relaxed i32 %0, @x !1:7:1
  ret void
}
func @read() -> i32 !1:10:1 {
  reg %0 : i32
block entry:
  %0 = load.atomic.relaxed @x !1:13:1
  ret %0
}
func @write_fenced(%0 : i32) -> void {
block entry:
  store.atomic.seq_cst i32 %0, @x !1:18:1
  ret void
}
func @write_torn(%0 : i32) -> void {
block entry:
  store.atomic.seq_cst i32 %0, @a
  store.atomic.seq_cst i32 %0, @b
  ret void
}
func @read_torn() -> i32 {
  reg %0 : i32
  reg %1 : i32
  reg %2 : i32
block entry:
  %0 = load.atomic.relaxed @a
  %1 = load.atomic.relaxed @b
  %2 = add %0, %0
  %2 = sub %2, %1
  ret %2
}
func @write_hang(%0 : i32) -> void {
block entry:
  store.atomic.seq_cst i32 %0, @x
  jump forever
block forever:
  jump forever
}
func @write_undo(%0 : i32) -> void {
block entry:
  store.atomic.seq_cst i32 %0, @x
  store.atomic.seq_cst i32 0, @x
  jump forever
block forever:
  jump forever
}
func @stuck() -> i32 {
block entry:
  jump entry
}
)";

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

class Linearizable : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) / ("heddle_linearizable_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
    program_ = folder_ / "register.hir";
    std::ofstream(program_) << kRegister;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] Ran run_with(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"linearizable", program_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream out;
    std::ostringstream err;
    const driver::Console console{out, err, false, false, 0};
    const int code = driver::run(arguments, console);
    return {code, out.str(), err.str()};
  }
  [[nodiscard]] Ran on_register(const std::string& functions,
                                std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"--object", "register", "--functions", functions};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_with(arguments);
  }
  fs::path folder_;
  fs::path program_;
};

TEST_F(Linearizable, ARegisterIsOneUnderSc) {
  const Ran ran = on_register("write,read");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.out.rfind("HOLDS WITHIN BOUNDS under sc", 0), 0U) << ran.out;
}

TEST_F(Linearizable, ADelayedWriteIsSeenUnderTso) {
  const Ran ran = on_register("write,read", {"--model", "tso"});
  EXPECT_EQ(ran.code, 16) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("scenario: write(1) || read()"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("calls write(1)"), std::string::npos) << ran.out;
  EXPECT_EQ(on_register("write,read", {"--model", "pso", "--notion", "tso-to-sc"}).code, 16);
  EXPECT_EQ(on_register("write=write_fenced,read", {"--model", "tso"}).code, 1);
  EXPECT_EQ(on_register("write=write_fenced,read", {"--model", "pso"}).code, 1);
}

TEST_F(Linearizable, TsoLinearizabilityAllowsTheDelay) {
  // The write is over when it reaches memory. The order of one thread's operations is then not
  // kept, but its own reads take the value from its buffer.
  EXPECT_EQ(
      on_register("write,read", {"--model", "tso", "--notion", "tso", "--operations", "1"}).code,
      1);
  // … and what goes wrong without delays still does.
  EXPECT_EQ(on_register("write=write_torn,read=read_torn",
                        {"--model", "tso", "--notion", "tso", "--operations", "1"})
                .code,
            16);
}

TEST_F(Linearizable, WeakerNotionsAcceptMore) {
  // A read that comes too early is not in real time, but each thread's order is kept.
  EXPECT_EQ(
      on_register("write,read", {"--model", "tso", "--notion", "sequential", "--operations", "1"})
          .code,
      1);
  EXPECT_EQ(on_register("write=write_torn,read=read_torn", {"--notion", "quiescent"}).code, 16);
}

TEST_F(Linearizable, PointsAreFoundWhereTheyAre) {
  const Ran plain = on_register("write,read", {"--linearization-point", "infer"});
  EXPECT_EQ(plain.code, 1) << plain.out << plain.err;
  EXPECT_NE(plain.out.find("write:7:flush"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("read:13:read"), std::string::npos) << plain.out;
  // When the store leaves the buffer is the right moment, but it may come after the return.
  const Ran late = on_register(
      "write,read", {"--model", "tso", "--operations", "1", "--linearization-point", "infer"});
  EXPECT_EQ(late.code, 1) << late.out << late.err;
  EXPECT_NE(late.out.find("write:7:flush may come after the return"), std::string::npos)
      << late.out;
  const Ran fenced = on_register("write=write_fenced,read",
                                 {"--model",
                                  "tso",
                                  "--operations",
                                  "1",
                                  "--linearization-point",
                                  "write_fenced:18:flush",
                                  "--linearization-point",
                                  "read:13:read"});
  EXPECT_EQ(fenced.code, 1) << fenced.out << fenced.err;
  EXPECT_EQ(fenced.err.find("may come after the return"), std::string::npos) << fenced.err;
  const Ran torn =
      on_register("write=write_torn,read=read_torn", {"--linearization-point", "infer"});
  EXPECT_EQ(torn.code, 16) << torn.out << torn.err;
  EXPECT_NE(torn.out.find("none found"), std::string::npos) << torn.out;
}

TEST_F(Linearizable, EnginesAgreeOnEveryNotion) {
  for (const char* notion : {"quiescent", "tso", "tso-to-tso"})
    for (const char* functions : {"write,read", "write=write_torn,read=read_torn"}) {
      const std::vector<std::string> asked = {
          "--model", "tso", "--notion", notion, "--operations", "1"};
      const Ran expected = on_register(functions, asked);
      for (const char* engine : {"axiomatic", "enumerate"}) {
        std::vector<std::string> other = asked;
        other.insert(other.end(), {"--engine", engine});
        const Ran ran = on_register(functions, other);
        EXPECT_EQ(ran.code, expected.code) << notion << " " << functions << " " << engine << "\n"
                                           << ran.out << ran.err;
      }
    }
}

TEST_F(Linearizable, SwitchesOfTheSearchDoNotChangeTheHistories) {
  // With writes that wait in buffers while calls and returns are marked. A single cell is at least
  // sequentially consistent everywhere, so that all histories are counted.
  for (const std::string model : {"sc", "tso", "pso"}) {
    std::set<std::uint64_t> counts;
    for (const std::vector<std::string>& switches :
         {std::vector<std::string>{}, {"--no-reduction"}, {"--no-merge"}, {"--search", "dfs"}}) {
      const fs::path report = folder_ / "report.json";
      std::vector<std::string> more = switches;
      more.insert(more.end(),
                  {"--notion", "sequential", "--model", model, "--json", report.string()});
      if (model == "pso")
        more.insert(more.end(), {"--operations", "1"});
      EXPECT_EQ(on_register("write,read", more).code, 1);
      counts.insert(nlohmann::json::parse(std::ifstream(report))["histories"].get<std::uint64_t>());
    }
    EXPECT_EQ(counts.size(), 1U) << model;
  }
}

TEST_F(Linearizable, TheReportForMachinesHasTheHistoryAndTheRun) {
  const fs::path report = folder_ / "report.json";
  EXPECT_EQ(on_register("write=write_torn,read=read_torn", {"--json", report.string()}).code, 16);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(report));
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["exit_code"], 16);
  ASSERT_EQ(json["history"].size(), 2U);
  EXPECT_EQ(json["run"]["verdict"], "violated");
}

TEST_F(Linearizable, AScenarioThatNeverEndsIsNoSuccess) {
  const Ran ran = on_register("read=stuck");
  EXPECT_EQ(ran.code, 30) << ran.out;
  EXPECT_NE(ran.out.find("no run comes to its end"), std::string::npos) << ran.out;
}

TEST_F(Linearizable, CallsThatNeverReturnAreSeenIfAskedFor) {
  const std::vector<std::string> unfinished = {"--unfinished", "--threads", "2"};
  // A write that is under way may have taken effect or not, but does not change its mind.
  EXPECT_EQ(on_register("write=write_hang,read").code, 30);
  for (const std::string model : {"sc", "tso", "pso"}) {
    std::vector<std::string> more = unfinished;
    more.insert(more.end(), {"--model", model});
    const Ran right = on_register("write=write_hang,read", more);
    EXPECT_EQ(right.code, 1) << model << right.out;
    const Ran wrong = on_register("write=write_undo,read", more);
    EXPECT_EQ(wrong.code, 16) << model << wrong.out;
    EXPECT_NE(wrong.out.find("pending"), std::string::npos) << wrong.out;
  }
  // What is found in runs that end is found among all.
  EXPECT_EQ(on_register("write=write_torn,read=read_torn", unfinished).code, 16);
  EXPECT_EQ(on_register("write=write_fenced,read", {"--unfinished", "--model", "tso"}).code, 1);
}

TEST_F(Linearizable, UnfinishedHistoriesDoNotDependOnTheSearch) {
  for (const std::string model : {"sc", "tso"}) {
    std::set<std::uint64_t> counts;
    for (const std::vector<std::string>& switches :
         {std::vector<std::string>{}, {"--no-reduction"}, {"--no-merge"}}) {
      const fs::path report = folder_ / "report.json";
      std::vector<std::string> more = switches;
      more.insert(more.end(),
                  {"--unfinished",
                   "--notion",
                   "sequential",
                   "--model",
                   model,
                   "--operations",
                   "1",
                   "--json",
                   report.string()});
      EXPECT_EQ(on_register("write,read", more).code, 1);
      counts.insert(nlohmann::json::parse(std::ifstream(report))["histories"].get<std::uint64_t>());
    }
    EXPECT_EQ(counts.size(), 1U) << model;
  }
}

/// Functions of a specification, each right, wrong or useless in another way.
constexpr const char* kSpecification = R"(module lp64
global @now : 4 align 4 signed 32
func @write(%0 : i32) -> void {
block entry:
  store i32 %0, @now
  ret void
}
func @read() -> i32 {
  reg %0 : i32
block entry:
  %0 = load @now
  ret %0
}
func @read_zero() -> i32 {
block entry:
  ret i32 0
}
func @read_any() -> i32 {
  reg %0 : i32
block entry:
  %0 = nondet "any"
  ret %0
}
func @read_never() -> i32 {
block entry:
  assume i1 0
  ret i32 0
}
func @read_nowhere() -> i32 {
  reg %0 : i32
block entry:
  %0 = load ptr 0
  ret %0
}
func @read_forever() -> i32 {
block entry:
  jump entry
}
)";

TEST_F(Linearizable, ASpecificationIsRun) {
  const fs::path file = folder_ / "specification.hir";
  std::ofstream(file) << kSpecification;
  const auto against = [&](const std::string& functions) {
    return run_with({"--spec", file, "--functions", functions});
  };
  EXPECT_EQ(against("write,read").code, 1) << against("write,read").err;
  EXPECT_EQ(against("write=write_torn,read=read_torn").code, 16);
  EXPECT_EQ(against("write,read_zero=read").code, 16); // not after write(1)
  EXPECT_EQ(against("read_never=read").code, 16);      // nothing explains what cannot happen
  for (const std::string useless : {"read_any", "read_nowhere", "read_forever"}) {
    const Ran ran = against(useless + "=read");
    EXPECT_EQ(ran.code, 3) << useless << ran.out;
    EXPECT_NE(ran.err.find("[HIS-004]"), std::string::npos) << ran.err;
  }
}

TEST_F(Linearizable, WhatIsRefused) {
  const auto says = [](const Ran& ran, const std::string& code) {
    return ran.code == (code.starts_with("USE") || code.starts_with("HIS") ? 2 : 3) &&
           ran.err.find("[" + code + "]") != std::string::npos;
  };
  EXPECT_TRUE(says(run_with({}), "USE-019"));
  EXPECT_TRUE(says(on_register("write,read", {"--empty", "x"}), "USE-020"));
  EXPECT_TRUE(says(on_register("write,read", {"--abort", "1x"}), "USE-020"));
  EXPECT_TRUE(says(on_register(""), "USE-021"));
  EXPECT_TRUE(says(on_register("write="), "USE-021"));
  EXPECT_TRUE(says(on_register("write,write"), "USE-021"));
  EXPECT_TRUE(says(on_register("write", {"--roles", "read/write"}), "USE-022"));
  EXPECT_TRUE(says(on_register("write", {"--notion", "tso-to-sc"}), "USE-023"));
  EXPECT_TRUE(says(on_register("write", {"--notion", "tso", "--model", "pso"}), "USE-023"));
  EXPECT_TRUE(
      says(on_register("write", {"--notion", "tso", "--model", "tso", "--unfinished"}), "USE-023"));
  EXPECT_TRUE(says(on_register("write", {"--notion", "tso", "--model", "tso", "--alias", "none"}),
                   "USE-023"));
  EXPECT_TRUE(says(
      on_register("write",
                  {"--notion", "tso", "--model", "tso", "--threads", "1", "--operations", "9"}),
      "USE-024"));
  EXPECT_TRUE(says(run_with({"--object", "heap"}), "HIS-001"));
  EXPECT_TRUE(says(on_register("push"), "HIS-002"));
  EXPECT_TRUE(says(on_register("write=nothing"), "LOAD-007"));
  EXPECT_TRUE(says(on_register("write=read"), "HAR-002"));
  EXPECT_TRUE(says(on_register("read=write"), "HAR-002"));
  EXPECT_TRUE(says(on_register("read", {"--init", "write"}), "HAR-002"));
}

history::Unit unit(const std::string& name, history::Method::Argument argument) {
  return {{{{name, argument}, false}}};
}

std::vector<std::string> scenarios(const ScenarioSpace& space) {
  std::vector<std::string> texts;
  for_each_scenario(space, [&](const PlannedScenario& planned) {
    texts.push_back(to_string(planned));
    return true;
  });
  return texts;
}

TEST(Scenarios, SymmetricOnesOnceAndSmallOnesFirst) {
  using Argument = history::Method::Argument;
  ScenarioSpace space;
  space.roles = {{unit("push", Argument::kUnique), unit("pop", Argument::kNone)}};
  space.functions = {{"push", "f"}, {"pop", "g"}};
  space.units = 1;
  EXPECT_EQ(scenarios(space),
            (std::vector<std::string>{
                "push(1)", "pop()", "push(1) || push(2)", "push(1) || pop()", "pop() || pop()"}));
  // 2 + 4 of one thread, 3 + 10 of two.
  space.units = 2;
  EXPECT_EQ(scenarios(space).size(), 19U);
  space.roles = {{unit("push", Argument::kUnique)}, {unit("pop", Argument::kNone)}};
  space.units = 1;
  space.threads = 3;
  EXPECT_EQ(scenarios(space),
            (std::vector<std::string>{"push(1)", "push(1) || pop()", "push(1) || pop() || pop()"}));
}

TEST(Scenarios, KeysAreAllTried) {
  ScenarioSpace space;
  space.roles = {{unit("add", history::Method::Argument::kKey)}};
  space.functions = {{"add", "f"}};
  space.units = 1;
  space.keys = 2;
  EXPECT_EQ(scenarios(space),
            (std::vector<std::string>{
                "add(1)", "add(2)", "add(1) || add(1)", "add(1) || add(2)", "add(2) || add(2)"}));
}

} // namespace
} // namespace heddle::object
