// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects an access may touch (alias), and whether another thread can reach them (escape).
// Fills Access::may and is_visible of every action. A common-mode risk of all engines, hence: the
// interpreter can assert both on every concrete access (state.h,
// InterpreterOptions::check_analyses), and AliasAnalysis::kNone makes every access visible.
#pragma once

#include "program/model/program.h"

namespace heddle::program {

enum class AliasAnalysis : std::uint8_t { kNone, kPointsTo };

void annotate(Program& program, AliasAnalysis analysis);

} // namespace heddle::program
