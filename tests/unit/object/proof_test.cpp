// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle linearizable --invariant from the outside, on small functions written as .hir. Programs
// with abstract operations are in examples/proofs (tests/linearizable/proofs.py).
#include "driver/commands/run_command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace heddle::object {
namespace {

namespace fs = std::filesystem;

/// `x` and `y` are changed together by `both`, one after the other by `torn`, and by one by
/// `apart`. `z` is 7 at first and stays so.
constexpr const char* kPair = R"(module lp64
global @x : 4 align 4 unsigned 32
global @y : 4 align 4 unsigned 32
global @z : 4 align 4 unsigned 32
global @mutex : 40 align 8
global @recursive : 40 align 8
func @init() -> void {
block entry:
  store i32 7, @z
  ret void
}
func @both() -> void {
  reg %0 : i32
block entry:
  atomic_begin
  %0 = load @x
  %0 = add %0, i32 1
  store i32 %0, @x
  store i32 %0, @y
  atomic_end
  ret void
}
func @torn() -> void {
  reg %0 : i32
block entry:
  %0 = rmw.atomic.seq_cst add @x, i32 1
  %0 = rmw.atomic.seq_cst add @y, i32 1
  ret void
}
func @copied() -> void {
  reg %0 : i32
  reg %1 : i8
block entry:
  atomic_begin
  %0 = load @y marks %1
  store i32 %0, @x marks %1
  atomic_end
  ret void
}
func @wiped() -> void {
block entry:
  atomic_begin
  store i32 0, @x marks i8 15
  store i32 0, @y marks i8 15
  atomic_end
  ret void
}
func @set(%0 : i32) -> void {
block entry:
  store.atomic.seq_cst i32 %0, @x
  ret void
}
func @guarded() -> void {
block entry:
  mutex_lock(@mutex)
  mutex_unlock(@mutex)
  ret void
}
func @unguarded() -> void {
block entry:
  mutex_unlock(@mutex)
  ret void
}
func @nested() -> void {
block entry:
  mutex_init(@recursive, i32 1)
  mutex_lock(@recursive)
  ret void
}
func @waits() -> void {
block entry:
  sem_wait(@mutex)
  ret void
}
func @equal() -> i1 {
  reg %0 : i32
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = load @x
  %1 = load @y
  %2 = eq %0, %1
  ret %2
}
func @at_seven() -> i1 {
  reg %0 : i32
  reg %1 : i1
block entry:
  %0 = load @z
  %1 = eq %0, i32 7
  ret %1
}
func @small() -> i1 {
  reg %0 : i32
  reg %1 : i1
block entry:
  %0 = load @x
  %1 = ult %0, i32 100
  ret %1
}
func @meddles() -> i1 {
block entry:
  store i32 7, @z
  ret i1 1
}
func @guesses() -> i1 {
  reg %0 : i1
block entry:
  %0 = nondet "any"
  ret %0
}
)";

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

class Proof : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle_proof_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
    program_ = folder_ / "pair.hir";
    std::ofstream(program_) << kPair;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] Ran prove(const std::string& functions,
                          const std::string& invariant,
                          std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "linearizable", program_, "--functions", functions, "--invariant", invariant};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream out;
    std::ostringstream err;
    const driver::Console console{out, err, false, false, 0};
    const int code = driver::run(arguments, console);
    return {code, out.str(), err.str()};
  }
  fs::path folder_;
  fs::path program_;
};

TEST_F(Proof, AnInvariantThatEveryStepKeepsIsProved) {
  const fs::path report = folder_ / "report.json";
  const Ran ran = prove("both", "equal", {"--json", report.string()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.out.rfind("PROVED under sc", 0), 0U) << ran.out;
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(report));
  EXPECT_EQ(json["verdict"], "proved");
  EXPECT_FALSE(json["obligations"].empty());
}

TEST_F(Proof, AFalseInvariantIsRefutedByARun) {
  const fs::path report = folder_ / "report.json";
  const Ran ran = prove("both,torn", "equal", {"--json", report.string()});
  EXPECT_EQ(ran.code, 10) << ran.out << ran.err;
  EXPECT_EQ(ran.out.rfind("REFUTED under sc", 0), 0U) << ran.out;
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(report))["run"]["verdict"], "violated");
}

TEST_F(Proof, WhatHoldsForFewCallsOnlyIsNotProved) {
  const fs::path report = folder_ / "report.json";
  const Ran ran = prove("both", "small", {"--json", report.string()});
  EXPECT_EQ(ran.code, 30) << ran.out << ran.err;
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(report));
  EXPECT_EQ(json["verdict"], "unknown");
  bool has_state = false;
  for (const nlohmann::json& one : json["obligations"])
    has_state = has_state || (one["outcome"] == "failed" &&
                              one["memory"].dump().find("x = 99") != std::string::npos);
  EXPECT_TRUE(has_state) << json.dump(2);
}

TEST_F(Proof, CopiesOfGlobalsAreWritten) {
  EXPECT_EQ(prove("both,copied", "equal").code, 0);
  // What nobody asks for, no run refutes.
  const Ran ran = prove("wiped", "at_seven", {"--init", "init"});
  EXPECT_EQ(ran.code, 30) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("what is copied has been written"), std::string::npos) << ran.out;
}

TEST_F(Proof, ArgumentsAreAny) {
  EXPECT_EQ(prove("set", "small").code, 30);
}

TEST_F(Proof, TheStartIsAnObligation) {
  EXPECT_EQ(prove("both", "at_seven", {"--init", "init"}).code, 0);
  EXPECT_EQ(prove("both", "at_seven").code, 10);
}

TEST_F(Proof, DelayedStoresAreSteps) {
  // A store that waits past the return keeps the invariant, too, and has a fence in it.
  EXPECT_EQ(prove("both", "equal", {"--model", "tso"}).code, 0);
  EXPECT_EQ(prove("both,torn", "equal", {"--model", "pso"}).code, 10);
}

TEST_F(Proof, LocksAreWords) {
  EXPECT_EQ(prove("guarded", "equal").code, 0);
  const Ran unguarded = prove("unguarded", "equal");
  EXPECT_EQ(unguarded.code, 10) << unguarded.out;
  EXPECT_NE(unguarded.out.find("who gives a lock back has it"), std::string::npos) << unguarded.out;
}

TEST_F(Proof, RefusesWhatItCannotSay) {
  for (const char* function : {"waits", "nested"}) {
    const Ran ran = prove(function, "equal");
    EXPECT_EQ(ran.code, 3) << ran.out;
    EXPECT_NE(ran.err.find("OBL-001"), std::string::npos) << ran.err;
  }
  const Ran meddles = prove("both", "meddles");
  EXPECT_NE(meddles.err.find("OBL-004"), std::string::npos) << meddles.out << meddles.err;
  const Ran guesses = prove("both", "guesses");
  EXPECT_NE(guesses.out.find("REFUTED"), std::string::npos) << guesses.out << guesses.err;
  EXPECT_NE(prove("both", "nothing").err.find("LOAD-007"), std::string::npos);
  EXPECT_NE(prove("both", "init").err.find("HAR-002"), std::string::npos);
  EXPECT_NE(prove("both", "equal", {"--object", "stack"}).err.find("USE-037"), std::string::npos);
  EXPECT_NE(prove("both", "equal", {"--abstract", "both=torn"}).err.find("USE-037"),
            std::string::npos);
  EXPECT_NE(prove("both", "equal", {"--abstract", "other=torn"}).err.find("USE-021"),
            std::string::npos);
}

} // namespace
} // namespace heddle::object
