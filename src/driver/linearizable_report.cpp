// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/linearizable_report.h"

#include "driver/reporting.h"
#include "report/headline.h"
#include "report/history.h"
#include "report/json.h"
#include "report/run_cells.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace heddle::driver {

namespace {

/// The run as a table in which the harness's marks are calls and returns, and the rest of what the
/// harness does is left out.
report::Table table_of(const UnexplainedHistory& found, const report::Subject& subject) {
  verdict::Violation violation = std::get<verdict::Violated>(found.verdict.answer).violation;
  for (const auto& [step, text] : found.marks) {
    violation.run->steps[step].what = execution::Step::What::kFence; // shown by its text alone
    violation.evidence.steps[step] = verdict::StepText{text};
  }
  for (std::uint32_t i = 0; i < violation.evidence.threads.size(); ++i)
    violation.evidence.threads[i] = i == 0 ? "scenario" : fmt::format("thread {}", i);
  report::SourceLines sources;
  report::Table table = report::run_table(violation, subject, sources);
  std::erase_if(table.rows, [&](const report::Row& row) {
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(row.number.data(), row.number.data() + row.number.size(), number);
    if (error != std::errc{} || number == 0 || number > violation.evidence.steps.size())
      return false;
    const program::Edge* edge = violation.run->steps[number - 1].edge;
    const auto* choice = edge == nullptr ? nullptr : std::get_if<program::Nondet>(&edge->action);
    return number == violation.evidence.steps.size() || // the assertion
           (choice != nullptr && choice->origin == transform::kHarnessGuess) ||
           violation.evidence.steps[number - 1].target.starts_with("__heddle_");
  });
  return table;
}

std::string verdict_name(ExitCode code) {
  return code == ExitCode::kNotLinearizable     ? "violated"
         : code == ExitCode::kHoldsWithinBounds ? "holds_within_bounds"
                                                : "unknown";
}

std::string bounds_text(const LinearizableQuestion& question, const LinearizableSummary& summary) {
  return fmt::format("up to {} thread{} with {} operation{} each{}{}",
                     question.space.threads,
                     question.space.threads == 1 ? "" : "s",
                     question.space.units,
                     question.space.units == 1 ? "" : "s",
                     summary.bounds.empty() ? "" : ", ",
                     fmt::join(summary.bounds, ", "));
}

std::string headline(const LinearizableQuestion& question, const LinearizableSummary& summary) {
  const std::string where =
      fmt::format("under {}{}",
                  question.asked.model.name,
                  summary.assumptions.empty()
                      ? ""
                      : fmt::format(", assuming {}", fmt::join(summary.assumptions, ", ")));
  const std::string criterion = question.timing == history::Timing::kBuffered
                                    ? "TSO-to-TSO linearizable"
                                    : to_string(question.criterion);
  switch (exit_code_of(summary)) {
  case ExitCode::kNotLinearizable:
    return fmt::format("VIOLATED {}: not {}: {} of a {}",
                       where,
                       criterion,
                       summary.found->why,
                       question.object_name);
  case ExitCode::kHoldsWithinBounds:
    return fmt::format("HOLDS WITHIN BOUNDS {}: {} as a {}: {}; {} scenarios, {} {}",
                       where,
                       criterion,
                       question.object_name,
                       bounds_text(question, summary),
                       report::with_separators(summary.scenarios),
                       report::with_separators(summary.histories),
                       question.by_clock ? "combinations of results" : "histories");
  default:
    return fmt::format("UNKNOWN {}: {}",
                       where,
                       summary.exhausted ? "the search ran out of time or memory"
                                         : "not all histories were seen");
  }
}

} // namespace

ExitCode exit_code_of(const LinearizableSummary& summary) {
  if (summary.found)
    return ExitCode::kNotLinearizable;
  if (summary.exhausted == Exhausted::kTime)
    return ExitCode::kTime;
  if (summary.exhausted == Exhausted::kMemory)
    return ExitCode::kMemory;
  return summary.exhausted || !summary.gaps.empty() ? ExitCode::kUnknown
                                                    : ExitCode::kHoldsWithinBounds;
}

std::string
text_of(const LinearizableQuestion& question, const LinearizableSummary& summary, unsigned width) {
  std::string out = headline(question, summary) + "\n";
  if (summary.found) {
    const UnexplainedHistory& found = *summary.found;
    out += fmt::format("\nscenario: {}\n\n", to_string(found.planned));
    out += report::diagram(found.history, found.events) + "\n";
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    out += report::layout(table_of(found, subject), width);
  }
  constexpr std::size_t kMostGaps = 5;
  for (std::size_t i = 0; i < std::min(summary.gaps.size(), kMostGaps); ++i)
    for (const std::string& line : report::wrapped("note: " + summary.gaps[i], width))
      out += line + "\n";
  if (summary.gaps.size() > kMostGaps)
    out += fmt::format("note: and {} more scenarios\n", summary.gaps.size() - kMostGaps);
  return out;
}

nlohmann::ordered_json json_of(const LinearizableQuestion& question,
                               const Options& options,
                               const LinearizableSummary& summary,
                               double seconds) {
  const ExitCode code = exit_code_of(summary);
  nlohmann::ordered_json json;
  json["heddle"] = version();
  json["command"] = "linearizable";
  json["verdict"] = verdict_name(code);
  json["exit_code"] = static_cast<int>(code);
  json["summary"] = headline(question, summary);
  json["model"] = question.asked.model.name;
  json["object"] = question.object_name;
  json["notion"] = options.notion;
  json["engine"] = options.engine == "auto" ? "explicit" : options.engine;
  json["threads"] = question.space.threads;
  json["operations"] = question.space.units;
  json["scenarios"] = summary.scenarios;
  json["histories"] = summary.histories;
  json["assumptions"] = summary.assumptions;
  json["bounds"] = summary.bounds;
  json["gaps"] = summary.gaps;
  if (summary.found) {
    const UnexplainedHistory& found = *summary.found;
    json["scenario"] = to_string(found.planned);
    nlohmann::ordered_json operations = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < found.history.operations.size(); ++i) {
      const history::Operation& operation = found.history.operations[i];
      nlohmann::ordered_json one;
      one["thread"] = operation.thread + 1;
      one["operation"] = operation.method;
      if (operation.argument)
        one["argument"] = *operation.argument;
      if (operation.result)
        one["result"] = *operation.result;
      one["after"] = nlohmann::ordered_json::array();
      for (std::size_t j = 0; j < found.history.operations.size(); ++j)
        if ((found.history.before[i] >> j & 1U) != 0)
          one["after"].push_back(j);
      operations.push_back(std::move(one));
    }
    json["history"] = std::move(operations);
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    json["run"] = report::json(found.verdict, subject, {version(), static_cast<int>(code)});
  }
  json["stats"] = {{"seconds", seconds}, {"states", summary.states}};
  return json;
}

} // namespace heddle::driver
