// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How far a thread has come, in nodes of the order.
#pragma once

#include "encode/skeleton.h"

#include <vector>

namespace heddle::encode {

/// Nodes such that the thread has done everything before its event `next` once they have taken
/// effect; with `drained` its writes have reached memory, too.
[[nodiscard]] inline std::vector<Node> last_nodes(const program::EventSet& set,
                                                  const Skeleton& skeleton,
                                                  std::uint32_t thread,
                                                  EventIndex next,
                                                  bool drained) {
  std::vector<Node> nodes;
  bool has_step = false;
  for (EventIndex e = next; e > set.threads[thread].first; --e) {
    const Node node = skeleton.node_of[e - 1];
    if (node == kNoNode)
      continue;
    const bool is_late = skeleton.nodes[node].is_delayed_write;
    const bool is_fence = set.events[e - 1].strength == program::Fence::Strength::kStoreStore;
    if (is_late && drained)
      nodes.push_back(node);
    const Node step = is_late ? skeleton.step_of[e - 1] : node;
    if (!has_step && !is_fence && (!is_late || step != node)) {
      nodes.push_back(step);
      has_step = true;
    }
  }
  return nodes;
}

} // namespace heddle::encode
