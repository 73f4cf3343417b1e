// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What one step of a run did, as the few lines a table shows for it.
#pragma once

#include "report/source_lines.h"
#include "report/subject.h"
#include "report/table.h"
#include "verdict/verdict.h"

#include <cstddef>
#include <set>
#include <string>

namespace heddle::report {

/// The table of a confirmed violation: a column per thread that moves.
[[nodiscard]] Table
run_table(const verdict::Violation& violation, const Subject& subject, SourceLines& sources);
/// "reads x = 0 (from #3)", "lock m", "flushes x = 1 (#3)".
[[nodiscard]] std::string effect(const verdict::Violation& violation, std::uint32_t step);
/// The name of a thread; "thread 3" if there is none.
[[nodiscard]] std::string thread_name(const verdict::Violation& violation,
                                      program::ThreadIndex thread);

/// The steps that other parts of a report speak of.
[[nodiscard]] std::set<std::size_t> named_steps(const verdict::Violation& violation);

} // namespace heddle::report
