// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The lowerings from C to processors, action by action. That the result means what the same
// instructions mean in a litmus test is checked from outside (tests/scripts/run_lowering.py).
#include "ir/parse.h"
#include "ir/verify.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/events/event_set.h"
#include "transform/basic/transform.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace heddle::transform {
namespace {

using memory::Vocabulary;
using program::Program;
using Lines = std::vector<std::string>;

Program built(const std::string& text) {
  const Result<ir::Module> module = ir::parse(text, "test.hir");
  EXPECT_TRUE(module.has_value()) << module.error().to_string();
  const Status status = ir::verify(*module);
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  Result<Program> program = program::build(*module, {});
  EXPECT_TRUE(program.has_value()) << program.error().to_string();
  program::annotate(*program, program::AliasAnalysis::kPointsTo);
  return std::move(program).value();
}

memory::Model model_for(Vocabulary vocabulary) {
  memory::Model model;
  model.name = "a model";
  model.vocabulary = vocabulary;
  return model;
}

Program lowered(const Program& program, Vocabulary vocabulary) {
  Result<Transformed> result = lower(model_for(vocabulary))->apply(program, {});
  EXPECT_TRUE(result.has_value()) << result.error().to_string();
  return std::move(result->program);
}

std::string marked(const char* kind, const program::Access& access) {
  return access.tags.empty() ? kind : fmt::format("{} {}", kind, fmt::join(access.tags, " "));
}

std::string text(const program::Action& action) {
  if (const auto* a = std::get_if<program::Load>(&action))
    return marked("load", a->access);
  if (const auto* a = std::get_if<program::Store>(&action))
    return marked("store", a->access);
  if (const auto* a = std::get_if<program::LoadExclusive>(&action))
    return marked("load-exclusive", a->access);
  if (const auto* a = std::get_if<program::StoreExclusive>(&action))
    return marked("store-exclusive", a->access);
  if (const auto* a = std::get_if<program::ReadModifyWrite>(&action))
    return marked(a->op == program::RmwOp::kExchange ? "exchange" : "update", a->access);
  if (const auto* a = std::get_if<program::CompareExchange>(&action))
    return marked("compare", a->access);
  if (const auto* a = std::get_if<program::Fence>(&action))
    return marked("fence", a->access);
  if (const auto* a = std::get_if<program::Assume>(&action))
    return a->is_branch ? "branch" : "assume";
  if (std::holds_alternative<program::Synchronize>(action))
    return "synchronize";
  if (std::holds_alternative<program::Return>(action))
    return "return";
  return "";
}

/// What a procedure does along one path: of a branch the first arm.
Lines path(const Program& program, const std::string& name) {
  Lines lines;
  for (const program::Procedure& procedure : program.procedures) {
    if (procedure.name != name)
      continue;
    program::LocationId at = procedure.entry;
    while (!procedure.locations[at].out.empty()) {
      const program::Edge& edge = procedure.edges[procedure.locations[at].out[0]];
      if (std::string line = text(edge.action); !line.empty())
        lines.push_back(std::move(line));
      at = edge.to;
    }
  }
  return lines;
}

/// What becomes of a line of a procedure that does nothing else.
Lines lowered_line(const std::string& line, Vocabulary vocabulary) {
  const Program program = built("module lp64\n"
                                "global @x : 4 align 4\n"
                                "func @main() -> i32 {\n"
                                "  reg %0 : i32 \"v\"\n"
                                "  reg %1 : i1 \"done\"\n"
                                "block entry:\n  " +
                                line + "\n  ret i32 0\n}\n");
  Lines lines = path(lowered(program, vocabulary), "main");
  EXPECT_FALSE(lines.empty());
  if (!lines.empty() && lines.back() == "return")
    lines.pop_back();
  return lines;
}

struct Expected {
  Vocabulary vocabulary;
  std::vector<std::pair<std::string, Lines>> rows;
};

void expect_table(const Expected& expected) {
  for (const auto& [line, lines] : expected.rows)
    EXPECT_EQ(lowered_line(line, expected.vocabulary), lines)
        << memory::to_string(expected.vocabulary) << ": " << line;
}

constexpr const char* kAdd = " add @x, i32 1";
constexpr const char* kCompare = " @x, i32 1, i32 2 failure ";

std::string add(const std::string& order) {
  return "%0 = rmw.atomic." + order + kAdd;
}
std::string compare(const std::string& order, const std::string& failure) {
  return "%0, %1 = cmpxchg.atomic." + order + kCompare + failure;
}
std::string load(const std::string& order) {
  return "%0 = load.atomic." + order + " @x";
}
std::string store(const std::string& order) {
  return "store.atomic." + order + " i32 1, @x";
}

TEST(LowerTargets, PlainAccessesAndCompilerBarriersStayAsTheyAre) {
  for (const Vocabulary vocabulary : {Vocabulary::kX86,
                                      Vocabulary::kAArch64,
                                      Vocabulary::kPower,
                                      Vocabulary::kRiscV,
                                      Vocabulary::kArm,
                                      Vocabulary::kMips})
    expect_table({vocabulary,
                  {{"store i32 1, @x", {"store"}},
                   {"%0 = load @x", {"load"}},
                   {"store.volatile i32 1, @x", {"store"}},
                   {"%0 = load.volatile @x", {"load"}},
                   {store("relaxed"), {"store"}},
                   {load("relaxed"), {"load"}},
                   {"fence\n  store i32 1, @x", {"store"}}}});
}

TEST(LowerTargets, X86) {
  expect_table(
      {Vocabulary::kX86,
       {{load("acquire"), {"load"}},
        {load("seq_cst"), {"load"}},
        {store("release"), {"store"}},
        {store("seq_cst"), {"exchange X"}},
        {add("relaxed"), {"update X"}},
        {add("seq_cst"), {"update X"}},
        {compare("relaxed", "relaxed"), {"compare X"}},
        {"fence.atomic.acquire\n  fence.atomic.release\n  fence.atomic.acq_rel\n  store i32 1, @x",
         {"store"}},
        {"fence.atomic.seq_cst", {"fence MFENCE"}}}});
}

TEST(LowerTargets, AArch64) {
  expect_table({Vocabulary::kAArch64,
                {{load("acquire"), {"load A"}},
                 {load("seq_cst"), {"load A"}},
                 {store("release"), {"store L"}},
                 {store("seq_cst"), {"store L"}},
                 {add("relaxed"), {"update X"}},
                 {add("acquire"), {"update X R:A"}},
                 {add("release"), {"update X W:L"}},
                 {add("acq_rel"), {"update X R:A W:L"}},
                 {add("seq_cst"), {"update X R:A W:L"}},
                 {compare("relaxed", "relaxed"), {"compare X"}},
                 {compare("release", "acquire"), {"compare X R:A W:L"}},
                 {compare("relaxed", "acquire"), {"compare X R:A"}},
                 {"fence.atomic.acquire", {"fence DMB.ISHLD"}},
                 {"fence.atomic.release", {"fence DMB.ISH"}},
                 {"fence.atomic.acq_rel", {"fence DMB.ISH"}},
                 {"fence.atomic.seq_cst", {"fence DMB.ISH"}}}});
}

TEST(LowerTargets, Power) {
  const Lines exclusives = {"load-exclusive EX X", "store-exclusive EX X", "assume", "branch"};
  const auto between = [&](Lines before, const Lines& after) {
    before.insert(before.end(), exclusives.begin(), exclusives.end());
    before.insert(before.end(), after.begin(), after.end());
    return before;
  };
  expect_table({Vocabulary::kPower,
                {{load("acquire"), {"load", "branch", "fence ISYNC"}},
                 {load("seq_cst"), {"fence SYNC", "load", "branch", "fence ISYNC"}},
                 {store("release"), {"fence LWSYNC", "store"}},
                 {store("seq_cst"), {"fence SYNC", "store"}},
                 {add("relaxed"), between({}, {})},
                 {add("acquire"), between({}, {"fence LWSYNC"})},
                 {add("release"), between({"fence LWSYNC"}, {})},
                 {add("acq_rel"), between({"fence LWSYNC"}, {"fence LWSYNC"})},
                 {add("seq_cst"), between({"fence SYNC"}, {"fence LWSYNC"})},
                 {compare("seq_cst", "seq_cst"),
                  {"fence SYNC",
                   "load-exclusive EX X",
                   "branch",
                   "store-exclusive EX X",
                   "assume",
                   "branch",
                   "fence LWSYNC"}},
                 {"fence.atomic.acquire", {"fence LWSYNC"}},
                 {"fence.atomic.release", {"fence LWSYNC"}},
                 {"fence.atomic.seq_cst", {"fence SYNC"}}}});
}

TEST(LowerTargets, RiscV) {
  expect_table(
      {Vocabulary::kRiscV,
       {{load("acquire"), {"load", "fence Fence.r.rw"}},
        {load("seq_cst"), {"fence Fence.rw.rw", "load", "fence Fence.r.rw"}},
        {store("release"), {"fence Fence.rw.w", "store"}},
        {store("seq_cst"), {"fence Fence.rw.w", "store"}},
        {add("relaxed"), {"update AMO X"}},
        {add("acquire"), {"update AMO Acq X"}},
        {add("release"), {"update AMO Rel X"}},
        {add("seq_cst"), {"update AMO AcqRel X"}},
        {compare("acq_rel", "acquire"),
         {"load-exclusive EX Acq X", "branch", "store-exclusive EX Rel X", "assume", "branch"}},
        {compare("seq_cst", "seq_cst"),
         {"load-exclusive EX AcqRel X", "branch", "store-exclusive EX Rel X", "assume", "branch"}},
        {"%0 = rmw.atomic.relaxed nand @x, i32 1",
         {"load-exclusive EX X", "store-exclusive EX X", "assume", "branch"}},
        {"fence.atomic.acquire", {"fence Fence.r.rw"}},
        {"fence.atomic.release", {"fence Fence.rw.w"}},
        {"fence.atomic.acq_rel", {"fence Fence.tso"}},
        {"fence.atomic.seq_cst", {"fence Fence.rw.rw"}}}});
}

TEST(LowerTargets, ArmAndMipsHaveOneFence) {
  for (const auto& [vocabulary, fence] :
       {std::pair<Vocabulary, std::string>{Vocabulary::kArm, "fence DMB.ISH"},
        std::pair<Vocabulary, std::string>{Vocabulary::kMips, "fence SYNC"}})
    expect_table(
        {vocabulary,
         {{load("acquire"), {"load", fence}},
          {load("seq_cst"), {"load", fence}},
          {store("release"), {fence, "store"}},
          {store("seq_cst"), {fence, "store", fence}},
          {add("acq_rel"),
           {fence, "load-exclusive EX X", "store-exclusive EX X", "assume", "branch", fence}},
          {"fence.atomic.acquire", {fence}}}});
}

constexpr const char* kThreads = R"(
module lp64
global @m : 40 align 8
global @x : 4 align 4
func @worker(%0 : ptr) -> ptr {
block entry:
  mutex_lock(@m)
  store i32 1, @x
  mutex_unlock(@m)
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "a"
  reg %1 : i32 "v"
block entry:
  store i32 2, @x
  %0 = create(@worker, ptr 0)
  join(%0)
  %1 = load @x
  ret i32 0
}
)";

