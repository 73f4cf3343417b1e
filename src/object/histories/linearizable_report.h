// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What `heddle linearizable` found, for people and for machines.
#pragma once

#include "driver/output/exit_code.h"
#include "object/histories/linearizable_check.h"

#include <nlohmann/json.hpp>

#include <string>

namespace heddle::object {

[[nodiscard]] driver::ExitCode exit_code_of(const LinearizableSummary& summary);

[[nodiscard]] std::string
text_of(const LinearizableQuestion& question, const LinearizableSummary& summary, unsigned width);

/// A page with the history and the run that has it.
[[nodiscard]] std::string html_of(const LinearizableQuestion& question,
                                  const LinearizableSummary& summary);

[[nodiscard]] nlohmann::ordered_json json_of(const LinearizableQuestion& question,
                                             const driver::Options& options,
                                             const LinearizableSummary& summary,
                                             double seconds);

} // namespace heddle::object
