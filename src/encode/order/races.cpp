// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/races.h"

#include "program/model/sync_kinds.h"

#include <set>

namespace heddle::encode {

namespace {

using program::Order;
using program::StaticThread;
using program::SyncOp;
using Kind = program::StaticEvent::Kind;

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}
/// Consume is acquire, as every compiler has it.
bool is_acquire(Order order) {
  return order == Order::kAcquire || order == Order::kConsume || order == Order::kAcqRel ||
         order == Order::kSeqCst;
}

/// Their words tell more than who is after whom: readers do not order one another, and who goes on
/// at a barrier is after all that came in. What comes in there does not follow who is read from.
bool goes_by_order(SyncOp op) {
  return facts_of(op).object == ir::SyncObject::kReadWriteLock ||
         facts_of(op).role == ir::SyncRole::kArrive;
}

} // namespace

Races::Races(program::EventSet& set,
             const Skeleton& skeleton,
             logic::Gates& gates,
             NodeOrder& order,
             MemoryFormula& formula)
    : set_(set), skeleton_(skeleton), gates_(gates), order_(order), formula_(formula) {}

void Races::encode() {
  for (const program::StaticEdge& update : set_.amo)
    update_of_[update.from] = update.to;
  for (const MemoryFormula::Read& read : formula_.reads())
    reads_[read.event] = &read;
  find_pairs();
  if (racers_.empty())
    return;
  find_holds();
  find_arrivals();
  spread(first_);
  spread(second_);
  for (const auto& [event, chosen] : first_.chosen) {
    gates_.require_any(std::vector{~chosen, formula_.executed(event)});
    gates_.require_any(std::vector{~chosen, ~second_.at[event]});
    std::vector<Literal> some{~chosen};
    for (const EventIndex other : partners_[event]) {
      const Literal also = second_.chosen.at(other);
      some.push_back(also);
      const Literal meet = formula_.literal(formula_.places().same(event, other));
      gates_.require_any(std::vector{~chosen, ~also, meet});
    }
    gates_.require_any(some);
  }
  for (const auto& [event, chosen] : second_.chosen) {
    gates_.require_any(std::vector{~chosen, formula_.executed(event)});
    gates_.require_any(std::vector{~chosen, ~first_.at[event]});
  }
}

/// The words an instruction reads, by the first piece of each, in the order in which it reads them.
std::vector<EventIndex> Races::words_read(EventIndex first) const {
  std::vector<EventIndex> words;
  const program::StaticEvent& instruction = set_.events[first];
  for (EventIndex e = first; e < set_.events.size(); ++e) {
    const program::StaticEvent& event = set_.events[e];
    if (event.thread != instruction.thread || event.instruction != instruction.instruction)
      break;
    if (event.kind == Kind::kRead &&
        (words.empty() || set_.events[words.back()].piece_of != event.piece_of))
      words.push_back(e);
  }
  return words;
}

bool Races::is_first_of_instruction(EventIndex event) const {
  return event == 0 || set_.events[event - 1].thread != set_.events[event].thread ||
         set_.events[event - 1].instruction != set_.events[event].instruction;
}

/// Takes and gives back are the writes of the word with the writer, and of that with the readers
/// (program/events/event_locks.cpp reads them in this order).
void Races::find_holds() {
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    const program::Synchronize* sync = synchronisation(e);
    if (sync == nullptr || facts_of(sync->op).object != ir::SyncObject::kReadWriteLock ||
        !is_first_of_instruction(e))
      continue;
    const std::vector<EventIndex> words = words_read(e);
    if (words.size() < 2)
      continue; // what always fails reads nothing
    const auto writes = [&](EventIndex word) {
      const auto write = update_of_.find(word);
      return write == update_of_.end() ? gates_.constant(false) : formula_.executed(write->second);
    };
    holds_.push_back(
        {words[0], sync->op == SyncOp::kReadWriteUnlock, writes(words[0]), writes(words[1])});
  }
}

