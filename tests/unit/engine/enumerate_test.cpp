// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The engine that lists executions: counts that are known, the kinds of models there are, and
// everything against an enumeration that leaves nothing out.
#include "driver/pipeline/litmus.h"
#include "engine/enumerate/execution_search.h"
#include "engine/enumerate/traces.h"
#include "frontend/litmus/shared/test.h"
#include "litmus_outcomes.h"
#include "memory/cat/load_model.h"
#include "naive_executions.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <optional>
#include <sstream>

namespace heddle::engine_test {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
std::string oracle(const std::string& name) {
  return contents(HEDDLE_SOURCE_DIR "/tests/litmus/oracle/" + name);
}

constexpr const char* kFr = "let fr = rf^-1; co\n";

/// The search by itself, with bounds looked at from so many candidates on.
std::optional<engine::enumerate::Found> search_with_bounds(const std::string& test_text,
                                                           const std::string& model_text,
                                                           std::uint64_t bounds_from) {
  const std::optional<LitmusTest> test = parse(test_text);
  const std::optional<memory::Model> model = test ? model_from(model_text, *test) : std::nullopt;
  const Result<program::Program> program = driver::litmus_program(*test, 2);
  if (!model || !program)
    return std::nullopt;
  program::EventSetOptions how;
  how.groups_by_location = true; // they are of AArch64 and x86
  const Result<program::EventSet> set = program::make_events(*program, how);
  const Budget budget;
  const Result<engine::enumerate::Traces> traces = engine::enumerate::find_traces(*set, {}, budget);
  if (!traces)
    return std::nullopt;
  const std::vector<spec::ObservedPlace> observed =
      spec::observed_places(*program, spec::Enumerate{});
  engine::enumerate::SearchOptions options;
  options.bounds_from = bounds_from;
  const auto plan = std::make_shared<const memory::EvaluationPlan>(*model->core, false);
  return engine::enumerate::Search(*set, *traces, plan, observed, options, budget).run();
}
constexpr std::uint64_t kNever = ~std::uint64_t{0};

std::map<engine::enumerate::Found::Values, std::uint64_t>
counts_of(const engine::enumerate::Found& found) {
  std::map<engine::enumerate::Found::Values, std::uint64_t> counts;
  for (const auto& [values, state] : found.states)
    counts[values] = state.executions;
  return counts;
}

TEST(Enumerate, CountsOfTheOracle) {
  struct Row {
    const char* test;
    const char* model;
    std::uint64_t executions;
  };
  for (const auto& [test, model, executions] : std::vector<Row>{
           {"SB", "empty", 4},
           {"SB", "store-buffer", 4},
           {"SB", "interleaving", 3},
           {"MP", "store-buffer", 3},
           {"LB", "sc-per-location", 4},
           {"LB", "porf", 3},
           {"IRIW", "empty", 16},
           {"IRIW", "interleaving", 15},
           {"2+2W", "empty", 4},
           {"2+2W", "interleaving", 3},
           {"WW+RR", "empty", 18},
           {"WW+RR", "sc-per-location", 6},
       })
    EXPECT_EQ(count_of(oracle(std::string(test) + ".litmus"), oracle(std::string(model) + ".cat")),
              executions)
        << test << " " << model;
}

/// Three writes of one place by three threads, and a thread that reads it twice.
const std::string kThreeWrites = R"(AArch64 three
{ 0:X1=x; 1:X1=x; 2:X1=x; 3:X1=x; }
 P0 | P1 | P2 | P3 ;
 MOV W0,#1 | MOV W0,#2 | MOV W0,#3 | LDR W2,[X1] ;
 STR W0,[X1] | STR W0,[X1] | STR W0,[X1] | LDR W3,[X1] ;
exists (3:X2=1 /\ 3:X3=2)
)";

