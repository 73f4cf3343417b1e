// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How many atomic sections may be open at each location, at most and as far as anybody looks.
#pragma once

#include "program/model/program.h"

#include <vector>

namespace heddle::program {

using SectionDepths = IdVector<ProcedureId, std::vector<unsigned>>; // by location

/// Sections are followed through calls, not told apart by who calls.
[[nodiscard]] SectionDepths section_depths(const Program& program);

} // namespace heddle::program