TEST(LowerTargets, SynchronisationsHaveTheirFencesAround) {
  const Program program = lowered(built(kThreads), Vocabulary::kRiscV);
  EXPECT_EQ(path(program, "worker"),
            (Lines{"fence Fence.r.rw", // the start reads what the creator wrote
                   "synchronize",
                   "store",
                   "fence Fence.rw.w",
                   "synchronize",
                   "fence Fence.rw.w",
                   "return"}));
  const Lines main = path(program, "main");
  EXPECT_EQ(
      Lines(main.begin(), main.begin() + 6),
      (Lines{
          "store", "fence Fence.rw.w", "synchronize", "synchronize", "fence Fence.r.rw", "load"}));
}

/// The tags of the events that synchronisations make.
std::multiset<std::string> hidden_tags(const Program& program) {
  const Result<program::EventSet> set = program::make_events(program, {});
  EXPECT_TRUE(set.has_value()) << set.error().to_string();
  std::multiset<std::string> found;
  for (const program::StaticEvent& event : set->events) {
    if (event.access != program::AccessKind::kAtomic ||
        event.kind == program::StaticEvent::Kind::kFence)
      continue;
    const char* const kind = event.kind == program::StaticEvent::Kind::kRead ? "R" : "W";
    found.insert(fmt::format("{} {}", kind, fmt::join(event.tags, " ")));
  }
  return found;
}