TEST(Enumerate, EveryKindOfAxiom) {
  // 16 sources times 6 orders.
  EXPECT_EQ(count_of(kThreeWrites, ""), 96U);
  const std::uint64_t coherent =
      count_of(kThreeWrites, std::string(kFr) + "acyclic po & loc | rf | co | fr");
  // For each of 6 orders: pairs of positions (0 to 3) that do not go back.
  EXPECT_EQ(coherent, 60U);
  // The same said by a complement, by emptiness and by its negation: nothing of it is monotone.
  EXPECT_EQ(count_of(kThreeWrites,
                     std::string(kFr) +
                         "empty [R]; (po & loc); fr; rf & id | ~(~((rf; (po & loc); rf^-1) & "
                         "co^-1)) as x\n"),
            coherent);
  EXPECT_EQ(count_of(kThreeWrites, std::string(kFr) + "~empty (rf; (po & loc); rf^-1) & co^-1"),
            96U - coherent);
  EXPECT_EQ(count_of(kThreeWrites, "~empty rf & (IW * R)"), 96U - 9U * 6U);
  EXPECT_EQ(count_of(kThreeWrites, "~acyclic po | rf"), 0U);
}

TEST(Enumerate, FinalWritesAreKnownAtTheEnd) {
  // Only one of three writes is final in each.
  EXPECT_EQ(count_of(kThreeWrites, "empty rf \\ (FW * R)"), 6U);
  EXPECT_EQ(count_of(kThreeWrites, "empty [FW]; rf"), 9U * 6U);
}

TEST(Enumerate, FlagsDoNotForbid) {
  const std::string model = std::string(kFr) + "flag ~empty (rf; (po & loc); rf^-1) & co^-1 as "
                                               "back\nflag empty rf & (IW * R) as late\n"
                                               "undefined_unless empty rf & (IW * R)\n";
  const std::optional<verdict::Outcomes> found = outcomes_of(kThreeWrites, model);
  ASSERT_TRUE(found);
  EXPECT_EQ(total(*found), 96U);
  EXPECT_EQ(found->flags,
            (std::map<std::string, std::uint64_t>{{"back", 36}, {"late", 54}, {"*undef*", 42}}));
}

TEST(Enumerate, FlagsWithoutCountsAreTheSameFlags) {
  // The read sees 0 from either write: only one of the executions has each flag.
  const std::string test = R"(AArch64 zero
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 STR WZR,[X1] | LDR W2,[X1] ;
exists (1:X2=0)
)";
  driver::LitmusOptions only_states;
  only_states.counts = false;
  const std::string model =
      "flag ~empty rf & (IW * R) as first\nflag ~empty rf \\ (IW * R) as other";
  const std::optional<verdict::Outcomes> all = outcomes_of(test, model);
  const std::optional<verdict::Outcomes> some = outcomes_of(test, model, only_states);
  ASSERT_TRUE(all && some);
  EXPECT_EQ(all->flags.size(), 2U);
  EXPECT_EQ(some->flags.size(), 2U);
}

TEST(Enumerate, GeneratedOrdersMultiplyExecutions) {
  // Two writes of each of two threads: as many orders as interleavings, for each co they extend.
  const std::string test = oracle("2+2W.litmus");
  const std::string writes = "let w = W \\ IW\n";
  EXPECT_EQ(count_of(test, writes + "with o from linearisations(w, [w]; po; [w])"), 4U * 6U);
  EXPECT_EQ(count_of(test, writes + "with o from linearisations(w, [w]; (po | co); [w])"), 6U);
  // A choice that an axiom then forbids.
  EXPECT_EQ(
      count_of(test, writes + "with o from linearisations(w, [w]; po; [w])\nempty (o & loc) \\ co"),
      6U);
  EXPECT_EQ(count_of(test, "include \"cos.cat\"\nacyclic po | co"), 3U);
}

