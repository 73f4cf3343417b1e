// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of a program as nodes of one order, the order in which they take effect in memory, and
// the arcs that hold in every execution. What happens in one step is one node: the pieces of an
// access, the read and the write of an atomic update, an atomic section. A delayed write is at the
// moment it reaches memory.
#pragma once

#include "encode/order/thread_order.h"
#include "program/events/event_set.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::encode {

using program::EventIndex;
using program::Term;

using Node = std::uint32_t;
inline constexpr Node kNoNode = ~Node{0};

/// `from` takes effect before `to` where `when` (Bool) holds.
struct Arc {
  Node from = 0;
  Node to = 0;
  Term when;
};

struct NodeInfo {
  std::uint32_t thread = 0;
  EventIndex first = 0; // the first of its events
  bool is_delayed_write = false;
  bool is_issue = false; // the step in which `first`, a delayed write, enters the buffer
  /// Nodes of one chain are ordered as their numbers are, by unconditional arcs.
  std::uint32_t chain = 0;
};

struct Skeleton {
  std::vector<Node> node_of; // by event; kNoNode: it has no place in the order
  /// By event: the step of its thread. The same node but for delayed writes, which have one of
  /// their own if the program frees memory (whether an access is valid is judged in its step).
  std::vector<Node> step_of;
  std::vector<NodeInfo> nodes;
  std::vector<Arc> arcs;
  std::uint32_t chain_count = 0;
  /// A moment between the steps, for properties of states. No arc leads to it or from it yet.
  Node moment = kNoNode;
  /// What the unconditional arcs put after each node.
  std::vector<relation::BitSet> must;

  [[nodiscard]] bool must_precede(EventIndex a, EventIndex b) const {
    return must[node_of[a]].contains(node_of[b]);
  }
};

/// Makes terms in the set's store.
[[nodiscard]] Skeleton
make_skeleton(program::EventSet& set, ThreadOrder order, bool has_moment = false);

} // namespace heddle::encode
