// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order of the nodes as the encoder sees it: arcs that hold where literals are true, and never
// a cycle of them. pair_order.h decides it by a variable for each pair, online_order.h by a theory
// in the solver.
#pragma once

#include "encode/order/skeleton.h"
#include "logic/bit_blast.h"
#include "logic/literal.h"

#include <unordered_map>
#include <vector>

namespace heddle::encode {

using logic::Literal;

class NodeOrder {
public:
  NodeOrder(const Skeleton& skeleton, logic::Gates& gates) : skeleton_(skeleton), gates_(gates) {}
  virtual ~NodeOrder() = default;
  NodeOrder(const NodeOrder&) = delete;
  NodeOrder& operator=(const NodeOrder&) = delete;

  void arc(Node from, Node to, Literal when);
  /// Where both hold.
  void arc(Node from, Node to, Literal when, Literal also);
  /// True: `a` takes effect before `b`; false: after it. The same literal each time it is asked.
  [[nodiscard]] Literal before(Node a, Node b);
  /// Once all arcs are there.
  virtual void finish() = 0;

  /// The nodes for which `happens` holds, in an order that the arcs of a model allow; it stays with
  /// a thread as long as it can.
  [[nodiscard]] std::vector<Node> linearise(const logic::LiteralValues& model,
                                            const std::vector<bool>& happens) const;

protected:
  /// Neither is a constant, and the skeleton does not order the two.
  virtual void add(Node from, Node to, Literal when) = 0;
  virtual void add(Node from, Node to, Literal when, Literal also) = 0;
  [[nodiscard]] virtual Literal decide(Node a, Node b) = 0;

  const Skeleton& skeleton_;
  logic::Gates& gates_;

private:
  struct Conditional {
    Node from = 0;
    Node to = 0;
    Literal when;
    Literal also;
  };
  std::vector<Conditional> conditional_;
  std::unordered_map<std::uint64_t, Literal> decided_; // by the smaller node, then the other
};

} // namespace heddle::encode
