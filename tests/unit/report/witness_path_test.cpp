// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which places of a run a witness names, in which order.
#include "report/witness/witness.h"
#include "report/witness/witness_path.h"
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"
#include "unit/report/violated.h"
#include "unit/report/witness_task.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace heddle::report {
namespace {

using check_test::ReadyProgram;
using check_test::two_threads;
using report_test::subject_of;
using report_test::task_of;
using report_test::violated;
using spec::Property;

/// The path as one line per item: "0 create 9", "1 at 4:3", "1 returns 200 at 3".
std::vector<std::string>
path_of(const verdict::Verdict& verdict, const spec::Task& task, const WitnessTask& witness_task) {
  const auto path = violation_path(
      std::get<verdict::Violated>(verdict.answer).violation, subject_of(task), witness_task);
  if (!path)
    return {path.error().code};
  const auto at = [](const WitnessPlace& place) {
    return fmt::format("{}:{} in {}", place.line, place.column, place.function);
  };
  std::vector<std::string> lines;
  for (const PathItem& item : path->items) {
    switch (item.kind) {
    case PathItem::Kind::kStatement:
      lines.push_back(fmt::format("{} at {}", item.thread, at(item.place)));
      break;
    case PathItem::Kind::kCreate:
      lines.push_back(fmt::format(
          "{} creates {} ({}) at {}", item.thread, item.created, item.function, at(item.place)));
      break;
    case PathItem::Kind::kReturn:
      lines.push_back(fmt::format(
          "{} gets {} from {} at {}", item.thread, item.value, item.function, at(item.place)));
      break;
    }
  }
  for (const PathTarget& target : path->targets)
    lines.push_back(fmt::format("{} violates at {}", target.thread, at(target.place)));
  return lines;
}

/// A text with the given lines, and functions around them: two_threads() has its lines there.
std::string text_with(const std::map<std::uint32_t, std::string>& given) {
  std::map<std::uint32_t, std::string> lines = {{10, "void *left(void *unused) {"},
                                                {19, "return 0; }"},
                                                {20, "void *right(void *unused) {"},
                                                {29, "return 0; }"},
                                                {30, "int main(void) {"},
                                                {31, "pthread_create(&a, 0, left, 0);"},
                                                {32, "pthread_create(&b, 0, right, 0);"},
                                                {33, "pthread_join(a, 0);"},
                                                {34, "pthread_join(b, 0);"},
                                                {39, "return 0; }"}};
  for (const auto& [number, line] : given)
    lines[number] = line;
  std::string text;
  for (std::uint32_t number = 1; number < 40; ++number)
    text += lines[number] + "\n";
  return text;
}

TEST(WitnessPath, ARaceEndsInTwoTargetsWithoutAnOrder) {
  const ReadyProgram ready(two_threads("  mutex_lock(@lock) !1:11:1\n  store i32 1, @x !1:12:3\n"
                                       "  mutex_unlock(@lock) !1:13:1\n",
                                       "  %1 = load @x !1:21:5\n"),
                           "sc");
  const spec::Task task = ready.task(Property::kRace);
  const std::string text =
      text_with({{11, "lock(&l);"}, {12, "x = 1;"}, {13, "unlock(&l);"}, {21, "a = x;"}});
  EXPECT_EQ(path_of(violated(task, verdict::Race{}), task, task_of("test.c", text)),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "1 at 11:1 in left",
                                      "1 violates at 12:1 in left",
                                      "2 violates at 21:1 in right"}));
}

TEST(WitnessPath, WhatAThreadDoesAfterItsAccessOfARaceIsNotTold) {
  const ReadyProgram ready(
      two_threads("  store i32 1, @x !1:11:3\n  store.atomic.relaxed i32 1, @y !1:12:3\n",
                  "  %1 = load.atomic.relaxed @y !1:21:5\n  %5 = ne %1, i32 0 !1:21:1\n"
                  "  branch %5, there, missing !1:21:1\nblock there:\n  %2 = load @x !1:22:5\n"
                  "  jump missing\nblock missing:\n"),
      "sc");
  const spec::Task task = ready.task(Property::kRace);
  const std::string text =
      text_with({{11, "x = 1;"}, {12, "y = 1;"}, {21, "if (y)"}, {22, "b = x;"}});
  EXPECT_EQ(path_of(violated(task, verdict::Race{}), task, task_of("test.c", text)),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "1 violates at 11:1 in left",
                                      "2 violates at 22:1 in right"}));
}