TEST(Enumerate, OrdersOfAPartOfTheWritesAreTheirOwn) {
  const std::string test = R"(AArch64 writes
{ 0:X1=x; 1:X1=x; 2:X1=x; }
 P0 | P1 | P2 ;
 MOV W0,#1 | MOV W0,#2 | MOV W0,#3 ;
 STR W0,[X1] | STR W0,[X1] | STR W0,[X1] ;
exists (x=1)
)";
  EXPECT_EQ(count_of(test, "include \"cos.cat\""), 6U);
  // Chosen beside co, whatever co is.
  EXPECT_EQ(count_of(test, "include \"cos.cat\"\nwith s from generate_orders(W \\ IW, 0)"), 36U);
  EXPECT_EQ(count_of(test,
                     "include \"cos.cat\"\nwith s from generate_orders(W \\ IW, co)\n"
                     "empty [IW]; s"),
            6U);
}

TEST(Enumerate, OrdersExtendWhatTheModelAsksFor) {
  // Four orders of the writes, of which program order leaves one for each place.
  const std::string test = R"(AArch64 twice
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W0,#1 | MOV W0,#3 ;
 STR W0,[X1] | STR W0,[X1] ;
 MOV W0,#2 | MOV W0,#4 ;
 STR W0,[X1] | STR W0,[X1] ;
exists (x=1)
)";
  EXPECT_EQ(count_of(test, "include \"cross.cat\"\nwith co from generate_cos(co0)"), 24U);
  EXPECT_EQ(count_of(test,
                     "include \"cross.cat\"\n"
                     "with co from generate_cos(co0 | (po & loc & (W * W)))"),
            6U);
}

TEST(Enumerate, StatesAreThoseThatAreCounted) {
  driver::LitmusOptions only_states;
  only_states.counts = false;
  for (const char* test : {"SB", "MP", "IRIW", "2+2W", "WW+RR", "SB+rfi", "R", "S"})
    for (const char* model : {"empty", "porf", "sc-per-location", "store-buffer", "interleaving"}) {
      const std::string text = oracle(std::string(test) + ".litmus");
      const std::string axioms = oracle(std::string(model) + ".cat");
      const std::optional<verdict::Outcomes> all = outcomes_of(text, axioms);
      const std::optional<verdict::Outcomes> some = outcomes_of(text, axioms, only_states);
      ASSERT_TRUE(all && some);
      EXPECT_EQ(all->states, some->states) << test << " " << model;
      EXPECT_EQ(all->executions.size(), all->states.size());
      EXPECT_TRUE(some->executions.empty());
      EXPECT_TRUE(all->complete && some->complete);
    }
}

TEST(Enumerate, SeveralThreadsGiveTheSameAnswer) {
  driver::LitmusOptions three;
  three.jobs = 3;
  const std::string model = std::string(kFr) + "acyclic po & loc | rf | co | fr\n"
                                               "flag ~empty rf & (IW * R) as first";
  for (const std::string& test : {oracle("IRIW.litmus"), kThreeWrites}) {
    const std::optional<verdict::Outcomes> one = outcomes_of(test, model);
    const std::optional<verdict::Outcomes> many = outcomes_of(test, model, three);
    ASSERT_TRUE(one && many);
    EXPECT_EQ(to_text(as_naive(*one)), to_text(as_naive(*many)));
    EXPECT_GT(total(*one), 10U);
  }
}

TEST(Enumerate, KeptExecutionsAreWhole) {
  driver::LitmusOptions options;
  options.kept_executions = 100;
  const std::optional<verdict::Outcomes> found =
      outcomes_of(oracle("IRIW.litmus"), oracle("interleaving.cat"), options);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->kept.size(), 15U);
  for (const verdict::Outcomes::Kept& kept : found->kept) {
    const execution::Execution& execution = kept.execution;
    std::size_t reads = 0;
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
      if (execution.events[i].kind != execution::Event::Kind::kRead)
        continue;
      ++reads;
      std::size_t sources = 0;
      for (std::size_t j = 0; j < execution.events.size(); ++j)
        if (execution.rf.contains(j, i)) {
          ++sources;
          EXPECT_EQ(execution.events[i].value, execution.events[j].value);
          EXPECT_EQ(execution.events[i].address, execution.events[j].address);
        }
      EXPECT_EQ(sources, 1U);
    }
    EXPECT_EQ(reads, 4U);
    EXPECT_EQ(execution.co.size(), 2U); // from each initial write to the other one
    EXPECT_LT(kept.state, found->states.size());
  }
}

