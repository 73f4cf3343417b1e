// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/node_order.h"

#include "program/model/address_space.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::encode {

void NodeOrder::arc(Node from, Node to, Literal when) {
  if (gates_.is_false(when) || skeleton_.must[from].contains(to))
    return;
  if (from == to || skeleton_.must[to].contains(from)) {
    gates_.require(~when);
    return;
  }
  conditional_.push_back({from, to, when, when});
  add(from, to, when);
}

void NodeOrder::arc(Node from, Node to, Literal when, Literal also) {
  if (gates_.is_true(also))
    return arc(from, to, when);
  if (gates_.is_true(when))
    return arc(from, to, also);
  if (gates_.is_false(when) || gates_.is_false(also) || skeleton_.must[from].contains(to))
    return;
  if (from == to || skeleton_.must[to].contains(from)) {
    gates_.require_any(std::vector{~when, ~also});
    return;
  }
  conditional_.push_back({from, to, when, also});
  add(from, to, when, also);
}

Literal NodeOrder::before(Node a, Node b) {
  if (skeleton_.must[a].contains(b))
    return gates_.constant(true);
  if (a == b || skeleton_.must[b].contains(a))
    return gates_.constant(false);
  const bool is_swapped = a > b;
  if (is_swapped)
    std::swap(a, b);
  const auto [entry, is_new] =
      decided_.try_emplace((std::uint64_t{a} << 32U) | b, gates_.constant(true));
  if (is_new) {
    entry->second = decide(a, b);
    conditional_.push_back({a, b, entry->second, entry->second});
    conditional_.push_back({b, a, ~entry->second, ~entry->second});
  }
  return is_swapped ? ~entry->second : entry->second;
}

std::vector<Node> NodeOrder::linearise(const logic::LiteralValues& model,
                                       const std::vector<bool>& happens) const {
  const std::size_t count = skeleton_.nodes.size();
  std::vector<std::vector<Node>> next(count);
  std::vector<std::uint32_t> incoming(count, 0);
  const auto join = [&](Node from, Node to) {
    next[from].push_back(to);
    ++incoming[to];
  };
  for (const Arc& arc : skeleton_.arcs)
    if (skeleton_.must[arc.from].contains(arc.to))
      join(arc.from, arc.to);
  for (const Conditional& one : conditional_)
    if (model(one.when) && model(one.also))
      join(one.from, one.to);
  std::vector<std::vector<Node>> ready; // by thread
  const auto add_ready = [&](Node node) {
    const std::size_t thread = skeleton_.nodes[node].thread;
    if (thread >= ready.size())
      ready.resize(thread + 1);
    ready[thread].push_back(node);
  };
  for (Node node = 0; node < count; ++node)
    if (incoming[node] == 0)
      add_ready(node);
  // A run has room for so many threads at a time: beyond that, later ones come to their end first.
  const bool is_crowded =
      std::any_of(skeleton_.nodes.begin(), skeleton_.nodes.end(), [](const NodeInfo& node) {
        return node.thread >= program::kMaxThreads;
      });
  std::vector<Node> result;
  std::size_t left = count;
  for (std::size_t thread = 0; left != 0;) {
    for (std::size_t last = ready.size(); is_crowded && last-- > 0;)
      if (!ready[last].empty()) {
        thread = last;
        break;
      }
    std::size_t tried = 0;
    while (tried < ready.size() && (thread >= ready.size() || ready[thread].empty())) {
      thread = (thread + 1) % ready.size();
      ++tried;
    }
    HEDDLE_CHECK(thread < ready.size() && !ready[thread].empty(), "a model whose order is a cycle");
    const Node node = ready[thread].back();
    ready[thread].pop_back();
    --left;
    if (happens[node])
      result.push_back(node);
    for (const Node to : next[node])
      if (--incoming[to] == 0)
        add_ready(to);
  }
  return result;
}

} // namespace heddle::encode
