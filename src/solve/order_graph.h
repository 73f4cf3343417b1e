// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Directed graphs whose edges depend on literals, as plain data: what the ordering theory is given
// and what the checker of its proofs is given, so that neither has to believe the other.
#pragma once

#include "logic/literal.h"
#include "support/id.h"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::solve {

using OrderGraphId = Id<struct OrderGraphTag>;
using OrderNodeId = Id<struct OrderNodeTag>; // dense in its graph

/// A node lies on one chain; nodes of a chain are ordered by position, without an edge saying so.
struct OrderNode {
  std::uint32_t chain = 0;
  std::uint32_t position = 0;
};

/// There if all its valid literals are true: none (a static edge), one or two.
struct OrderEdge {
  OrderNodeId from;
  OrderNodeId to;
  std::array<logic::Literal, 2> when;
  [[nodiscard]] bool is_static() const { return !when[0].is_valid(); }
};

struct OrderGraph {
  IdVector<OrderNodeId, OrderNode> nodes;
  std::vector<OrderEdge> edges;
};

} // namespace heddle::solve
