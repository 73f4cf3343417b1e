// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/order_clocks.h"

#include "support/check.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace heddle::solve {

bool OrderClocks::rebuild(const OrderGraph& graph) {
  graph_ = &graph;
  const std::size_t nodes = graph.nodes.size();
  arrange_chains();
  index_edges();
  clocks_.assign(nodes * chains_, 0);
  out_.assign(nodes, {});
  since_.assign(graph.edges.size(), kNever);
  raised_.clear();
  activated_.clear();
  closed_.clear();
  static_cycle_.clear();
  pending_.clear();
  is_pending_.assign(nodes, 0);
  visits_.assign(nodes, {});
  visit_ = 0;
  // From the first of each chain on, so that each clock is set once.
  for (std::uint32_t node = 0; node < nodes; ++node)
    raise(node, chain_[node], rank_[node] + 1);
  for (Edge edge = 0; edge < graph.edges.size(); ++edge) {
    if (!graph.edges[edge].is_static())
      continue;
    if (closes_cycle(edge)) {
      static_cycle_ = path_back(edge, kNever, kNever);
      static_cycle_.push_back(edge);
      return false;
    }
    activate(edge, 0);
  }
  raised_.clear();
  activated_.clear();
  return true;
}

void OrderClocks::arrange_chains() {
  const std::size_t nodes = graph_->nodes.size();
  std::map<std::uint32_t, std::vector<std::uint32_t>> chains;
  for (std::uint32_t node = 0; node < nodes; ++node)
    chains[graph_->nodes[OrderNodeId{node}].chain].push_back(node);
  chain_.assign(nodes, 0);
  rank_.assign(nodes, 0);
  next_.assign(nodes, kNever);
  chains_ = 0;
  for (auto& [name, members] : chains) {
    const auto position = [&](std::uint32_t node) {
      return graph_->nodes[OrderNodeId{node}].position;
    };
    std::ranges::sort(members, {}, position);
    for (std::uint32_t rank = 0; rank < members.size(); ++rank) {
      chain_[members[rank]] = static_cast<std::uint32_t>(chains_);
      rank_[members[rank]] = rank;
      if (rank + 1 == members.size())
        break;
      HEDDLE_CHECK(position(members[rank]) != position(members[rank + 1]),
                   "two nodes at one position of a chain");
      next_[members[rank]] = members[rank + 1];
    }
    ++chains_;
  }
}

void OrderClocks::index_edges() {
  const std::size_t cells = graph_->nodes.size() * chains_;
  const auto cell = [&](const OrderEdge& edge) {
    return edge.from.index() * chains_ + chain_[edge.to.index()];
  };
  target_begin_.assign(cells + 1, 0);
  for (const OrderEdge& edge : graph_->edges)
    if (!edge.is_static())
      ++target_begin_[cell(edge) + 1];
  for (std::size_t i = 0; i < cells; ++i)
    target_begin_[i + 1] += target_begin_[i];
  targets_.resize(target_begin_[cells]);
  std::vector<std::uint32_t> fill(target_begin_.begin(), target_begin_.end() - 1);
  for (Edge edge = 0; edge < graph_->edges.size(); ++edge)
    if (!edge_at(edge).is_static())
      targets_[fill[cell(edge_at(edge))]++] = {
          rank_[edge_at(edge).to.index()], edge, edge_at(edge).when};
  for (std::size_t i = 0; i < cells; ++i)
    std::sort(targets_.begin() + target_begin_[i],
              targets_.begin() + target_begin_[i + 1],
              [](const Candidate& left, const Candidate& right) {
                return std::pair(left.rank, left.edge) < std::pair(right.rank, right.edge);
              });
}

bool OrderClocks::closes_cycle(Edge edge) const {
  const std::size_t to = edge_at(edge).to.index();
  return clock(edge_at(edge).from.value)[chain_[to]] > rank_[to];
}

