// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Robustness: is the run so far one that sequential consistency allows? It is exactly if po ∪ rf ∪
// co ∪ fr (with the order of synchronisation) has no cycle (Shasha and Snir, TOPLAS 1988). The
// monitor keeps the events that can still get an edge (the last of each thread, the last writes and
// the reads since of each place, pending stores and reads of them) and which of them lead to which;
// events that cannot are dropped, what led through them is kept.
#pragma once

#include "engine/explicit/monitor.h"
#include "program/run/interpreter.h"

#include <memory>

namespace heddle::engine {

/// The interpreter outlives the monitor.
[[nodiscard]] std::unique_ptr<Monitor>
make_robustness_monitor(const program::Interpreter& interpreter);

} // namespace heddle::engine
