// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Violations for tests of reports.
#pragma once

#include "check/judge_claim.h"
#include "unit/check/ready_program.h"
#include "verdict/verdict.h"

namespace heddle::report_test {

/// The minimised violation of the first run that shows one.
inline verdict::Verdict violated(const spec::Task& task, const verdict::ViolationKind& kind) {
  const spec::Property property = std::get<spec::Check>(task.question).property;
  const auto schedule = check_test::find_run(
      task,
      [&](const check::Ground& ground, const check::Replayer& replayer) {
        return check::judge(ground, replayer, property, kind).has_value();
      },
      20);
  HEDDLE_CHECK(schedule.has_value(), "the program shows no violation");
  verdict::Violation violation;
  violation.property = property;
  violation.kind = kind;
  violation.schedule = *schedule;
  verdict::Verdict verdict;
  verdict.answer = verdict::Violated{check::minimise(task, std::move(violation), Budget{})};
  verdict.engine = "test";
  return verdict;
}

} // namespace heddle::report_test