void OrderClocks::raise(std::uint32_t node, std::uint32_t chain, std::uint32_t value) {
  std::uint32_t& entry = clock(node)[chain];
  const std::uint32_t old = entry;
  raised_.push_back({node * chains_ + chain, old});
  entry = value;
  const std::size_t cell = node * chains_ + chain;
  const std::uint32_t end = target_begin_[cell + 1];
  const auto first = targets_.begin() + target_begin_[cell];
  auto target = std::lower_bound(
      first, targets_.begin() + end, old, [](const Candidate& item, std::uint32_t rank) {
        return item.rank < rank;
      });
  for (; target != targets_.begin() + end && target->rank < value; ++target)
    closed_.push_back(*target);
}

void OrderClocks::merge(std::uint32_t node, std::uint32_t target) {
  const std::uint32_t* const source = clock(node);
  const std::uint32_t* const mine = clock(target);
  bool rose = false;
  for (std::uint32_t chain = 0; chain < chains_; ++chain) {
    if (source[chain] <= mine[chain])
      continue;
    raise(target, chain, source[chain]);
    rose = true;
  }
  if (rose && is_pending_[target] == 0) {
    is_pending_[target] = 1;
    pending_.push_back(target);
  }
}

void OrderClocks::flush() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const std::uint32_t node = pending_[i];
    is_pending_[node] = 0;
    if (next_[node] != kNever)
      merge(node, next_[node]);
    for (const Edge edge : out_[node])
      merge(node, edge_at(edge).to.value);
  }
  pending_.clear();
}

void OrderClocks::activate(Edge edge, Time now) {
  since_[edge] = now;
  activated_.push_back(edge);
  out_[edge_at(edge).from.index()].push_back(edge);
  merge(edge_at(edge).from.value, edge_at(edge).to.value);
  flush();
}

void OrderClocks::undo(Mark mark) {
  for (; raised_.size() > mark.first; raised_.pop_back())
    clocks_[raised_.back().index] = raised_.back().old;
  for (; activated_.size() > mark.second; activated_.pop_back()) {
    const Edge edge = activated_.back();
    since_[edge] = kNever;
    out_[edge_at(edge).from.index()].pop_back();
  }
  closed_.clear();
}

/// Breadth first by cost 0, 1, 2 with three buckets in turn. Only nodes that reach the source of
/// `edge` are visited: its clock knows them.
std::vector<OrderClocks::Edge> OrderClocks::path_back(Edge edge, Time before, Time free_until) {
  const std::uint32_t start = edge_at(edge).to.value;
  const std::uint32_t goal = edge_at(edge).from.value;
  const std::uint32_t* const reaches_goal = clock(goal);
  ++visit_;
  std::array<std::vector<std::uint32_t>, 3> buckets;
  const auto reach = [&](std::uint32_t node, std::uint32_t cost, std::uint32_t parent, Edge via) {
    Visit& visit = visits_[node];
    if (reaches_goal[chain_[node]] <= rank_[node] || (visit.stamp == visit_ && visit.cost <= cost))
      return;
    visit = {.stamp = visit_, .cost = cost, .parent = parent, .via = via};
    buckets[cost % 3].push_back(node);
  };
  reach(start, 0, start, kNever);
  bool found = false;
  std::size_t empty = 0;
  for (std::uint32_t cost = 0; !found && empty < 3; ++cost) {
    std::vector<std::uint32_t>& bucket = buckets[cost % 3];
    empty = bucket.empty() ? empty + 1 : 0;
    for (std::size_t i = 0; i < bucket.size() && !found; ++i) {
      const std::uint32_t node = bucket[i];
      if (visits_[node].cost != cost)
        continue;
      found = node == goal;
      if (next_[node] != kNever)
        reach(next_[node], cost, node, kNever);
      for (const Edge out : out_[node]) {
        const OrderEdge& data = edge_at(out);
        if (!data.is_static() && since_[out] >= before)
          continue;
        const bool is_free = data.is_static() || since_[out] < free_until;
        const std::uint32_t literals = is_free ? 0 : (data.when[1].is_valid() ? 2 : 1);
        reach(data.to.value, cost + literals, node, out);
      }
    }
    bucket.clear();
  }
  HEDDLE_CHECK(found, "a cycle that the clocks know cannot be found");
  std::vector<Edge> path;
  for (std::uint32_t node = goal; node != start; node = visits_[node].parent)
    if (visits_[node].via != kNever)
      path.push_back(visits_[node].via);
  std::ranges::reverse(path);
  return path;
}

} // namespace heddle::solve
