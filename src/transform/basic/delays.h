// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops and branches that only pass time: what a back-off counts is in nobody's way. Part of
// idle.cpp.
#pragma once

#include "program/model/program.h"
#include "spec/task.h"

namespace heddle::transform {

/// Takes out loops that count to an end, and branches, that do nothing but compute locals of which
/// nothing depends behind them (Liveness::kStrong). Not loops that the bounds name.
void drop_delays(program::Program& program,
                 program::Procedure& procedure,
                 const spec::Bounds& bounds);

} // namespace heddle::transform
