// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data races by happens-before, for programs where testing adjacency is not enough: hb = (po ∪ sw)⁺
// with sw from threads, locks, semaphores, barriers, once, atomic sections and release/acquire as
// RC11 has it.
#pragma once

#include "engine/explicit/monitor.h"
#include "program/run/interpreter.h"

#include <memory>

namespace heddle::engine {

/// The interpreter outlives the monitor.
[[nodiscard]] std::unique_ptr<Monitor> make_race_monitor(const program::Interpreter& interpreter);

} // namespace heddle::engine
