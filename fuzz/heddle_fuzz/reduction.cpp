// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/reduction.h"

#include "check/confirm.h"
#include "check/proof/validate_graph.h"
#include "engine/explicit/explicit.h"
#include "heddle_fuzz/to_ir.h"
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "transform/buffers/store_buffer_graph.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::fuzz {

namespace {

class Comparer {
public:
  Comparer(const Program& program, const std::vector<ReferenceResult>& expected)
      : program_(program), expected_(expected),
        engine_(engine::make_explicit({.check_analyses = true})) {}

  ReductionComparison run() {
    result_.ran = true;
    for (const Model model : {Model::kTSO, Model::kPSO})
      if (result_.ran && !result_.disagreement)
        under(model);
    return std::move(result_);
  }

private:
  static constexpr const char* kName = "store-buffer graph";

  void disagree(Model model, std::string what) {
    if (!result_.disagreement)
      result_.disagreement = Disagreement{kName, model, std::move(what)};
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
    const Result<transform::Transformed> source =
        transform::inline_calls()->apply(lowered->program, {});
    if (!source)
      return disagree(model, source.error().to_string());
    transform::StoreBufferOptions options{.machine = *known.machine};
    options.inspect = [&](const program::Program& of,
                          program::ProcedureId id,
                          const transform::StoreBufferGraph& graph) {
      return check::validate_graph(of, id, graph, options);
    };
    const Result<transform::Reduction> reduction = transform::reduce(source->program, options);
    if (!reduction && reduction.error().code == "SBG-007")
      return disagree(model, reduction.error().to_string());
    if (!reduction) {
      result_.ran = false;
      result_.refusal = reduction.error().code;
      return;
    }
    result_.compares_addresses = result_.compares_addresses || reduction->size.guarded != 0;
    result_.copies_operands = result_.copies_operands || reduction->size.copied_stores != 0;
    final_states(model, reduction->transformed.program);
    // As published, with flushes offered everywhere.
    const Result<transform::Reduction> plain =
        transform::reduce(source->program, {.machine = *known.machine, .defers_flushes = false});
    if (!plain)
      return disagree(model, plain.error().to_string());
    final_states(model, plain->transformed.program);
    const ReferenceResult& expected = expected_[static_cast<std::size_t>(model)];
    check(model,
          known,
          source->program,
          *reduction,
          spec::Property::kReach,
          expected.assertion_fails);
    check(model,
          known,
          source->program,
          *reduction,
          spec::Property::kDeadlock,
          expected.can_deadlock);
    count_states(known, source->program, reduction->transformed.program);
  }

  static spec::Task
  task_of(const program::Program& program, const memory::Model& model, spec::Question question) {
    return {.program = &program, .model = model, .question = std::move(question), .bounds = {}};
  }

  void final_states(Model model, const program::Program& reduced) {
    const std::vector<std::string> names = observed_names(program_);
    const spec::Task task = task_of(reduced, *memory::find_model("sc"), spec::Enumerate{names});
    const verdict::Verdict verdict = engine_->run(task, engine::Context{});
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
    const bool has_fault = expected_[static_cast<std::size_t>(model)].has_fault;
    if (outcomes == nullptr || outcomes->complete == has_fault)
      return disagree(model,
                      has_fault ? "no final state is said to be missing, and runs fault"
                                : "the set of final states is not complete");
    std::set<FinalState> found;
    for (const verdict::Outcome& outcome : outcomes->states) {
      FinalState state;
      for (const std::string& name : names) {
        const auto value = outcome.find(name);
        state.push_back(value == outcome.end() ? 0U : static_cast<std::uint32_t>(value->second));
      }
      found.insert(std::move(state));
    }
    const std::set<FinalState>& wanted = expected_[static_cast<std::size_t>(model)].final_states;
    for (const FinalState& state : wanted)
      if (!found.contains(state))
        return disagree(model, fmt::format("missing final state {:x}", fmt::join(state, " ")));
    for (const FinalState& state : found)
      if (!wanted.contains(state))
        return disagree(model, fmt::format("impossible final state {:x}", fmt::join(state, " ")));
  }

  void check(Model model,
             const memory::Model& known,
             const program::Program& source,
             const transform::Reduction& reduction,
             spec::Property property,
             bool is_violated) {
    const std::string what = spec::to_string(property);
    const spec::Task task =
        task_of(reduction.transformed.program, *memory::find_model("sc"), spec::Check{property});
    const verdict::Verdict verdict = engine_->run(task, engine::Context{});
    const auto* violated = std::get_if<verdict::Violated>(&verdict.answer);
    const bool is_undefined =
        expected_[static_cast<std::size_t>(model)].has_fault && property != spec::Property::kMemory;
    if (violated == nullptr &&
        std::holds_alternative<verdict::Proved>(verdict.answer) == is_undefined)
      return disagree(model,
                      what + (is_undefined ? " is said to be proved, and runs fault"
                                           : ": neither proved nor violated"));
    if ((violated != nullptr) != is_violated)
      return disagree(model,
                      what + (is_violated ? " is said to be proved, and is violated"
                                          : " is said to be violated, and is not"));
    if (violated == nullptr)
      return;
    Result<verdict::Violation> confirmed = check::confirm(task, violated->violation);
    if (!confirmed)
      return disagree(model, what + ": does not replay: " + confirmed.error().to_string());
    Result<execution::Schedule> lifted = reduction.transformed.lift(confirmed->schedule);
    if (!lifted)
      return disagree(model, what + ": is not carried back: " + lifted.error().to_string());
    confirmed->schedule = std::move(*lifted);
    const auto again =
        check::confirm(task_of(source, known, spec::Check{property}), std::move(*confirmed));
    if (!again)
      return disagree(model,
                      what + ": does not replay on the machine: " + again.error().to_string());
    ++result_.violations_carried_back;
  }

  void count_states(const memory::Model& known,
                    const program::Program& source,
                    const program::Program& reduced) {
    const auto states = [&](const program::Program& program, const memory::Model& model) {
      const verdict::Verdict verdict =
          engine_->run(task_of(program, model, spec::Enumerate{}), engine::Context{});
      const auto found = verdict.statistics.counters.find("states");
      return found == verdict.statistics.counters.end() ? 0ULL
                                                        : static_cast<std::uint64_t>(found->second);
    };
    result_.states += states(reduced, *memory::find_model("sc"));
    result_.machine_states += states(source, known);
  }

  const Program& program_;
  const std::vector<ReferenceResult>& expected_;
  std::unique_ptr<engine::Engine> engine_;
  ReductionComparison result_;
};

} // namespace

ReductionComparison compare_reduction(const Program& program,
                                      const std::vector<ReferenceResult>& expected) {
  return Comparer(program, expected).run();
}

} // namespace heddle::fuzz
