// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/sc_cycle.h"

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;

} // namespace

void ScCycle::encode() {
  find_steps();
  add_reads();
  add_coherence();
  add_threads();
  for (const Step& step : steps_) {
    std::vector<Literal> some{~step.is_in};
    for (const EventIndex event : step.events)
      some.push_back(formula_.executed(event));
    gates_.require_any(some);
    some = step.next;
    some.push_back(~step.is_in);
    some.push_back(step.is_later_in);
    gates_.require_any(some);
    members_.push_back({step.events.front(), step.is_in});
  }
}

void ScCycle::find_steps() {
  for (const program::StaticThread& thread : set_.threads) {
    const std::size_t first = steps_.size();
    for (EventIndex e = thread.first; e < thread.last; ++e) {
      const program::StaticEvent& event = set_.events[e];
      if (!set_.is_memory(e) && event.kind != Kind::kEndpoint)
        continue;
      if (steps_.size() == first ||
          set_.events[steps_.back().events.front()].instruction != event.instruction)
        steps_.push_back({{}, gates_.fresh(), {}});
      steps_.back().events.push_back(e);
      step_of_[e] = steps_.size() - 1;
    }
    Literal later = gates_.constant(false);
    for (std::size_t i = steps_.size(); i-- > first;) {
      steps_[i].is_later_in = later;
      later = gates_.or_(later, steps_[i].is_in);
    }
  }
}

/// Program order has the arcs inside a thread.
void ScCycle::arc(EventIndex from, EventIndex to, Literal when) {
  const std::size_t target = step_of_.at(to);
  if (set_.events[from].thread != set_.events[to].thread)
    steps_[step_of_.at(from)].next.push_back(gates_.and_(when, steps_[target].is_in));
}

void ScCycle::add_reads() {
  for (const MemoryFormula::Read& read : formula_.reads())
    for (const MemoryFormula::Source& source : read.sources)
      if (source.write)
        arc(*source.write, read.event, gates_.and_(source.is_taken, formula_.executed(read.event)));
  for (const MemoryFormula::FromRead& from_read : formula_.from_reads())
    arc(from_read.read,
        from_read.write,
        gates_.and_(std::vector{
            from_read.is_taken, from_read.is_overwritten, formula_.executed(from_read.read)}));
}

void ScCycle::add_coherence() {
  for (const EventIndex first : formula_.writes())
    for (const EventIndex second : formula_.writes()) {
      if (set_.events[first].thread == set_.events[second].thread ||
          !formula_.places().may_meet(first, second))
        continue;
      arc(first,
          second,
          gates_.and_(std::vector{formula_.executed(first),
                                  formula_.executed(second),
                                  formula_.literal(formula_.places().same(first, second)),
                                  formula_.coherence(first, second)}));
    }
}

void ScCycle::add_threads() {
  for (const program::StaticThread& thread : set_.threads)
    if (thread.created_at) {
      const Step& start = steps_[step_of_.at(thread.start)];
      steps_[step_of_.at(*thread.created_at)].next.push_back(
          gates_.or_(start.is_in, start.is_later_in));
    }
  for (const program::StaticJoin& join : set_.joins)
    if (const std::optional<EventIndex>& end = set_.threads[join.thread].end)
      arc(*end,
          join.joiner,
          gates_.and_(formula_.executed(join.joiner), formula_.literal(join.guard)));
}

} // namespace heddle::encode
