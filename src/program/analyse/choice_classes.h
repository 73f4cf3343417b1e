// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Nondeterministic values that nobody can tell apart. Where all that is ever done with a value is
// to compare it with constants, these cut its range into pieces, and one value of each piece stands
// for the others.
#pragma once

#include "program/model/program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::program {

inline constexpr std::size_t kMostChoiceClasses = 256;

/// For each edge of the procedure: the values that are enough, in increasing order. None for edges
/// that choose no value, and where that would be more than kMostChoiceClasses.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> choice_classes(const logic::TermStore& terms,
                                                                     const Procedure& procedure);

} // namespace heddle::program
