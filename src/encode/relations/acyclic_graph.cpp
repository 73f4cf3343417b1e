// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/acyclic_graph.h"

namespace heddle::encode {

AcyclicGraph::AcyclicGraph(solve::OrderTheory& theory,
                           logic::Gates& gates,
                           const relation::BitMatrix& may)
    : theory_(theory), gates_(gates), component_(may.bound(), kNone), nodes_(may.bound()) {
  const relation::BitMatrix reaches = may.transitive_closure();
  for (std::size_t i = 0; i < may.bound(); ++i) {
    if (component_[i] != kNone || !reaches.contains(i, i))
      continue;
    const std::size_t component = components_.size();
    components_.emplace_back();
    graphs_.push_back(theory_.add_graph());
    for (const std::size_t j : reaches.row(i).elements()) {
      if (!reaches.contains(j, i))
        continue;
      component_[j] = component;
      // No order is known beforehand: every node is a chain of its own.
      const auto position = static_cast<std::uint32_t>(components_.back().size());
      nodes_[j] = theory_.add_node(graphs_.back(), position, 0);
      components_.back().push_back(j);
    }
  }
}

void AcyclicGraph::add(std::size_t from, std::size_t to, logic::Literal when) {
  if (!matters(from, to) || gates_.is_false(when))
    return;
  if (from == to)
    gates_.require(~when);
  else if (gates_.is_true(when))
    theory_.add_edge(graphs_[component_[from]], nodes_[from], nodes_[to]);
  else
    theory_.add_edge(graphs_[component_[from]], nodes_[from], nodes_[to], when);
}

void AcyclicGraph::add(std::size_t from, std::size_t to, logic::Literal when, logic::Literal also) {
  if (!matters(from, to) || gates_.is_false(when) || gates_.is_false(also))
    return;
  if (gates_.is_true(when) || gates_.is_true(also) || when == also)
    add(from, to, gates_.is_true(when) ? also : when);
  else if (from == to)
    gates_.require_any(std::vector{~when, ~also});
  else if (when != ~also)
    theory_.add_edge(graphs_[component_[from]], nodes_[from], nodes_[to], when, also);
}

} // namespace heddle::encode
