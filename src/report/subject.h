// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a report is about: the program as it was checked, the model and the question.
#pragma once

#include "memory/model.h"
#include "program/model/program.h"
#include "spec/task.h"

namespace heddle::report {

struct Subject {
  const program::Program* program =
      nullptr; // the one violations were replayed on; outlives the report
  memory::Model model;
  spec::Question question;
};

} // namespace heddle::report
