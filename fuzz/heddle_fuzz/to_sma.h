// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A generated program as operations of a shared-memory abstraction, lowered as docs/semantics.md
// says for machines: main creates the threads, joins them and reads all objects.
#pragma once

#include "heddle_fuzz/program.h"
#include "sma/program.h"

#include <optional>

namespace heddle::fuzz {

/// Nothing if the program has statements that abstractions have no operation for. Volatile accesses
/// are made by address.
[[nodiscard]] std::optional<sma::Program> to_sma(const Program& program);

/// What a run of that program leaves behind, if all its threads have ended.
[[nodiscard]] std::optional<FinalState>
final_state(const Program& program, const sma::Program& operations, const sma::Outcome& outcome);

} // namespace heddle::fuzz
