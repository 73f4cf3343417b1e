// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/pair_order.h"

namespace heddle::encode {

void PairOrder::add(Node from, Node to, Literal when) {
  gates_.require_any(std::vector{~when, before(from, to)});
}

void PairOrder::add(Node from, Node to, Literal when, Literal also) {
  gates_.require_any(std::vector{~when, ~also, before(from, to)});
}

Literal PairOrder::decide(Node a, Node b) {
  is_active_[a] = is_active_[b] = true;
  return gates_.fresh();
}

void PairOrder::finish() {
  std::vector<Node> active;
  for (Node node = 0; node < is_active_.size(); ++node)
    if (is_active_[node])
      active.push_back(node);
  // Of three nodes, no cycle in either direction. A pair that the threads order is a constant here:
  // what is left of the clauses then keeps the order of a chain.
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = i + 1; j < active.size(); ++j) {
      const Literal ij = before(active[i], active[j]);
      for (std::size_t k = j + 1; k < active.size(); ++k) {
        const Literal jk = before(active[j], active[k]);
        const Literal ik = before(active[i], active[k]);
        gates_.require_any(std::vector{~ij, ~jk, ik});
        gates_.require_any(std::vector{ij, jk, ~ik});
      }
    }
}

} // namespace heddle::encode
