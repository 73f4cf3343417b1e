// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Proofs of the core are accepted by the checker, and changed ones are not.
#include "random_formula.h"
#include "solve/core/make_core.h"
#include "solve/order_theory.h"
#include "solve/proof.h"
#include "solve/proof_check.h"

#include <gtest/gtest.h>

#include <sstream>

namespace heddle::solve::test {
namespace {

Literal lit(int number) {
  return Literal::from(Variable{static_cast<std::size_t>(std::abs(number)) - 1}, number < 0);
}

CoreOptions restless(Rng& rng, ProofSink& proof) {
  CoreOptions options;
  options.reduce_interval = 1 + rng.below(10);
  options.rephase_interval = 1 + rng.below(10);
  options.mode_interval = 1 + rng.below(10);
  options.probe_interval = rng.below(6);
  options.eliminate_interval = rng.below(6);
  options.proof = &proof;
  return options;
}

Clauses pigeonhole(int holes) {
  Clauses clauses;
  const auto at = [&](int pigeon, int hole) { return lit(pigeon * holes + hole + 1); };
  for (int pigeon = 0; pigeon <= holes; ++pigeon) {
    clauses.emplace_back();
    for (int hole = 0; hole < holes; ++hole)
      clauses.back().push_back(at(pigeon, hole));
  }
  for (int hole = 0; hole < holes; ++hole)
    for (int one = 0; one <= holes; ++one)
      for (int other = one + 1; other <= holes; ++other)
        clauses.push_back({~at(one, hole), ~at(other, hole)});
  return clauses;
}

/// Both forms of the proof of a formula without a model.
std::string
prove(const Clauses& clauses, std::size_t variables, ProofFormat format, std::uint64_t seed) {
  std::ostringstream out;
  TextProof text(out);
  BinaryProof binary(out);
  Rng rng(seed);
  const auto core = make_core(
      restless(rng, format == ProofFormat::kText ? static_cast<ProofSink&>(text) : binary));
  add_variables(*core, variables);
  add_all(*core, clauses);
  EXPECT_EQ(core->solve(), Answer::kUnsatisfiable);
  return out.str();
}

TEST(Proof, OfThePigeonholeIsAccepted) {
  const Clauses clauses = pigeonhole(5);
  for (const ProofFormat format : {ProofFormat::kText, ProofFormat::kBinary}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const std::string proof = prove(clauses, 30, format, seed);
      const auto checked = check_proof({.formula = clauses, .conclusion = {}}, proof, format);
      ASSERT_TRUE(checked.has_value()) << checked.error().to_string();
      EXPECT_GT(checked->added, 10U);
    }
  }
}

TEST(Proof, OfAnotherFormulaIsRejected) {
  Clauses clauses = pigeonhole(4);
  const std::string proof = prove(clauses, 20, ProofFormat::kText, 1);
  clauses.erase(clauses.begin()); // a pigeon may stay outside: there is a model
  const auto checked =
      check_proof({.formula = clauses, .conclusion = {}}, proof, ProofFormat::kText);
  ASSERT_FALSE(checked.has_value());
}

TEST(Proof, WithALiteralLeftOutIsRejected) {
  // x1 follows from (x1 or x2), (x1 or not x2); x2 does not.
  const Clauses clauses{{lit(1), lit(2)}, {lit(1), lit(-2)}, {lit(-1), lit(3), lit(2)}};
  EXPECT_TRUE(check_proof({.formula = clauses, .conclusion = {lit(1)}}, "1 0\n", ProofFormat::kText)
                  .has_value());
  const auto wrong = check_proof(
      {.formula = clauses, .conclusion = {lit(2), lit(3)}}, "2 0\n", ProofFormat::kText);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, "PROOF-002");
  EXPECT_EQ(wrong.error().line, 1U);
}

TEST(Proof, ThatStopsEarlyIsRejected) {
  const Clauses clauses = pigeonhole(4);
  std::string proof = prove(clauses, 20, ProofFormat::kText, 1);
  proof.resize(proof.find('\n', proof.size() / 8) + 1);
  const auto checked =
      check_proof({.formula = clauses, .conclusion = {}}, proof, ProofFormat::kText);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code, "PROOF-004");
}

TEST(Proof, ThatIsNoneIsRejected) {
  for (const std::string_view text :
       {"1 2\n", "1 x 0\n", "d 1\n", "c lemma 0 1\n", "c lemma 0 1\nd 1 0\n"}) {
    const auto checked =
        check_proof({.formula = {{lit(1)}}, .conclusion = {}}, text, ProofFormat::kText);
    ASSERT_FALSE(checked.has_value()) << text;
    EXPECT_EQ(checked.error().code, "PROOF-001") << text;
  }
  const auto binary =
      check_proof({.formula = {{lit(1)}}, .conclusion = {}}, "x", ProofFormat::kBinary);
  ASSERT_FALSE(binary.has_value());
  EXPECT_EQ(binary.error().code, "PROOF-001");
}

/// RAT: x3 is new, so (x3 or not x1) may be added; but not if the conclusion speaks of x3.
TEST(Proof, MayDefineNewVariablesOnly) {
  const Clauses clauses{{lit(1), lit(2)}};
  const std::string_view proof = "3 -1 0\n";
  const auto free =
      check_proof({.formula = clauses, .conclusion = {lit(1), lit(2)}}, proof, ProofFormat::kText);
  EXPECT_TRUE(free.has_value());
  const auto used =
      check_proof({.formula = clauses, .conclusion = {lit(3), lit(-1)}}, proof, ProofFormat::kText);
  ASSERT_FALSE(used.has_value());
  EXPECT_EQ(used.error().code, "PROOF-002");
}