TEST(Enumerate, ALoopIsCutAndSaysSo) {
  const std::string test = R"(AArch64 loop
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W0,#1 | L0: ;
 STR W0,[X1] | LDR W2,[X1] ;
 | CBZ W2,L0 ;
exists (1:X2=1)
)";
  driver::LitmusOptions options;
  options.unroll = 3;
  const std::optional<verdict::Outcomes> found = outcomes_of(test, "", options);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->complete);
  ASSERT_EQ(found->states.size(), 1U);
  // It leaves at the first time or after one, two or three repetitions.
  EXPECT_EQ(total(*found), 4U);
}

TEST(Enumerate, ReadsOfWhatNobodyWritesAreEvents) {
  // Release, acquire, read: the acquire is of a place that has only its first value.
  const std::string test = R"(AArch64 unwritten
{ 0:X1=x; 0:X3=z; 0:X5=y; 1:X1=y; 1:X3=w; 1:X5=x; }
 P0 | P1 ;
 MOV W0,#1 | MOV W0,#1 ;
 STLR W0,[X1] | STLR W0,[X1] ;
 LDAR W2,[X3] | LDAR W2,[X3] ;
 LDR W4,[X5] | LDR W4,[X5] ;
exists (0:X4=0 /\ 1:X4=0)
)";
  EXPECT_EQ(count_of(test, std::string(kFr) + "acyclic [L]; po; [A] | [A]; po | fr"), 3U);
  EXPECT_EQ(count_of(test, std::string(kFr) + "acyclic [L]; po; [A] | fr"), 4U);
}

TEST(Enumerate, AWriteMayHappenBecauseOfWhatIsReadFromIt) {
  // Each thread writes only if it reads what the other writes.
  const std::string circle = R"(AArch64 LB+ctrls
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 LDR W0,[X1] | LDR W0,[X1] ;
 CBZ W0,L0 | CBZ W0,L1 ;
 MOV W2,#1 | MOV W2,#1 ;
 STR W2,[X3] | STR W2,[X3] ;
 L0: | L1: ;
exists (0:X0=1 /\ 1:X0=1)
)";
  EXPECT_EQ(count_of(circle, ""), 2U);
  EXPECT_EQ(count_of(circle, "acyclic ctrl | rf"), 1U);
  // What is written is what is read: there is no value to begin with.
  const std::string copies = R"(AArch64 LB+datas
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 LDR W0,[X1] | LDR W0,[X1] ;
 STR W0,[X3] | STR W0,[X3] ;
exists (0:X0=1 /\ 1:X0=1)
)";
  EXPECT_EQ(count_of(copies, ""), 3U);
}

TEST(Enumerate, ManyUpdatesInARow) {
  // Each adds 1 to what it finds: the run of the first thread is fixed by coherence.
  std::string test = "X86 updates\n{ }\n P0 | P1 ;\n LOCK INC [x] | MOV EAX,[x] ;\n";
  for (int i = 1; i < 12; ++i)
    test += " LOCK INC [x] | ;\n";
  test += "exists (1:EAX=3)\n";
  EXPECT_EQ(count_of(test, std::string(kFr) + "acyclic po & loc | rf | co | fr"), 13U);
}

/// How much was compared.
struct Compared {
  std::uint64_t executions = 0;
  std::uint64_t flags = 0;
  std::uint64_t cut = 0;
};

