// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/online_order.h"
#include "encode/order/pair_order.h"
#include "program/model/program.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::encode {
namespace {

using program::EventSet;
using program::StaticEvent;
using solve::Answer;

/// Threads of events that are only places in the order.
EventSet threads_of(const program::Program& program, std::size_t threads, std::size_t length) {
  EventSet set;
  set.program = &program;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    program::StaticThread entry;
    entry.first = static_cast<EventIndex>(set.events.size());
    for (std::size_t i = 0; i < length; ++i) {
      StaticEvent event;
      event.kind = StaticEvent::Kind::kEndpoint;
      event.thread = static_cast<std::uint32_t>(thread);
      event.guard = set.terms.boolean(true);
      set.events.push_back(event);
    }
    entry.last = static_cast<EventIndex>(set.events.size());
    set.threads.push_back(entry);
  }
  return set;
}

struct TestArc {
  Node from = 0;
  Node to = 0;
  bool has_two = false; // literals
};

bool is_acyclic(const Skeleton& skeleton, const std::vector<TestArc>& arcs) {
  std::vector<std::vector<bool>> reach(skeleton.nodes.size(),
                                       std::vector<bool>(skeleton.nodes.size(), false));
  for (Node a = 0; a < skeleton.nodes.size(); ++a)
    for (Node b = 0; b < skeleton.nodes.size(); ++b)
      reach[a][b] = skeleton.must[a].contains(b);
  for (const TestArc& arc : arcs)
    reach[arc.from][arc.to] = true;
  for (Node k = 0; k < skeleton.nodes.size(); ++k)
    for (Node a = 0; a < skeleton.nodes.size(); ++a)
      for (Node b = 0; b < skeleton.nodes.size(); ++b)
        if (reach[a][k] && reach[k][b])
          reach[a][b] = true;
  for (Node a = 0; a < skeleton.nodes.size(); ++a)
    if (reach[a][a])
      return false;
  return true;
}

/// Whether the order admits all arcs at once, and if so, that the sequence it gives respects them.
bool admits(const Skeleton& skeleton, const std::vector<TestArc>& arcs, bool is_online) {
  const std::unique_ptr<solve::Sat> sat = is_online ? solve::make_core() : solve::make_cadical();
  logic::Gates gates(*sat);
  std::unique_ptr<NodeOrder> order;
  if (is_online)
    order = std::make_unique<OnlineOrder>(skeleton, gates, *sat);
  else
    order = std::make_unique<PairOrder>(skeleton, gates);
  std::vector<Literal> all;
  for (const TestArc& arc : arcs) {
    const Literal when = gates.fresh();
    all.push_back(when);
    if (arc.has_two) {
      const Literal also = gates.fresh();
      all.push_back(also);
      order->arc(arc.from, arc.to, when, also);
    } else {
      order->arc(arc.from, arc.to, when);
    }
  }
  order->finish();
  if (sat->solve(all) != Answer::kSatisfiable)
    return false;
  const std::vector<Node> sequence =
      order->linearise([&](Literal literal) { return sat->value(literal); },
                       std::vector<bool>(skeleton.nodes.size(), true));
  EXPECT_EQ(sequence.size(), skeleton.nodes.size());
  const auto position = [&](Node node) {
    return std::find(sequence.begin(), sequence.end(), node) - sequence.begin();
  };
  for (const TestArc& arc : arcs)
    EXPECT_LT(position(arc.from), position(arc.to));
  return true;
}

TEST(NodeOrder, AdmitsExactlyWhatHasNoCycle) {
  const program::Program program;
  Rng rng(7);
  int possible = 0;
  for (int round = 0; round < 400; ++round) {
    EventSet set = threads_of(program, 2 + rng.below(3), 1 + rng.below(4));
    const Skeleton skeleton = make_skeleton(set, {});
    std::vector<TestArc> arcs;
    for (std::uint64_t i = rng.below(7); i > 0; --i) {
      const TestArc arc{static_cast<Node>(rng.below(skeleton.nodes.size())),
                        static_cast<Node>(rng.below(skeleton.nodes.size())),
                        rng.below(2) == 0};
      arcs.push_back(arc);
    }
    const bool expected = is_acyclic(skeleton, arcs);
    possible += expected ? 1 : 0;
    EXPECT_EQ(admits(skeleton, arcs, false), expected) << "pairs, round " << round;
    EXPECT_EQ(admits(skeleton, arcs, true), expected) << "online, round " << round;
  }
  EXPECT_GT(possible, 50);
  EXPECT_LT(possible, 350);
}

TEST(NodeOrder, BeforeIsOneLiteralForBothDirections) {
  const program::Program program;
  EventSet set = threads_of(program, 2, 2);
  const Skeleton skeleton = make_skeleton(set, {});
  const std::unique_ptr<solve::Sat> sat = solve::make_cadical();
  logic::Gates gates(*sat);
  PairOrder order(skeleton, gates);
  EXPECT_EQ(order.before(0, 2), ~order.before(2, 0));
  EXPECT_TRUE(gates.is_true(order.before(0, 1)));
  EXPECT_TRUE(gates.is_false(order.before(1, 0)));
}

} // namespace
} // namespace heddle::encode
