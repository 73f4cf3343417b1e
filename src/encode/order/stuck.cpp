// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/stuck.h"

#include "encode/order/thread_progress.h"
#include "program/events/event_areas.h"

#include <fmt/format.h>

namespace heddle::encode {

namespace {

using program::StaticConditionWait;
using program::StaticSignal;
using program::StaticThread;
using For = program::StaticWait::For;

} // namespace

Status Stuck::encode(Question question) {
  for (const Wait& wait : set_.waits)
    if (wait.section != 0 && wait.what == For::kThread)
      return Error{ErrorKind::kUnsupported,
                   "ENC-005",
                   fmt::format("{}: a join inside an atomic section; what is stuck is then not "
                               "decided by a solver",
                               set_.program->place(wait.loc))};
  find_members();
  place_ends();
  find_wake_ups();
  leave_out_turns();
  for (Member& member : members_) {
    const Wait& wait = set_.waits[member.wait];
    gates_.require_any(std::vector{~member.is_in, formula_.literal(wait.waits)});
    if (wait.section == 0) {
      place(member);
      keep_values(member);
      if (question == Question::kDeadlock)
        require_releasers_stuck(member);
      else
        require_all_stuck(member);
    }
    member.is_violation = question == Question::kDeadlock || wait.what == For::kChange;
  }
  return Done{};
}

void Stuck::forbid(std::vector<Literal> all) {
  for (Literal& literal : all)
    literal = ~literal;
  gates_.require_any(all);
}

void Stuck::find_members() {
  std::vector<std::vector<Literal>> of_thread(set_.threads.size());
  for (std::size_t i = 0; i < set_.waits.size(); ++i) {
    const Wait& wait = set_.waits[i];
    if (wait.section != 0) {
      // It is in no loop that only waits: the section would have been left.
      const Literal waits = formula_.literal(wait.waits);
      if (wait.what == For::kChange || gates_.is_false(waits))
        continue;
      members_.push_back({i, waits});
      in_sections_.push_back(waits);
      continue;
    }
    members_.push_back({i, gates_.fresh()});
    of_thread[wait.thread].push_back(members_.back().is_in);
  }
  for (const std::vector<Literal>& members : of_thread)
    stuck_.push_back(gates_.or_(members));
  for (const Member& member : members_)
    for (const Literal other : in_sections_)
      if (member.is_in != other)
        forbid({member.is_in, other});
}

/// The moment comes before the end of the run.
void Stuck::place_ends() {
  if (const StaticThread& first = set_.threads.front(); first.end && first.returns.is_valid())
    order_.arc(skeleton_.moment, skeleton_.node_of[*first.end], formula_.literal(first.returns));
  for (const auto& [node, fails] : faults_in_sections(set_, skeleton_, gates_, formula_))
    order_.arc(skeleton_.moment, node, fails);
}

/// The thread has come there, and its buffer is empty.
void Stuck::place(const Member& member) {
  const Wait& wait = set_.waits[member.wait];
  for (const Node node : last_nodes(set_, skeleton_, wait.thread, wait.next, true))
    order_.arc(node, skeleton_.moment, member.is_in);
}

/// What it read is there still: what was written to these places since then, if anything, comes
/// after the moment. A turn of a loop need not be the last step before the moment, but nothing but
/// the same values may have been written since.
void Stuck::keep_values(const Member& member) {
  const Wait& wait = set_.waits[member.wait];
  for (const EventIndex read : wait.reads)
    for (const EventIndex write : formula_.writes()) {
      if (set_.events[write].thread == wait.thread || !formula_.places().may_meet(write, read))
        continue;
      const Literal is_there =
          gates_.and_(std::vector{formula_.executed(write),
                                  formula_.executed(read),
                                  formula_.literal(formula_.places().same(write, read)),
                                  order_.before(skeleton_.node_of[write], skeleton_.moment)});
      if (gates_.is_false(is_there))
        continue;
      const Node from = skeleton_.node_of[write];
      const Node to = skeleton_.node_of[read];
      if (wait.what != For::kChange) {
        order_.arc(from, to, member.is_in, is_there);
        continue;
      }
      const Literal is_same =
          formula_.literal(set_.terms.equal(set_.events[write].value, set_.events[read].value));
      gates_.require_any(std::vector{~member.is_in, ~is_there, order_.before(from, to), is_same});
    }
  // Chosen anew, a turn may go another way. A weak compare-exchange that finds another value than
  // it expects has no choice.
  for (const EventIndex choice : wait.choices) {
    const program::StaticEvent& event = set_.events[choice];
    const bool is_weak =
        event.edge && std::holds_alternative<program::CompareExchange>(
                          set_.program->procedures[event.procedure].edges[*event.edge].action);
    const Literal is_forced =
        is_weak ? formula_.literal(set_.terms.to_bool(event.value)) : gates_.constant(false);
    gates_.require_any(std::vector{~member.is_in, ~formula_.executed(choice), is_forced});
  }
}

/// The first thread ends the run when it returns, and is live until then.
Literal Stuck::ended(std::uint32_t thread) {
  const StaticThread& its = set_.threads[thread];
  if (!its.end)
    return gates_.constant(false);
  Literal ends = formula_.executed(*its.end);
  if (thread == 0 && its.returns.is_valid())
    ends = gates_.and_(ends, ~formula_.literal(its.returns));
  if (gates_.is_false(ends))
    return ends;
  return gates_.and_(ends, order_.before(skeleton_.node_of[*its.end], skeleton_.moment));
}

Literal Stuck::exists(std::uint32_t thread) {
  const StaticThread& its = set_.threads[thread];
  if (!its.created_at)
    return gates_.constant(true);
  return gates_.and_(formula_.executed(its.start),
                     order_.before(skeleton_.node_of[*its.created_at], skeleton_.moment));
}

void Stuck::require_stuck(const Member& member, std::uint32_t thread, Literal when) {
  if (!gates_.is_false(when))
    gates_.require_any(std::vector{~member.is_in, ~when, stuck_[thread], ended(thread)});
}

void Stuck::require_all_stuck(const Member& member) {
  for (std::uint32_t thread = 0; thread < set_.threads.size(); ++thread)
    if (thread != set_.waits[member.wait].thread)
      require_stuck(member, thread, exists(thread));
}

void Stuck::require_releasers_stuck(const Member& member) {
  const Wait& wait = set_.waits[member.wait];
  switch (wait.what) {
  case For::kHolders:
    for (std::uint32_t thread = 0; thread < set_.threads.size(); ++thread) {
      if (thread == wait.thread)
        continue;
      const unsigned width = set_.terms.sort(wait.holder).width;
      require_stuck(member,
                    thread,
                    formula_.literal(
                        set_.terms.equal(wait.holder, set_.terms.constant(thread + 1ULL, width))));
      if (wait.readers.is_valid() && thread < program::kMostReadingThreads)
        require_stuck(
            member,
            thread,
            formula_.literal(set_.terms.to_bool(set_.terms.extract(wait.readers, thread, 1))));
    }
    return;
  case For::kThread:
    for (const auto& [thread, is_meant] : wait.joined)
      require_stuck(member, thread, formula_.literal(is_meant));
    return;
  case For::kAnybody:
  case For::kSignal:
    require_all_stuck(member);
    return;
  case For::kChange: // others may end the wait, and it is no deadlock
    gates_.require(~member.is_in);
    return;
  }
}

// Conditions. Each signal wakes one of the threads that wait, if there is one. A thread that need
// not be found waiting later may have woken for no reason at once, so that only those are looked at
// that are stuck, or that a signal wakes: until then every other signal has woken somebody else.

Literal Stuck::is_on(const StaticSignal& signal, const StaticConditionWait& waiting) {
  const Term same = set_.terms.equal(signal.address, waiting.address);
  return gates_.and_(std::vector{
      formula_.executed(signal.event),
      formula_.literal(waiting.begins),
      formula_.literal(same),
      order_.before(skeleton_.node_of[waiting.given], skeleton_.node_of[signal.event])});
}

void Stuck::find_wake_ups() {
  std::vector<std::vector<Literal>> of_signal(set_.signals.size());
  struct Found {
    std::size_t waiting = 0;
    std::size_t signal = 0;
    Literal holds;
  };
  std::vector<Found> found;
  for (std::size_t w = 0; w < set_.condition_waits.size(); ++w) {
    const StaticConditionWait& waiting = set_.condition_waits[w];
    std::vector<Literal> of_wait;
    for (std::size_t s = 0; s < set_.signals.size(); ++s) {
      const StaticSignal& signal = set_.signals[s];
      if (signal.is_broadcast || set_.events[signal.event].thread == waiting.thread)
        continue;
      const Literal can = is_on(signal, waiting);
      if (gates_.is_false(can))
        continue;
      const Literal wakes = gates_.fresh();
      gates_.require_any(std::vector{~wakes, can});
      gates_.require_any(std::vector{~wakes, formula_.executed(waiting.again)});
      gates_.require_any(std::vector{~wakes, ~formula_.literal(waiting.is_late)});
      order_.arc(skeleton_.node_of[signal.event], skeleton_.node_of[waiting.again], wakes);
      for (const Literal other : of_wait)
        forbid({wakes, other});
      for (const Literal other : of_signal[s])
        forbid({wakes, other});
      of_wait.push_back(wakes);
      of_signal[s].push_back(wakes);
      found.push_back({w, s, wakes});
      wake_ups_.push_back({signal.event, waiting.given, wakes});
    }
  }
  for (const std::vector<Literal>& woken : of_signal)
    wakes_.push_back(gates_.or_(woken));
  for (const Found& one : found)
    keep_waiting(set_.condition_waits[one.waiting],
                 one.holds,
                 skeleton_.node_of[set_.signals[one.signal].event]);
  for (const Member& member : members_)
    for (const StaticConditionWait& waiting : set_.condition_waits)
      if (waiting.wait == member.wait && set_.waits[member.wait].section == 0)
        keep_waiting(waiting, member.is_in, skeleton_.moment);
}

/// Who waits, wakes for no reason and waits again might as well not have woken, if no signal would
/// have found it waiting that did not.
void Stuck::leave_out_turns() {
  for (const program::StaticWaitTurn& turn : set_.wait_turns) {
    // If the thread dies on the way to the next wait, the turn makes no difference.
    if (turn.next_given == 0 || turn.waiting >= set_.condition_waits.size())
      continue;
    const StaticConditionWait& waiting = set_.condition_waits[turn.waiting];
    std::vector<Literal> some{~formula_.literal(turn.is_kept), ~formula_.literal(waiting.begins)};
    for (const StaticSignal& signal : set_.signals)
      if (set_.events[signal.event].thread != waiting.thread)
        some.push_back(gates_.and_(
            is_on(signal, waiting),
            order_.before(skeleton_.node_of[signal.event], skeleton_.node_of[turn.next_given])));
    gates_.require_any(some);
  }
}

/// Where `when` holds, nobody wakes that one before `until`.
void Stuck::keep_waiting(const StaticConditionWait& waiting, Literal when, Node until) {
  for (std::size_t s = 0; s < set_.signals.size(); ++s) {
    const StaticSignal& signal = set_.signals[s];
    const Node node = skeleton_.node_of[signal.event];
    if (node == until || set_.events[signal.event].thread == waiting.thread)
      continue;
    const Literal meets = gates_.and_(is_on(signal, waiting), order_.before(node, until));
    if (gates_.is_false(meets))
      continue;
    if (signal.is_broadcast)
      forbid({when, meets});
    else
      gates_.require_any(std::vector{~when, ~meets, wakes_[s]});
  }
}

} // namespace heddle::encode
