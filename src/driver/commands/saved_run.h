// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What --json saves beside the report so that `heddle replay` can run the violation again: the
// question, and how the program was read. Options that change what the program is are in; options
// of the search are not.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/question.h"
#include "execution/execution.h"
#include "execution/run.h"
#include "support/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace heddle::driver {

struct SavedRun {
  Options options;
  Asked asked;
  execution::Schedule schedule;
  /// Instead, under a model that has axioms only.
  std::optional<execution::Execution> execution = {};
  std::string kind; // of the violation
  std::uint64_t program_hash = 0;
};

[[nodiscard]] nlohmann::ordered_json
to_json(const Options& options, const Asked& asked, std::uint64_t program_hash);
/// From the content of a report that --json wrote.
[[nodiscard]] Result<SavedRun> read_saved_run(const std::string& path);

/// Of the module's text: tells whether a program is still the one that was saved.
[[nodiscard]] std::uint64_t hash_of(const ir::Module& module);

} // namespace heddle::driver
