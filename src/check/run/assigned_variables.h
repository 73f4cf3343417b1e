// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C variables a step assigns: the one its visible action fills, then those of the invisible
// actions up to the thread's next visible one. Follows the interpreter on a copy of the state, one
// action at a time.
#pragma once

#include "execution/run.h"
#include "program/run/interpreter.h"

#include <vector>

namespace heddle::check {

/// `state` is the one right after the visible action, before any invisible one.
[[nodiscard]] std::vector<execution::Step::Assigned>
assigned_by_local_run(const program::Interpreter& interpreter,
                      program::State state,
                      program::ThreadIndex thread,
                      unsigned limit);

} // namespace heddle::check
