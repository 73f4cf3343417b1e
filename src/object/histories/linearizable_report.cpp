// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_report.h"

#include "driver/output/reporting.h"
#include "history/first_unexplained.h"
#include "report/headline.h"
#include "report/json.h"
#include "report/page/history_chart.h"
#include "report/page/html.h"
#include "report/run_cells.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace heddle::object {

namespace {

/// How names begin that only the harness knows.
constexpr std::string_view kOfHarness = "__heddle_";

/// The violation whose run has calls and returns where the harness has its marks.
verdict::Violation with_marks(const UnexplainedHistory& found) {
  verdict::Violation violation = std::get<verdict::Violated>(found.verdict.answer).violation;
  for (const auto& [step, text] : found.marks) {
    violation.run->steps[step].what = execution::Step::What::kFence; // shown by its text alone
    violation.evidence.steps[step] = verdict::StepText{text};
  }
  for (std::uint32_t i = 0; i < violation.evidence.threads.size(); ++i)
    violation.evidence.threads[i] = i == 0 ? "scenario" : fmt::format("thread {}", i);
  return violation;
}

/// The run as a table without what else the harness does.
report::Table table_of(const verdict::Violation& violation,
                       const report::Subject& subject,
                       report::SourceLines& sources) {
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
           (choice != nullptr && choice->origin == kHarnessGuess) ||
           violation.evidence.steps[number - 1].target.starts_with(kOfHarness);
  });
  return table;
}

std::string verdict_name(driver::ExitCode code) {
  return code == driver::ExitCode::kNotLinearizable     ? "violated"
         : code == driver::ExitCode::kHoldsWithinBounds ? "holds_within_bounds"
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
  case driver::ExitCode::kNotLinearizable:
    return fmt::format("VIOLATED {}: not {}: {} of a {}",
                       where,
                       criterion,
                       summary.found->why,
                       question.object_name);
  case driver::ExitCode::kHoldsWithinBounds:
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

/// Why nothing explains the history.
struct Why {
  std::vector<std::string> sentences = {};
  std::optional<std::uint32_t> operation = {}; // that they are about
};

/// Where only intervals from call to return count, there is a first return that nothing explains.
Why why_of(const LinearizableQuestion& question, const UnexplainedHistory& found) {
  const std::vector<history::Operation>& operations = found.history.operations;
  if (question.timing != history::Timing::kInterval ||
      question.criterion != history::Criterion::kLinearizable ||
      (question.responses != Responses::kAtReturn &&
       question.responses != Responses::kAtReturnSoFar))
    return {};
  std::vector<std::int64_t> tried = question.initial;
  tried.push_back(question.codes.empty);
  for (std::size_t i = 0; i <= operations.size(); ++i)
    tried.push_back(static_cast<std::int64_t>(i));
  for (const history::Operation& operation : operations)
    if (operation.argument)
      tried.push_back(*operation.argument);
  const std::optional<history::FirstUnexplained> first =
      history::first_unexplained(found.history, found.events, *question.object, tried);
  if (!first)
    return {};
  const history::Operation& unexplained = operations[first->operation];
  Why why;
  why.operation = first->operation;
  why.sentences.push_back(
      fmt::format("the first return that nothing explains is that of {} in thread {}",
                  to_string(unexplained),
                  unexplained.thread + 1));
  const history::Event seen{history::Event::Kind::kResponse, first->operation};
  const auto now = std::ranges::find(found.events, seen);
  std::vector<std::string> order;
  for (const std::uint32_t index : first->order) {
    history::Operation operation = operations[index];
    operation.has_returned = true;
    // What an operation returns that was under way then is not known.
    if (index == first->operation)
      operation.result =
          first->explained.empty() ? std::nullopt : std::optional(first->explained.front());
    else if (std::find(found.events.begin(),
                       now,
                       history::Event{history::Event::Kind::kResponse, index}) == now)
      operation.result.reset();
    order.push_back(fmt::format("{} [{}]", to_string(operation), operation.thread + 1));
  }
  const std::string explains = fmt::format("{}", fmt::join(order, ", "));
  if (!first->explained.empty())
    why.sentences.push_back(fmt::format(
        "it could have returned {}, as explained by this order (threads in brackets): {}",
        fmt::join(first->explained, " or "),
        explains));
  else if (!order.empty())
    why.sentences.push_back(fmt::format(
        "what came before is explained by this order (threads in brackets): {}", explains));
  // What does not count is easily taken for what does.
  for (const std::string& method : question.unread)
    why.sentences.push_back(
        fmt::format("what {} returns does not count; if it says that there was no room, or that "
                    "nothing was done, --capacity or --abort is needed",
                    method));
  return why;
}

} // namespace

