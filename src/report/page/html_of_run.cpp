// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A replayed run as a picture: its events with the names the checker found, the source lines its
// threads pass, and bold what the violation is about.
#include "execution/from_steps.h"
#include "program/events/event_set.h"
#include "report/explain_violation.h"
#include "report/fold_rows.h"
#include "report/headline.h"
#include "report/page/html.h"
#include "report/run_cells.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace heddle::report {

namespace {

using execution::Event;
using execution::Execution;
using execution::Step;
using program::ThreadIndex;
using verdict::Violation;

/// Lines shown around one that a step stands on.
constexpr std::uint32_t kContext = 2;

std::string text_of(const Violation& violation, const Event& event, bool is_update) {
  if (event.step >= violation.run->steps.size())
    return "";
  const verdict::StepText& text = violation.evidence.steps[event.step];
  const char* star = is_update ? "*" : "";
  if (violation.run->steps[event.step].what == Step::What::kSynchronize)
    return effect(violation, event.step);
  switch (event.kind) {
  case Event::Kind::kRead:
    return fmt::format("R{}[{}]={}", star, text.target, text.value_read);
  case Event::Kind::kWrite:
    return fmt::format("W{}[{}]={}", star, text.target, text.value_written);
  case Event::Kind::kFence:
    return effect(violation, event.step);
  case Event::Kind::kInitialWrite:
  case Event::Kind::kBranch:
  case Event::Kind::kRegisterRead:
  case Event::Kind::kRegisterWrite:
    return "";
  }
  HEDDLE_CHECK(false, "no such event");
  return "";
}

/// An initial write has the name and value of the first read of it, or the name of the first
/// access.
std::string
initial_text(const Violation& violation, const Execution& execution, std::size_t index) {
  const Event& initial = execution.events[index];
  for (const std::size_t reader : execution.rf.row(index).elements()) {
    const Event& read = execution.events[reader];
    if (read.step >= violation.run->steps.size())
      continue;
    const verdict::StepText& text = violation.evidence.steps[read.step];
    if (read.address == initial.address && read.size == initial.size)
      return fmt::format("W[{}]={}", text.target, text.value_read);
  }
  for (const Event& event : execution.events)
    if (event.kind != Event::Kind::kInitialWrite && event.size != 0 &&
        event.address == initial.address && event.step < violation.run->steps.size())
      return fmt::format("W[{}] initial", violation.evidence.steps[event.step].target);
  return "";
}

std::vector<ProgramThread>
threads_of(const Violation& violation, const Subject& subject, SourceLines& sources) {
  std::map<ThreadIndex, std::set<std::pair<std::uint32_t, std::uint32_t>>> passed;
  for (const Step& step : violation.run->steps) {
    auto& lines = passed[step.transition.thread];
    if (step.loc.is_known())
      lines.emplace(step.loc.file, step.loc.line);
  }
  std::vector<ProgramThread> threads;
  for (const auto& [thread, lines] : passed) {
    ProgramThread shown{thread, thread_name(violation, thread), {}};
    std::set<std::pair<std::uint32_t, std::uint32_t>> wanted;
    for (const auto& [file, line] : lines)
      for (std::uint32_t near = line > kContext ? line - kContext : 1; near <= line + kContext;
           ++near)
        wanted.emplace(file, near);
    SourceLoc last = {};
    for (const auto& [file, line] : wanted) {
      const std::optional<std::string> text =
          sources.whole_line(subject.program->files[file], line);
      if (!text && !lines.contains({file, line}))
        continue;
      if (last.is_known() && (file != last.file || line != last.line + 1))
        shown.lines.push_back({"…", {}});
      last = {file, line, 0};
      shown.lines.push_back({text ? *text : subject.program->place(last), last});
    }
    threads.push_back(std::move(shown));
  }
  return threads;
}

/// The event of a step at that end of an edge: of a read-modify-write, the half the relation is of.
std::optional<std::size_t> event_of(const Execution& execution,
                                    std::uint32_t step,
                                    const std::string& relation,
                                    bool is_from) {
  const bool wants_write =
      relation == "co" || (relation == "rf" && is_from) || (relation == "fr" && !is_from);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const Event& event = execution.events[i];
    if (event.kind == Event::Kind::kInitialWrite || event.step != step)
      continue;
    if (!found || (event.kind == Event::Kind::kWrite) == wants_write)
      found = i;
  }
  return found;
}

