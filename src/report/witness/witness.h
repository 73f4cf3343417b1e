// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Verdicts as SV-COMP witnesses, for validators of other projects: YAML (formats 2.0 and 2.2) and
// GraphML (1.0). docs/witnesses.md says what is written and what it means. The same verdict, task
// and time give the same bytes.
#pragma once

#include "report/subject.h"
#include "support/result.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

enum class WitnessFormat : std::uint8_t { kYaml, kGraphml };
/// GraphML for names that end in .graphml, otherwise YAML.
[[nodiscard]] WitnessFormat witness_format(std::string_view path);

/// What a witness says of the task beside the verdict.
struct WitnessTask {
  struct Input {
    std::string path;
    std::string text;
  };
  std::vector<Input> inputs;
  std::string entry = "main";
  /// Whose call violates the property reach.
  std::vector<std::string> error_functions = {"reach_error"};
  std::string producer_version;
  std::string configuration;      // options, for people
  std::int64_t creation_time = 0; // seconds since 1970, UTC
};

/// Nothing for properties that have no specification in SV-COMP's language. `violation`, if there
/// is one, tells which function is meant where several calls count.
[[nodiscard]] std::optional<std::string> specification(spec::Property property,
                                                       const WitnessTask& task,
                                                       const verdict::Violation* violation);

/// Why no verdict on the task has a witness, whatever it is; nothing if one may have.
[[nodiscard]] std::optional<std::string>
witness_obstacle(spec::Property property, const WitnessTask& task, WitnessFormat format);
/// Why such a verdict has no witness; nothing if it has one.
[[nodiscard]] std::optional<std::string> no_witness_reason(const verdict::Answer& answer);

struct Witness {
  std::string text;
  std::string note = {}; // what the format cannot say of this run
};
/// Of a verdict that has one, on a task without an obstacle. Fails if places of the violation in
/// the source are not known.
[[nodiscard]] Result<Witness> witness(const verdict::Verdict& verdict,
                                      const Subject& subject,
                                      const WitnessTask& task,
                                      WitnessFormat format);

} // namespace heddle::report