driver::ExitCode exit_code_of(const LinearizableSummary& summary) {
  if (summary.found)
    return driver::ExitCode::kNotLinearizable;
  if (summary.exhausted == Exhausted::kTime)
    return driver::ExitCode::kTime;
  if (summary.exhausted == Exhausted::kMemory)
    return driver::ExitCode::kMemory;
  return summary.exhausted || !summary.gaps.empty() ? driver::ExitCode::kUnknown
                                                    : driver::ExitCode::kHoldsWithinBounds;
}

std::string
text_of(const LinearizableQuestion& question, const LinearizableSummary& summary, unsigned width) {
  std::string out = headline(question, summary) + "\n";
  if (summary.found) {
    const UnexplainedHistory& found = *summary.found;
    out += fmt::format("\nscenario: {}\n\n", to_string(found.planned));
    out += report::diagram(report::chart(found.history, found.events)) + "\n";
    const Why why = why_of(question, found);
    for (const std::string& sentence : why.sentences)
      for (const std::string& line : report::wrapped("why: " + sentence, width))
        out += line + "\n";
    if (!why.sentences.empty())
      out += "\n";
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    report::SourceLines sources;
    out += report::layout(table_of(with_marks(found), subject, sources), width);
  }
  constexpr std::size_t kMostGaps = 5;
  for (std::size_t i = 0; i < std::min(summary.gaps.size(), kMostGaps); ++i)
    for (const std::string& line : report::wrapped("note: " + summary.gaps[i], width))
      out += line + "\n";
  if (summary.gaps.size() > kMostGaps)
    out += fmt::format("note: and {} more scenarios\n", summary.gaps.size() - kMostGaps);
  return out;
}

std::string html_of(const LinearizableQuestion& question, const LinearizableSummary& summary) {
  report::Page page;
  page.title = headline(question, summary);
  for (const std::string& gap : summary.gaps)
    page.notes.push_back("note: " + gap);
  if (!summary.found)
    return report::html(page);
  const UnexplainedHistory& found = *summary.found;
  const report::Subject subject{
      &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
  report::SourceLines sources;
  verdict::Violation violation = with_marks(found);
  Why why = why_of(question, found);
  page.history = report::ShownHistory{to_string(found.planned),
                                      report::chart(found.history, found.events),
                                      std::move(why.sentences),
                                      why.operation,
                                      table_of(violation, subject, sources)};
  // Of the harness the graph has calls and returns only.
  violation.execution.reset();
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i) {
    execution::Step& step = violation.run->steps[i];
    if (violation.evidence.steps[i].target.starts_with(kOfHarness))
      step.what = execution::Step::What::kLocal;
  }
  report::ShownExecution shown;
  shown.picture = report::picture_of_run(violation, subject, sources);
  shown.picture.title = found.why;
  shown.picture.highlight.reset();
  shown.status = report::ShownExecution::Status::kViolation;
  page.executions.push_back(std::move(shown));
  return report::html(page);
}

nlohmann::ordered_json json_of(const LinearizableQuestion& question,
                               const driver::Options& options,
                               const LinearizableSummary& summary,
                               double seconds) {
  const driver::ExitCode code = exit_code_of(summary);
  nlohmann::ordered_json json;
  json["heddle"] = driver::version();
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
    json["why"] = why_of(question, found).sentences;
    const report::Subject subject{
        &found.prepared->ground(), question.asked.model, spec::Check{spec::Property::kReach}};
    json["run"] = report::json(found.verdict, subject, {driver::version(), static_cast<int>(code)});
  }
  json["stats"] = {{"seconds", seconds}, {"states", summary.states}};
  return json;
}

} // namespace heddle::object
