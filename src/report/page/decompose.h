// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why two events are related by an expression of a model: as a path of edges in the relations that
// have a meaning of their own (po, rf, co, fr, dependencies). For people; any one reason will do.
#pragma once

#include "memory/evaluator.h"
#include "report/page/graph.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class Decomposer {
public:
  /// `values` outlives it.
  explicit Decomposer(const memory::Evaluator& values);
  /// A path from one to the other; empty if the pair is there only because it is one event.
  [[nodiscard]] std::vector<Highlight::Edge>
  edges(memory::NodeId node, std::size_t from, std::size_t to);

private:
  using Edges = std::vector<Highlight::Edge>;
  [[nodiscard]] Edges expand(memory::NodeId node, std::size_t from, std::size_t to, unsigned depth);
  [[nodiscard]] Edges path(memory::NodeId node, std::size_t from, std::size_t to, unsigned depth);
  [[nodiscard]] const relation::BitMatrix& value(memory::NodeId node);
  [[nodiscard]] std::string name(memory::NodeId node) const;
  [[nodiscard]] bool is_restriction(memory::NodeId node) const;

  const memory::Evaluator& values_;
  std::map<memory::NodeId, std::string> names_;
  std::map<memory::NodeId, relation::BitMatrix> cache_;
};

} // namespace heddle::report
