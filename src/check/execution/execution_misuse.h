// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Frees and uses of blocks in an execution under a model with axioms. A use that does not happen
// before the free, by the model's own happens-before, is an error; under a model that has none, one
// that surely comes after it.
#pragma once

#include "check/execution/execution_replay.h"
#include "program/model/fault.h"
#include "relation/bit_matrix.h"

#include <optional>

namespace heddle::check {

/// `happens_before` on the execution that was replayed; none if the model says nothing of it.
[[nodiscard]] std::optional<program::Fault>
find_misuse(const ExecutionReplay& replay,
            const std::optional<relation::BitMatrix>& happens_before);

} // namespace heddle::check
