// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run of the reduced program under SC as a run of the machine: both are walked together, edge by
// edge.
#pragma once

#include "transform/buffers/store_buffer_graph.h"

namespace heddle::transform {

struct BackMap {
  program::Program source;
  program::Program reduced;
  memory::MachineKind machine = memory::MachineKind::kTotalStoreOrder;
  /// By procedure, then by edge; empty for procedures that were left as they were.
  IdVector<program::ProcedureId, std::vector<ReducedOrigin>> origins;
  program::InterpreterOptions replay = {};
};

[[nodiscard]] Result<execution::Schedule> lift_to_machine(const BackMap& map,
                                                          const execution::Schedule& schedule);

} // namespace heddle::transform
