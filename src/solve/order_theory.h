// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The ordering theory: several graphs at once, all of which must be acyclic. One graph per
// acyclicity axiom of a memory model; the same literals (rf, co, guards) may switch edges in all of
// them. An edge of two literals is there when both are true, as from-read is when a read takes its
// value from a write and another write comes later in co.
//
// Lemmas are cycles: the clause says that not all edges of the cycle are there, and its certificate
// is the graph and the edges in order, between which only steps along chains are left out.
#pragma once

#include "solve/order_clocks.h"
#include "solve/order_graph.h"
#include "solve/propagator.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace heddle::solve {

class OrderTheory final : public Propagator {
public:
  /// Graphs, nodes and edges may be added whenever the solver is not solving.
  [[nodiscard]] OrderGraphId add_graph();
  /// Nodes of a chain are ordered by position, which is unique there; gaps are fine.
  [[nodiscard]] OrderNodeId
  add_node(OrderGraphId graph, std::uint32_t chain, std::uint32_t position);
  void add_edge(OrderGraphId graph, OrderNodeId from, OrderNodeId to);
  void add_edge(OrderGraphId graph, OrderNodeId from, OrderNodeId to, logic::Literal when);
  void add_edge(OrderGraphId graph,
                OrderNodeId from,
                OrderNodeId to,
                logic::Literal when,
                logic::Literal and_when);

  [[nodiscard]] const std::deque<OrderGraph>& graphs() const { return graphs_; }

  std::span<const logic::Variable> observed() const override { return observed_; }
  void on_assign(std::span<const logic::Literal> literals) override;
  void on_new_level() override;
  void on_backtrack(std::size_t level) override;
  Consequence propagate() override;
  const Lemma& reason(logic::Literal literal) override;

private:
  using Edge = OrderClocks::Edge;
  /// An edge that a literal switches, and the other literal, if it has two.
  struct Use {
    std::uint32_t graph;
    Edge edge;
    logic::Literal other;
  };
  /// Why a literal was implied: all edges of a cycle but this one were there before `time`.
  struct Cause {
    std::uint32_t graph = 0;
    Edge edge = 0;
    OrderClocks::Time time = OrderClocks::kNever;
  };
  struct LevelMark {
    std::size_t trail;
    std::size_t processed;
    std::size_t implied;
  };

  void observe(logic::Literal literal);
  void rebuild();
  [[nodiscard]] bool is_true(logic::Literal literal) const {
    return is_true_[literal.index()] != 0;
  }
  /// Takes the next assigned literal into account. False: an edge closes a cycle; `lemma_` says so.
  bool process(logic::Literal literal);
  bool use_edge(const Use& use, OrderClocks::Time now);
  void imply_closed(std::uint32_t graph, OrderClocks::Time now);
  /// The edge closes a cycle and lacks only this literal, which therefore is false.
  void forbid(logic::Literal missing, std::uint32_t graph, Edge edge, OrderClocks::Time now);
  void explain(std::uint32_t graph, Edge edge, OrderClocks::Time before);

  std::deque<OrderGraph> graphs_; // a deque: the clocks point into it
  std::vector<OrderClocks> clocks_;
  bool changed_ = true;
  bool has_static_cycle_ = false;

  std::vector<logic::Variable> observed_;
  std::vector<unsigned char> is_observed_; // by variable
  std::vector<std::vector<Use>> uses_;     // by literal
  std::vector<unsigned char> is_true_;     // by literal: told and processed
  std::vector<Cause> causes_;              // by literal

  std::vector<logic::Literal> trail_;
  std::size_t processed_ = 0;
  std::vector<logic::Literal> implied_;
  std::size_t reported_ = 0;
  std::vector<LevelMark> levels_;
  std::vector<OrderClocks::Mark> clock_marks_; // by level and graph
  Lemma lemma_;
};

} // namespace heddle::solve
