// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of nodes by counting: each node that writes takes a slot of its own, the first the
// slot 0, and the position of any node is the number of slots taken before it. Positions are unary
// numbers (a literal for "at least s"), so that arcs are binary clauses. Nodes at one position that
// do not write may come in any order that their arcs allow.
#pragma once

#include "encode/order/skeleton.h"
#include "logic/bit_blast.h"
#include "relation/bit_set.h"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::encode {

using logic::Literal;

/// All nodes, sorted by all arcs of the skeleton, whether they hold or not. Nothing if that is
/// impossible: then positions do not tell whether arcs that hold are a cycle.
[[nodiscard]] std::optional<std::vector<Node>> sorted_by_all_arcs(const Skeleton& skeleton);

class SlotOrder {
public:
  /// A node that takes a slot where `writes` holds.
  struct Writer {
    Node node = 0;
    Literal writes;
  };
  /// `others`: nodes that need a position, too. What must precede what is in the order at once;
  /// skeleton and gates outlive it.
  SlotOrder(const Skeleton& skeleton,
            logic::Gates& gates,
            std::vector<Writer> writers,
            const relation::BitSet& others);

  [[nodiscard]] std::size_t slots() const { return writers_.size(); }
  /// The positions that the node may have.
  [[nodiscard]] std::size_t first(Node node) const { return positions_[node].first; }
  [[nodiscard]] std::size_t last(Node node) const { return positions_[node].last; }

  void arc(Node from, Node to, Literal when);
  [[nodiscard]] Literal at(Node node, std::size_t position);
  /// Position of `a` <= position of `b`.
  [[nodiscard]] Literal is_not_after(Node a, Node b);
  /// No two in one slot, and no slot left free before one that is taken.
  void finish();

  /// The nodes for which `happens` holds in an order that the model allows.
  [[nodiscard]] std::vector<Node> linearise(const logic::LiteralValues& model,
                                            const std::vector<bool>& happens) const;

private:
  struct Position {
    bool is_there = false;
    std::size_t first = 0;
    std::size_t last = 0;
    std::vector<Literal> at_least; // first + 1 … last
    Literal writes;
  };
  void make_position(Node node);
  [[nodiscard]] Literal at_least(Node node, std::size_t position) const;
  [[nodiscard]] std::size_t position(Node node, const logic::LiteralValues& model) const;

  const Skeleton& skeleton_;
  logic::Gates& gates_;
  std::vector<Writer> writers_;
  relation::BitSet writing_;        // the nodes of writers_
  relation::BitSet certain_;        // those that write in every execution
  std::vector<Position> positions_; // by node
  std::unordered_map<std::uint64_t, Literal> compared_;
};

} // namespace heddle::encode