/// One test under one model, by the engine in each of its ways and by brute force.
void compare_with_naive(const NaiveProgram& program,
                        const std::string& model_text,
                        Compared& compared) {
  const std::string test_text = print_litmus(program);
  const std::optional<LitmusTest> test = parse(test_text);
  RC_ASSERT(test.has_value());
  const std::optional<memory::Model> model = model_from(model_text, *test);
  RC_ASSERT(model.has_value());
  const NaiveOutcomes expected = enumerate_naively(program, *model->core);
  driver::LitmusOptions options;
  const std::optional<verdict::Outcomes> found = outcomes_of(test_text, model_text, options);
  RC_ASSERT(found.has_value());
  const std::string where = test_text + "\n" + model_text;
  RC_ASSERT((where + to_text(as_naive(*found))) == (where + to_text(expected)));
  compared.executions += total(*found);
  const auto bounded = search_with_bounds(test_text, model_text, 0);
  const auto unbounded = search_with_bounds(test_text, model_text, kNever);
  RC_ASSERT(bounded.has_value() && unbounded.has_value());
  RC_ASSERT(counts_of(*bounded) == counts_of(*unbounded));
  RC_ASSERT(bounded->flags == unbounded->flags);
  RC_ASSERT(unbounded->cut == 0U);
  compared.cut += bounded->cut;
  compared.flags += found->flags.size();
  options.jobs = 3;
  const std::optional<verdict::Outcomes> parallel = outcomes_of(test_text, model_text, options);
  RC_ASSERT(parallel.has_value());
  RC_ASSERT(as_naive(*parallel) == expected);
  options.counts = false;
  const std::optional<verdict::Outcomes> states = outcomes_of(test_text, model_text, options);
  RC_ASSERT(states.has_value());
  RC_ASSERT(states->states == found->states);
  // As many flags, whatever is counted.
  RC_ASSERT(states->flags.size() == found->flags.size());
}

/// Four reads and four writes of one value: every read has five sources, and what two reads see
/// decides most of the rest.
constexpr const char* kManySources =
    "X86 many\n{ }\n"
    " P0          | P1          | P2         | P3         | P4         ;\n"
    " MOV EAX,[x] | MOV EAX,[x] | MOV [x],$1 | MOV [x],$1 | MOV [x],$1 ;\n"
    " MOV EBX,[x] | MOV EBX,[x] |            |            |            ;\n"
    " MOV ECX,[x] |             |            |            |            ;\n"
    "exists (0:EAX=1)\n";

TEST(Enumerate, BoundsCutWhatCannotBeCompleted) {
  const std::string coherent = std::string(kFr) + "acyclic po & loc | rf | co | fr\n";
  // The second is monotone in nothing: who reads one thing reads no other.
  for (const std::string& model : {coherent, coherent + "empty ([R]; po; [R]) \\ (rf^-1; rf)\n"}) {
    const auto with = search_with_bounds(kManySources, model, 1);
    const auto without = search_with_bounds(kManySources, model, kNever);
    ASSERT_TRUE(with && without);
    EXPECT_EQ(counts_of(*with), counts_of(*without));
    EXPECT_GT(with->cut, 0U);
    EXPECT_LT(with->prefixes, without->prefixes) << model;
    RecordProperty("prefixes",
                   std::to_string(with->prefixes) + " of " + std::to_string(without->prefixes));
  }
  const std::string same = coherent + "empty ([R]; po; [R]) \\ (rf^-1; rf)\n";
  EXPECT_LT(2 * search_with_bounds(kManySources, same, 1)->prefixes,
            search_with_bounds(kManySources, same, kNever)->prefixes);
}

TEST(Enumerate, WhatBoundsForbidIsNotLookedAt) {
  // No pair of reads of one thread can ever be without the other order.
  const auto found = search_with_bounds(kManySources, "empty ([R]; po; [R]) \\ co\n", 1);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->states.empty());
  EXPECT_EQ(found->candidates, 0U);
  EXPECT_EQ(found->prefixes, 0U);
}

/// Every execution of random tests under random models.
TEST(Enumerate, AgreesWithBruteForce) {
  constexpr int kModelsPerTest = 4;
  Compared compared;
  EXPECT_TRUE(rc::check([&] {
    const NaiveProgram program = random_naive_program();
    for (int i = 0; i < kModelsPerTest; ++i)
      compare_with_naive(program, random_model_text(), compared);
  }));
  // The property is not met by having nothing to compare.
  EXPECT_GT(compared.executions, 2000U);
  EXPECT_GT(compared.flags, 20U);
  EXPECT_GT(compared.cut, 100U);
}

} // namespace
} // namespace heddle::engine_test