TEST(LowerTargets, SynchronisationsHaveTheTagsOfTheTarget) {
  const Program program = built(kThreads);
  // Create and the ends (of main, too) write, start and join read; the lock reads and writes, the
  // unlock writes.
  using Tags = std::multiset<std::string>;
  EXPECT_EQ(hidden_tags(program), (Tags{"R X", "R X", "R X", "W X", "W X", "W X", "W X", "W X"}));
  EXPECT_EQ(hidden_tags(lowered(program, Vocabulary::kAArch64)),
            (Tags{"R A", "R A", "R X A", "W L", "W L", "W L", "W L", "W X"}));
  EXPECT_EQ(hidden_tags(lowered(program, Vocabulary::kX86)),
            (Tags{"R ", "R ", "R X", "W ", "W ", "W ", "W ", "W X"}));
  EXPECT_EQ(hidden_tags(lowered(program, Vocabulary::kPower)),
            (Tags{"R ", "R ", "R EX X", "W ", "W ", "W ", "W ", "W EX X"}));
  EXPECT_EQ(hidden_tags(lowered(program, Vocabulary::kRiscV)),
            (Tags{"R ", "R ", "R AMO Acq X", "W ", "W ", "W ", "W ", "W AMO Acq X"}));
}

/// A thread whose only fences come from create and join does nothing that create and join order.
TEST(LowerTargets, FencesOfCreationMakeNoAnnouncements) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
func @worker(%0 : ptr) -> ptr {
block entry:
  store.atomic.relaxed i32 1, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "a"
block entry:
  %0 = create(@worker, ptr 0)
  join(%0)
  ret i32 0
}
)");
  const Result<program::EventSet> set =
      program::make_events(lowered(program, Vocabulary::kPower), {});
  ASSERT_TRUE(set.has_value()) << set.error().to_string();
  for (const program::StaticEvent& event : set->events)
    EXPECT_FALSE(event.is_hidden);
}

