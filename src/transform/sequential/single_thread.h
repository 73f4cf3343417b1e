// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs that have one thread and synchronise all the same (code that is used with and without
// threads): locks, semaphores, barriers and conditions as accesses of the words they consist of.
// For engines that know memory and nothing else. A wait that nobody can end discards the run.
#pragma once

#include "program/model/program.h"
#include "transform/sequential/sequentialize.h"

#include <vector>

namespace heddle::transform {

struct SingleThread {
  program::Program program;
  /// What each edge stands for, by procedure: the edge of the source, for the first step of it.
  IdVector<program::ProcedureId, std::vector<SliceOrigin>> origins;
};

/// Is there anything to do?
[[nodiscard]] bool synchronizes(const program::Program& program);

/// For programs with one thread. Creation and joins of threads stay what they are.
[[nodiscard]] SingleThread write_out_synchronisation(const program::Program& program);

} // namespace heddle::transform
