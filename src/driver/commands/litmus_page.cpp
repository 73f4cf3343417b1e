// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/litmus_page.h"

#include "report/headline.h"
#include "report/page/model_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace heddle::driver {

namespace {

using frontend::litmus::Test;
using report::LitmusState;
using report::ShownExecution;

report::PictureInput input_of(const Test& test, const program::Program& program) {
  report::PictureInput input;
  input.files = test.module.files;
  input.location = report::location_names(program);
  input.value = report::value_names(program);
  input.shows_orders = test.vocabulary == "c11";
  // Registers are observed through globals named after them: "0:EAX".
  input.is_register = [names = input.location](const execution::Event& event) {
    return event.size != 0 && names(event).find(':') != std::string::npos;
  };
  for (std::size_t i = 0; i < test.threads.size(); ++i) {
    // Thread 0 is the one that starts the others.
    report::ProgramThread thread{
        static_cast<execution::ThreadIndex>(i + 1), test.threads[i].name, {}};
    for (const frontend::litmus::ThreadText::Line& line : test.threads[i].lines)
      thread.lines.push_back({line.text, line.loc});
    input.threads.push_back(std::move(thread));
  }
  return input;
}

/// The executions an answer keeps, shown in the eyes of a model. Those the test's filter drops are
/// left out.
std::vector<ShownExecution> show(const LitmusAnswer& answer,
                                 const Test& test,
                                 const program::Program& program,
                                 const memory::Core& core) {
  const auto& outcomes = std::get<verdict::Outcomes>(answer.verdict.answer);
  const report::PictureInput common = input_of(test, program);
  std::vector<ShownExecution> all;
  for (const verdict::Outcomes::Kept& kept : outcomes.kept) {
    LitmusState state;
    state.values = print_state(program, test, outcomes.states[kept.state]);
    const auto found =
        std::find_if(answer.result.states.begin(),
                     answer.result.states.end(),
                     [&](const LitmusState& one) { return one.values == state.values; });
    if (found == answer.result.states.end())
      continue;
    report::PictureInput input = common;
    input.execution = &kept.execution;
    ShownExecution shown = report::shown_under(core, std::move(input));
    shown.state = found->values;
    shown.satisfies = found->satisfies;
    all.push_back(std::move(shown));
  }
  return all;
}

/// Those that satisfy the condition first, then by final state; otherwise in the order they were
/// found.
void sort_by_state(std::vector<ShownExecution>& executions) {
  std::vector<std::size_t> order(executions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (executions[a].satisfies != executions[b].satisfies)
      return executions[a].satisfies;
    if (executions[a].state != executions[b].state)
      return executions[a].state < executions[b].state;
    return a < b;
  });
  std::vector<ShownExecution> sorted;
  sorted.reserve(executions.size());
  for (const std::size_t index : order)
    sorted.push_back(std::move(executions[index]));
  executions = std::move(sorted);
}

} // namespace

Result<report::Page> litmus_page(const Test& test,
                                 const program::Program& program,
                                 const memory::Model& model,
                                 const LitmusOptions& options,
                                 const LitmusPageLimits& limits) {
  if (model.core == nullptr)
    return Error{ErrorKind::kUsage,
                 "LIT-901",
                 "pictures need a model with axioms; leave out --engine explicit"};
  LitmusOptions how = options;
  how.counts = true;
  how.kept_executions = limits.allowed;
  const Result<LitmusAnswer> allowed = run_litmus(test, program, model, how);
  if (!allowed)
    return allowed.error();

  report::Page page;
  page.title = test.name;
  page.model = model.name;
  page.condition = test.condition_text;
  page.executions = show(*allowed, test, program, *model.core);
  sort_by_state(page.executions);
  const report::LitmusCount counted = report::count(allowed->result);
  const std::uint64_t total = counted.satisfying + counted.others;
  const std::size_t shown = page.executions.size();

  // Without its axioms the model allows every candidate; then they tell why most are not.
  auto free = std::make_shared<memory::Core>(*model.core);
  free->axioms.clear();
  memory::Model candidates = model;
  candidates.core = free;
  how.kept_executions = limits.candidates;
  how.budget = Budget(std::chrono::milliseconds(static_cast<std::int64_t>(limits.seconds * 1000)),
                      ~std::uint64_t{0});
  std::vector<ShownExecution> forbidden;
  if (const Result<LitmusAnswer> answer = run_litmus(test, program, candidates, how))
    forbidden = show(*answer, test, program, *model.core);
  std::erase_if(forbidden, [](const ShownExecution& one) {
    return one.status != ShownExecution::Status::kForbidden;
  });
  sort_by_state(forbidden);
  const bool is_cut = forbidden.size() > limits.forbidden;
  if (is_cut)
    forbidden.erase(forbidden.begin() + static_cast<std::ptrdiff_t>(limits.forbidden),
                    forbidden.end());
  page.notes.push_back(fmt::format(
      "{} allowed ({}{}), {} forbidden{}.",
      shown < total ? fmt::format("{} of {}", shown, report::with_separators(total))
                    : report::with_separators(total),
      report::observation(allowed->result) == "Never"    ? "the condition never holds"
      : report::observation(allowed->result) == "Always" ? "the condition always holds"
                                                         : "the condition holds sometimes",
      allowed->result.complete ? "" : "; a bound was reached, more may be possible",
      forbidden.size(),
      is_cut ? " of more" : ""));
  for (ShownExecution& one : forbidden)
    page.executions.push_back(std::move(one));
  return page;
}

} // namespace heddle::driver
