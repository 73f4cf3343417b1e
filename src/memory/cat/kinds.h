// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The kinds that an expression of CAT may have, found without evaluating it. CAT has no types: the
// same function may be applied to a set and to a relation, so that a kind is a set of
// possibilities, and only what is wrong in all of them is an error (check_kinds.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace heddle::memory::cat {

/// What a value may be, as bits.
enum KindBit : std::uint16_t {
  kEventKind = 1,
  kSetKind = 2,      // of events
  kRelationKind = 4, // between events
  kTagKind = 8,
  kListKind = 16, // a set of sets, relations or tags
  kTupleKind = 32,
  kFunctionKind = 64,
  kProcedureKind = 128,
};
constexpr std::uint16_t kAnyKind = 255;
/// Of `0` and `{}`.
constexpr std::uint16_t kEmptyKinds = kSetKind | kRelationKind | kListKind;
/// What can stand for a set and for a relation: an event, and a pair of events.
constexpr std::uint16_t kSetLike = kSetKind | kEventKind;
constexpr std::uint16_t kRelationLike = kRelationKind | kTupleKind;

struct Kinds {
  std::uint16_t bits = kAnyKind;
  /// It uses a name that nothing defines, so that it is never evaluated.
  bool is_undefined = false;
  /// For a function: of what it gives, whatever it is applied to. Any if there is none.
  std::shared_ptr<const Kinds> result = {};
  /// For a function: what its argument has to be one of.
  std::uint16_t takes = kAnyKind;
  /// It is known to be empty, and may make what it is an operand of empty.
  bool is_empty = false;

  [[nodiscard]] bool can_be(std::uint16_t kinds) const { return (bits & kinds) != 0; }
  /// Either of them.
  [[nodiscard]] Kinds joined(const Kinds& other) const;
};

/// "a relation", "a set of events or a tag".
[[nodiscard]] std::string describe(const Kinds& kinds);

} // namespace heddle::memory::cat
