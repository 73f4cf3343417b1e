// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A verdict for machines; docs/json.md describes every field. The bytes are the same for the same
// verdict, but for "stats".
#pragma once

#include "report/source_lines.h"
#include "report/subject.h"
#include "verdict/verdict.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace heddle::report {

struct JsonOptions {
  std::string version;
  int exit_code = 0;
};

[[nodiscard]] nlohmann::ordered_json
json(const verdict::Verdict& verdict, const Subject& subject, const JsonOptions& options);

[[nodiscard]] nlohmann::ordered_json to_json(const execution::Schedule& schedule);
[[nodiscard]] Result<execution::Schedule> schedule_from_json(const nlohmann::ordered_json& json);
/// What the checker needs of the execution of a violation under a model with axioms.
[[nodiscard]] Result<execution::Execution> execution_from_json(const nlohmann::ordered_json& json);

/// The kind of an answer: "proved", "violated", …
[[nodiscard]] std::string verdict_name(const verdict::Answer& answer);
/// Text with anything that is not UTF-8 replaced, and a line end.
[[nodiscard]] std::string dump(const nlohmann::ordered_json& json);

} // namespace heddle::report
