// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every name that a model may use without a definition has members in some execution of our litmus
// tests. A name that is accepted and always empty takes axioms away from a model without a word;
// those that are empty for a reason are listed as such (docs/cat-support.md).
#include "litmus_outcomes.h"
#include "memory/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace heddle::engine_test {
namespace {

namespace fs = std::filesystem;

struct Collection {
  memory::Vocabulary vocabulary;
  const char* folder;
  /// What the folder lacks.
  std::vector<const char*> more = {};
};

const Collection kCollections[] = {
    {memory::Vocabulary::kX86,
     "x86",
     {R"(X86 branch
{}
P0          | P1         ;
MOV EAX,[x] | MOV [x],$1 ;
CMP EAX,$0  |            ;
JNE L       |            ;
MOV [y],$1  |            ;
L:          |            ;
exists (0:EAX=1))",
      R"(X86_64 address
{ uint64_t p = x; }
P0            ;
MOV RAX,[p]   ;
MOV EBX,[RAX] ;
exists (0:EBX=0))"}},
    {memory::Vocabulary::kAArch64, "aarch64", {R"(AArch64 fences
{ 0:X1=x; }
P0 ;
DMB NSH ;
DMB NSHLD ;
DMB NSHST ;
DMB ISH ;
DMB ISHLD ;
DMB ISHST ;
DMB OSH ;
DMB OSHLD ;
DMB OSHST ;
DMB SY ;
DMB LD ;
DMB ST ;
DSB NSH ;
DSB NSHLD ;
DSB NSHST ;
DSB ISH ;
DSB ISHLD ;
DSB ISHST ;
DSB OSH ;
DSB OSHLD ;
DSB OSHST ;
DSB SY ;
DSB LD ;
DSB ST ;
LDR W0,[X1] ;
exists (0:X0=0))"}},
    {memory::Vocabulary::kPower, "ppc", {}},
    {memory::Vocabulary::kRiscV, "riscv", {R"(RISCV fences
{ 0:x6=x; }
P0 ;
fence r,r ;
fence r,w ;
fence r,rw ;
fence w,r ;
fence w,w ;
fence w,rw ;
fence rw,r ;
fence rw,w ;
fence rw,rw ;
fence.i ;
ori x7,x0,1 ;
amoswap.w.aq.rl x5,x7,(x6) ;
lr.w.aq.rl x5,(x6) ;
sc.w.aq.rl x8,x7,(x6) ;
exists (0:x5=0))"}},
    {memory::Vocabulary::kArm, "arm", {R"(ARM marks
{ 0:R1=x; }
P0 ;
MOV R0,#1 ;
STL R0,[R1] ;
DSB ST ;
LDA R2,[R1] ;
exists (0:R2=1))"}},
    {memory::Vocabulary::kMips, "mips", {R"(MIPS address
{ 0:r20=x; 0:r21=y; }
P0 ;
lw r2,0(r20) ;
xor r3,r2,r2 ;
addu r4,r21,r3 ;
lw r5,0(r4) ;
exists (0:r5=0))"}},
    {memory::Vocabulary::kC11,
     "c11",
     {R"(C consume
{}
P0 (atomic_int *x) {
  atomic_store_explicit(x, 1, memory_order_release);
}
P1 (atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_consume);
  int r1 = atomic_load_explicit(y + (r0 ^ r0), memory_order_relaxed);
}
exists (1:r0=1))",
      R"(C plain
{}
P0 (int *x, atomic_int *y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}
exists (x=1))",
      R"(C compared
{}
P0 (int *e, atomic_int *x) {
  int r0 = atomic_compare_exchange_strong_explicit(x, e, 1, memory_order_relaxed, memory_order_relaxed);
}
exists (x=1))"}},
    {memory::Vocabulary::kLinux, "lkmm", {R"(C barrier
{}
P0 (int *x, int *y) {
  WRITE_ONCE(*x, 1);
  barrier();
  WRITE_ONCE(*y, 1);
}
exists (x=1))"}},
};

std::vector<std::string> texts_of(const Collection& collection) {
  std::vector<std::string> texts(collection.more.begin(), collection.more.end());
  const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests" / "litmus" / collection.folder;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".litmus")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// Names that only executions with register events have.
bool is_of_registers(const std::string& name) {
  static const std::set<std::string> kNames = {
      "ADDR", "DATA", "Rreg", "Wreg", "iico_data", "iico_ctrl", "rf-reg", "same-gpr"};
  return kNames.contains(name);
}

/// A flag for each name: raised where it has members.
std::string model_of(const std::vector<std::string>& names) {
  std::string text = "\"names\"\nacyclic po & loc | rf | co | rf^-1; co as coherence\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += "flag ~empty " +
            (names[i] == "different-values" ? std::string("different-values(M * M)") : names[i]) +
            " as name-" + std::to_string(i) + "\n";
  return text;
}

/// Those of the names that no test has members of; the tests are gone through until all have.
std::vector<std::string> never_met(const std::vector<std::string>& tests,
                                   const std::vector<std::string>& names) {
  std::set<std::string> left(names.begin(), names.end());
  for (const std::string& test : tests) {
    if (left.empty())
      break;
    const std::vector<std::string> asked(left.begin(), left.end());
    driver::LitmusOptions options;
    options.counts = false;
    const std::optional<verdict::Outcomes> found = outcomes_of(test, model_of(asked), options);
    if (!found)
      return asked;
    for (std::size_t i = 0; i < asked.size(); ++i)
      if (found->flags.contains("name-" + std::to_string(i)))
        left.erase(asked[i]);
  }
  return {left.begin(), left.end()};
}

TEST(BaseNames, WhatIsAcceptedHasMembersSomewhere) {
  for (const Collection& collection : kCollections) {
    const memory::BaseNames& names = memory::base_names(collection.vocabulary);
    std::vector<std::string> plain;
    std::vector<std::string> registers;
    const bool is_assembly = collection.vocabulary != memory::Vocabulary::kC11 &&
                             collection.vocabulary != memory::Vocabulary::kLinux;
    for (const std::vector<std::string>* list : {&names.sets, &names.relations})
      for (const std::string& name : *list)
        (is_assembly && is_of_registers(name) ? registers : plain).push_back(name);
    for (const auto& [alias, base] : names.aliases)
      plain.push_back(alias);
    const std::vector<std::string> tests = texts_of(collection);
    EXPECT_EQ(never_met(tests, plain), std::vector<std::string>{}) << names.vocabulary;
    EXPECT_EQ(never_met(tests, registers), std::vector<std::string>{}) << names.vocabulary;
  }
}

TEST(BaseNames, WhatIsEmptyForAReasonIsNoTagOfAnything) {
  for (const Collection& collection : kCollections) {
    const memory::BaseNames& names = memory::base_names(collection.vocabulary);
    const std::set<std::string> empty(names.empty_sets.begin(), names.empty_sets.end());
    for (const std::string& name : names.sets)
      EXPECT_FALSE(empty.contains(name)) << name;
    for (const std::string& test : texts_of(collection)) {
      driver::LitmusOptions options;
      options.counts = false;
      options.kept_executions = 3;
      const std::optional<verdict::Outcomes> found =
          outcomes_of(test, "acyclic po & loc | rf | co | rf^-1; co as coherence", options);
      ASSERT_TRUE(found);
      for (const verdict::Outcomes::Kept& kept : found->kept)
        for (const execution::Event& event : kept.execution.events)
          for (const std::string& tag : event.tags)
            EXPECT_FALSE(empty.contains(tag)) << tag;
    }
  }
}

TEST(BaseNames, NalIsThePlacesWithoutAtomicAccesses) {
  constexpr const char* kTest = R"(C two
{}
P0 (int *x, atomic_int *y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
exists (x=1))";
  const auto flags = [&](const std::string& what) {
    const auto found = outcomes_of(kTest, "flag ~empty " + what + " as is");
    return found ? found->flags.size() : 99;
  };
  EXPECT_EQ(flags("NAL"), 1U);
  EXPECT_EQ(flags("NAL \\ IW"), 0U);
  EXPECT_EQ(flags("[NAL]; loc; [A]"), 0U);
  EXPECT_EQ(flags("[IW \\ NAL]; loc; [NA]"), 0U);
}

TEST(BaseNames, CasdepIsFromWhatIsComparedToTheReadThatIsCompared) {
  constexpr const char* kThroughMemory = R"(C compared
{}
P0 (atomic_int *x, int *e) {
  int r1 = atomic_compare_exchange_strong_explicit(x, e, 1, memory_order_relaxed, memory_order_relaxed);
  *e = 5;
}
exists (x=1))";
  const auto flags = [&](const std::string& what) {
    const auto found = outcomes_of(kThroughMemory, "flag ~empty " + what + " as is");
    return found ? found->flags.size() : 99;
  };
  EXPECT_EQ(flags("casdep"), 1U);
  EXPECT_EQ(flags("casdep \\ ([R & NA]; po; [R & A])"), 0U);
  EXPECT_EQ(flags("casdep; [W]"), 0U);
}

TEST(BaseNames, RegistersThatAreLookedAtHaveEvents) {
  constexpr const char* kTest = R"(AArch64 data
{ 0:X1=x; 0:X2=y; }
P0          ;
LDR W0,[X1] ;
STR W0,[X2] ;
exists (y=0))";
  const auto flags = [&](const std::string& what) {
    const auto found = outcomes_of(kTest, "flag ~empty " + what + " as is");
    return found ? found->flags.size() : 99;
  };
  // Without `catdep`, too: from the write of W0 to its read, and from there to the store.
  EXPECT_EQ(flags("[R]; iico_data; [Wreg]; rf-reg; [Rreg & DATA]; iico_data; [W]"), 1U);
  EXPECT_EQ(flags("rf-reg \\ same-gpr"), 0U);
  const std::optional<LitmusTest> test = parse(kTest);
  ASSERT_TRUE(test);
  const std::optional<memory::Model> model =
      model_from("empty data & (iico_data; rf-reg; iico_data) as both", *test);
  const Result<program::Program> program = driver::litmus_program(*test, 2);
  ASSERT_TRUE(model && program);
  const auto answer = driver::run_litmus(*test, *program, *model, {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("looks at registers"), std::string::npos);
}

TEST(BaseNames, SameInstructionInTwoRounds) {
  constexpr const char* kTest = R"(RISCV twice
{ 0:x6=x; 0:x7=2; }
P0             ;
L:             ;
lw x5,0(x6)    ;
sw x7,0(x6)    ;
addi x7,x7,-1  ;
bne x7,x0,L    ;
exists (x=1))";
  const auto flags = [&](const std::string& what) {
    const auto found = outcomes_of(kTest, "flag ~empty " + what + " as is");
    return found ? found->flags.size() : 99;
  };
  EXPECT_EQ(flags("[R]; (same-instr \\ same-instance); [R]"), 1U);
  EXPECT_EQ(flags("[R]; same-instr; [W]"), 0U);
  EXPECT_EQ(flags("[W]; (same-static \\ id); [W]"), 1U);
  EXPECT_EQ(flags("(same-instance & same-static) \\ id"), 0U);
}

} // namespace
} // namespace heddle::engine_test