/// Arrival and leaving are two instructions of one edge, and who leaves has read the generation.
void Races::find_arrivals() {
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    const program::Synchronize* sync = synchronisation(e);
    if (sync == nullptr || sync->op != SyncOp::kBarrierWait || !is_first_of_instruction(e))
      continue;
    const std::vector<EventIndex> words = words_read(e);
    if (words.size() != 3)
      continue; // that of leaving
    EventIndex leaves = words[2];
    while (leaves < set_.events.size() &&
           set_.events[leaves].instruction == set_.events[e].instruction)
      ++leaves;
    if (leaves < set_.events.size() && set_.events[leaves].thread == set_.events[e].thread &&
        synchronisation(leaves) == sync)
      arrivals_.push_back({words[2], leaves});
  }
}

const program::Synchronize* Races::synchronisation(EventIndex event) const {
  const program::StaticEvent& what = set_.events[event];
  if (!what.edge)
    return nullptr;
  return std::get_if<program::Synchronize>(
      &set_.program->procedures[what.procedure].edges[*what.edge].action);
}

bool Races::is_atomic(EventIndex event) const {
  return set_.events[event].access == program::AccessKind::kAtomic;
}

/// An access of the program, not one that a lock makes.
bool Races::is_plain_access(EventIndex event) const {
  return set_.is_memory(event) && set_.events[event].edge && !set_.events[event].is_hidden &&
         synchronisation(event) == nullptr;
}

bool Races::conflict(EventIndex a, EventIndex b) const {
  const program::StaticEvent& one = set_.events[a];
  const program::StaticEvent& other = set_.events[b];
  return one.thread != other.thread && (one.kind == Kind::kWrite || other.kind == Kind::kWrite) &&
         !(is_atomic(a) && is_atomic(b)) && (one.section == 0 || other.section == 0) &&
         formula_.places().may_meet(a, b) && !skeleton_.must_precede(a, b) &&
         !skeleton_.must_precede(b, a);
}

void Races::find_pairs() {
  std::vector<EventIndex> accesses;
  for (EventIndex e = 0; e < set_.events.size(); ++e)
    if (is_plain_access(e))
      accesses.push_back(e);
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i + 1; j < accesses.size(); ++j) {
      if (!conflict(accesses[i], accesses[j]))
        continue;
      partners_[accesses[i]].push_back(accesses[j]);
      second_.chosen.try_emplace(accesses[j], Literal{});
    }
  for (auto& [event, chosen] : second_.chosen)
    chosen = gates_.fresh();
  for (const auto& [event, others] : partners_) {
    const Literal chosen = gates_.fresh();
    first_.chosen.emplace(event, chosen);
    racers_.push_back({event, chosen});
  }
}

/// An operation that takes something does so if it writes.
Literal Races::acquires(EventIndex read) {
  const program::StaticEvent& event = set_.events[read];
  if (const program::Synchronize* sync = synchronisation(read)) {
    // Who does not enter waits until somebody has left.
    if (sync->op == SyncOp::kOnceEnter)
      return formula_.executed(read);
    const auto write = update_of_.find(read);
    return ir::acquires(sync->op) && !goes_by_order(sync->op) && write != update_of_.end()
               ? formula_.executed(write->second)
               : gates_.constant(false);
  }
  if (!is_atomic(read))
    return gates_.constant(false);
  const Literal usual = gates_.constant(is_acquire(event.order));
  if (!event.success.is_valid())
    return usual;
  const Literal succeeds = formula_.literal(event.success);
  if (is_acquire(event.order))
    return is_acquire(event.failure_order) ? usual : succeeds;
  return is_acquire(event.failure_order) ? ~succeeds : usual;
}

bool Races::releases(EventIndex write) const {
  if (const program::Synchronize* sync = synchronisation(write))
    return ir::releases(sync->op) && !goes_by_order(sync->op);
  return is_atomic(write) && is_release(set_.events[write].order);
}

void Races::imply(Literal a, Literal b, Literal c, Literal then) {
  gates_.require_any(std::vector{~a, ~b, ~c, then});
}

