// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/leaks.h"

#include "encode/order/thread_progress.h"

namespace heddle::encode {

namespace {

using program::StaticThread;
using Kind = program::StaticEvent::Kind;

} // namespace

void Leaks::encode() {
  find_ends();
  // A run in which a thread waits inside an atomic section has no end.
  for (const program::StaticWait& wait : set_.waits)
    if (wait.section != 0)
      gates_.require(~formula_.literal(wait.waits));
  for (const auto& [node, fails] : faults_in_sections(set_, skeleton_, gates_, formula_))
    order_.arc(skeleton_.moment, node, fails);
  std::vector<Literal> some_end{gates_.constant(false)};
  for (const End& end : ends_)
    some_end.push_back(end.is_it);
  for (const program::StaticAllocation& allocation : set_.allocations) {
    const Literal is_left = gates_.fresh();
    gates_.require_any(std::vector{~is_left, formula_.literal(allocation.when)});
    some_end.front() = ~is_left;
    gates_.require_any(some_end);
    for (const Node node : last_nodes(set_, skeleton_, allocation.thread, allocation.event, false))
      order_.arc(node, skeleton_.moment, is_left);
    for (EventIndex e = 0; e < set_.events.size(); ++e) {
      if (set_.events[e].kind != Kind::kFree)
        continue;
      const Term address = set_.events[e].address;
      const Term is_this = set_.terms.equal(
          address, set_.terms.constant(allocation.address, set_.terms.sort(address).width));
      const Literal frees =
          gates_.and_(std::vector{formula_.executed(e),
                                  formula_.literal(is_this),
                                  order_.before(skeleton_.node_of[e], skeleton_.moment)});
      gates_.require_any(std::vector{~is_left, ~frees});
    }
    kept_.push_back({allocation.event, is_left});
  }
}

void Leaks::find_ends() {
  const Node moment = skeleton_.moment;
  const StaticThread& first = set_.threads.front();
  const Literal returns = first.end && first.returns.is_valid() ? formula_.literal(first.returns)
                                                                : gates_.constant(false);
  if (!gates_.is_false(returns)) {
    const Literal is_it = gates_.fresh();
    gates_.require_any(std::vector{~is_it, returns});
    order_.arc(skeleton_.node_of[*first.end], moment, is_it);
    ends_.push_back({0, is_it});
  }
  for (const program::StaticExit& exit : set_.exits) {
    const Literal is_it = gates_.fresh();
    gates_.require_any(std::vector{~is_it, formula_.literal(exit.when)});
    for (const Node node : last_nodes(set_, skeleton_, exit.thread, exit.next, false))
      order_.arc(node, moment, is_it);
    if (!gates_.is_false(returns))
      order_.arc(moment, skeleton_.node_of[*first.end], is_it, returns);
    ends_.push_back({exit.thread, is_it});
  }
  const Literal all = gates_.fresh();
  gates_.require_any(std::vector{~all, ~returns});
  for (const StaticThread& thread : set_.threads) {
    // Whoever creates a thread has ended, so that it exists if it ever does.
    const Literal exists = formula_.executed(thread.start);
    if (!thread.end) {
      gates_.require_any(std::vector{~all, ~exists});
      continue;
    }
    gates_.require_any(std::vector{~all, ~exists, formula_.executed(*thread.end)});
    order_.arc(skeleton_.node_of[*thread.end], moment, all, exists);
  }
  ends_.push_back({std::nullopt, all});
}

} // namespace heddle::encode