TEST(WitnessPath, OfWhatAThreadDoesInARowTheFirstAndTheLastAreTold) {
  const ReadyProgram ready(
      two_threads("  mutex_lock(@lock) !1:11:1\n  mutex_unlock(@lock) !1:12:1\n"
                  "  mutex_lock(@lock) !1:13:1\n  store.volatile i32 1, @y !1:14:3\n",
                  "  %1 = load.volatile @y !1:21:8\n  %5 = eq %1, i32 0 !1:21:8\n"
                  "  assert %5, \"y == 0\" !1:21:1\n"),
      "sc");
  const spec::Task task = ready.task(Property::kReach);
  const std::string text = text_with({{11, "lock(&l);"},
                                      {12, "unlock(&l);"},
                                      {13, "lock(&l);"},
                                      {14, "y = 1;"},
                                      {21, "assert(y == 0);"}});
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("test.c", text)),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "1 at 11:1 in left",
                                      "1 at 14:1 in left",
                                      "2 violates at 21:1 in right"}));
}

TEST(WitnessPath, ADeadlockEndsWhereEachThreadWaits) {
  const ReadyProgram ready(two_threads("  mutex_lock(@lock) !1:11:1\n  mutex_lock(@other) !1:12:1\n"
                                       "  mutex_unlock(@other)\n  mutex_unlock(@lock)\n",
                                       "  mutex_lock(@other) !1:21:1\n  mutex_lock(@lock) !1:22:1\n"
                                       "  mutex_unlock(@lock)\n  mutex_unlock(@other)\n"),
                           "sc");
  const spec::Task task = ready.task(Property::kDeadlock);
  const std::string text =
      text_with({{11, "lock(&l);"}, {12, "lock(&o);"}, {21, "lock(&o);"}, {22, "lock(&l);"}});
  EXPECT_EQ(path_of(violated(task, verdict::Deadlock{}), task, task_of("test.c", text)),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "1 at 11:1 in left",
                                      "2 at 21:1 in right",
                                      "0 violates at 33:1 in ",
                                      "1 violates at 12:1 in ",
                                      "2 violates at 22:1 in "}));
}

/// left stores x and y, right asserts that it does not see y without x.
std::string reordered_stores() {
  return two_threads(
      "  store.volatile i32 1, @x !1:11:3\n  store.volatile i32 1, @y !1:12:3\n",
      "  %1 = load.volatile @y !1:21:5\n  %5 = ne %1, i32 0 !1:21:1\n"
      "  branch %5, there, missing !1:21:1\nblock there:\n  %2 = load.volatile @x !1:22:9\n"
      "  %5 = ne %2, i32 0 !1:22:9\n  assert %5, \"b != 0\" !1:22:1\n  jump missing\n"
      "block missing:\n");
}

TEST(WitnessPath, WritesInStoreBuffersAreCountedAndNotTold) {
  const ReadyProgram ready(reordered_stores(), "pso");
  const spec::Task task = ready.task(Property::kReach);
  const verdict::Verdict verdict = violated(task, verdict::FaultReached{});
  const WitnessTask witness_task = task_of(
      "test.c", text_with({{11, "x = 1;"}, {12, "y = 1;"}, {21, "if (y)"}, {22, "assert( x);"}}));
  EXPECT_EQ(path_of(verdict, task, witness_task),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "1 at 11:1 in left",
                                      "1 at 12:1 in left",
                                      "2 at 21:1 in right",
                                      "2 violates at 22:1 in right"}));
  const auto result = witness(verdict, subject_of(task), witness_task, WitnessFormat::kYaml);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->note,
            "the witness cannot tell of a write that waited in a store buffer: a validator that "
            "only interleaves threads may reject it");
}

