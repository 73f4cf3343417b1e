// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rewrites a C program into what a compiler makes of it for a processor, by a table of
// lower_mapping.h.
#pragma once

#include "program/model/program.h"
#include "transform/basic/lower_mapping.h"

namespace heddle::transform {

/// Everything but Program::vocabulary.
void lower_to(program::Program& program, const Mapping& mapping);
/// Only threads and locks: what else the program does is written for the processor already.
void lower_synchronization_to(program::Program& program, const Mapping& mapping);

} // namespace heddle::transform
