// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/execution_stuck.h"

#include "support/check.h"

namespace heddle::encode {

namespace {

using For = program::StaticWait::For;
using Kind = program::StaticEvent::Kind;

} // namespace

Literal ExecutionStuck::encode(Question question) {
  std::vector<std::vector<Literal>> of_thread(set_.threads.size());
  for (const Wait& wait : set_.waits) {
    if (question == Question::kDeadlock && wait.what == For::kChange)
      continue; // others may end it
    members_.push_back({&wait, gates_.fresh()});
    of_thread[wait.thread].push_back(members_.back().is_in);
  }
  for (const std::vector<Literal>& members : of_thread)
    stuck_.push_back(gates_.or_(members));
  std::vector<Literal> some;
  for (const Member& member : members_) {
    gates_.require_any(std::vector{~member.is_in, waits(*member.wait)});
    require_last_writes(member);
    require_no_choice(member);
    if (question == Question::kDeadlock)
      require_releasers_stuck(member);
    else
      require_all_stuck(member);
    if (question == Question::kDeadlock || member.wait->what == For::kChange)
      some.push_back(member.is_in);
  }
  return gates_.or_(some);
}

/// The thread comes to the assumption, and it fails.
Literal ExecutionStuck::waits(const Wait& wait) {
  const program::StaticEvent& assumption = set_.events[wait.next];
  HEDDLE_CHECK(assumption.kind == Kind::kAssume, "a wait without its assumption");
  return gates_.and_(executions_.literal(assumption.guard), ~executions_.literal(assumption.value));
}

void ExecutionStuck::require_last_writes(const Member& member) {
  for (const EventIndex event : member.wait->reads) {
    const Element read = executions_.bounds().element_of[event];
    if (read == memory::EventBounds::kNone)
      continue;
    // The last write may be the turn's own, or that of another thread that goes around.
    if (member.wait->writes) {
      require_last_value(member, read);
      continue;
    }
    for (Element write = 0; write < executions_.count(); ++write) {
      const Literal reads = executions_.rf(write, read);
      if (gates_.is_false(reads))
        continue;
      for (Element later = 0; later < executions_.count(); ++later)
        if (const Literal co = executions_.co(write, later); !gates_.is_false(co))
          gates_.require_any(std::vector{~member.is_in, ~reads, ~co});
    }
  }
}

void ExecutionStuck::require_last_value(const Member& member, Element read) {
  for (Element write = 0; write < executions_.count(); ++write)
    if (const Literal is_here = executions_.base_relation("loc", write, read);
        executions_.is_write(write) && !gates_.is_false(is_here))
      gates_.require_any(std::vector{~member.is_in,
                                     ~executions_.happens(read),
                                     ~is_here,
                                     ~executions_.base_set("FW", write),
                                     executions_.have_equal_values(write, read)});
}

/// In a state that lasts nothing is left to choose in the turn.
void ExecutionStuck::require_no_choice(const Member& member) {
  for (const EventIndex choice : member.wait->choices)
    gates_.require_any(std::vector{~member.is_in, ~executions_.literal(set_.events[choice].guard)});
}

/// Has the hidden place of a start or an end been written?
Literal ExecutionStuck::is_told(std::uint32_t hidden) const {
  const std::uint64_t address = program::hidden_address(*set_.program, hidden);
  std::vector<Literal> some;
  for (Element write = 0; write < executions_.count(); ++write) {
    const memory::EventBounds::Element& element = executions_.bounds().elements[write];
    if (!element.is_initial && executions_.is_write(write) &&
        set_.events[element.event].is_hidden && element.address == address)
      some.push_back(executions_.happens(write));
  }
  return gates_.or_(some);
}

void ExecutionStuck::require_stuck(const Member& member, std::uint32_t thread, Literal when) {
  if (gates_.is_false(when))
    return;
  std::vector<Literal> some{~member.is_in, ~when, stuck_[thread]};
  if (thread != 0) // when main ends, everything does
    some.push_back(is_told(program::end_number(thread)));
  gates_.require_any(some);
}

void ExecutionStuck::require_all_stuck(const Member& member) {
  for (std::uint32_t thread = 0; thread < set_.threads.size(); ++thread)
    require_stuck(member,
                  thread,
                  thread == 0 ? gates_.constant(true) : is_told(program::start_number(thread)));
}

void ExecutionStuck::require_releasers_stuck(const Member& member) {
  const Wait& wait = *member.wait;
  switch (wait.what) {
  case For::kHolders: {
    std::vector<Literal> some{~member.is_in};
    const unsigned width = set_.terms.sort(wait.holder).width;
    for (std::uint32_t thread = 0; thread < set_.threads.size(); ++thread) {
      const Literal has_it = executions_.literal(
          set_.terms.equal(wait.holder, set_.terms.constant(thread + 1ULL, width)));
      some.push_back(has_it);
      require_stuck(member, thread, has_it);
    }
    gates_.require_any(some);
    return;
  }
  case For::kThread:
    for (const auto& [thread, is_meant] : wait.joined)
      require_stuck(member, thread, executions_.literal(is_meant));
    return;
  case For::kAnybody:
  case For::kSignal:
  case For::kChange:
    break;
  }
  HEDDLE_CHECK(false, "a wait that events of models do not have");
}

} // namespace heddle::encode
