// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What axioms depend on, which can only be broken, and why they are.
#include "cat_helpers.h"
#include "memory/explain.h"

#include <rapidcheck.h>

namespace heddle::memory {
namespace {

TEST(CoreAnalysis, DependencesFollowDefinitions) {
  const Core core = load_core("acyclic po | loc\nacyclic po | rf\nempty co\nempty FW\n"
                              "let rec r = po | r; s and s = rf; r\nacyclic r");
  const IdVector<NodeId, Dependence> found = dependences(core);
  const auto of = [&](std::size_t axiom) { return found[core.axioms[axiom].node]; };
  EXPECT_FALSE(of(0).rf || of(0).co);
  EXPECT_TRUE(of(1).rf && !of(1).co);
  EXPECT_TRUE(!of(2).rf && of(2).co);
  EXPECT_TRUE(of(3).co);
  EXPECT_TRUE(of(4).rf && !of(4).co);
}

TEST(CoreAnalysis, MonotoneAxioms) {
  const Core core = load_core(R"(
acyclic po | rf | co
acyclic po \ rf
acyclic rf \ loc
empty rf & co
~empty rf
flag ~empty co
acyclic po | (rf^-1; co)
acyclic ~rf
empty co & (FW * W)
acyclic co \ (co & int)
irreflexive (~(po; [R]; po)); co
acyclic co \ rf
let rec r = co | (r; rf) \ r2 and r2 = po | r2; rf
acyclic r
)");
  const std::vector<bool> expected = {
      true, false, true, true, false, false, true, false, false, true, true, false, false};
  ASSERT_EQ(core.axioms.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(core.axioms[i].is_monotone, expected[i]) << i;
  EXPECT_TRUE(core.axioms[11].is_monotone_in_co);
  EXPECT_TRUE(core.axioms[0].is_monotone_in_events);
  // An event between two others would mend it.
  EXPECT_FALSE(core.axioms[10].is_monotone_in_events);
}

constexpr std::size_t kEvents = 4;

relation::BitMatrix random_matrix() {
  relation::BitMatrix made(kEvents);
  for (std::size_t i = 0; i < kEvents; ++i)
    for (std::size_t j = 0; j < kEvents; ++j)
      if (*rc::gen::inRange(0, 5) == 0)
        made.insert(i, j);
  return made;
}

TEST(CoreAnalysis, WhatIsCalledMonotoneIs) {
  EXPECT_TRUE(rc::check([] {
    const Core core = load_core(R"(
include "cos.cat"
let rec hb = po | rfe | hb; fr; hb
acyclic hb
empty amo & (fre; coe)
irreflexive (po \ (po; rf))?; co
acyclic co \ rf
empty (loc & rf) \ (po+)
acyclic po-loc | fr | rf | co
)");
    BitAlgebra before(kEvents);
    BitAlgebra after(kEvents);
    for (const std::string name : {"po", "loc", "int", "ext", "amo"}) {
      const relation::BitMatrix value = random_matrix();
      before.give(name, value);
      after.give(name, value);
    }
    const bool only_co = *rc::gen::inRange(0, 2) == 1;
    const relation::BitMatrix rf = random_matrix();
    before.give("rf", rf);
    after.give("rf", only_co ? rf : rf | random_matrix());
    const relation::BitMatrix co = random_matrix();
    before.choose(0, std::make_shared<const relation::BitMatrix>(co));
    after.choose(0, std::make_shared<const relation::BitMatrix>(co | random_matrix()));
    Fold<BitAlgebra> fold_before(core, before);
    Fold<BitAlgebra> fold_after(core, after);
    for (const Axiom& axiom : core.axioms)
      if (axiom.is_monotone || (only_co && axiom.is_monotone_in_co))
        RC_ASSERT(is_satisfied(core, axiom, FoldedValues<BitAlgebra>(fold_before, before)) ||
                  !is_satisfied(core, axiom, FoldedValues<BitAlgebra>(fold_after, after)));
  }));
}

/// Store buffering: a: W x, b: R y, c: W y, d: R x; initial writes e (x), f (y).
Evaluated store_buffering(const std::string& text) {
  Evaluated made(load_core(text), 6);
  BitAlgebra& algebra = made.algebra();
  algebra.give("po", matrix(6, {{0, 1}, {2, 3}}));
  algebra.give("rf", matrix(6, {{4, 3}, {5, 1}}));
  algebra.give("co", matrix(6, {{4, 0}, {5, 2}}));
  algebra.give("W", bits(6, {0, 2, 4, 5}));
  algebra.give("R", bits(6, {1, 3}));
  relation::BitMatrix ext(6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (i / 2 != j / 2 || i >= 4)
        ext.insert(i, j);
  algebra.give("ext", ext);
  return made;
}
const std::vector<std::string> kNames = {"a", "b", "c", "d", "e", "f"};

TEST(CoreExplain, ACycleInTheModelsWords) {
  Evaluated e = store_buffering("let fr = rf^-1; co\nlet fre = fr & ext\nlet rfe = rf & ext\n"
                                "let com = rfe | fre | co\nlet hb = com | po\nacyclic hb as sc");
  ASSERT_FALSE(e.holds(0));
  const Explanation found = explain(e.core(), e.values(), 0);
  EXPECT_EQ(found.name, "sc");
  EXPECT_EQ(found.edges.size(), 4U);
  EXPECT_EQ(found.to_string(kNames), "a -po-> b -fre-> c -po-> d -fre-> a");
}

TEST(CoreExplain, CompositionsAndClosuresAreTakenApart) {
  Evaluated e = store_buffering("let fr = rf^-1; co\nirreflexive (po; [R]; fr)+ as loop\n"
                                "let rec ob = po | fr | ob; ob\nirreflexive ob as external");
  ASSERT_FALSE(e.holds(0));
  EXPECT_EQ(explain(e.core(), e.values(), 0).to_string(kNames),
            "a -po-> b -fr-> c -po-> d -fr-> a");
  ASSERT_FALSE(e.holds(1));
  EXPECT_EQ(explain(e.core(), e.values(), 1).to_string(kNames),
            "a -po-> b -fr-> c -po-> d -fr-> a");
}

TEST(CoreExplain, RecursionsEnd) {
  Evaluated e = store_buffering("let fr = rf^-1; co\nlet rec a = po | b; po\nand b = a; fr\n"
                                "irreflexive b as mutual");
  ASSERT_FALSE(e.holds(0));
  const Explanation found = explain(e.core(), e.values(), 0);
  ASSERT_FALSE(found.steps.empty());
  EXPECT_EQ(found.steps.front().from, found.steps.back().to);
  for (std::size_t i = 1; i < found.steps.size(); ++i)
    EXPECT_EQ(found.steps[i - 1].to, found.steps[i].from);
}

TEST(CoreExplain, PairsAndEvents) {
  Evaluated e =
      store_buffering("empty rf; [R] as pair\nempty R as element\n~empty rf & po as absent");
  const Explanation pair = explain(e.core(), e.values(), 0);
  EXPECT_EQ(pair.to_string(kNames), "e -rf-> d");
  EXPECT_EQ(explain(e.core(), e.values(), 1).to_string(kNames), "b");
  EXPECT_TRUE(explain(e.core(), e.values(), 2).edges.empty());
}

} // namespace
} // namespace heddle::memory
