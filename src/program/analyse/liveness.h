// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which locals are read again: backward dataflow over one procedure. Keeps states canonical (dead
// locals are zero).
#pragma once

#include "program/model/program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::program {

/// The locals an action reads and the ones it assigns.
struct LocalUse {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
};
[[nodiscard]] LocalUse local_use(const logic::TermStore& terms, const Action& action);

/// Which reads count: all, or not those that only compute a local that is dead itself (strong
/// liveness: Giegerich, Möncke, Wilhelm, Invariance of approximate semantics with respect to
/// program transformations, 1981). A counter that nobody looks at is dead then. Assignments are
/// total and do nothing else, so that what is dead decides on nothing a thread does.
enum class Liveness : std::uint8_t { kOfReads, kStrong };

/// Sets of locals, one bit each, a row of words for each location: may the local's value there be
/// read later?
struct LiveLocals {
  static constexpr std::size_t kBits = 64;
  std::size_t words = 0; // of a row
  std::vector<std::uint64_t> rows;
};
[[nodiscard]] LiveLocals live_locals_by_word(const Program& program,
                                             const Procedure& procedure,
                                             Liveness liveness = Liveness::kOfReads);

/// The same as [location][local].
[[nodiscard]] std::vector<std::vector<bool>> live_locals(const Program& program,
                                                         const Procedure& procedure,
                                                         Liveness liveness = Liveness::kOfReads);

} // namespace heddle::program
