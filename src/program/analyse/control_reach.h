// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How far branches and assumptions of a program in C decide when it is compiled for a processor. A
// compiler may turn a branch into a select, so that a branch decides up to where its arms meet. Not
// so for a loop that waits for others: what comes after it is behind a branch in any code, and so
// is what follows an assumption, which stands for such a loop.
#pragma once

#include "program/model/program.h"

namespace heddle::program {

/// Sets Assume::lasts of assumptions and of the branches that leave loops in which every way out
/// depends on what a turn finds in memory that others see. (Loops that are also left when they have
/// counted to something may become straight code, and loops that only compute a formula.) To be
/// called before loops are unrolled and calls inlined. It matters where values that branches choose
/// are followed (EventSetOptions::merges).
void mark_control(Program& program);

/// Sets Program::is_compiled, and forgets what values were computed from without depending on it:
/// compilers fold that.
void mark_compiled(Program& program);

} // namespace heddle::program
