// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order by a variable for each pair of nodes that the threads leave open, and clauses that make
// it transitive: eager, for graphs of some dozens of nodes that matter. Nodes without an arc of
// their own are left out: they can always be put into the order of the others.
#pragma once

#include "encode/order/node_order.h"

namespace heddle::encode {

class PairOrder final : public NodeOrder {
public:
  PairOrder(const Skeleton& skeleton, logic::Gates& gates)
      : NodeOrder(skeleton, gates), is_active_(skeleton.nodes.size(), false) {}
  void finish() override;

private:
  void add(Node from, Node to, Literal when) override;
  void add(Node from, Node to, Literal when, Literal also) override;
  [[nodiscard]] Literal decide(Node a, Node b) override;

  std::vector<bool> is_active_;
};

} // namespace heddle::encode
