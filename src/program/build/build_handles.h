// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// May the handle of a thread that was joined or detached serve again for another one? Private to
// build*.cpp.
#pragma once

#include "program/build/build_context.h"

namespace heddle::program {

/// May a thread be created after another one was joined or detached? By the graphs of control of
/// what the initial thread calls; threads that join, detach or create at any time always may.
[[nodiscard]] bool
may_handles_recur(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry);

} // namespace heddle::program
