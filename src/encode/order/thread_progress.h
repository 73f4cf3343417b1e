// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a state may be: how far a thread has come, in nodes of the order, and where the run ends.
#pragma once

#include "encode/order/memory_formula.h"

#include <utility>
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

/// A fault in an atomic section ends the run before anybody can do anything else. (Others can
/// wait.) The nodes of sections, each with a literal that says that there is one.
[[nodiscard]] inline std::vector<std::pair<Node, Literal>>
faults_in_sections(const program::EventSet& set,
                   const Skeleton& skeleton,
                   logic::Gates& gates,
                   MemoryFormula& formula) {
  using EventKind = program::StaticEvent::Kind;
  std::vector<std::pair<Node, Literal>> found;
  for (const program::StaticSection& section : set.sections)
    for (EventIndex e = section.begin; e < set.threads[set.events[section.begin].thread].last;
         ++e) {
      const program::StaticEvent& event = set.events[e];
      if (event.section != section.number ||
          (event.kind != EventKind::kCut && event.kind != EventKind::kTrap &&
           event.kind != EventKind::kCheck))
        continue;
      Literal fails = formula.executed(e);
      if (event.kind == EventKind::kCheck)
        fails = gates.and_(fails, ~formula.literal(event.value));
      found.emplace_back(skeleton.node_of[section.begin], fails);
    }
  return found;
}

} // namespace heddle::encode
