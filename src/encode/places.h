// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the memory events of a set may go (program/events/event_regions.h), as terms, and what is
// there at first.
#pragma once

#include "program/events/event_regions.h"
#include "program/events/event_set.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::encode {

using program::EventIndex;
using program::Term;

/// Variables of the set's terms from here on stand for memory that is arbitrary at first.
inline constexpr std::uint64_t kFirstInitialVariable = 1ULL << 42U;

class Places {
public:
  /// The set must outlive it; terms are made in its store.
  explicit Places(program::EventSet& set) : set_(set), regions_(set) {}

  [[nodiscard]] bool may_meet(EventIndex a, EventIndex b) const { return regions_.may_meet(a, b); }
  /// Are they to one place (Bool)?
  [[nodiscard]] Term same(EventIndex a, EventIndex b);
  /// Does the access touch the block that the kFree ends (Bool)?
  [[nodiscard]] Term is_in_block(EventIndex access, EventIndex free);
  [[nodiscard]] bool must_meet(EventIndex a, EventIndex b) {
    return is_constant(a) && is_constant(b) && may_meet(a, b);
  }
  /// Does the access lie in an object, or in a block, at a place where accesses of its size are cut
  /// (Bool)?
  [[nodiscard]] Term is_valid(EventIndex access);
  /// Where the piece begins that the byte is in, if the access may be to it.
  [[nodiscard]] std::optional<std::uint64_t> piece_at(EventIndex access, std::uint64_t byte) const {
    return regions_.piece_at(access, byte);
  }
  /// What a read finds if nothing was written there; nothing if it may go to too many places to
  /// say.
  [[nodiscard]] std::optional<Term> initial_value(EventIndex read);
  /// What is at a place at first.
  [[nodiscard]] Term initial_at(std::uint64_t address, std::uint8_t size);
  /// Is what is at first in the byte of that number that the read finds arbitrary?
  [[nodiscard]] Term is_arbitrary_at_first(EventIndex read, unsigned byte);

private:
  [[nodiscard]] bool is_constant(EventIndex event) const { return regions_.is_constant(event); }
  /// Where in a region which values of that size are at first.
  [[nodiscard]] const std::map<Term, std::vector<std::uint64_t>>& initial_values(std::size_t region,
                                                                                 std::uint8_t size);

  program::EventSet& set_;
  program::EventRegions regions_;
  std::map<std::uint64_t, Term> unknown_; // arbitrary memory, by address
  std::map<std::pair<std::size_t, std::uint8_t>, std::map<Term, std::vector<std::uint64_t>>>
      initial_; // by region and size
};

} // namespace heddle::encode
