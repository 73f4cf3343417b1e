// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which axioms are recognised as coherence and as atomicity of updates, and which only look so.
#include "cat_helpers.h"
#include "memory/cat/load_model.h"
#include "memory/coherence.h"

#include <filesystem>

namespace heddle::memory {
namespace {

constexpr const char* kFr = "let fr = rf^-1; co\n";

bool is_coherent(const std::string& axioms) {
  return find_coherence(load_core(kFr + axioms)).is_per_location;
}
bool has_updates(const std::string& axioms) {
  return find_coherence(load_core(kFr + axioms)).updates.has_value();
}

TEST(Coherence, IsRecognisedInTheFormsModelsHave) {
  EXPECT_TRUE(is_coherent("acyclic po & loc | rf | co | fr"));
  EXPECT_TRUE(is_coherent("acyclic (loc & po) | fr | co | rf as name"));
  EXPECT_TRUE(is_coherent("let com = rf | co | fr\nlet po-loc = po & loc\nacyclic po-loc | com"));
  EXPECT_TRUE(is_coherent("acyclic (po & loc | rf | co | fr)+"));
  EXPECT_TRUE(is_coherent("acyclic (po & loc | (rf | co)+ | fr)"));
  // In parts: between threads and within one.
  EXPECT_TRUE(is_coherent("let rfe = rf & ext\nlet rfi = rf & int\n"
                          "acyclic po & loc | rfe | rfi | co | fr"));
  EXPECT_TRUE(is_coherent("let fr = (rf^-1; co) \\ id\nacyclic po & loc | rf | co | fr"));
  // Sequential consistency is coherence and more.
  EXPECT_TRUE(is_coherent("acyclic po | rf | co | fr"));
  EXPECT_TRUE(is_coherent("acyclic ((po \\ sm) | rf | co | fr); sm"));
  EXPECT_FALSE(is_coherent("acyclic ((po \\ loc) | rf | co | fr); sm"));
  EXPECT_FALSE(is_coherent("acyclic (po | rf | co | fr); loc"));
  EXPECT_TRUE(is_coherent("let com = rf | co | fr\nacyclic (po | com)+"));
  EXPECT_FALSE(is_coherent("acyclic po & ext | rf | co | fr"));
  EXPECT_FALSE(is_coherent("acyclic po \\ (W * R) | rf | co | fr"));
  // One that says more.
  EXPECT_TRUE(is_coherent("acyclic po & loc | rf | co | fr | addr"));
}

TEST(Coherence, IsNotSeenWhereSomethingIsMissing) {
  EXPECT_FALSE(is_coherent("acyclic rf | co | fr"));
  EXPECT_FALSE(is_coherent("acyclic po & loc | co | fr"));
  EXPECT_FALSE(is_coherent("acyclic po & loc | rf | fr"));
  EXPECT_FALSE(is_coherent("acyclic po & loc | rf | co"));
  // Only between threads.
  EXPECT_FALSE(is_coherent("acyclic po & loc | (rf & ext) | co | fr"));
  EXPECT_FALSE(is_coherent("acyclic po & loc | rf | co | (fr & ext)"));
  // Not all of program order, as in models that allow loads of one place to be reordered.
  EXPECT_FALSE(is_coherent("acyclic (po & loc) \\ (R * R) | rf | co | fr"));
  EXPECT_FALSE(is_coherent("acyclic po & loc & int & (W * M) | rf | co | fr"));
  // Weaker checks, and such that forbid nothing.
  EXPECT_FALSE(is_coherent("irreflexive po & loc | rf | co | fr"));
  EXPECT_FALSE(is_coherent("~acyclic po & loc | rf | co | fr"));
  EXPECT_FALSE(is_coherent("flag ~acyclic po & loc | rf | co | fr as f"));
  EXPECT_FALSE(is_coherent("undefined_unless acyclic po & loc | rf | co | fr as f"));
  // Not a union.
  EXPECT_FALSE(is_coherent("acyclic po & loc & (rf | co | fr)"));
  EXPECT_FALSE(is_coherent("acyclic (po & loc); rf; co; fr"));
  EXPECT_FALSE(is_coherent("let fr = rf; co\nacyclic po & loc | rf | co | fr"));
  EXPECT_FALSE(is_coherent("let co = co & ext\nacyclic po & loc | rf | co | fr"));
}

TEST(Coherence, OneStepOfProgramOrderAndBack) {
  EXPECT_TRUE(is_coherent("irreflexive po; (rf | co | fr)+?"));
  EXPECT_TRUE(is_coherent("irreflexive (rf | co | fr)*; (po & loc)"));
  EXPECT_TRUE(is_coherent("let hb = (po | rf & ext)+\nirreflexive hb; ((rf | co | fr)+)?"));
  // A step is missing, is not repeated, or must not be left out.
  EXPECT_FALSE(is_coherent("irreflexive po; (rf | co)*"));
  EXPECT_FALSE(is_coherent("irreflexive po; (rf | co | fr)?"));
  EXPECT_FALSE(is_coherent("irreflexive (po & ext); (rf | co | fr)*"));
  EXPECT_FALSE(is_coherent("flag ~irreflexive po; (rf | co | fr)* as f"));
}

TEST(Coherence, NothingHappensBecauseOfItself) {
  const auto is_grounded = [](const std::string& axioms) {
    return find_coherence(load_core(kFr + axioms)).is_grounded;
  };
  EXPECT_TRUE(is_grounded("acyclic po | rf"));
  EXPECT_TRUE(is_grounded("acyclic (po | co | fr | (rf & ext) | (rf & int))+"));
  EXPECT_FALSE(is_grounded("acyclic po | (rf & ext)"));
  EXPECT_FALSE(is_grounded("acyclic (po & loc) | rf"));
  EXPECT_FALSE(is_grounded("acyclic po; rf"));
  EXPECT_FALSE(is_grounded("irreflexive po | rf"));
  EXPECT_FALSE(is_grounded("~acyclic po | rf"));
  EXPECT_FALSE(is_grounded("flag ~acyclic po | rf as f"));
}

TEST(Coherence, UpdatesAreRecognised) {
  EXPECT_TRUE(has_updates("empty rmw & (fr; co)"));
  EXPECT_TRUE(has_updates("let fre = fr & ext\nlet coe = co & ext\nempty rmw & (fre; coe)"));
  EXPECT_TRUE(has_updates("let fre = fr & ext\nlet coe = co & ext\nempty (fre; coe) & amo"));
  const Core core = load_core(std::string(kFr) + "let u = rmw | amo\nempty u & (fr; co)");
  const Coherence found = find_coherence(core);
  ASSERT_TRUE(found.updates);
  EXPECT_EQ(core.nodes[*found.updates].op, NodeOp::kUnion);
}

TEST(Coherence, WhatOnlyLooksLikeUpdatesIsNot) {
  EXPECT_FALSE(has_updates("empty rmw & (co; fr)"));
  EXPECT_FALSE(has_updates("empty rmw | (fr; co)"));
  EXPECT_FALSE(has_updates("empty rmw \\ (fr; co)"));
  EXPECT_FALSE(has_updates("~empty rmw & (fr; co)"));
  EXPECT_FALSE(has_updates("irreflexive rmw & (fr; co)"));
  EXPECT_FALSE(has_updates("flag ~empty rmw & (fr; co) as f"));
  // Writes of the same thread only: nothing is said of the others.
  EXPECT_FALSE(has_updates("empty rmw & ((fr & int); (co & int))"));
}

TEST(Coherence, OurOwnModelsHaveIt) {
  for (const auto& [name, vocabulary] :
       std::vector<std::pair<std::string, Vocabulary>>{{"x86tso", Vocabulary::kX86},
                                                       {"armv8", Vocabulary::kAArch64},
                                                       {"power", Vocabulary::kPower},
                                                       {"riscv", Vocabulary::kRiscV},
                                                       {"rc11", Vocabulary::kC11}}) {
    cat::LoadOptions options = options_for(vocabulary);
    const std::filesystem::path folder = std::filesystem::path(HEDDLE_SOURCE_DIR) / "models";
    options.search_path.push_back(folder);
    const auto loaded = cat::load(folder / (name + ".cat"), options);
    ASSERT_TRUE(std::holds_alternative<Core>(loaded)) << name;
    EXPECT_TRUE(find_coherence(std::get<Core>(loaded)).is_per_location) << name;
    EXPECT_TRUE(find_coherence(std::get<Core>(loaded)).updates) << name;
  }
}

} // namespace
} // namespace heddle::memory
