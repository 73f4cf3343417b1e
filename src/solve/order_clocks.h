// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reachability in one order graph while edges come and go like a stack: a vector clock per node
// tells how far up each chain the node is reached from. An edge u -> v closes a cycle iff the clock
// of u for the chain of v has reached v. When a clock rises, the edges that would now close a cycle
// are exactly those from its node to the new stretch of the chain, and lie together in an index.
#pragma once

#include "solve/order_graph.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::solve {

class OrderClocks {
public:
  using Edge = std::uint32_t; // index into OrderGraph::edges
  /// When an edge came, in a count of the theory's own; static edges came before everything.
  using Time = std::uint32_t;
  static constexpr Time kNever = std::numeric_limits<Time>::max();

  /// The graph with its static edges alone. Whoever calls keeps the graph alive and unchanged.
  /// False: the static edges are cyclic, and `static_cycle` says how.
  bool rebuild(const OrderGraph& graph);
  [[nodiscard]] std::span<const Edge> static_cycle() const { return static_cycle_; }

  [[nodiscard]] bool closes_cycle(Edge edge) const;
  [[nodiscard]] bool is_active(Edge edge) const { return since_[edge] != kNever; }
  /// Adds an edge that does not close a cycle.
  void activate(Edge edge, Time now);
  /// An edge with its literals, so that whoever looks at many need not look them up.
  struct Candidate {
    std::uint32_t rank; // of its target
    Edge edge;
    std::array<logic::Literal, 2> when;
  };
  /// Edges that close a cycle since this was last cleared, whatever their literals are.
  [[nodiscard]] std::vector<Candidate>& closed() { return closed_; }

  /// Marks for `undo`: everything since the mark goes.
  using Mark = std::pair<std::size_t, std::size_t>;
  [[nodiscard]] Mark mark() const { return {raised_.size(), activated_.size()}; }
  void undo(Mark mark);

  /// A cheapest path from the target of `edge` to its source over edges that came before `before`,
  /// as the edges on it in order. An edge costs its literals, if it came at `free_until` or later.
  [[nodiscard]] std::vector<Edge> path_back(Edge edge, Time before, Time free_until);

private:
  struct Raised {
    std::size_t index;
    std::uint32_t old;
  };
  struct Visit {
    std::uint32_t stamp = 0;
    std::uint32_t cost = 0;
    std::uint32_t parent = 0;
    Edge via = kNever; // kNever: the chain
  };

  [[nodiscard]] std::uint32_t* clock(std::uint32_t node) { return &clocks_[node * chains_]; }
  [[nodiscard]] const std::uint32_t* clock(std::uint32_t node) const {
    return &clocks_[node * chains_];
  }
  [[nodiscard]] const OrderEdge& edge_at(Edge edge) const { return graph_->edges[edge]; }
  void arrange_chains();
  void index_edges();
  void raise(std::uint32_t node, std::uint32_t chain, std::uint32_t value);
  /// node reaches target now: its clock takes over what the node's knows.
  void merge(std::uint32_t node, std::uint32_t target);
  void flush();

  const OrderGraph* graph_ = nullptr;
  std::size_t chains_ = 0;
  std::vector<std::uint32_t> chain_; // by node
  std::vector<std::uint32_t> rank_;  // by node: place on its chain, from 0
  std::vector<std::uint32_t> next_;  // by node: the next on its chain, kNever for the last
  std::vector<std::uint32_t>
      clocks_;                     // by node and chain: rank + 1 of the last that reaches it, or 0
  std::vector<Candidate> targets_; // conditional edges by source, chain and rank of the target
  std::vector<std::uint32_t> target_begin_; // by node and chain
  std::vector<std::vector<Edge>> out_;      // by node: static edges, then active ones as they came
  std::vector<Time> since_;                 // by edge
  std::vector<Raised> raised_;
  std::vector<Edge> activated_;
  std::vector<Candidate> closed_;
  std::vector<Edge> static_cycle_;
  std::vector<std::uint32_t> pending_;
  std::vector<unsigned char> is_pending_;
  std::vector<Visit> visits_;
  std::uint32_t visit_ = 0;
};

} // namespace heddle::solve
