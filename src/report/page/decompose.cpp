// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/decompose.h"

#include "support/check.h"

#include <algorithm>
#include <array>

namespace heddle::report {

namespace {

using memory::Core;
using memory::Node;
using memory::NodeId;
using memory::NodeOp;

/// Recursive definitions may unfold for ever; from here on a name must do.
constexpr unsigned kMaxDepth = 200;

/// Known to everyone, so not taken apart.
bool is_known(const std::string& name) {
  constexpr std::array<std::string_view, 10> kKnown = {
      "po", "rf", "co", "fr", "po-loc", "addr", "data", "ctrl", "rmw", "sync"};
  return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

/// Whether an edge stays in its thread is seen, so that these are the relations without the letter.
std::string without_side(const std::string& name) {
  const bool has_side = name == "rfe" || name == "rfi" || name == "fre" || name == "fri" ||
                        name == "coe" || name == "coi";
  return has_side ? name.substr(0, 2) : name;
}

/// Whose names say nothing about why one event comes before another.
bool is_filter(const std::string& name) {
  constexpr std::array<std::string_view, 4> kFilters = {"loc", "ext", "int", "id"};
  return std::find(kFilters.begin(), kFilters.end(), name) != kFilters.end();
}

} // namespace

Decomposer::Decomposer(const memory::Evaluator& values) : values_(values) {
  const Core& core = values.core();
  for (const auto& [name, node] : core.definitions)
    if (const auto found = names_.find(node); found == names_.end() || is_known(name))
      names_[node] = name;
}

std::string Decomposer::name(NodeId node) const {
  if (const auto found = names_.find(node); found != names_.end())
    return found->second;
  const Node& at = values_.core().nodes[node];
  if (at.op == NodeOp::kBaseRelation)
    return values_.core().base_names[at.index];
  if (at.op == NodeOp::kGenerated)
    return values_.core().generators[at.index].name;
  return "";
}

const relation::BitMatrix& Decomposer::value(NodeId node) {
  const auto found = cache_.find(node);
  if (found != cache_.end())
    return found->second;
  return cache_.emplace(node, values_.relation(node)).first->second;
}

/// Does it only say which pairs are meant, rather than why they are ordered?
bool Decomposer::is_restriction(NodeId node) const {
  switch (values_.core().nodes[node].op) {
  case NodeOp::kProduct:
  case NodeOp::kComplement:
  case NodeOp::kIdentity:
  case NodeOp::kIdentityOn:
    return true;
  case NodeOp::kBaseRelation:
    return is_filter(name(node));
  case NodeOp::kUnion:
  case NodeOp::kIntersection:
    return is_restriction(values_.core().nodes[node].left) &&
           is_restriction(values_.core().nodes[node].right);
  default:
    return false;
  }
}

std::vector<Highlight::Edge> Decomposer::edges(NodeId node, std::size_t from, std::size_t to) {
  HEDDLE_CHECK(value(node).contains(from, to), "events that are not related");
  return expand(node, from, to, 0);
}

/// The shortest path in a relation, each step taken apart.
std::vector<Highlight::Edge>
Decomposer::path(NodeId node, std::size_t from, std::size_t to, unsigned depth) {
  const relation::BitMatrix& step = value(node);
  const std::size_t count = step.bound();
  std::vector<std::size_t> before(count, count);
  std::vector<std::size_t> queue = step.row(from).elements();
  for (const std::size_t first : queue)
    before[first] = from;
  for (std::size_t i = 0; i < queue.size() && before[to] == count; ++i)
    for (const std::size_t next : step.row(queue[i]).elements())
      if (before[next] == count) {
        before[next] = queue[i];
        queue.push_back(next);
      }
  std::vector<std::size_t> events = {to};
  do
    events.push_back(before[events.back()]);
  while (events.back() != from);
  Edges found;
  for (std::size_t i = events.size() - 1; i > 0; --i)
    for (Highlight::Edge& edge : expand(node, events[i], events[i - 1], depth + 1))
      found.push_back(std::move(edge));
  return found;
}

std::vector<Highlight::Edge>
Decomposer::expand(NodeId node, std::size_t from, std::size_t to, unsigned depth) {
  const Core& core = values_.core();
  const Node& at = core.nodes[node];
  const std::string own = name(node);
  const Edges whole = {{from, to, own.empty() ? "…" : without_side(own)}};
  if (is_known(own) || depth > kMaxDepth)
    return whole;
  switch (at.op) {
  case NodeOp::kIdentity:
  case NodeOp::kIdentityOn:
    return {};
  case NodeOp::kUnion:
    return expand(value(at.left).contains(from, to) ? at.left : at.right, from, to, depth + 1);
  case NodeOp::kIntersection:
    if (is_restriction(at.left) && is_restriction(at.right))
      return whole;
    return expand(is_restriction(at.left) ? at.right : at.left, from, to, depth + 1);
  case NodeOp::kDifference:
    return is_restriction(at.left) ? whole : expand(at.left, from, to, depth + 1);
  case NodeOp::kCompose:
    for (const std::size_t between : value(at.left).row(from).elements())
      if (value(at.right).contains(between, to)) {
        Edges found = expand(at.left, from, between, depth + 1);
        for (Highlight::Edge& edge : expand(at.right, between, to, depth + 1))
          found.push_back(std::move(edge));
        return found;
      }
    return whole;
  case NodeOp::kOptional:
  case NodeOp::kReflexiveTrans:
    if (from == to)
      return {};
    return at.op == NodeOp::kOptional ? expand(at.left, from, to, depth + 1)
                                      : path(at.left, from, to, depth);
  case NodeOp::kTransitive:
    return path(at.left, from, to, depth);
  case NodeOp::kRecursive:
    return expand(core.recursions[at.index].bodies[at.position], from, to, depth + 1);
  case NodeOp::kInverse: {
    const std::string inner = name(at.left);
    return own.empty() && !inner.empty() ? Edges{{from, to, inner + "^-1"}} : whole;
  }
  case NodeOp::kBaseRelation:
    // Reflexive ones (`sm`, the same instruction) stand between others as the identity does.
    return from == to ? Edges{} : whole;
  case NodeOp::kGenerated:
  case NodeOp::kOpaque:
  case NodeOp::kProduct:
  case NodeOp::kComplement:
  case NodeOp::kEmptyRelation:
    return whole;
  case NodeOp::kBaseSet:
  case NodeOp::kEmptySet:
  case NodeOp::kUniverse:
  case NodeOp::kDomain:
  case NodeOp::kRange:
    HEDDLE_CHECK(false, "a set where a relation is meant");
  }
  return whole;
}

} // namespace heddle::report
