// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run of the sequential program as a run of the threads.
#pragma once

#include "transform/sequential/sequentialize.h"

namespace heddle::transform {

struct SequentialMap {
  program::Program source;
  program::Program sequential;
  std::vector<SequentialThread> threads;
  std::vector<SliceOrigin> origins; // by edge of the sequential program's one procedure
  memory::MachineKind machine = memory::MachineKind::kSequential; // of the source
  program::InterpreterOptions replay = {};
  /// Steps with equal times happened in the order of the calls, and some did not happen: those that
  /// an abstraction made for an interrupted thread (runtime/sma/sma.h).
  bool is_coarse = false;
};

[[nodiscard]] Result<execution::Schedule> lift_to_threads(const SequentialMap& map,
                                                          const execution::Schedule& schedule);

} // namespace heddle::transform
