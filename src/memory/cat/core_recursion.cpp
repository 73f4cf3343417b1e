// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Recursive definitions as nodes: brought into the simplest form that means the same.
#include "memory/cat/core_builder.h"

#include <algorithm>

namespace heddle::memory::cat {

bool CoreBuilder::mentions(NodeId id, const std::vector<NodeId>& variables) const {
  std::vector<bool> seen(core_.nodes.size(), false);
  std::vector<NodeId> work = {id};
  while (!work.empty()) {
    const NodeId at = work.back();
    work.pop_back();
    if (!at.is_valid() || seen[at.index()])
      continue;
    seen[at.index()] = true;
    if (std::find(variables.begin(), variables.end(), at) != variables.end())
      return true;
    const Node& n = core_.nodes[at];
    work.push_back(n.left);
    work.push_back(n.right);
    if (n.op == NodeOp::kOpaque)
      for (const NodeId input : core_.opaques[n.index].inputs)
        work.push_back(input);
    if (n.op == NodeOp::kRecursive)
      for (const NodeId body : core_.recursions[n.index].bodies)
        work.push_back(body);
  }
  return false;
}

namespace {

/// The operands of nested unions.
void collect_union(const CoreBuilder& builder, NodeId id, std::vector<NodeId>& parts) {
  const Node& n = builder.node(id);
  if (n.op == NodeOp::kUnion) {
    collect_union(builder, n.left, parts);
    collect_union(builder, n.right, parts);
  } else {
    parts.push_back(id);
  }
}

} // namespace

bool CoreBuilder::hides(NodeId id, const std::vector<NodeId>& variables) const {
  std::vector<bool> seen(core_.nodes.size(), false);
  std::vector<NodeId> work = {id};
  while (!work.empty()) {
    const NodeId at = work.back();
    work.pop_back();
    if (!at.is_valid() || seen[at.index()])
      continue;
    seen[at.index()] = true;
    const Node& n = core_.nodes[at];
    if (n.op == NodeOp::kOpaque && mentions(at, variables))
      return true;
    work.push_back(n.left);
    work.push_back(n.right);
    if (n.op == NodeOp::kRecursive)
      for (const NodeId body : core_.recursions[n.index].bodies)
        work.push_back(body);
  }
  return false;
}

NodeId CoreBuilder::substitute(NodeId id, Replacement& replaced) {
  if (!id.is_valid())
    return id;
  if (const auto known = replaced.find(id); known != replaced.end())
    return known->second;
  const Node n = node(id);
  if (n.op == NodeOp::kRecursive) {
    // An inner recursion: a new one if it mentions what is replaced.
    const Recursion inner = core_.recursions[n.index];
    std::vector<NodeId> targets;
    for (const auto& [from, to] : replaced)
      if (from != to)
        targets.push_back(from);
    const bool depends = std::any_of(inner.bodies.begin(), inner.bodies.end(), [&](NodeId body) {
      return mentions(body, targets);
    });
    if (!depends) {
      for (const NodeId variable : inner.variables)
        replaced.emplace(variable, variable);
      return id;
    }
    std::vector<bool> are_sets;
    for (const NodeId variable : inner.variables)
      are_sets.push_back(is_set(variable));
    const std::vector<NodeId> fresh = open_recursion(are_sets);
    for (std::size_t i = 0; i < fresh.size(); ++i)
      replaced.emplace(inner.variables[i], fresh[i]);
    std::vector<NodeId> bodies;
    for (const NodeId body : inner.bodies)
      bodies.push_back(substitute(body, replaced));
    Recursion& made = core_.recursions[node(fresh[0]).index];
    made.bodies = bodies;
    made.is_monotone = inner.is_monotone;
    return replaced.at(id);
  }
  const NodeId left = substitute(n.left, replaced);
  const NodeId right = substitute(n.right, replaced);
  NodeId made = id;
  switch (n.op) {
  case NodeOp::kBaseSet:
  case NodeOp::kBaseRelation:
  case NodeOp::kEmptySet:
  case NodeOp::kEmptyRelation:
  case NodeOp::kUniverse:
  case NodeOp::kIdentity:
  case NodeOp::kRecursive:
  case NodeOp::kGenerated:
  case NodeOp::kOpaque:
    break;
  case NodeOp::kUnion:
    made = unite(left, right);
    break;
  case NodeOp::kIntersection:
    made = intersect(left, right);
    break;
  case NodeOp::kDifference:
    made = subtract(left, right);
    break;
  case NodeOp::kComplement:
    made = complement(left);
    break;
  case NodeOp::kCompose:
    made = compose(left, right);
    break;
  case NodeOp::kProduct:
    made = product(left, right);
    break;
  case NodeOp::kIdentityOn:
    made = identity_on(left);
    break;
  case NodeOp::kInverse:
    made = inverse(left);
    break;
  case NodeOp::kOptional:
    made = optional(left);
    break;
  case NodeOp::kTransitive:
    made = transitive(left);
    break;
  case NodeOp::kReflexiveTrans:
    made = star(left);
    break;
  case NodeOp::kDomain:
    made = domain(left);
    break;
  case NodeOp::kRange:
    made = range(left);
    break;
  }
  replaced.emplace(id, made);
  return made;
}

std::vector<NodeId> CoreBuilder::close_part(const std::vector<NodeId>& variables,
                                            const std::vector<NodeId>& bodies,
                                            bool is_monotone) {
  if (variables.size() == 1 && !is_set(variables[0])) {
    // x = a | x ; x is a+.
    const NodeId x = variables[0];
    std::vector<NodeId> parts;
    collect_union(*this, bodies[0], parts);
    NodeId rest = empty(false);
    bool squares = false;
    bool is_plain = true;
    for (const NodeId part : parts) {
      const Node n = node(part);
      if (n.op == NodeOp::kCompose && n.left == x && n.right == x) {
        squares = true;
      } else if (part != x) {
        is_plain = is_plain && !mentions(part, variables);
        rest = unite(rest, part);
      }
    }
    if (is_plain)
      return {squares ? transitive(rest) : rest};
  }
  Recursion& recursion = core_.recursions[node(variables[0]).index];
  recursion.bodies = bodies;
  recursion.is_monotone = is_monotone;
  return variables;
}

std::vector<NodeId> CoreBuilder::close_recursion(const std::vector<NodeId>& variables,
                                                 const std::vector<NodeId>& bodies,
                                                 bool is_monotone,
                                                 const std::vector<bool>& grows) {
  const std::size_t count = variables.size();
  std::vector<std::vector<bool>> edge(count, std::vector<bool>(count, false));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      edge[a][b] = mentions(bodies[a], {variables[b]});
  std::vector<std::vector<bool>> reaches = edge;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        if (reaches[a][k] && reaches[k][b])
          reaches[a][b] = true;
  std::vector<NodeId> results(count);
  std::vector<bool> is_done(count, false);
  Replacement known;

  if (!is_monotone) {
    // The variables that do not grow have no cycles among themselves: they are put in where they
    // are used, those used by others first.
    std::vector<std::size_t> growing;
    std::vector<bool> are_sets;
    for (std::size_t i = 0; i < count; ++i) {
      if (grows[i]) {
        growing.push_back(i);
        are_sets.push_back(is_set(variables[i]));
        is_done[i] = true;
      }
    }
    const std::vector<NodeId> fresh = open_recursion(are_sets);
    for (std::size_t i = 0; i < growing.size(); ++i) {
      known.emplace(variables[growing[i]], fresh[i]);
      results[growing[i]] = fresh[i];
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < count; ++i) {
        bool is_ready = !is_done[i];
        for (std::size_t j = 0; j < count; ++j)
          is_ready = is_ready && (!edge[i][j] || is_done[j]);
        if (!is_ready)
          continue;
        Replacement local = known;
        results[i] = substitute(bodies[i], local);
        known.emplace(variables[i], results[i]);
        is_done[i] = true;
        changes = true;
      }
    }
    std::vector<NodeId> new_bodies;
    for (const std::size_t i : growing) {
      Replacement local = known;
      new_bodies.push_back(substitute(bodies[i], local));
    }
    Recursion& recursion = core_.recursions[node(fresh[0]).index];
    recursion.bodies = new_bodies;
    recursion.is_monotone = false;
    return results;
  }