void Races::spread(After& after) {
  after.at.assign(set_.events.size(), gates_.constant(false));
  for (const StaticThread& thread : set_.threads)
    spread_along(after, thread);
  for (const StaticThread& thread : set_.threads)
    carry(after, thread);
  spread_through_memory(after);
  for (const StaticThread& thread : set_.threads)
    spread_through_fences(after, thread);
  spread_through_threads(after);
  spread_through_sections(after);
  spread_through_holds(after);
  spread_through_barriers(after);
}

/// Along the thread, with a new literal wherever something may come in. The pieces of an access are
/// one step: it is after what any of them acquires, and so is who acquires from any of them.
void Races::spread_along(After& after, const StaticThread& thread) {
  Literal now = gates_.constant(false);
  for (EventIndex first = thread.first; first < thread.last;) {
    EventIndex end = first;
    std::vector<Literal> chosen;
    bool may_acquire = false;
    for (; end < thread.last && set_.events[end].instruction == set_.events[first].instruction;
         ++end) {
      const program::StaticEvent& event = set_.events[end];
      may_acquire = may_acquire || event.kind == Kind::kEndpoint ||
                    (event.kind == Kind::kRead && !gates_.is_false(acquires(end))) ||
                    takes_by_order(end) || (event.kind == Kind::kFence && is_acquire(event.order));
      if (const auto found = after.chosen.find(end); found != after.chosen.end())
        chosen.push_back(found->second);
    }
    if (may_acquire || !chosen.empty()) {
      const Literal next = gates_.fresh();
      gates_.require_any(std::vector{~now, next});
      for (const Literal one : chosen)
        gates_.require_any(std::vector{~one, next});
      now = next;
    }
    for (; first < end; ++first)
      after.at[first] = now;
  }
}

/// What the thread's atomic writes carry: release sequences begin at a release write, also for
/// later writes of the thread to the place, or at a release fence.
void Races::carry(After& after, const StaticThread& thread) {
  Literal fenced = gates_.constant(false);
  std::vector<EventIndex> released;
  for (EventIndex e = thread.first; e < thread.last; ++e) {
    const program::StaticEvent& event = set_.events[e];
    if (event.kind == Kind::kFence && is_atomic(e) && is_release(event.order))
      fenced = gates_.or_(fenced, gates_.and_(formula_.executed(e), after.at[e]));
    if (event.kind != Kind::kWrite || (!is_atomic(e) && synchronisation(e) == nullptr))
      continue;
    const Literal carried = gates_.fresh();
    gates_.require_any(std::vector{~fenced, carried});
    if (releases(e))
      released.push_back(e);
    for (const EventIndex earlier : released)
      if (formula_.places().may_meet(earlier, e))
        imply(formula_.executed(earlier),
              formula_.literal(formula_.places().same(earlier, e)),
              after.at[earlier],
              carried);
    after.carried.emplace(e, carried);
  }
}

void Races::spread_through_memory(After& after) {
  for (const auto& [event, read] : reads_) {
    const Literal acquired = acquires(event);
    const auto update = update_of_.find(event);
    for (const MemoryFormula::Source& source : read->sources) {
      const auto carried = source.write ? after.carried.find(*source.write) : after.carried.end();
      if (carried == after.carried.end())
        continue;
      imply(source.is_taken, carried->second, acquired, after.at[event]);
      // rs goes on through an update, whatever its own order.
      if (update != update_of_.end())
        if (const auto next = after.carried.find(update->second); next != after.carried.end())
          imply(source.is_taken, carried->second, formula_.executed(update->second), next->second);
    }
  }
}

/// What relaxed reads have seen is acquired by a fence.
void Races::spread_through_fences(After& after, const StaticThread& thread) {
  Literal seen = gates_.constant(false);
  for (EventIndex e = thread.first; e < thread.last; ++e) {
    const program::StaticEvent& event = set_.events[e];
    if (event.kind == Kind::kFence && is_atomic(e) && is_acquire(event.order))
      imply(formula_.executed(e), seen, gates_.constant(true), after.at[e]);
    const auto read = reads_.find(e);
    if (read == reads_.end() || !is_atomic(e))
      continue;
    const Literal next = gates_.fresh();
    gates_.require_any(std::vector{~seen, next});
    for (const MemoryFormula::Source& source : read->second->sources)
      if (const auto carried =
              source.write ? after.carried.find(*source.write) : after.carried.end();
          carried != after.carried.end())
        imply(source.is_taken, carried->second, formula_.executed(e), next);
    seen = next;
  }
}

