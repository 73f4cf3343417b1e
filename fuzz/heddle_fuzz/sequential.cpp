// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/sequential.h"

#include "check/confirm.h"
#include "engine/axiomatic/axiomatic.h"
#include "engine/bounded/bounded.h"
#include "engine/explicit/explicit.h"
#include "heddle_fuzz/to_ir.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "transform/buffers/store_buffer_graph.h"
#include "transform/sequential/sequentialize.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace heddle::fuzz {

namespace {

constexpr std::uint32_t kMostRounds = 12;

class Comparer {
public:
  Comparer(const Program& program, const std::vector<ReferenceResult>& expected)
      : program_(program), expected_(expected),
        explicit_(engine::make_explicit({.check_analyses = true})),
        solver_(engine::make_axiomatic({})), bounded_(engine::make_bounded({})) {}

  SequentialComparison run() {
    for (const Model model : {Model::kSC, Model::kTSO, Model::kPSO})
      if (!result_.disagreement)
        under(model);
    return std::move(result_);
  }

private:
  void disagree(Model model, std::string what) {
    if (!result_.disagreement)
      result_.disagreement = Disagreement{"lazy", model, std::move(what)};
  }

  void under(Model model) {
    const memory::Model known = *memory::find_model(name_of(model));
    Result<program::Program> built = program::build(to_ir(program_, std::nullopt), {});
    if (!built)
      return disagree(model, built.error().to_string());
    Result<transform::Transformed> lowered = transform::lower(known)->apply(*built, {});
    if (!lowered)
      return disagree(model, lowered.error().to_string());
    program::annotate(lowered->program, program::AliasAnalysis::kPointsTo);
    Result<transform::Transformed> source = transform::inline_calls()->apply(lowered->program, {});
    if (!source)
      return disagree(model, source.error().to_string());
    if (model != Model::kSC) {
      Result<transform::Reduction> reduction =
          transform::reduce(source->program, {.machine = *known.machine});
      if (!reduction) {
        result_.refusal = reduction.error().code;
        return;
      }
      source = std::move(reduction->transformed);
    }
    const ReferenceResult& expected = expected_[static_cast<std::size_t>(model)];
    for (std::uint32_t rounds = 1; rounds <= kMostRounds && !result_.disagreement; ++rounds) {
      const Result<transform::Transformed> sequential =
          transform::sequentialize_lazily({rounds})->apply(source->program, {});
      if (!sequential) {
        result_.refusal = sequential.error().code;
        return;
      }
      const bool was_enough = final_states(model, sequential->program, expected);
      check(model,
            source->program,
            *sequential,
            spec::Property::kReach,
            expected.assertion_fails,
            was_enough);
      // Store-buffer graphs do not preserve it.
      if (program_.has_nodes && model == Model::kSC)
        check(model,
              source->program,
              *sequential,
              spec::Property::kMemory,
              expected.memory_fails,
              was_enough);
      if (was_enough) {
        ++result_.compared;
        return;
      }
      ++result_.subsets;
    }
    result_.refusal = "rounds";
  }

  static spec::Task task_of(const program::Program& program, spec::Question question) {
    return {.program = &program,
            .model = *memory::find_model("sc"),
            .question = std::move(question),
            .bounds = {}};
  }

  /// Were the rounds enough to show all?
  bool
  final_states(Model model, const program::Program& sequential, const ReferenceResult& expected) {
    const std::vector<std::string> names = observed_names(program_);
    const verdict::Verdict verdict =
        explicit_->run(task_of(sequential, spec::Enumerate{names}), engine::Context{});
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    if (outcomes == nullptr) {
      disagree(model, "there are no final states");
      return false;
    }
    std::set<FinalState> found;
    for (const verdict::Outcome& outcome : outcomes->states) {
      FinalState state;
      for (const std::string& name : names) {
        const auto value = outcome.find(name);
        state.push_back(value == outcome.end() ? 0U : static_cast<std::uint32_t>(value->second));
      }
      found.insert(std::move(state));
    }
    for (const FinalState& state : found)
      if (!expected.final_states.contains(state))
        disagree(model, fmt::format("impossible final state {:x}", fmt::join(state, " ")));
    // Runs that fault leave the set incomplete, too: then nobody says whether rounds are enough.
    if (!outcomes->complete)
      return false;
    if (expected.has_fault)
      disagree(model, "no final state is said to be missing, and runs fault");
    for (const FinalState& state : expected.final_states)
      if (!found.contains(state))
        disagree(model, fmt::format("missing final state {:x}", fmt::join(state, " ")));
    return true;
  }

  void check(Model model,
             const program::Program& source,
             const transform::Transformed& sequential,
             spec::Property property,
             bool is_violated,
             bool was_enough) {
    const spec::Task task = task_of(sequential.program, spec::Check{property});
    const std::string what = spec::to_string(property);
    for (const engine::Engine* engine : {explicit_.get(), solver_.get(), bounded_.get()}) {
      const verdict::Verdict verdict = engine->run(task, engine::Context{});
      const auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
      if (violated != nullptr && !is_violated)
        return disagree(model, what + " is said to be violated, and is not");
      const bool is_proved = std::holds_alternative<verdict::Proved>(verdict.answer);
      // Not every engine knows whether memory is lost.
      const bool must_decide = property != spec::Property::kMemory || is_proved;
      if (violated == nullptr && was_enough && must_decide && (is_violated || !is_proved))
        return disagree(
            model, fmt::format("{} is not decided with enough rounds by {}", what, engine->name()));
      if (violated != nullptr)
        carry_back(model, task, source, sequential, violated->violation);
    }
  }

  void carry_back(Model model,
                  const spec::Task& task,
                  const program::Program& source,
                  const transform::Transformed& sequential,
                  const verdict::Violation& violation) {
    Result<verdict::Violation> confirmed = check::confirm(task, violation);
    if (!confirmed)
      return disagree(model, "does not replay: " + confirmed.error().to_string());
    Result<execution::Schedule> lifted = sequential.lift(confirmed->schedule);
    if (!lifted)
      return disagree(model, "is not carried back: " + lifted.error().to_string());
    confirmed->schedule = std::move(*lifted);
    const auto again = check::confirm(task_of(source, task.question), std::move(*confirmed));
    if (!again)
      return disagree(model, "does not replay by threads: " + again.error().to_string());
    ++result_.violations_carried_back;
  }

  const Program& program_;
  const std::vector<ReferenceResult>& expected_;
  std::unique_ptr<engine::Engine> explicit_;
  std::unique_ptr<engine::Engine> solver_;
  std::unique_ptr<engine::Engine> bounded_;
  SequentialComparison result_;
};

} // namespace

SequentialComparison compare_sequential(const Program& program,
                                        const std::vector<ReferenceResult>& expected) {
  return Comparer(program, expected).run();
}

} // namespace heddle::fuzz
