// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A system as a sequentially consistent C program with POSIX threads, in the conventions of the
// software verification competition: each step is an atomic section, choices are calls of
// __VERIFIER_nondet functions, a failure is a call of reach_error. With -DHEDDLE_RUN it is a
// program to be run, which chooses at random.
#pragma once

#include "export/system.h"
#include "support/result.h"

#include <string>

namespace heddle::exports {

[[nodiscard]] Result<std::string> to_c(const System& system);

} // namespace heddle::exports
