// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads that start with stores in their buffers (Weak2SC, section 3.3.3: what comes before the
// code that is looked at).
#pragma once

#include "program/model/program.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace heddle::transform {

/// Each thread that starts with `procedure` has the store pending.
struct StartingStore {
  std::string procedure;
  std::string global;
  std::uint64_t value = 0;
};

/// FUNCTION:GLOBAL=VALUE.
[[nodiscard]] Result<StartingStore> parse_starting_store(std::string_view text);

/// Nobody can tell a pending store that was always there from one that the thread issues first: it
/// becomes the first step of the procedure. So the youngest of several is added first. For programs
/// that are not lowered yet.
[[nodiscard]] Status add_starting_store(program::Program& program, const StartingStore& store);

} // namespace heddle::transform
