// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/order_theory.h"

#include "support/check.h"

#include <algorithm>

namespace heddle::solve {

using logic::Literal;

OrderGraphId OrderTheory::add_graph() {
  changed_ = true;
  graphs_.emplace_back();
  return OrderGraphId{graphs_.size() - 1};
}

OrderNodeId OrderTheory::add_node(OrderGraphId graph, std::uint32_t chain, std::uint32_t position) {
  changed_ = true;
  return graphs_[graph.index()].nodes.push_back({.chain = chain, .position = position});
}

void OrderTheory::add_edge(OrderGraphId graph, OrderNodeId from, OrderNodeId to) {
  changed_ = true;
  graphs_[graph.index()].edges.push_back({.from = from, .to = to, .when = {}});
}

void OrderTheory::add_edge(OrderGraphId graph, OrderNodeId from, OrderNodeId to, Literal when) {
  changed_ = true;
  OrderGraph& data = graphs_[graph.index()];
  observe(when);
  uses_[when.index()].push_back({graph.value, static_cast<Edge>(data.edges.size()), Literal()});
  data.edges.push_back({.from = from, .to = to, .when = {when}});
}

void OrderTheory::add_edge(
    OrderGraphId graph, OrderNodeId from, OrderNodeId to, Literal when, Literal and_when) {
  if (when == and_when) {
    add_edge(graph, from, to, when);
    return;
  }
  changed_ = true;
  OrderGraph& data = graphs_[graph.index()];
  observe(when);
  observe(and_when);
  const auto edge = static_cast<Edge>(data.edges.size());
  uses_[when.index()].push_back({graph.value, edge, and_when});
  uses_[and_when.index()].push_back({graph.value, edge, when});
  data.edges.push_back({.from = from, .to = to, .when = {when, and_when}});
}

void OrderTheory::observe(Literal literal) {
  const std::size_t variable = literal.variable().index();
  if (variable >= is_observed_.size()) {
    is_observed_.resize(variable + 1);
    is_true_.resize(2 * (variable + 1));
    uses_.resize(2 * (variable + 1));
    causes_.resize(2 * (variable + 1));
  }
  if (is_observed_[variable] != 0)
    return;
  is_observed_[variable] = 1;
  observed_.push_back(literal.variable());
}

void OrderTheory::on_assign(std::span<const Literal> literals) {
  trail_.insert(trail_.end(), literals.begin(), literals.end());
}

void OrderTheory::on_new_level() {
  if (changed_)
    rebuild();
  levels_.push_back({.trail = trail_.size(), .processed = processed_, .implied = implied_.size()});
  for (const OrderClocks& clocks : clocks_)
    clock_marks_.push_back(clocks.mark());
}

void OrderTheory::on_backtrack(std::size_t level) {
  if (level >= levels_.size())
    return;
  const LevelMark& mark = levels_[level];
  for (std::size_t i = mark.processed; i < processed_; ++i)
    is_true_[trail_[i].index()] = 0;
  processed_ = mark.processed;
  trail_.resize(mark.trail);
  for (std::size_t i = mark.implied; i < implied_.size(); ++i)
    causes_[implied_[i].index()] = {};
  implied_.resize(mark.implied);
  reported_ = std::min(reported_, implied_.size());
  for (std::size_t i = 0; i < clocks_.size(); ++i)
    clocks_[i].undo(clock_marks_[level * clocks_.size() + i]);
  clock_marks_.resize(level * clocks_.size());
  levels_.resize(level);
}

/// Starts anew from the graphs as they are; on level 0, what was assigned there is processed again.
void OrderTheory::rebuild() {
  HEDDLE_CHECK(levels_.empty(), "an order graph changed while solving");
  changed_ = false;
  has_static_cycle_ = false;
  for (std::size_t i = 0; i < processed_; ++i)
    is_true_[trail_[i].index()] = 0;
  for (const Literal literal : implied_)
    causes_[literal.index()] = {};
  processed_ = 0;
  implied_.clear();
  reported_ = 0;
  clocks_.clear();
  clocks_.resize(graphs_.size());
  for (std::uint32_t graph = 0; graph < graphs_.size(); ++graph) {
    if (!clocks_[graph].rebuild(graphs_[graph])) {
      has_static_cycle_ = true;
      lemma_.clause.clear();
      lemma_.certificate.assign(1, graph);
      const auto cycle = clocks_[graph].static_cycle();
      lemma_.certificate.insert(lemma_.certificate.end(), cycle.begin(), cycle.end());
      return;
    }
    imply_closed(graph, 0);
  }
}

Consequence OrderTheory::propagate() {
  if (changed_)
    rebuild();
  if (has_static_cycle_)
    return {.kind = Consequence::Kind::kConflict, .implied = {}, .conflict = &lemma_};
  while (true) {
    if (reported_ < implied_.size())
      return {.kind = Consequence::Kind::kImplied, .implied = implied_[reported_++]};
    if (processed_ == trail_.size())
      return {};
    if (!process(trail_[processed_++]))
      return {.kind = Consequence::Kind::kConflict, .implied = {}, .conflict = &lemma_};
  }
}

bool OrderTheory::process(Literal literal) {
  is_true_[literal.index()] = 1;
  const auto now = static_cast<OrderClocks::Time>(processed_ - 1);
  for (const Use& use : uses_[literal.index()])
    if (!use_edge(use, now))
      return false;
  return true;
}

bool OrderTheory::use_edge(const Use& use, OrderClocks::Time now) {
  if (use.other.is_valid() && is_true(~use.other))
    return true; // the most frequent case: a read takes its value from one write only
  OrderClocks& clocks = clocks_[use.graph];
  const bool is_there = !use.other.is_valid() || is_true(use.other);
  const bool is_cyclic = clocks.closes_cycle(use.edge);
  if (!is_there) {
    if (is_cyclic)
      forbid(use.other, use.graph, use.edge, now + 1);
    return true;
  }
  if (is_cyclic) {
    explain(use.graph, use.edge, now + 1);
    return false;
  }
  clocks.activate(use.edge, now);
  imply_closed(use.graph, now + 1);
  return true;
}

void OrderTheory::imply_closed(std::uint32_t graph, OrderClocks::Time now) {
  for (const OrderClocks::Candidate& closed : clocks_[graph].closed()) {
    const auto [first, second] = closed.when;
    if (!second.is_valid() || is_true(second))
      forbid(first, graph, closed.edge, now);
    else if (is_true(first))
      forbid(second, graph, closed.edge, now);
  }
  clocks_[graph].closed().clear();
}

void OrderTheory::forbid(Literal missing, std::uint32_t graph, Edge edge, OrderClocks::Time now) {
  Cause& cause = causes_[(~missing).index()];
  if (is_true(~missing) || is_true(missing) || cause.time != OrderClocks::kNever)
    return;
  cause = {.graph = graph, .edge = edge, .time = now};
  implied_.push_back(~missing);
}

const Lemma& OrderTheory::reason(Literal literal) {
  const Cause cause = causes_[literal.index()];
  HEDDLE_CHECK(cause.time != OrderClocks::kNever, "a reason is asked for what was not implied");
  explain(cause.graph, cause.edge, cause.time);
  return lemma_;
}

/// The cheapest cycle through the edge, over edges that came before `before`.
void OrderTheory::explain(std::uint32_t graph, Edge edge, OrderClocks::Time before) {
  const std::size_t fixed = levels_.empty() ? trail_.size() : levels_.front().processed;
  std::vector<Edge> cycle =
      clocks_[graph].path_back(edge, before, static_cast<OrderClocks::Time>(fixed));
  cycle.push_back(edge);
  lemma_.certificate.assign(1, graph);
  lemma_.certificate.insert(lemma_.certificate.end(), cycle.begin(), cycle.end());
  lemma_.clause.clear();
  for (const Edge part : cycle)
    for (const Literal when : graphs_[graph].edges[part].when)
      if (when.is_valid())
        lemma_.clause.push_back(~when);
  std::ranges::sort(lemma_.clause);
  const auto duplicates = std::ranges::unique(lemma_.clause);
  lemma_.clause.erase(duplicates.begin(), duplicates.end());
}

} // namespace heddle::solve
