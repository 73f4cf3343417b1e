// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/refuted_formulas.h"

#include "encode/program/program_formula.h"
#include "encode/program/unrolled.h"
#include "program/model/program.h"
#include "solve/core/make_core.h"
#include "solve/proof.h"
#include "solve/proof_check.h"
#include "solve/recorder.h"
#include "spec/property.h"
#include "support/budget_watch.h"
#include "support/resident_bytes.h"
#include "support/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::check {

namespace {

using encode::ProgramFormula;
using logic::Literal;
using Goal = ProgramFormula::Goal;

/// All that must have the answer no.
constexpr std::array<std::pair<Goal, std::string_view>, 4> kQuestions{
    std::pair{Goal::kViolation, "violation"},
    std::pair{Goal::kTrap, "unsupported"},
    std::pair{Goal::kUndefined, "undefined behaviour"},
    std::pair{Goal::kCut, "bound"}};

bool allocates(const program::Program& program) {
  return std::ranges::any_of(program.procedures, [](const program::Procedure& procedure) {
    return std::ranges::any_of(procedure.edges, [](const program::Edge& edge) {
      const auto* allocate = std::get_if<program::Allocate>(&edge.action);
      return allocate != nullptr && allocate->where == ir::Allocate::Where::kHeap;
    });
  });
}

/// What the formula does not decide by itself.
std::optional<std::string> why_not(const spec::Task& task) {
  const auto* check = std::get_if<spec::Check>(&task.question);
  if (check == nullptr)
    return "final states are not a property";
  if (!task.model.machine)
    return fmt::format("there is none yet from axioms ('{}')", task.model.name);
  if (check->property == spec::Property::kLiveness)
    return "formulas are not enough for liveness";
  if (allocates(*task.program) &&
      (task.malloc_may_fail || check->property == spec::Property::kMemory))
    return "formulas are not enough where memory is allocated";
  return std::nullopt;
}

/// One question, in a solver that keeps the clauses.
struct Question {
  std::unique_ptr<ProgramFormula> formula;
  solve::Recorder* recorder = nullptr; // the formula's
  std::optional<std::vector<Literal>> asked;

  [[nodiscard]] const std::deque<solve::OrderGraph>* graphs() const {
    return formula->theory() == nullptr ? nullptr : &formula->theory()->graphs();
  }
};

Result<Question> ask(const spec::Task& task,
                     const program::Program& unrolled,
                     Goal goal,
                     solve::ProofSink* proof,
                     const Budget& budget) {
  Question question;
  question.formula = std::make_unique<ProgramFormula>(
      task,
      std::get<spec::Check>(task.question).property,
      encode::EventOrdering::kAutomatic,
      [&question, proof](bool /*hosts_theory*/) -> std::unique_ptr<solve::Sat> {
        solve::CoreOptions options;
        options.proof = proof;
        auto recorder = std::make_unique<solve::Recorder>(solve::make_core(options));
        question.recorder = recorder.get();
        return recorder;
      });
  ProgramFormula& formula = *question.formula;
  Status status = formula.make_events(unrolled, budget);
  if (status)
    status = formula.encode(budget);
  if (!status)
    return budget.exhausted(resident_bytes()) ? budget_used_up("a formula is built")
                                              : not_certifiable(status.error().message);
  for (const Approximation& approximation : formula.set().approximations)
    if (approximation.kind != Approximation::Kind::kAssumed)
      return not_certifiable(approximation.what);
  question.asked = formula.question(goal);
  return question;
}

/// Numbers of literals, clause by clause, and the graphs of the theory.
std::string hash_of(const Question& question) {
  std::string text;
  const auto put = [&](std::uint64_t number) {
    text += std::to_string(number);
    text += ' ';
  };
  for (const std::vector<Literal>& clause : question.recorder->clauses()) {
    for (const Literal literal : clause)
      put(literal.index());
    text += '\n';
  }
  if (const auto* graphs = question.graphs())
    for (const solve::OrderGraph& graph : *graphs) {
      text += "graph\n";
      for (const solve::OrderNode& node : graph.nodes) {
        put(node.chain);
        put(node.position);
      }
      for (const solve::OrderEdge& edge : graph.edges) {
        put(edge.from.index());
        put(edge.to.index());
        for (const Literal when : edge.when)
          put(when.is_valid() ? when.index() + 1 : 0);
      }
    }
  text += "asked\n";
  for (const Literal literal : *question.asked)
    put(literal.index());
  return to_hex(sha256(text));
}

Result<encode::Unrolled>
unroll(const spec::Task& task, const spec::Bounds& bounds, const Budget& budget) {
  const spec::Property property = std::get<spec::Check>(task.question).property;
  const auto skip_idle = encode::skip_idle_iterations(property);
  Result<encode::Unrolled> unrolled = encode::unroll(
      *task.program, bounds, budget, skip_idle->preserves(property) ? skip_idle.get() : nullptr);
  if (!unrolled && !is_budget_used_up(unrolled.error()))
    return not_certifiable(unrolled.error().message);
  return unrolled;
}

spec::Bounds with_loops_of(spec::Bounds bounds, const spec::Bounds& loops) {
  bounds.unwind = loops.unwind;
  bounds.loops = loops.loops;
  return bounds;
}

} // namespace

