// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What history/explanations.h does, for quiescent consistency: the order of operations counts only
// across moments at which none is under way. Such a moment is a set of operations, all of which
// have returned before any other is called; an order of operations keeps it if it begins with that
// set.
#pragma once

#include "history/explanations.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heddle::history {

/// The smallest sets of precedences that show quiescent moments which no order that the object
/// allows keeps all of. If it allows no order: the empty set. Nothing if it takes more than `most`
/// steps.
[[nodiscard]] std::optional<std::vector<Precedences>> quiescent_contradictions_of(
    const std::vector<Operation>& operations, const SequentialObject& object, std::size_t most);

} // namespace heddle::history
