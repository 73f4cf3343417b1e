// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which locals are read again: plain backward dataflow over one procedure. Keeps states canonical
// (dead locals are zero).
#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace heddle::program {

/// The locals an action reads and the ones it assigns.
struct LocalUse {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
};
[[nodiscard]] LocalUse local_use(const logic::TermStore& terms, const Action& action);

/// [location][local]: may the local's value at that location be read later?
[[nodiscard]] std::vector<std::vector<bool>> live_locals(const Program& program,
                                                         const Procedure& procedure);

} // namespace heddle::program
