// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Frees and uses of blocks in an execution under a model with axioms. Under a model with a
// happens-before of the language, a use that does not happen before the free is an error. Under
// others a free is a plain store to the block: a use is an error if the model allows that it finds
// this store, or writes after it.
#pragma once

#include "check/execution/execution_replay.h"
#include "memory/judge.h"
#include "memory/model.h"
#include "program/model/fault.h"

#include <optional>

namespace heddle::check {

/// `judge` has judged the execution that was replayed.
[[nodiscard]] std::optional<program::Fault>
find_misuse(const ExecutionReplay& replay, const memory::Model& model, memory::Judge& judge);

} // namespace heddle::check
