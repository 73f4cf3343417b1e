// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A relation of literals that must have no cycle, as a graph of the ordering theory. Only what can
// be on a cycle at all becomes nodes and edges.
#pragma once

#include "logic/gates.h"
#include "relation/bit_matrix.h"
#include "solve/order_theory.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heddle::encode {

class AcyclicGraph {
public:
  /// `may` contains every edge that is ever added; edges that no cycle in it uses are ignored.
  AcyclicGraph(solve::OrderTheory& theory, logic::Gates& gates, const relation::BitMatrix& may);

  /// Can the edge be on a cycle?
  [[nodiscard]] bool matters(std::size_t from, std::size_t to) const {
    return component_[from] != kNone && component_[from] == component_[to];
  }
  /// The elements each component consists of.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& components() const {
    return components_;
  }
  void add(std::size_t from, std::size_t to, logic::Literal when);
  /// The edge is there if both hold.
  void add(std::size_t from, std::size_t to, logic::Literal when, logic::Literal also);

private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  solve::OrderTheory& theory_;
  logic::Gates& gates_;
  std::vector<std::size_t> component_; // by element
  std::vector<std::vector<std::size_t>> components_;
  std::vector<solve::OrderGraphId> graphs_; // by component
  std::vector<solve::OrderNodeId> nodes_;   // by element
};

} // namespace heddle::encode
