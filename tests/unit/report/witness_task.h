// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What tests of witnesses say of the task.
#pragma once

#include "report/subject.h"
#include "report/witness/witness.h"
#include "spec/task.h"

#include <string>

namespace heddle::report_test {

inline report::WitnessTask task_of(const std::string& path, const std::string& text) {
  report::WitnessTask task;
  task.inputs = {{path, text}};
  task.producer_version = "1.2";
  task.configuration = "--model sc";
  task.creation_time = 1'700'000'000; // 2023-11-14T22:13:20Z
  return task;
}

inline report::Subject subject_of(const spec::Task& task) {
  return {task.program, task.model, task.question};
}

} // namespace heddle::report_test
