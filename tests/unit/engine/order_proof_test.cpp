// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whoever uses the ordering theory gets proofs whose cycles are all there: the order of events
// under SC, TSO and PSO, the executions of a test (values that come out of nothing), and the axioms
// of a model. A proof in which one cycle was tampered with is rejected.
#include "driver/pipeline/litmus.h"
#include "encode/order/online_order.h"
#include "encode/relations/execution_formula.h"
#include "encode/relations/model_formula.h"
#include "engine/axiomatic/model_search.h"
#include "litmus_outcomes.h"
#include "solve/core/make_core.h"
#include "solve/proof.h"
#include "solve/proof_check.h"
#include "solve/recorder.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace heddle::engine_test {
namespace {

using logic::Literal;

/// A solver that remembers what it was told and writes a proof.
class Prover {
public:
  Prover() : sat_(solve::make_core(options())), gates_(sat_) {}
  solve::Recorder& sat() { return sat_; }
  logic::Gates& gates() { return gates_; }

  /// There is no model; the proof says so, and does not once a cycle lacks an edge, is of another
  /// graph or is not given at all.
  void expect_proof_by_cycles(const solve::OrderTheory& theory) {
    ASSERT_EQ(sat_.solve(), solve::Answer::kUnsatisfiable);
    const std::string proof = text_.str();
    const Result<solve::ProofSize> checked = check(proof, theory);
    ASSERT_TRUE(checked.has_value()) << checked.error().to_string() << "\n" << proof;
    EXPECT_GT(checked->lemmas, 0U);
    const std::size_t begin = proof.find("c lemma ");
    ASSERT_NE(begin, std::string::npos);
    const std::size_t end = proof.find('\n', begin);
    const auto with = [&](const std::string& line) {
      return proof.substr(0, begin) + line + proof.substr(end);
    };
    std::string lemma = proof.substr(begin, end - begin);
    lemma.erase(lemma.find_last_not_of(' ') + 1);
    for (const std::string& tampered :
         {lemma.substr(0, lemma.rfind(' ')),
          "c lemma " + std::to_string(theory.graphs().size()) + lemma.substr(lemma.find(' ', 8))}) {
      const Result<solve::ProofSize> rejected = check(with(tampered), theory);
      ASSERT_FALSE(rejected.has_value()) << tampered << " for " << lemma;
      EXPECT_EQ(rejected.error().code, "PROOF-003") << rejected.error().to_string();
    }
    EXPECT_FALSE(check(with("c"), theory).has_value());
  }

private:
  solve::CoreOptions options() {
    solve::CoreOptions result;
    result.proof = &proof_;
    return result;
  }
  [[nodiscard]] Result<solve::ProofSize> check(const std::string& proof,
                                               const solve::OrderTheory& theory) const {
    return solve::check_proof(
        {.formula = sat_.clauses(), .graphs = &theory.graphs(), .conclusion = {}},
        proof,
        solve::ProofFormat::kText);
  }

  std::ostringstream text_;
  solve::TextProof proof_{text_};
  solve::Recorder sat_;
  logic::Gates gates_;
};

/// The core may be looked at as long as this lives.
struct Encoded {
  memory::Model model;
  program::Program program;
  program::EventSet set;
};

std::unique_ptr<Encoded> encoded(const std::string& test_text, const std::string& model_text) {
  const std::optional<LitmusTest> test = parse(test_text);
  std::optional<memory::Model> model = test ? model_from(model_text, *test) : std::nullopt;
  if (!model)
    return nullptr;
  Result<program::Program> program = driver::litmus_program(*test, 1);
  if (!program)
    return nullptr;
  auto result = std::make_unique<Encoded>();
  result->model = std::move(*model);
  result->program = std::move(*program);
  Result<program::EventSet> set =
      engine::axiomatic::events_of(*result->model.core, result->program, Budget{});
  if (!set)
    return nullptr;
  result->set = std::move(*set);
  return result;
}

/// Every read of memory finds the value, in an execution that the axioms allow.
void expect_impossible(const std::string& test, const std::string& model, std::uint64_t found) {
  const std::unique_ptr<Encoded> input = encoded(test, model);
  ASSERT_NE(input, nullptr);
  Prover prover;
  solve::OrderTheory theory;
  ASSERT_TRUE(prover.sat().connect(theory));
  encode::ExecutionFormula executions(input->set, *input->model.core, prover.gates(), theory);
  ASSERT_TRUE(executions.encode().has_value());
  const auto plan = engine::axiomatic::plan_of(input->model);
  encode::ModelFormula axioms(
      *input->model.core, executions, plan->co(), prover.gates(), theory, nullptr);
  axioms.require_axioms();
  std::size_t reads = 0;
  for (const program::StaticEvent& event : input->set.events)
    if (event.kind == program::StaticEvent::Kind::kRead) {
      logic::TermStore& terms = input->set.terms;
      const program::Term value = terms.constant(found, terms.sort(event.value).width);
      prover.gates().require(executions.literal(terms.equal(event.value, value)));
      ++reads;
    }
  EXPECT_EQ(reads, 2U);
  prover.expect_proof_by_cycles(theory);
}

/// The third thread makes the range of values one that has 1 in it.
TEST(OrderProof, OfValuesThatComeOutOfNothing) {
  expect_impossible(R"(AArch64 data
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 2:X1=x; }
 P0 | P1 | P2 ;
 LDR W2,[X1] | LDR W2,[X1] | MOV W2,#3 ;
 STR W2,[X3] | STR W2,[X3] | STR W2,[X1] ;
exists (0:X2=1 /\ 1:X2=1)
)",
                    "",
                    1);
}

TEST(OrderProof, OfAnAxiom) {
  expect_impossible(R"(AArch64 buffering
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 MOV W4,#1 | MOV W4,#1 ;
 STR W4,[X1] | STR W4,[X1] ;
 LDR W2,[X3] | LDR W2,[X3] ;
exists (0:X2=0 /\ 1:X2=0)
)",
                    "let fr = rf^-1;co\nacyclic po | rf | co | fr as sc",
                    0);
}

/// Each of three threads begins after another one has ended.
TEST(OrderProof, OfTheOrderOfEvents) {
  constexpr std::size_t kThreads = 3;
  program::Program program;
  program::EventSet set;
  set.program = &program;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    program::StaticThread entry;
    entry.first = static_cast<program::EventIndex>(set.events.size());
    for (int i = 0; i < 2; ++i) {
      program::StaticEvent event;
      event.kind = program::StaticEvent::Kind::kEndpoint;
      event.thread = thread;
      event.guard = set.terms.boolean(true);
      set.events.push_back(event);
    }
    entry.last = static_cast<program::EventIndex>(set.events.size());
    set.threads.push_back(entry);
  }
  const encode::Skeleton skeleton = encode::make_skeleton(set, {}, false);
  Prover prover;
  encode::OnlineOrder order(skeleton, prover.gates(), prover.sat());
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    std::vector<Literal> some;
    for (std::size_t other = 0; other < kThreads; ++other)
      if (other != thread)
        some.push_back(order.before(skeleton.node_of[2 * other + 1], skeleton.node_of[2 * thread]));
    prover.gates().require_any(some);
  }
  order.finish();
  prover.expect_proof_by_cycles(order.theory());
}

} // namespace
} // namespace heddle::engine_test