/// The branch after an acquire load orders all that follows: what comes after is control-dependent.
TEST(LowerTargets, ABranchOnWhatWasReadIsADependency) {
  const Program program = built(R"(
module lp64
global @x : 4 align 4
global @y : 4 align 4
func @main() -> i32 {
  reg %0 : i32 "v"
block entry:
  %0 = load.atomic.acquire @x
  store.atomic.relaxed i32 1, @y
  ret i32 0
}
)");
  for (const Vocabulary vocabulary : {Vocabulary::kPower, Vocabulary::kRiscV}) {
    Program made = lowered(program, vocabulary);
    for (program::Procedure& procedure : made.procedures)
      for (program::Edge& edge : procedure.edges)
        if (auto* a = std::get_if<program::Load>(&edge.action))
          a->access.is_visible = true;
        else if (auto* b = std::get_if<program::Store>(&edge.action))
          b->access.is_visible = true;
    program::EventSetOptions options;
    options.control_ends_at_join = true;
    const Result<program::EventSet> set = program::make_events(made, options);
    ASSERT_TRUE(set.has_value()) << set.error().to_string();
    bool is_dependent = false;
    for (const program::StaticEdge& edge : set->ctrl)
      is_dependent =
          is_dependent || (set->events[edge.from].kind == program::StaticEvent::Kind::kRead &&
                           set->events[edge.to].kind == program::StaticEvent::Kind::kWrite);
    EXPECT_EQ(is_dependent, vocabulary == Vocabulary::kPower);
    for (const program::StaticEvent& event : set->events)
      EXPECT_TRUE(set->terms.is_constant(event.guard)); // the branch leaves no doubt
  }
}

TEST(LowerTargets, WhatIsNotKnownIsRefusedByName) {
  const Program program = built(kThreads);
  for (const Vocabulary vocabulary : {Vocabulary::kLinux, Vocabulary::kBpf}) {
    EXPECT_FALSE(can_lower_to(vocabulary));
    const Result<Transformed> refused = lower(model_for(vocabulary))->apply(program, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "TRF-001");
    EXPECT_NE(refused.error().message.find(memory::to_string(vocabulary)), std::string::npos);
    EXPECT_NE(refused.error().message.find("a model"), std::string::npos);
  }
  const Result<Transformed> twice =
      lower(model_for(Vocabulary::kPower))->apply(lowered(program, Vocabulary::kAArch64), {});
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().code, "TRF-002");
  EXPECT_NE(twice.error().message.find("aarch64"), std::string::npos);
  EXPECT_TRUE(lowered(program, Vocabulary::kPower).is_lowered);
}

} // namespace
} // namespace heddle::transform