void add_edge(Highlight& highlight,
              const Execution& execution,
              std::uint32_t from,
              std::uint32_t to,
              const std::string& relation) {
  const std::optional<std::size_t> first = event_of(execution, from, relation, true);
  const std::optional<std::size_t> second = event_of(execution, to, relation, false);
  if (first && second)
    highlight.edges.push_back({*first, *second, relation});
}

Highlight
highlight_of(const Violation& violation, const Subject& subject, const Execution& execution) {
  Highlight highlight;
  highlight.explanation = explanation(violation, subject);
  std::visit(
      Overloaded{
          [&](const verdict::FaultReached&) { highlight.title = what_fails(violation, subject); },
          [&](const verdict::Race& race) {
            highlight.title = "data race";
            add_edge(highlight, execution, race.first, race.second, "race");
          },
          [&](const verdict::Deadlock&) { highlight.title = what_fails(violation, subject); },
          [&](const verdict::NotRobust&) {
            highlight.title = "sequential consistency";
            highlight.text = "acyclic po | rf | co | fr";
            for (const verdict::CycleEdge& edge : violation.evidence.cycle)
              add_edge(highlight, execution, edge.from, edge.to, edge.relation);
          },
      },
      violation.kind);
  return highlight;
}

/// The start and the end of threads are accesses of locations that the program does not know.
bool is_hidden(const Subject& subject, const Event& event) {
  return event.size != 0 && event.address >= program::hidden_address(*subject.program, 0);
}
std::string hidden_text(const Violation& violation, const Subject& subject, const Event& event) {
  const auto number = static_cast<std::uint32_t>(
      (event.address - program::hidden_address(*subject.program, 0)) / 8);
  const bool is_end = number % 2 != 0;
  if (event.kind == Event::Kind::kInitialWrite)
    return fmt::format(
        "{} is not {} yet", thread_name(violation, number / 2), is_end ? "ended" : "created");
  const char* const what =
      event.kind == Event::Kind::kWrite ? (is_end ? "end" : "create") : (is_end ? "join" : "start");
  return fmt::format("{} {}", what, thread_name(violation, number / 2));
}

/// By step; none where it is no schedule that was replayed.
std::vector<bool>
steps_left_out(const Violation& violation, const Subject& subject, SourceLines& sources) {
  if (violation.execution)
    return {};
  return rows_left_out(run_table(violation, subject, sources), named_steps(violation));
}

} // namespace

Picture picture_of_run(const Violation& violation,
                       const Subject& subject,
                       SourceLines& sources,
                       const std::vector<bool>& left_out) {
  HEDDLE_CHECK(violation.run.has_value(), "a violation is shown that was not replayed");
  const Execution execution =
      violation.execution ? *violation.execution : execution::from_steps(*violation.run, left_out);
  const relation::BitSet updates = execution.rmw.domain() | execution.rmw.range();
  PictureInput input;
  input.execution = &execution;
  input.threads = threads_of(violation, subject, sources);
  input.files = subject.program->files;
  input.location = location_names(*subject.program);
  input.value = value_names(*subject.program);
  for (std::size_t i = 0; i < execution.events.size(); ++i)
    input.texts.push_back(is_hidden(subject, execution.events[i])
                              ? hidden_text(violation, subject, execution.events[i])
                          : execution.events[i].kind == Event::Kind::kInitialWrite
                              ? initial_text(violation, execution, i)
                              : text_of(violation, execution.events[i], updates.contains(i)));
  input.highlight = highlight_of(violation, subject, execution);
  return picture(input);
}

std::string
html_of_run(const verdict::Verdict& verdict, const Subject& subject, SourceLines& sources) {
  Page page;
  page.title = headline(verdict, subject);
  page.notes = notes(verdict, subject);
  if (const auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
    const std::vector<bool> left_out = steps_left_out(violated->violation, subject, sources);
    if (const auto count = std::ranges::count(left_out, true); count != 0)
      page.notes.push_back(
          fmt::format("{} of {} steps are left out: iterations like those before and after them",
                      with_separators(static_cast<std::uint64_t>(count)),
                      with_separators(left_out.size())));
    ShownExecution shown;
    shown.picture = picture_of_run(violated->violation, subject, sources, left_out);
    shown.picture.title = what_fails(violated->violation, subject);
    shown.status = ShownExecution::Status::kViolation;
    page.executions.push_back(std::move(shown));
  }
  return html(page);
}

} // namespace heddle::report
