// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sections of locks that nobody can tell from atomic sections, made atomic; the lock, which then is
// always found free, is left out (R. J. Lipton, Reduction, CACM 18(12), 1975).
//
// What lies between taking a lock and giving it back commutes with whatever others do meanwhile if
// they touch the same places only in sections of the same lock. Taking the lock commutes to the
// right and giving it back to the left, since nobody who finds it taken goes on. So all of a
// section may happen where one access of it happens that does not commute, and there may be one
// such access (or one atomic step of several) on each way through the section.
//
// That nobody sees the lock taken is right only if who waits for it need not wait for ever: every
// section is left, or a check fails in it, which ends the run; what others do after that has no
// meaning. And only for questions to which states do not matter: that somebody waits is no longer
// seen.
#pragma once

#include "encode/order/relevance.h"
#include "program/events/event_set.h"

#include <cstdint>
#include <vector>

namespace heddle::encode {

/// A section of a lock that became an atomic one.
struct LockSection {
  std::uint32_t number = 0; // StaticEvent::section
  /// Writes that gave the lock back, now without a place in the order; one of them happens.
  std::vector<program::EventIndex> gives;
  /// kChecks of its thread; if the lock is not given back, one of them has failed.
  std::vector<program::EventIndex> checks;
};

/// For sequential consistency and questions about single steps: which checks fail. The events of
/// the locks become kBranches, and what was read from them constants.
[[nodiscard]] std::vector<LockSection> make_lock_sections_atomic(program::EventSet& set,
                                                                 const IsAsked& is_asked);

} // namespace heddle::encode
