// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/skeleton.h"

#include "encode/order/equal_threads.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::encode {

namespace {

using program::EventSet;
using program::StaticEvent;
using program::StaticThread;
using Kind = StaticEvent::Kind;
using Strength = program::Fence::Strength;

class Builder {
public:
  Builder(EventSet& set, ThreadOrder order)
      : set_(set), order_(order), always_(set.terms.boolean(true)) {}

  Skeleton build(bool has_moment) {
    make_nodes();
    is_placed_.assign(result_.nodes.size(), false);
    for (const StaticThread& thread : set_.threads)
      order_thread(thread);
    order_threads();
    if (has_moment) {
      result_.moment = new_node(0);
      result_.nodes.back().chain = result_.chain_count++;
    }
    close();
    return std::move(result_);
  }

private:
  [[nodiscard]] bool has_node(const StaticEvent& event) const {
    switch (event.kind) {
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kFree:
    case Kind::kEndpoint:
      return true;
    case Kind::kFence:
      return order_.delays_writes &&
             (event.strength == Strength::kFull ||
              (event.strength == Strength::kStoreStore && order_.reorders_writes));
    case Kind::kBranch:
    case Kind::kRegisterRead:
    case Kind::kRegisterWrite:
    case Kind::kChoice:
    case Kind::kFound:
    case Kind::kAssume:
    case Kind::kCheck:
    case Kind::kCut:
    case Kind::kTrap:
      return false;
    }
    return false;
  }

  void make_nodes() {
    result_.node_of.assign(set_.events.size(), kNoNode);
    result_.step_of.assign(set_.events.size(), kNoNode);
    frees_ = std::any_of(set_.events.begin(), set_.events.end(), [](const StaticEvent& event) {
      return event.kind == Kind::kFree;
    });
    std::vector<EventIndex> read_of(set_.events.size(), 0);
    for (const program::StaticEdge& pair : set_.amo)
      read_of[pair.to] = pair.from + 1;
    std::map<std::uint32_t, Node> sections;
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      const StaticEvent& event = set_.events[e];
      if (!has_node(event))
        continue;
      Node& node = result_.node_of[e];
      Node& step = result_.step_of[e];
      if (event.section != 0) {
        const auto [known, is_new] = sections.try_emplace(event.section, kNoNode);
        if (is_new)
          known->second = new_node(e);
        node = step = known->second;
      } else if (read_of[e] != 0) {
        node = step = result_.node_of[read_of[e] - 1];
      } else if (set_.is_memory(e) && event.piece_of < e && is_piece_of(e, event.piece_of)) {
        node = result_.node_of[event.piece_of];
        step = result_.step_of[event.piece_of];
      } else {
        const bool is_delayed = order_.delays_writes && event.kind == Kind::kWrite && !event.drains;
        if (is_delayed && frees_) {
          step = new_node(e);
          result_.nodes[step].is_issue = true;
        }
        node = new_node(e);
        result_.nodes[node].is_delayed_write = is_delayed;
        if (step == kNoNode)
          step = node;
      }
    }
  }

  [[nodiscard]] bool is_piece_of(EventIndex e, EventIndex first) const {
    return set_.events[first].kind == set_.events[e].kind &&
           set_.events[first].thread == set_.events[e].thread &&
           set_.events[first].instruction == set_.events[e].instruction &&
           set_.events[first].piece_of == first;
  }

  Node new_node(EventIndex first) {
    NodeInfo info;
    info.thread = set_.events[first].thread;
    info.first = first;
    result_.nodes.push_back(info);
    return static_cast<Node>(result_.nodes.size() - 1);
  }

  void arc(Node from, Node to, Term when) {
    if (from != kNoNode && from != to)
      result_.arcs.push_back({from, to, when});
  }
  void arc(Node from, Node to) { arc(from, to, always_); }

  /// Arcs may lead through nodes of events that do not happen: each such path is one that the
  /// thread's order has anyway. Only a fence must happen to have its effect.
  void order_thread(const StaticThread& thread) {
    Node last = kNoNode;       // in step with the thread: anything but a delayed write
    Node last_write = kNoNode; // TSO: the last delayed write
    Node last_fence = kNoNode; // PSO: the last store-store fence
    std::vector<Node> writes;  // PSO: delayed writes that no fence is known to follow
    const std::uint32_t steps = result_.chain_count++;
    const std::uint32_t fences = order_.reorders_writes ? result_.chain_count++ : steps;
    const std::uint32_t delayed = order_.delays_writes ? result_.chain_count++ : steps;
    std::map<Term, std::uint32_t> places; // PSO: the chains of writes to constant addresses
    for (EventIndex e = thread.first; e < thread.last; ++e) {
      const Node node = result_.node_of[e];
      // The events of a section need not stand together: other arms of a branch may come between.
      if (node == kNoNode || is_placed_[node])
        continue;
      is_placed_[node] = true;
      const StaticEvent& event = set_.events[e];
      if (result_.nodes[node].is_delayed_write) {
        if (const Node step = result_.step_of[e]; step != node) {
          arc(last, step);
          last = step;
          result_.nodes[step].chain = steps;
        }
        arc(last, node);
        arc(last_fence, node);
        if (order_.reorders_writes) {
          writes.push_back(node);
          const bool is_in_chain = event.guard == always_ || !has_pieces(e);
          result_.nodes[node].chain =
              is_in_chain ? chain_of_place(event.address, places) : result_.chain_count++;
        } else {
          arc(last_write, node);
          last_write = node;
          result_.nodes[node].chain = delayed;
        }
        continue;
      }
      const bool waits = waits_for_writes(event);
      const bool is_store_store =
          event.kind == Kind::kFence && event.strength == Strength::kStoreStore;
      if (waits || is_store_store) {
        arc(last_write, node, event.guard);
        for (const Node write : writes)
          arc(write, node, when_both(write, event.guard));
        std::erase_if(writes, [&](Node write) {
          return event.guard == always_ ||
                 set_.events[result_.nodes[write].first].guard == event.guard;
        });
      }
      // What a store-store fence has seen reach memory, a later fence need not wait for itself.
      if (waits || is_store_store)
        arc(last_fence, node);
      if (is_store_store) {
        last_fence = node;
        result_.nodes[node].chain = fences;
        continue;
      }
      arc(last, node);
      last = node;
      result_.nodes[node].chain = steps;
    }
  }

