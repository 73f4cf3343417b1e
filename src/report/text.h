// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A verdict for people: one line that says it, then the evidence.
#pragma once

#include "report/source_lines.h"
#include "report/subject.h"
#include "verdict/verdict.h"

#include <string>

namespace heddle::report {

struct TextOptions {
  unsigned width = 100;
  bool colour = false;
};

[[nodiscard]] std::string text(const verdict::Verdict& verdict,
                               const Subject& subject,
                               const TextOptions& options,
                               SourceLines& sources);

/// A final state's value as its C type shows it.
[[nodiscard]] std::int64_t
outcome_value(const program::Program& program, const std::string& global, std::uint64_t value);

} // namespace heddle::report
