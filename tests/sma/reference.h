// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// An independent reference: store buffers by their definition, all states searched. It shares
// nothing with the abstractions under test.
#pragma once

#include "sma/program.h"

namespace heddle::sma {

enum class Model : unsigned char { Sc, Tso, Pso };

// `complete`: the runs in which all threads end. Otherwise all states in which no atomic section is
// open.
[[nodiscard]] Outcomes reference_outcomes(const Program& program, Model model, bool complete);

} // namespace heddle::sma
