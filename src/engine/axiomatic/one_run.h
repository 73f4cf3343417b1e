// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One run of the machine, for programs that do so much that a formula of all of it is out of reach:
// each thread goes as far as it can before the next one moves, and stores reach memory at once. It
// shows nothing but what happens in it.
#pragma once

#include "execution/run.h"
#include "spec/task.h"
#include "support/budget.h"

#include <optional>

namespace heddle::engine::axiomatic {

/// The run, if it ends in a fault of the property within a million steps.
[[nodiscard]] std::optional<execution::Schedule>
find_violating_run(const spec::Task& task, spec::Property property, const Budget& budget);

} // namespace heddle::engine::axiomatic