  std::uint32_t chain_of_place(Term address, std::map<Term, std::uint32_t>& places) {
    if (!set_.terms.is_constant(address))
      return result_.chain_count++;
    const auto [chain, is_new] = places.try_emplace(address, result_.chain_count);
    if (is_new)
      ++result_.chain_count;
    return chain->second;
  }

  /// Where the write happens, the fence does too: then its guard need not be looked at.
  [[nodiscard]] Term when_both(Node write, Term fence) const {
    return set_.events[result_.nodes[write].first].guard == fence ? always_ : fence;
  }

  [[nodiscard]] bool waits_for_writes(const StaticEvent& event) const {
    return order_.delays_writes &&
           (event.drains || event.section != 0 || event.kind == Kind::kEndpoint ||
            (event.kind == Kind::kFence && event.strength == Strength::kFull));
  }

  void order_threads() {
    for (const StaticThread& thread : set_.threads)
      if (thread.created_at)
        arc(result_.node_of[*thread.created_at], result_.node_of[thread.start]);
    for (const program::StaticJoin& join : set_.joins)
      if (const std::optional<EventIndex>& end = set_.threads[join.thread].end;
          end && join.thread != set_.events[join.joiner].thread)
        arc(result_.node_of[*end], result_.node_of[join.joiner], when_joined(join));
    if (order_.reorders_writes)
      order_writes_to_one_place();
    for (const auto& [first, second, when] : first_steps_of_equal_threads(set_))
      if (!result_.nodes[result_.node_of[first]].is_delayed_write &&
          !result_.nodes[result_.node_of[second]].is_delayed_write)
        arc(result_.node_of[first], result_.node_of[second], when);
  }

  /// Threads may join each other, and then wait for ever: a join that is not made orders nothing.
  /// Those of main need not be asked whether they are made. What it does after one that is not made
  /// does not happen, nor does what comes after that elsewhere, so that no arc leads back.
  [[nodiscard]] Term when_joined(const program::StaticJoin& join) {
    const StaticEvent& joiner = set_.events[join.joiner];
    return joiner.thread == 0 ? join.guard : set_.terms.and_(join.guard, joiner.guard);
  }

  /// A thread's writes to one place keep their order whatever else is reordered. Those that do not
  /// wait in the buffer have their arcs already. Through a write of several pieces that does not
  /// happen there is no way from one of its places to another.
  void order_writes_to_one_place() {
    for (const StaticThread& thread : set_.threads)
      for (EventIndex a = thread.first; a < thread.last; ++a) {
        if (!is_delayed(a))
          continue;
        const Term happens = has_pieces(a) ? set_.events[a].guard : always_;
        for (EventIndex b = a + 1; b < thread.last; ++b)
          if (is_delayed(b) && result_.node_of[a] != result_.node_of[b]) {
            const Term same = set_.terms.equal(set_.events[a].address, set_.events[b].address);
            if (!set_.terms.is_constant(same) || same == always_)
              arc(result_.node_of[a], result_.node_of[b], set_.terms.and_(same, happens));
          }
      }
  }

  [[nodiscard]] bool is_delayed(EventIndex event) const {
    const Node node = result_.node_of[event];
    return node != kNoNode && set_.events[event].kind == Kind::kWrite &&
           result_.nodes[node].is_delayed_write;
  }

  /// Does the write's node stand for several places?
  [[nodiscard]] bool has_pieces(EventIndex event) const {
    const Node node = result_.node_of[event];
    const EventIndex first = result_.nodes[node].first;
    return first != event ||
           (event + 1 < result_.node_of.size() && result_.node_of[event + 1] == node);
  }

  /// Kahn's order of the unconditional arcs, then reachability backwards along it.
  void close() {
    const std::size_t count = result_.nodes.size();
    std::vector<std::vector<Node>> next(count);
    std::vector<std::uint32_t> incoming(count, 0);
    for (const Arc& one : result_.arcs)
      if (one.when == always_) {
        next[one.from].push_back(one.to);
        ++incoming[one.to];
      }
    std::vector<Node> sorted;
    for (Node node = 0; node < count; ++node)
      if (incoming[node] == 0)
        sorted.push_back(node);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (const Node to : next[sorted[i]])
        if (--incoming[to] == 0)
          sorted.push_back(to);
    HEDDLE_CHECK(sorted.size() == count, "a thread's order is a cycle");
    result_.must.assign(count, relation::BitSet(count));
    for (auto node = sorted.rbegin(); node != sorted.rend(); ++node)
      for (const Node to : next[*node]) {
        result_.must[*node].insert(to);
        result_.must[*node] |= result_.must[to];
      }
  }

  EventSet& set_;
  ThreadOrder order_;
  Term always_;
  bool frees_ = false;
  std::vector<bool> is_placed_; // by node: it has its arcs in its thread
  Skeleton result_;
};

} // namespace

Skeleton make_skeleton(program::EventSet& set, ThreadOrder order, bool has_moment) {
  return Builder(set, order).build(has_moment);
}

} // namespace heddle::encode
