// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From what a solver chose to a schedule: the machine is walked, and wherever it leaves a choice
// the next value that was chosen at that edge is taken.
#pragma once

#include "execution/run.h"
#include "spec/task.h"

#include <cstdint>
#include <span>

namespace heddle::engine::bounded {

struct Chosen {
  program::ProcedureId procedure;
  std::uint32_t edge = 0;
  std::uint64_t value = 0;
};

/// As far as the machine goes; the checker finds out whether it is a violation. The values are in
/// the order in which the run chooses them.
[[nodiscard]] execution::Schedule make_schedule(const spec::Task& task,
                                                std::span<const Chosen> chosen);

} // namespace heddle::engine::bounded
