// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Executions as one HTML file that needs nothing else: the viewer (viewer/) with the pictures as
// data. What the page can do is in docs/viewer.md.
#pragma once

#include "report/page/graph.h"
#include "report/page/history_chart.h"
#include "report/source_lines.h"
#include "report/subject.h"
#include "report/table.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

struct ShownExecution {
  enum class Status : std::uint8_t { kAllowed, kForbidden, kViolation };
  Picture picture;
  Status status = Status::kAllowed;
  std::vector<std::pair<std::string, std::string>> state = {}; // final: "0:EAX" → "1"
  std::vector<std::string> axioms = {};                        // those it breaks
  std::vector<std::string> flags = {};
  bool satisfies = false; // the condition of the test
};

/// A history of operations, and the run that has it.
struct ShownHistory {
  std::string scenario; // "push(1) || pop()"
  HistoryChart chart;
  std::vector<std::string> why = {};             // sentences: why there is no explanation
  std::optional<std::uint32_t> unexplained = {}; // the operation that they are about
  Table run = {};
};

struct Page {
  std::string title;                   // "SB"
  std::string model = {};              // "tso"
  std::string condition = {};          // "exists (0:EAX=0 /\ 1:EAX=0)"
  std::vector<std::string> notes = {}; // a line each: what the page leaves out, the verdict
  std::vector<ShownExecution> executions = {};
  std::optional<ShownHistory> history = {};
};

[[nodiscard]] std::string html(const Page& page);

/// The page of a violation that was replayed: its run as an execution.
[[nodiscard]] std::string
html_of_run(const verdict::Verdict& verdict, const Subject& subject, SourceLines& sources);
/// The picture on it, without the steps that are `left_out` (execution::from_steps).
[[nodiscard]] Picture picture_of_run(const verdict::Violation& violation,
                                     const Subject& subject,
                                     SourceLines& sources,
                                     const std::vector<bool>& left_out = {});

} // namespace heddle::report
