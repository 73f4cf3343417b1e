// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the order of events is decided in the formula of a program.
#pragma once

#include <cstdint>

namespace heddle::encode {

enum class EventOrdering : std::uint8_t {
  kAutomatic, // by size
  kPairs,     // eagerly, a variable for each pair
  kOnline,    // by a theory in the solver
  kSlices,    // by what memory holds after each write; pairs where a program cannot be sliced
};

} // namespace heddle::encode
