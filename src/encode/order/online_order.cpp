// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/online_order.h"

#include "support/check.h"

namespace heddle::encode {

OnlineOrder::OnlineOrder(const Skeleton& skeleton, logic::Gates& gates, solve::Sat& sat)
    : NodeOrder(skeleton, gates), graph_(theory_.add_graph()) {
  for (Node node = 0; node < skeleton.nodes.size(); ++node)
    nodes_.push_back(theory_.add_node(graph_, skeleton.nodes[node].chain, node));
  for (const Arc& arc : skeleton.arcs)
    if (skeleton.must[arc.from].contains(arc.to) &&
        skeleton.nodes[arc.from].chain != skeleton.nodes[arc.to].chain)
      theory_.add_edge(graph_, nodes_[arc.from], nodes_[arc.to]);
  HEDDLE_CHECK(sat.connect(theory_), "a solver without a theory");
}

void OnlineOrder::add(Node from, Node to, Literal when) {
  theory_.add_edge(graph_, nodes_[from], nodes_[to], when);
}

void OnlineOrder::add(Node from, Node to, Literal when, Literal also) {
  theory_.add_edge(graph_, nodes_[from], nodes_[to], when, also);
}

Literal OnlineOrder::decide(Node a, Node b) {
  const Literal literal = gates_.fresh();
  theory_.add_edge(graph_, nodes_[a], nodes_[b], literal);
  theory_.add_edge(graph_, nodes_[b], nodes_[a], ~literal);
  return literal;
}

} // namespace heddle::encode
