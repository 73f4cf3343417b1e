// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model's sets and relations can be at all, before any execution is chosen: bounds over the
// static events of a program. What is in `must` is there in every execution the model allows; what
// is not in `may` is in none.
#pragma once

#include "memory/bound_algebra.h"
#include "memory/core.h"
#include "program/events/event_set.h"
#include "support/budget.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace heddle::memory {

/// Bounds for every node of a core.
struct EventBounds {
  /// What the bounds are over: the initial writes of the addresses that are known statically (with
  /// kInRegions also of those that a computed one may be, where they are few), in order of address;
  /// for each other access that can happen and whose address is not known, the initial write of
  /// that address if it is none of these (and of no such access before it); then the events
  /// executions have, in the order of the event set.
  struct Element {
    bool is_initial = false;
    program::EventIndex event = 0; // initial writes of unknown addresses: whose address it is
    std::optional<std::uint64_t> address; // if it has one that is known
    std::uint8_t size = 0; // of accesses and initial writes; pieces at one place have one size

    [[nodiscard]] bool has_other_size(const Element& other) const {
      return size != 0 && other.size != 0 && size != other.size;
    }
  };
  std::vector<Element> elements;
  /// By event of the set: its element, or kNone for what is no event of an execution.
  std::vector<std::size_t> element_of;
  /// By node of the core.
  IdVector<NodeId, std::variant<BoundAlgebra::Set, BoundAlgebra::Relation>> values;
  /// False if the budget was used up on the way: then not every node has a value.
  bool is_complete = true;

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] const BoundAlgebra::Set& set(NodeId node) const {
    return std::get<BoundAlgebra::Set>(values[node]);
  }
  [[nodiscard]] const BoundAlgebra::Relation& relation(NodeId node) const {
    return std::get<BoundAlgebra::Relation>(values[node]);
  }
};

/// kInRegions: threads end before an access to where nothing is (program/events/event_regions.h),
/// so that initial writes of other places are never there.
enum class Accesses : std::uint8_t { kAnywhere, kInRegions };
/// What rf and co are narrowed by: what is seen of one place and one thread, or all required axioms
/// (memory/excluded_pairs.h). The latter takes a few times as long, and needs axioms that hold of
/// the executions that are asked about.
enum class Narrowed : std::uint8_t { kByPlace, kByAxioms };
/// Null: there is no budget. What it takes is quadratic in the events.
[[nodiscard]] EventBounds bounds(const Core& core,
                                 const program::EventSet& set,
                                 Accesses accesses = Accesses::kAnywhere,
                                 const Budget* budget = nullptr,
                                 Narrowed narrowed = Narrowed::kByPlace);

} // namespace heddle::memory