TEST(WitnessPath, WithoutTheTextOnlyLinesAreKnown) {
  const ReadyProgram ready(reordered_stores(), "pso");
  const spec::Task task = ready.task(Property::kReach);
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("other.c", "")),
            (std::vector<std::string>{"0 creates 1 (left) at 31:0 in main",
                                      "0 creates 2 (right) at 32:0 in main",
                                      "2 violates at 22:0 in right"}));
}

TEST(WitnessPath, AViolationWithoutAPlaceIsRefused) {
  const ReadyProgram ready("module lp64\n"
                           "func @main() -> i32 {\n"
                           "block entry:\n"
                           "  assert i1 0, \"no\"\n"
                           "  ret i32 0\n}\n",
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("a.c", "")),
            std::vector<std::string>{"WIT-001"});
}

TEST(WitnessPath, WithoutThePlaceOfACreationThreadsHaveNoNumbers) {
  const ReadyProgram ready("module lp64\n"
                           "file 1 \"test.c\"\n"
                           "func @worker(%0 : ptr) -> ptr {\n"
                           "block entry:\n"
                           "  assert i1 0, \"no\" !1:1:1\n"
                           "  ret ptr 0\n}\n"
                           "func @main() -> i32 {\n"
                           "  reg %0 : ptr\n"
                           "block entry:\n"
                           "  %0 = create(@worker, ptr 0)\n"
                           "  ret i32 0\n}\n",
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("a.c", "")),
            std::vector<std::string>{"WIT-002"});
}

/// main calls set() in a statement that goes on after it, then reads what left wrote.
TEST(WitnessPath, AStatementIsReachedOnceThoughItCalls) {
  const ReadyProgram ready(R"(module lp64
file 1 "test.c"
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
global @z : 4 align 4 signed 32
func @set() -> i32 {
  reg %0 : i32
block entry:
  store i32 1, @y !1:3:3
  %0 = load @x !1:4:8
  ret %0 !1:4:1
}
func @left(%0 : ptr) -> ptr {
  reg %1 : i32
block entry:
  %1 = load @y !1:7:6
  store i32 %1, @x !1:7:3
  store i32 0, @z !1:8:3
  ret ptr 0 !1:8:1
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = create(@left, ptr 0) !1:11:1
  %1 = call @set() !1:12:5
  store i32 %1, @z !1:12:3
  %1 = load @z !1:13:8
  %2 = eq %1, i32 0 !1:13:10
  assert %2, "z == 0" !1:13:1
  ret i32 0 !1:14:1
}
)",
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  const std::string text = "int x, y, z;\nint set(void) {\ny = 1;\nreturn x;\n}\n"
                           "void *left(void *unused) {\nx = y;\nz = 0; return 0;\n}\n"
                           "int main(void) {\ncreate(&t, left);\nz = set();\nassert(z == 0);\n"
                           "return 0;\n}\n";
  const std::vector<std::string> path =
      path_of(violated(task, verdict::FaultReached{}), task, task_of("test.c", text));
  // Not "0 at 12:1" after what set() did.
  EXPECT_EQ(path,
            (std::vector<std::string>{"0 creates 1 (left) at 11:0 in main",
                                      "0 at 3:1 in set",
                                      "1 at 7:1 in left",
                                      "0 at 4:1 in set",
                                      "0 violates at 13:1 in main"}));
}

TEST(WitnessPath, ThreadsAreNumberedByTheirCreationThoughSlotsServeAgain) {
  const ReadyProgram ready(R"(module lp64
file 1 "test.c"
global @x : 4 align 4 signed 32
func @one(%0 : ptr) -> ptr {
block entry:
  store i32 1, @x !1:3:3
  ret ptr 0 !1:4:1
}
func @two(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i1
block entry:
  %1 = load @x !1:7:8
  %2 = eq %1, i32 0 !1:7:8
  assert %2, "x == 0" !1:7:1
  ret ptr 0 !1:8:1
}
func @main() -> i32 {
  reg %0 : ptr
block entry:
  %0 = create(@one, ptr 0) !1:11:1
  %0 = join(%0) !1:12:1
  %0 = create(@two, ptr 0) !1:13:1
  %0 = join(%0) !1:14:1
  ret i32 0 !1:15:1
}
)",
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("other.c", "")),
            (std::vector<std::string>{"0 creates 1 (one) at 11:0 in main",
                                      "0 creates 2 (two) at 13:0 in main",
                                      "2 violates at 7:0 in two"}));
}

