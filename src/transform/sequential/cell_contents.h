// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the cells of shared memory can hold at any time, from what the program writes, and who
// writes them how often: an abstraction that guesses the content of a cell guesses among these
// values, one that guesses its writes among these threads.
#pragma once

#include "logic/range.h"
#include "program/model/program.h"
#include "transform/sequential/shared_cells.h"
#include "transform/sequential/sma.h"

#include <vector>

namespace heddle::transform {

/// By cell, of its size. Any value where nothing is known: words of mutexes and the like, memory
/// that is arbitrary at first, programs without events.
[[nodiscard]] std::vector<logic::Range> contents_of(const program::Program& program,
                                                    const std::vector<SequentialThread>& threads,
                                                    const SharedCells& cells);
/// By cell. Words of mutexes and the like may be written any number of times by a step.
[[nodiscard]] std::vector<CellWriters> writers_of(const program::Program& program,
                                                  const std::vector<SequentialThread>& threads,
                                                  const SharedCells& cells);

} // namespace heddle::transform
