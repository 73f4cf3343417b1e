// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_tables.h"

#include "support/check.h"

namespace heddle::program {

TermTables::TermTables() {
  nodes_.emplace_back(); // 0 is no node
}

logic::Term TermTables::get(Root root, std::uint32_t index) const {
  std::uint32_t node = root;
  for (unsigned level = kLevels - 1; level > 0; --level) {
    if (node == 0)
      return {};
    node = nodes_[node].slots[index >> (kBits * level) & (kFanOut - 1)];
  }
  logic::Term value;
  if (node != 0)
    value.value = nodes_[node].slots[index & (kFanOut - 1)];
  return value;
}

/// The node, or a copy of it that the owner may change.
std::uint32_t TermTables::own(std::uint32_t node, Owner owner, unsigned level) {
  if (node != 0 && nodes_[node].owner == owner)
    return node;
  Node copy;
  if (node == 0)
    copy.slots.fill(empty_slot(level));
  else
    copy.slots = nodes_[node].slots;
  copy.owner = owner;
  nodes_.push_back(copy);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

TermTables::Root TermTables::set(Root root, Owner owner, std::uint32_t index, logic::Term value) {
  HEDDLE_CHECK(index <= kLargestIndex, "an index beyond the table");
  const Root result = own(root, owner, kLevels - 1);
  std::uint32_t node = result;
  for (unsigned level = kLevels - 1; level > 0; --level) {
    const std::uint32_t slot = index >> (kBits * level) & (kFanOut - 1);
    const std::uint32_t child = own(nodes_[node].slots[slot], owner, level - 1);
    nodes_[node].slots[slot] = child;
    node = child;
  }
  nodes_[node].slots[index & (kFanOut - 1)] = value.value;
  return result;
}

} // namespace heddle::program