TEST(Proof, OfRandomFormulasIsAcceptedIncrementally) {
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    std::ostringstream out;
    TextProof proof(out);
    const auto core = make_core(restless(rng, proof));
    const std::size_t variables = 5 + rng.below(30);
    add_variables(*core, variables);
    Clauses clauses;
    for (int round = 0; round < 3; ++round) {
      const Clauses more =
          random_clauses(rng, variables, variables * (round == 0 ? 300 : 60) / 100);
      add_all(*core, more);
      clauses.insert(clauses.end(), more.begin(), more.end());
      std::vector<Literal> assumptions;
      for (std::size_t count = rng.below(4); count > 0; --count)
        assumptions.push_back(random_literal(rng, variables));
      if (core->solve(assumptions) != Answer::kUnsatisfiable)
        continue;
      ++refuted;
      std::vector<Literal> conclusion;
      for (const Literal literal : core->failed())
        conclusion.push_back(~literal);
      const auto checked = check_proof(
          {.formula = clauses, .conclusion = conclusion}, out.str(), ProofFormat::kText);
      ASSERT_TRUE(checked.has_value()) << checked.error().to_string();
    }
  }
  EXPECT_GT(refuted, 500);
}

/// n nodes on chains of their own, a literal for each pair, and clauses that ask for a cycle
/// whatever is chosen: each node has a successor.
struct Tournament {
  Clauses clauses;
  std::size_t variables = 0;
  OrderTheory theory;
};

void make_tournament(Tournament& result, std::uint32_t count) {
  const OrderGraphId graph = result.theory.add_graph();
  std::vector<OrderNodeId> nodes;
  for (std::uint32_t i = 0; i < count; ++i)
    nodes.push_back(result.theory.add_node(graph, i, 0));
  result.clauses.resize(count);
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      const Literal forward = Literal::from(Variable{result.variables++}, false);
      result.theory.add_edge(graph, nodes[a], nodes[b], forward);
      result.theory.add_edge(graph, nodes[b], nodes[a], ~forward);
      result.clauses[a].push_back(forward);
      result.clauses[b].push_back(~forward);
    }
  }
}

TEST(Proof, WithCyclesIsAcceptedAndTheCyclesMatter) {
  for (const ProofFormat format : {ProofFormat::kText, ProofFormat::kBinary}) {
    Tournament instance;
    make_tournament(instance, 5);
    std::ostringstream out;
    TextProof text(out);
    BinaryProof binary(out);
    CoreOptions options;
    options.proof = format == ProofFormat::kText ? static_cast<ProofSink*>(&text) : &binary;
    const auto core = make_core(options);
    add_variables(*core, instance.variables);
    add_all(*core, instance.clauses);
    ASSERT_TRUE(core->connect(instance.theory));
    ASSERT_EQ(core->solve(), Answer::kUnsatisfiable);
    const ProofQuestion question{
        .formula = instance.clauses, .graphs = &instance.theory.graphs(), .conclusion = {}};
    const auto checked = check_proof(question, out.str(), format);
    ASSERT_TRUE(checked.has_value()) << checked.error().to_string();
    EXPECT_GT(checked->lemmas, 0U);
    // Without the graphs the lemmas are nothing.
    const ProofQuestion blind{.formula = instance.clauses, .conclusion = {}};
    const auto rejected = check_proof(blind, out.str(), format);
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(rejected.error().code, "PROOF-003");
  }
}

TEST(Proof, WithAFalseCycleIsRejected) {
  OrderTheory theory;
  const OrderGraphId graph = theory.add_graph();
  const OrderNodeId a1 = theory.add_node(graph, 0, 1);
  const OrderNodeId a2 = theory.add_node(graph, 0, 2);
  const OrderNodeId b1 = theory.add_node(graph, 1, 1);
  const OrderNodeId b2 = theory.add_node(graph, 1, 2);
  theory.add_edge(graph, a2, b1, lit(1));         // 0
  theory.add_edge(graph, b2, a1, lit(2), lit(3)); // 1
  theory.add_edge(graph, a1, b2, lit(4));         // 2
  theory.add_edge(graph, b2, a2, lit(5));         // 3
  const Clauses clauses{{lit(1), lit(2), lit(3), lit(4), lit(5)}};
  const auto check = [&](std::string_view proof, std::vector<Literal> conclusion) {
    return check_proof(
        {.formula = clauses, .graphs = &theory.graphs(), .conclusion = std::move(conclusion)},
        proof,
        ProofFormat::kText);
  };
  // a1 < a2 -> b1 < b2 -> a1, by chains in between.
  EXPECT_TRUE(check("c lemma 0 0 1\n-1 -2 -3 0\n", {lit(-1), lit(-2), lit(-3)}).has_value());
  const auto code = [](const Result<ProofSize>& result) {
    return result ? "" : result.error().code;
  };
  EXPECT_EQ(code(check("c lemma 0 0 1\n-1 -2 0\n", {lit(-1), lit(-2)})),
            "PROOF-003");                                                // not all denied
  EXPECT_EQ(code(check("c lemma 0 2\n-4 0\n", {lit(-4)})), "PROOF-003"); // no way back
  EXPECT_EQ(code(check("c lemma 0 0 3 2\n-1 -5 -4 0\n", {lit(-1)})),
            "PROOF-003"); // backwards on a chain
  EXPECT_EQ(code(check("c lemma 1 0 1\n-1 -2 -3 0\n", {lit(-1)})), "PROOF-003"); // no such graph
  EXPECT_EQ(code(check("c lemma 0 0 9\n-1 -2 -3 0\n", {lit(-1)})), "PROOF-003"); // no such edge
  EXPECT_EQ(code(check("c lemma 0\n-1 0\n", {lit(-1)})), "PROOF-003");           // no cycle at all
}

} // namespace
} // namespace heddle::solve::test
