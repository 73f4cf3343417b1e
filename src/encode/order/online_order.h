// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order by the theory in the solver: no variables but those of the arcs, no clauses but what
// the search needs.
#pragma once

#include "encode/order/node_order.h"
#include "solve/order_theory.h"
#include "solve/sat.h"

namespace heddle::encode {

class OnlineOrder final : public NodeOrder {
public:
  /// Connects the theory with the solver, which must be able to host one and outlives this.
  OnlineOrder(const Skeleton& skeleton, logic::Gates& gates, solve::Sat& sat);
  void finish() override {}
  /// What proofs are checked against.
  [[nodiscard]] const solve::OrderTheory& theory() const { return theory_; }

private:
  void add(Node from, Node to, Literal when) override;
  void add(Node from, Node to, Literal when, Literal also) override;
  [[nodiscard]] Literal decide(Node a, Node b) override;

  solve::OrderTheory theory_;
  solve::OrderGraphId graph_;
  std::vector<solve::OrderNodeId> nodes_;
};

} // namespace heddle::encode