Result<verdict::RefutedFormulas>
refute_formulas(const spec::Task& task, const spec::Bounds& bounds, const Budget& budget) {
  if (const std::optional<std::string> why = why_not(task))
    return not_certifiable(*why);
  const Result<encode::Unrolled> unrolled =
      unroll(task, with_loops_of(task.bounds, bounds), budget);
  if (!unrolled)
    return unrolled.error();
  verdict::RefutedFormulas certificate{bounds, {}};
  for (const auto& [goal, name] : kQuestions) {
    std::ostringstream proof;
    solve::BinaryProof sink(proof);
    Result<Question> question = ask(task, unrolled->program(), goal, &sink, budget);
    if (!question)
      return question.error();
    if (!question->asked)
      continue;
    const std::string clauses = hash_of(*question);
    solve::Limits limits;
    limits.budget = &budget;
    switch (question->recorder->solve(*question->asked, limits)) {
    case solve::Answer::kSatisfiable:
      if (goal == Goal::kCut)
        return not_certifiable("the program as it was lowered goes beyond the bounds");
      return contradicted(fmt::format("an execution has the answer yes to '{}'", name));
    case solve::Answer::kUnknown:
      return budget_used_up("a formula is refuted");
    case solve::Answer::kUnsatisfiable:
      break;
    }
    certificate.refutations.push_back({std::string(name), clauses, proof.str()});
  }
  return certificate;
}

Result<Rechecked> recheck_formulas(const spec::Task& task,
                                   const verdict::RefutedFormulas& certificate,
                                   const Budget& budget) {
  if (const std::optional<std::string> why = why_not(task))
    return not_certifiable(*why);
  const Result<encode::Unrolled> unrolled =
      unroll(task, with_loops_of(task.bounds, certificate.bounds), budget);
  if (!unrolled)
    return unrolled.error();
  Rechecked result;
  std::size_t used = 0;
  for (const auto& [goal, name] : kQuestions) {
    const Result<Question> question = ask(task, unrolled->program(), goal, nullptr, budget);
    if (!question)
      return question.error();
    result.assumed = question->formula->set().approximations;
    if (!question->asked)
      continue;
    const auto found = std::ranges::find_if(
        certificate.refutations,
        [wanted = name](const verdict::Refutation& one) { return one.question == wanted; });
    if (found == certificate.refutations.end())
      return contradicted(fmt::format("nothing refutes '{}'", name));
    ++used;
    if (found->clauses != hash_of(*question))
      return contradicted(fmt::format("the clauses of '{}' are others", name));
    solve::ProofQuestion refuted{question->recorder->clauses(), question->graphs(), {}};
    for (const Literal literal : *question->asked)
      refuted.conclusion.push_back(~literal);
    const Result<solve::ProofSize> checked =
        solve::check_proof(refuted, found->proof, solve::ProofFormat::kBinary, &budget);
    if (!checked)
      return is_budget_used_up(checked.error())
                 ? checked.error()
                 : contradicted(fmt::format("{} ('{}')", checked.error().message, name));
    result.steps += checked->added + checked->lemmas;
  }
  if (used != certificate.refutations.size())
    return contradicted("there are refutations of what is not asked");
  return result;
}

} // namespace heddle::check
