// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The state in which an execution leaves the program: every thread where its events have led it,
// every place with its last write. As a state of the sequential machine, so that who waits for ever
// in it is decided by the same rules as for runs (deadlock.h): what a fair memory shows in the end
// is what that machine shows at once.
#pragma once

#include "check/execution/execution_replay.h"
#include "support/result.h"
#include "verdict/evidence.h"
#include "verdict/verdict.h"

namespace heddle::check {

/// Confirms that threads wait for ever after the execution that was replayed, by the rules of
/// deadlock or of liveness, and says who.
[[nodiscard]] Result<verdict::Deadlock> confirm_waits(const spec::Task& task,
                                                      const ExecutionReplay& replay,
                                                      spec::Property property,
                                                      verdict::Evidence& evidence);

} // namespace heddle::check
