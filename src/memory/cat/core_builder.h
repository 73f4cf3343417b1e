// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes the nodes of a core: equal nodes are one, and what is empty, everything or the identity
// folds away where an operator meets it.
#pragma once

#include "memory/core.h"

#include <string>
#include <unordered_map>

namespace heddle::memory::cat {

class CoreBuilder {
public:
  [[nodiscard]] const Node& node(NodeId id) const { return core_.nodes[id]; }
  [[nodiscard]] bool is_set(NodeId id) const { return core_.nodes[id].is_set; }
  [[nodiscard]] bool is_empty(NodeId id) const;

  NodeId base(const std::string& name, bool is_set);
  NodeId empty(bool is_set);
  NodeId universe();
  NodeId identity();
  NodeId unite(NodeId a, NodeId b);
  NodeId intersect(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId complement(NodeId a);
  NodeId compose(NodeId a, NodeId b);
  NodeId product(NodeId a, NodeId b);
  NodeId identity_on(NodeId a);
  NodeId inverse(NodeId a);
  NodeId optional(NodeId a);
  NodeId transitive(NodeId a);
  NodeId star(NodeId a);
  NodeId domain(NodeId a);
  NodeId range(NodeId a);

  /// Variables of a new recursion, whose bodies are given by `close_recursion`.
  std::vector<NodeId> open_recursion(const std::vector<bool>& are_sets);
  /// What the variables stand for. Monotone ones are split into their strongly connected parts, so
  /// that each is the least fixpoint given the others; of the rest only those that grow (x = x | …)
  /// stay variables. What is no real recursion, or a closure, becomes a plain node.
  std::vector<NodeId> close_recursion(const std::vector<NodeId>& variables,
                                      const std::vector<NodeId>& bodies,
                                      bool is_monotone,
                                      const std::vector<bool>& grows);
  NodeId generated(Generator generator);
  NodeId opaque(Opaque opaque, bool is_set);

  /// Does the value of `id` depend on one of `variables`?
  [[nodiscard]] bool mentions(NodeId id, const std::vector<NodeId>& variables) const;
  /// Does it do so inside an opaque computation?
  [[nodiscard]] bool hides(NodeId id, const std::vector<NodeId>& variables) const;

  [[nodiscard]] Core& core() { return core_; }
  [[nodiscard]] const Core& core() const { return core_; }
  /// The core with only what is needed, and for each node made so far its new number (or none).
  [[nodiscard]] Core finish(IdVector<NodeId, NodeId>& renumbering) &&;

private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  using Replacement = std::unordered_map<NodeId, NodeId>;
  /// The node with others in the place of those in `replaced`, where it also remembers what it
  /// made.
  NodeId substitute(NodeId id, Replacement& replaced);
  /// One strongly connected part.
  std::vector<NodeId> close_part(const std::vector<NodeId>& variables,
                                 const std::vector<NodeId>& bodies,
                                 bool is_monotone);
  NodeId make(Node node);
  NodeId make(NodeOp op, bool is_set, NodeId left = {}, NodeId right = {});
  [[nodiscard]] NodeOp op(NodeId id) const { return core_.nodes[id].op; }
  [[nodiscard]] bool is_everything(NodeId id) const;

  Core core_;
  std::unordered_map<Node, NodeId, Hash> known_;
  std::unordered_map<std::string, std::uint32_t> base_indices_;
};

} // namespace heddle::memory::cat
