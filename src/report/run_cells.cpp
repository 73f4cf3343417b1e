// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/run_cells.h"

#include "support/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace heddle::report {

namespace {

using execution::Step;
using program::ThreadIndex;

/// " (from #3)", " (initial value)", " (from #3, still in its own buffer)".
std::string source_of(const Step& step) {
  if (!step.reads_from)
    return " (initial value)";
  return fmt::format(
      " (from #{}{})", *step.reads_from + 1, step.from_own_buffer ? ", in its own buffer" : "");
}

bool is_delayed(const Step& step, std::uint32_t index) {
  return !step.buffer.empty() && step.buffer.back() == index && !step.flushes;
}

std::string
code_line(const Step& step, const Subject& subject, SourceLines& sources, std::uint32_t main_file) {
  if (!step.loc.is_known())
    return "";
  const std::string& file = subject.program->files[step.loc.file];
  const std::string place = step.loc.file == main_file
                                ? fmt::format("{}:", step.loc.line)
                                : fmt::format("{}:", subject.program->place(step.loc));
  if (const std::optional<std::string> text = sources.line(file, step.loc.line))
    return place + " " + *text;
  return subject.program->place(step.loc);
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string pending_line(const verdict::Violation& violation, std::uint32_t index) {
  const Step& step = violation.run->steps[index];
  const std::vector<std::string>& buffer = violation.evidence.steps[index].buffer;
  const bool changes = is_delayed(step, index) || step.flushes;
  if (!changes || buffer.empty() || (buffer.size() == 1 && !step.flushes))
    return "";
  return "pending: " + joined(buffer);
}

/// Does the run end in a fault of its last step, rather than in one found at its regular end?
bool is_fault_of_step(const verdict::Violation& violation) {
  const program::FaultKind kind = violation.run->fault.kind;
  return kind != program::FaultKind::kNone && kind != program::FaultKind::kLeak;
}

} // namespace

std::string thread_name(const verdict::Violation& violation, ThreadIndex thread) {
  const std::vector<std::string>& names = violation.evidence.threads;
  return thread < names.size() ? names[thread] : fmt::format("thread {}", thread);
}

std::string effect(const verdict::Violation& violation, std::uint32_t index) {
  const Step& step = violation.run->steps[index];
  const verdict::StepText& text = violation.evidence.steps[index];
  switch (step.what) {
  case Step::What::kLocal:
    return "";
  case Step::What::kNondet:
    return "chooses " + text.value_read;
  case Step::What::kRead:
    return fmt::format("reads {} = {}{}", text.target, text.value_read, source_of(step));
  case Step::What::kWrite:
    return fmt::format("{} {} = {}",
                       is_delayed(step, index) ? "buffers" : "writes",
                       text.target,
                       text.value_written);
  case Step::What::kReadModifyWrite:
    return fmt::format("{} {}: {} to {}{}",
                       text.operation,
                       text.target,
                       text.value_read,
                       text.value_written,
                       source_of(step));
  case Step::What::kFailedCompareExchange:
    return fmt::format(
        "{} {} fails: reads {}{}", text.operation, text.target, text.value_read, source_of(step));
  case Step::What::kSynchronize:
    if (step.created && text.target.empty())
      return fmt::format("create {}", thread_name(violation, *step.created));
    return text.target.empty() ? text.operation : text.operation + " " + text.target;
  case Step::What::kFlush:
    return fmt::format(
        "flushes {} = {} (#{}) to memory", text.target, text.value_written, *step.flushes + 1);
  case Step::What::kReacquire:
    return fmt::format("woken, takes {} back", text.target);
  case Step::What::kFence:
  case Step::What::kAllocate:
  case Step::What::kFree:
  case Step::What::kAtomicBegin:
  case Step::What::kAtomicEnd:
  case Step::What::kWakeUp:
  case Step::What::kLeaveBarrier:
  case Step::What::kThreadExit:
  case Step::What::kExit:
    return text.target.empty() ? text.operation : text.operation + " " + text.target;
  }
  HEDDLE_CHECK(false, "no such step");
  return "";
}

Table run_table(const verdict::Violation& violation, const Subject& subject, SourceLines& sources) {
  HEDDLE_CHECK(violation.run.has_value(), "a violation is shown that was not replayed");
  const std::vector<Step>& steps = violation.run->steps;
  Table table;
  std::map<ThreadIndex, std::size_t> columns;
  for (const Step& step : steps)
    columns.try_emplace(step.transition.thread, 0);
  for (auto& [thread, column] : columns) {
    column = table.headings.size();
    table.headings.push_back(thread_name(violation, thread));
  }
  std::uint32_t main_file = 0;
  for (const Step& step : steps)
    if (main_file == 0)
      main_file = step.loc.file;

  std::map<ThreadIndex, std::string> last_code;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const ThreadIndex thread = step.transition.thread;
    Row row{std::to_string(i + 1), columns[thread], {}};
    if (step.what != Step::What::kFlush) {
      const std::string code = code_line(step, subject, sources, main_file);
      if (!code.empty() && code != last_code[thread])
        row.lines.push_back(code);
      last_code[thread] = code;
    }
    for (const std::string& line : {effect(violation, i),
                                    joined(violation.evidence.steps[i].assigned),
                                    pending_line(violation, i)})
      if (!line.empty())
        row.lines.push_back((row.lines.empty() || step.what == Step::What::kFlush ? "" : "  ") +
                            line);
    if (i + 1 == steps.size() && is_fault_of_step(violation))
      row.lines.push_back((row.lines.empty() ? "" : "  ") + std::string("fails: ") +
                          program::to_string(violation.run->fault.kind));
    if (row.lines.empty())
      row.lines.emplace_back("...");
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::set<std::size_t> named_steps(const verdict::Violation& violation) {
  std::set<std::size_t> steps;
  if (const auto* race = std::get_if<verdict::Race>(&violation.kind))
    steps = {race->first, race->second};
  for (const verdict::CycleEdge& edge : violation.evidence.cycle)
    steps.insert({edge.from, edge.to});
  return steps;
}

} // namespace heddle::report
