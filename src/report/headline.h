// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The verdict in one line, and the notes that belong to it.
#pragma once

#include "report/subject.h"
#include "verdict/verdict.h"

#include <string>
#include <vector>

namespace heddle::report {

/// "PROVED under sc, assuming malloc succeeds: 1,234 states"
[[nodiscard]] std::string headline(const verdict::Verdict& verdict, const Subject& subject);
/// What limits the answer or makes it vacuous, one line each.
[[nodiscard]] std::vector<std::string> notes(const verdict::Verdict& verdict,
                                             const Subject& subject);
/// "12,345"
[[nodiscard]] std::string with_separators(std::uint64_t number);
/// The words after "assuming", each once.
[[nodiscard]] std::vector<std::string> assumptions(const verdict::Verdict& verdict);
/// "time", "memory", …: the name of a reason in machine-readable reports.
[[nodiscard]] std::string to_string(verdict::Unknown::Reason reason);

} // namespace heddle::report