  for (std::size_t round = 0; round < count; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      if (is_done[i])
        continue;
      // Its part, if all it uses outside is done.
      std::vector<std::size_t> part;
      bool is_ready = true;
      for (std::size_t j = 0; j < count; ++j) {
        if (j == i || (reaches[i][j] && reaches[j][i]))
          part.push_back(j);
        else
          is_ready = is_ready && (!reaches[i][j] || is_done[j]);
      }
      if (!is_ready)
        continue;
      Replacement local = known;
      if (part.size() == 1 && !edge[i][i]) {
        results[i] = substitute(bodies[i], local);
      } else {
        std::vector<bool> are_sets;
        for (const std::size_t j : part)
          are_sets.push_back(is_set(variables[j]));
        const std::vector<NodeId> fresh = open_recursion(are_sets);
        for (std::size_t k = 0; k < part.size(); ++k)
          local.emplace(variables[part[k]], fresh[k]);
        std::vector<NodeId> new_bodies;
        for (const std::size_t j : part)
          new_bodies.push_back(substitute(bodies[j], local));
        const std::vector<NodeId> closed = close_part(fresh, new_bodies, true);
        for (std::size_t k = 0; k < part.size(); ++k)
          results[part[k]] = closed[k];
      }
      for (const std::size_t j : part) {
        known.emplace(variables[j], results[j]);
        is_done[j] = true;
      }
    }
  }
  return results;
}

} // namespace heddle::memory::cat