TEST(WitnessPath, BeforeTheFirstCreationOnlyChoicesAreTold) {
  const ReadyProgram ready(R"(module lp64
file 1 "test.c"
global @x : 4 align 4 signed 32
func @worker(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i1
block entry:
  %1 = load @x !1:3:8
  %2 = eq %1, i32 0 !1:3:8
  assert %2, "x == 0" !1:3:1
  ret ptr 0 !1:4:1
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : i1
block entry:
  store i32 1, @x !1:7:3
  %1 = nondet "__VERIFIER_nondet_bool" !1:8:1
  %0 = create(@worker, ptr 0) !1:9:1
  ret i32 0 !1:10:1
}
)",
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  const std::string text = "int x;\nvoid *worker(void *unused) {\nassert(x == 0);\nreturn 0;\n}\n"
                           "int main(void) {\nx = 1;\n__VERIFIER_nondet_bool();\n"
                           "create(&t, worker);\nreturn 0;\n}\n";
  EXPECT_EQ(path_of(violated(task, verdict::FaultReached{}), task, task_of("test.c", text)),
            (std::vector<std::string>{"0 gets 0 from __VERIFIER_nondet_bool at 8:0 in main",
                                      "0 creates 1 (worker) at 9:0 in main",
                                      "1 violates at 3:1 in worker"}));
}

/// What a call of `function` returned as a value of that width, as the witness writes it.
std::string returned(const std::string& function, unsigned width, const std::string& condition) {
  const ReadyProgram ready(fmt::format("module lp64\n"
                                       "file 1 \"test.c\"\n"
                                       "func @main() -> i32 {{\n"
                                       "  reg %0 : i{}\n"
                                       "  reg %1 : i1\n"
                                       "block entry:\n"
                                       "  %0 = nondet \"{}\" !1:2:1\n"
                                       "  %1 = ne %0, i{} {} !1:3:1\n"
                                       "  assert %1, \"other\" !1:3:1\n"
                                       "  ret i32 0\n}}\n",
                                       width,
                                       function,
                                       width,
                                       condition),
                           "sc");
  const spec::Task task = ready.task(Property::kReach);
  const auto path =
      path_of(violated(task, verdict::FaultReached{}),
              task,
              task_of("test.c", "int main(void) {\n" + function + "();\nassert(0);\n}\n"));
  return path.size() == 2 ? path.front().substr(7, path.front().find(" from") - 7) : "nothing";
}

TEST(WitnessPath, ValuesAreConstantsOfTheTypeTheFunctionReturns) {
  EXPECT_EQ(returned("__VERIFIER_nondet_uchar", 8, "255"), "255");
  EXPECT_EQ(returned("__VERIFIER_nondet_char", 8, "255"), "-1");
  EXPECT_EQ(returned("__VERIFIER_nondet_bool", 8, "1"), "1");
  // Who knows whether the type is signed?
  EXPECT_EQ(returned("own_byte", 8, "255"), "nothing");
  EXPECT_EQ(returned("__VERIFIER_nondet_int", 32, "4294967295"), "-1");
  EXPECT_EQ(returned("__VERIFIER_nondet_uint", 32, "4294967295"), "4294967295");
  // A comparison with an unsigned value converts the constant as well.
  EXPECT_EQ(returned("own_word", 32, "4294967295"), "-1");
  EXPECT_EQ(returned("__VERIFIER_nondet_long", 64, "9223372036854775808"),
            "(-9223372036854775807 - 1)");
  EXPECT_EQ(returned("__VERIFIER_nondet_ulong", 64, "18446744073709551615"),
            "18446744073709551615U");
  EXPECT_EQ(returned("__VERIFIER_nondet_pointer", 64, "0"), "0");
  EXPECT_EQ(returned("__VERIFIER_nondet_pointer", 64, "1"), "(void *)1");
  EXPECT_EQ(returned("__VERIFIER_nondet_float", 32, "0"), "nothing");
  EXPECT_EQ(returned("uninitialised x", 32, "0"), "nothing");
}

} // namespace
} // namespace heddle::report
