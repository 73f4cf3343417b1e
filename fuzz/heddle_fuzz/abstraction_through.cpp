// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/abstraction_through.h"

#include "driver/pipeline/pipeline.h"
#include "heddle_fuzz/to_ir.h"
#include "memory/model.h"
#include "support/budget.h"
#include "support/budget_watch.h"

#include <chrono>
#include <optional>
#include <variant>

namespace heddle::fuzz {

namespace {

ThroughTool
ask(const Program& program, Model model, const driver::Options& options, const Budget& budget) {
  ThroughTool result;
  const auto without_answer = [&](const Error& error) {
    if (is_budget_used_up(error))
      result.ran_out = true; // before anything was established
    else
      result.error = error.to_string();
    return result;
  };
  const std::vector<std::string> names = observed_names(program);
  driver::Asked asked;
  asked.model = *memory::find_model(name_of(model));
  asked.question = spec::Enumerate{names};
  const Result<driver::Prepared> prepared =
      driver::prepare(to_ir(program, std::nullopt), asked, options, budget, {});
  if (!prepared)
    return without_answer(prepared.error());
  const auto answer = driver::answer(asked, options, *prepared, budget, {});
  if (!answer)
    return without_answer(answer.error());
  const auto* verdict = std::get_if<verdict::Verdict>(&*answer);
  const auto* outcomes =
      verdict == nullptr ? nullptr : std::get_if<verdict::Outcomes>(&verdict->answer);
  if (outcomes == nullptr) {
    result.error = "there are no final states";
    return result;
  }
  result.is_complete = outcomes->complete;
  result.ran_out = budget.exhausted(0).has_value();
  for (const verdict::Outcome& outcome : outcomes->states) {
    FinalState state;
    for (const std::string& name : names) {
      const auto value = outcome.find(name);
      state.push_back(value == outcome.end() ? 0U : static_cast<std::uint32_t>(value->second));
    }
    result.states.insert(std::move(state));
  }
  return result;
}

} // namespace

ThroughTool through_tool(const Program& program,
                         Model model,
                         const std::string& abstraction,
                         bool is_asynchronous,
                         const ToolBounds& bounds,
                         std::uint64_t seconds) {
  driver::Options options;
  options.via = is_asynchronous ? "eager" : "lazy";
  options.sma = abstraction;
  options.unwind = 1;
  options.rounds = bounds.rounds;
  options.writes = bounds.writes;
  options.queue = bounds.queue;
  options.clock = bounds.clock;
  return ask(
      program, model, options, Budget(std::chrono::seconds(seconds), std::uint64_t{4} << 30U));
}

ThroughTool by_machine(const Program& program, Model model) {
  driver::Options options;
  options.engine = "explicit";
  return ask(program, model, options, {});
}

} // namespace heddle::fuzz
