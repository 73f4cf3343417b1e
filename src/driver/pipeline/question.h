// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the command line and a task file together ask: which files, which property, which model, how
// to load them.
#pragma once

#include "driver/options/options.h"
#include "frontend/c/load.h"
#include "memory/model.h"
#include "spec/task.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct Asked {
  std::vector<std::string> files;
  frontend::Options load;
  memory::Model model;
  spec::Question question;
  std::string vocabulary = "c11"; // that of the program
  [[nodiscard]] bool asks(spec::Property property) const {
    const auto* check = std::get_if<spec::Check>(&question);
    return check != nullptr && check->property == property;
  }
};

/// Reads a .yml task or .prp file if there is one. What the command line says goes before what a
/// file says.
[[nodiscard]] Result<Asked> understand_question(const Options& options);

} // namespace heddle::driver
