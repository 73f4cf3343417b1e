// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The second opinion on executions: what the engine has found is confirmed, and nothing that was
// tampered with.
#include "check/confirm.h"
#include "engine/axiomatic/axiomatic.h"
#include "ir/parse.h"
#include "memory/cat/load_model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace heddle::engine_test {
namespace {

using execution::Event;
using execution::Execution;

/// Message passing by relaxed accesses; the reader believes the flag. Main joins both.
constexpr const char* kMessagePassing = R"(module lp64
file 1 "test.c"
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
func @left(%0 : ptr) -> ptr {
block entry:
  store.atomic.relaxed i32 1, @x !1:11:1
  store.atomic.relaxed i32 1, @y !1:12:1
  ret ptr 0 !1:19:1
}
func @right(%0 : ptr) -> ptr {
  reg %1 : i32 "flag"
  reg %2 : i32 "data"
  reg %3 : i1
  reg %4 : i1
  reg %5 : i1
block entry:
  %1 = load.atomic.relaxed @y !1:21:1
  %2 = load.atomic.relaxed @x !1:22:1
  %3 = eq %1, i32 0 !1:23:1
  %4 = ne %2, i32 0 !1:23:1
  %5 = or %3, %4 !1:23:1
  assert %5, "message" !1:23:1
  ret ptr 0 !1:29:1
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : ptr
  reg %2 : i32
  reg %3 : i1
block entry:
  %0 = create(@left, ptr 0) !1:31:1
  %1 = create(@right, ptr 0) !1:32:1
  %0 = join(%0) !1:33:1
  %1 = join(%1) !1:34:1
  ret i32 0 !1:39:1
}
)";

class Confirm : public testing::Test {
protected:
  void SetUp() override {
    memory::cat::LoadOptions options;
    options.search_path = {HEDDLE_SOURCE_DIR "/models"};
    options.base_names = &memory::base_names(memory::Vocabulary::kC11);
    std::variant<memory::Core, memory::cat::Diagnostics> loaded =
        memory::cat::load(HEDDLE_SOURCE_DIR "/models/rc11.cat", options);
    ASSERT_TRUE(std::holds_alternative<memory::Core>(loaded));
    task_.model.name = "rc11";
    task_.model.vocabulary = memory::Vocabulary::kC11;
    task_.model.core = std::make_shared<memory::Core>(std::move(std::get<memory::Core>(loaded)));
    const auto module = ir::parse(kMessagePassing, "test.ir");
    ASSERT_TRUE(module) << module.error().to_string();
    Result<program::Program> built = program::build(*module, {});
    ASSERT_TRUE(built) << built.error().to_string();
    program_ = std::make_unique<program::Program>(std::move(*built));
    program::annotate(*program_, program::AliasAnalysis::kPointsTo);
    task_.program = program_.get();
    task_.question = spec::Check{spec::Property::kReach};
    const verdict::Verdict verdict = engine::make_axiomatic({})->run(task_, {});
    const auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
    ASSERT_NE(violated, nullptr);
    found_ = violated->violation;
  }

  [[nodiscard]] Execution& execution() { return *found_.execution; }
  /// The event of that kind and line.
  [[nodiscard]] std::size_t at(Event::Kind kind, std::uint32_t line) {
    for (std::size_t i = 0; i < execution().events.size(); ++i)
      if (execution().events[i].kind == kind && execution().events[i].loc.line == line)
        return i;
    ADD_FAILURE() << "no event at line " << line;
    return 0;
  }
  [[nodiscard]] std::string code() {
    const Result<verdict::Violation> result = check::confirm(task_, found_);
    return result ? "confirmed" : result.error().code;
  }

  std::unique_ptr<program::Program> program_;
  spec::Task task_;
  verdict::Violation found_;
};

TEST_F(Confirm, WhatWasFound) {
  const Result<verdict::Violation> result = check::confirm(task_, found_);
  ASSERT_TRUE(result) << result.error().to_string();
  ASSERT_TRUE(result->run);
  EXPECT_EQ(result->run->fault.kind, program::FaultKind::kAssertion);
  // The failing thread has the last step, and it is known where its reads come from.
  EXPECT_EQ(result->run->steps.back().loc.line, 22U);
  EXPECT_FALSE(result->run->steps.back().reads_from);
}

TEST_F(Confirm, NotAChangedValue) {
  execution().events[at(Event::Kind::kWrite, 11)].value = 2;
  EXPECT_EQ(code(), "CHECK-011");
}

TEST_F(Confirm, NotAReadFromElsewhere) {
  // The data is said to come from the write, but with the value of the initial one.
  const std::size_t read = at(Event::Kind::kRead, 22);
  for (std::size_t i = 0; i < execution().events.size(); ++i)
    execution().rf.erase(i, read);
  EXPECT_EQ(code(), "CHECK-012");
  execution().rf.insert(at(Event::Kind::kWrite, 11), read);
  EXPECT_EQ(code(), "CHECK-011");
}

TEST_F(Confirm, NotAnOrderThatTheModelForbids) {
  // The initial write may not be the later one,
  const std::size_t write = at(Event::Kind::kWrite, 11);
  std::size_t initial = 0;
  while (execution().events[initial].kind != Event::Kind::kInitialWrite ||
         execution().events[initial].address != execution().events[write].address)
    ++initial;
  ASSERT_TRUE(execution().co.contains(initial, write));
  execution().co.erase(initial, write);
  EXPECT_EQ(code(), "CHECK-014");
  execution().co.insert(write, initial);
  EXPECT_EQ(code(), "CHECK-014");
}

TEST_F(Confirm, NotAnExecutionThatAStrongerModelForbids) {
  memory::cat::LoadOptions options;
  options.search_path = {HEDDLE_SOURCE_DIR "/models"};
  options.base_names = &memory::base_names(memory::Vocabulary::kC11);
  std::variant<memory::Core, memory::cat::Diagnostics> loaded =
      memory::cat::load(HEDDLE_SOURCE_DIR "/models/sc.cat", options);
  ASSERT_TRUE(std::holds_alternative<memory::Core>(loaded));
  task_.model.core = std::make_shared<memory::Core>(std::move(std::get<memory::Core>(loaded)));
  EXPECT_EQ(code(), "CHECK-016");
}

TEST_F(Confirm, NotWithoutAnEvent) {
  // An event in the middle of a thread is given to a thread that does not exist.
  execution().events[at(Event::Kind::kRead, 21)].thread = 7;
  EXPECT_EQ(code(), "CHECK-010");
}

TEST_F(Confirm, NotWithoutTheLastEvent) {
  // Without the read of the data the thread does not come to its assertion.
  const std::size_t dropped = at(Event::Kind::kRead, 22);
  Execution less;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < execution().events.size(); ++i)
    if (i != dropped && !(execution().events[i].thread == execution().events[dropped].thread &&
                          i > dropped && execution().events[i].kind != Event::Kind::kInitialWrite))
      kept.push_back(i);
  const auto part = [&](const relation::BitMatrix& from) {
    relation::BitMatrix to(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t j = 0; j < kept.size(); ++j)
        if (from.contains(kept[i], kept[j]))
          to.insert(i, j);
    return to;
  };
  for (const std::size_t i : kept)
    less.events.push_back(execution().events[i]);
  less.po = part(execution().po);
  less.rf = part(execution().rf);
  less.co = part(execution().co);
  less.rmw = part(execution().rmw);
  found_.execution = less;
  EXPECT_EQ(code(), "CHECK-017");
}

} // namespace
} // namespace heddle::engine_test