void Races::spread_through_threads(After& after) {
  const Literal always = gates_.constant(true);
  for (const StaticThread& thread : set_.threads)
    if (thread.created_at)
      imply(after.at[*thread.created_at], always, always, after.at[thread.start]);
  for (const program::StaticJoin& join : set_.joins)
    if (const std::optional<EventIndex>& end = set_.threads[join.thread].end)
      imply(after.at[*end],
            formula_.executed(join.joiner),
            formula_.literal(join.guard),
            after.at[join.joiner]);
}

void Races::spread_through_sections(After& after) {
  for (const program::StaticSection& earlier : set_.sections)
    for (const program::StaticSection& later : set_.sections) {
      if (set_.events[earlier.begin].thread == set_.events[later.begin].thread)
        continue;
      const Node from = skeleton_.node_of[earlier.begin];
      const Node to = skeleton_.node_of[later.begin];
      if (skeleton_.must[to].contains(from))
        continue;
      for (const EventIndex end : earlier.ends)
        imply(
            order_.before(from, to), formula_.executed(end), after.at[end], after.at[later.begin]);
    }
}

bool Races::takes_by_order(EventIndex event) const {
  const program::Synchronize* sync = synchronisation(event);
  return sync != nullptr && goes_by_order(sync->op);
}

/// Whoever takes the lock is after all writers that have given it back, and a writer also after the
/// readers.
void Races::spread_through_holds(After& after) {
  for (const Hold& given : holds_)
    for (const Hold& taken : holds_) {
      const EventIndex from = given.word;
      const EventIndex to = taken.word;
      if (!given.is_given || taken.is_given || set_.events[from].thread == set_.events[to].thread ||
          !formula_.places().may_meet(from, to))
        continue;
      const Literal takes = gates_.or_(taken.writes, taken.reads);
      const Literal is_ordered =
          gates_.or_(gates_.and_(given.writes, takes), gates_.and_(given.reads, taken.writes));
      if (gates_.is_false(is_ordered))
        continue;
      const Literal is_before =
          gates_.and_(order_.before(skeleton_.node_of[from], skeleton_.node_of[to]),
                      formula_.literal(formula_.places().same(from, to)));
      imply(is_ordered, is_before, after.at[from], after.at[to]);
    }
}

/// Whoever leaves a barrier is after all who have arrived in its generation, which are those who
/// found the number of the generation where it did.
void Races::spread_through_barriers(After& after) {
  const auto sources_of = [&](EventIndex read) {
    const auto found = reads_.find(read);
    return found == reads_.end()
               ? std::vector<MemoryFormula::Source>{{std::nullopt, formula_.executed(read)}}
               : found->second->sources;
  };
  for (const Arrival& one : arrivals_)
    for (const Arrival& other : arrivals_) {
      if (set_.events[one.generation].thread == set_.events[other.generation].thread ||
          !formula_.places().may_meet(one.generation, other.generation))
        continue;
      std::vector<Literal> same;
      for (const MemoryFormula::Source& source : sources_of(one.generation))
        for (const MemoryFormula::Source& also : sources_of(other.generation))
          if (source.write == also.write)
            same.push_back(gates_.and_(source.is_taken, also.is_taken));
      const Literal are_together = gates_.and_(
          std::vector{gates_.or_(same),
                      formula_.executed(one.generation),
                      formula_.executed(other.generation),
                      formula_.literal(formula_.places().same(one.generation, other.generation))});
      imply(are_together, after.at[one.generation], gates_.constant(true), after.at[other.leaves]);
    }
}

} // namespace heddle::encode
