// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of terms that many paths share: a copy costs nothing, a change copies a few nodes of a
// tree, and where two paths meet only what differs is looked at. For what the locals and the
// private memory of a thread hold on each path (event_prefix.h).
#pragma once

#include "logic/term.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::program {

class TermTables {
public:
  /// An array; 0 is the empty one.
  using Root = std::uint32_t;
  /// Who may change a node in place: the one path that has this number.
  using Owner = std::uint32_t;
  static constexpr std::uint32_t kLargestIndex = (1U << 20U) - 1;

  TermTables();
  [[nodiscard]] Owner new_owner() { return ++owners_; }
  /// Not valid if it was never set.
  [[nodiscard]] logic::Term get(Root root, std::uint32_t index) const;
  [[nodiscard]] Root set(Root root, Owner owner, std::uint32_t index, logic::Term value);
  /// `join(index, values)` is asked for the value where the arrays differ.
  template <class Join>
  [[nodiscard]] Root merge(std::span<const Root> roots, Owner owner, Join join) {
    return merge_nodes(roots, owner, kLevels - 1, 0, join);
  }
  /// Calls visit(index, value) for all that are set, by index.
  template <class Visit>
  void for_each(Root root, Visit visit) const {
    visit_node(root, kLevels - 1, 0, visit);
  }

private:
  static constexpr unsigned kBits = 5;
  static constexpr unsigned kFanOut = 1U << kBits;
  static constexpr unsigned kLevels = 4; // level 0 holds terms, the others nodes
  struct Node {
    std::array<std::uint32_t, kFanOut> slots;
    Owner owner = 0;
  };
  [[nodiscard]] static std::uint32_t empty_slot(unsigned level) {
    return level == 0 ? logic::Term::kNone : 0;
  }
  std::uint32_t own(std::uint32_t node, Owner owner, unsigned level);

  template <class Join>
  std::uint32_t merge_nodes(std::span<const std::uint32_t> nodes,
                            Owner owner,
                            unsigned level,
                            std::uint32_t first,
                            Join& join) {
    bool are_equal = true;
    for (const std::uint32_t node : nodes)
      are_equal = are_equal && node == nodes.front();
    if (are_equal)
      return nodes.front();
    const std::uint32_t result = own(nodes.front(), owner, level);
    std::vector<std::uint32_t> parts(nodes.size());
    for (std::uint32_t slot = 0; slot < kFanOut; ++slot) {
      bool differs = false;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        parts[i] = nodes[i] == 0 ? empty_slot(level) : nodes_[nodes[i]].slots[slot];
        differs = differs || parts[i] != parts[0];
      }
      if (!differs)
        continue;
      const std::uint32_t index = first + (slot << (kBits * level));
      std::uint32_t merged = 0;
      if (level == 0) {
        std::vector<logic::Term> values;
        for (const std::uint32_t part : parts) {
          logic::Term value;
          value.value = part;
          values.push_back(value);
        }
        merged = join(index, std::span<const logic::Term>(values)).value;
      } else {
        merged = merge_nodes(parts, owner, level - 1, index, join);
      }
      nodes_[result].slots[slot] = merged;
    }
    return result;
  }
  template <class Visit>
  void visit_node(std::uint32_t node, unsigned level, std::uint32_t first, Visit& visit) const {
    if (node == 0)
      return;
    for (std::uint32_t slot = 0; slot < kFanOut; ++slot) {
      const std::uint32_t part = nodes_[node].slots[slot];
      const std::uint32_t index = first + (slot << (kBits * level));
      if (part == empty_slot(level))
        continue;
      if (level != 0) {
        visit_node(part, level - 1, index, visit);
        continue;
      }
      logic::Term value;
      value.value = part;
      visit(index, value);
    }
  }

  std::vector<Node> nodes_;
  Owner owners_ = 0;
};

} // namespace heddle::program
