// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A finite program as events: for each thread its accesses, fences and branches in an order that
// every run respects, each with the condition under which it happens and with terms for its address
// and value over what was read before. Made from an acyclic, call-free Program; the unroller is a
// transform (transform/basic/unroll). Nothing here knows a memory model: engines choose who reads
// from whom (engine/enumerate) or ask a solver to.
#pragma once

#include "program/events/event_waits.h"
#include "program/model/fault.h"
#include "program/model/program.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

/// Variables of EventSet::terms from here on stand for what an event read or chose:
/// kFirstEventVariable + the event's index.
inline constexpr std::uint64_t kFirstEventVariable = 1ULL << 40U;
/// Variables from here on are defined by EventSet::definitions.
inline constexpr std::uint64_t kFirstDefinedVariable = 1ULL << 41U;

struct StaticEvent {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kFence,
    kBranch,
    kRegisterRead, // these two only with EventSetOptions::register_events
    kRegisterWrite,
    // Not events of the execution, but points where its life is decided:
    kChoice, // a value that is chosen: `value` is its variable, `width` its size in bits
    kAssume, // a run in which the condition (`value`, Bool) is false does not exist
    kCheck,  // an assertion: `value` (Bool) false is a violation
    kCut,    // a bound ends the run
    kTrap,   // something unsupported
    kFound,  // memory of the thread's own that nobody has written is read: it holds `value`
    kFree, // the block at `address` ends here; only with EventSetOptions::for_solver or keeps_frees
    // Only with EventSetOptions::for_solver:
    kEndpoint, // nothing happens but a place in the order: create, thread start, thread end, join
  };
  Kind kind = Kind::kRead;
  std::uint32_t thread = 0;
  Term guard; // Bool: it happens
  // Memory events
  Term address = {};
  Term value = {};       // reads: the variable; writes: what is written
  std::uint8_t size = 0; // bytes
  ObjectSetId may = {};  // the objects it may touch; none: any
  AccessKind access = AccessKind::kPlain;
  Order order = Order::kNone;
  std::vector<std::string> tags = {};
  /// The read of a compare-exchange whose order on failure is another: where `success` (Bool) is
  /// false, `failure_order` is its order.
  Term success = {};
  Order failure_order = Order::kNone;
  /// With EventSetOptions::for_solver, bit i for byte i: a write leaves it unwritten, so that a
  /// copy of it holds something of its own. A read that copies has a variable for what it finds.
  Term marks = {};
  bool is_hidden = false;    // of a location the program does not know: create and join
  bool is_probe = false;     // a read that is there for its place; what it finds does not matter
  bool is_exclusive = false; // load-exclusive or store-exclusive
  std::uint8_t width = 0;    // kChoice
  /// Events of one thread with equal numbers are parts of one instruction; numbers grow along
  /// program order.
  std::uint32_t instruction = 0;
  /// The pieces of one access have one number.
  std::uint32_t piece_of = 0;
  std::string text = {};              // kCut, kTrap, kCheck: what; register events: the register
  FaultKind fault = FaultKind::kNone; // kCheck, kCut, kTrap: how the run ends where it is violated
  /// With EventSetOptions::for_solver, the edge of `procedure` it comes from; none for starts and
  /// ends of threads. (Procedures that were not inlined are walked where they are called.)
  std::optional<std::uint32_t> edge = {};
  ProcedureId procedure = {};
  /// Lowered programs: it happens only while the thread's store buffer is empty (Access::drains). A
  /// write that drains does not wait in the buffer: it reaches memory at once.
  bool drains = false;
  Fence::Strength strength = Fence::Strength::kNone; // kFence of lowered programs
  /// The events of one atomic section have one number; 0: in none. Nothing of another thread
  /// happens between two of them. A synchronisation that touches several words is a section, too.
  std::uint32_t section = 0;
  bool feeds_address = false;
  bool feeds_data = false;
  SourceLoc loc = {};
};

/// `from` (a read, or a register event) takes part in computing `to` where `guard` holds.
struct StaticEdge {
  EventIndex from = 0;
  EventIndex to = 0;
  Term guard; // Bool
};

/// The final value of a private location, which only one thread touches.
struct PrivateFinal {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  Term value;
};

struct StaticThread {
  std::string name;
  EventIndex first = 0; // its events are [first, last)
  EventIndex last = 0;
  std::vector<PrivateFinal> finals; // in terms of its own reads and choices
  std::uint32_t creator = 0;        // the thread that creates it; itself for the first
  /// The creator's event: a kEndpoint with EventSetOptions::for_solver, else the write that tells
  /// of it. None for the first thread, and for threads that are there from the beginning.
  std::optional<EventIndex> created_at = {};
  ProcedureId entry = {};
  // With EventSetOptions::for_solver:
  EventIndex start = 0;               // kEndpoint, its first event
  std::optional<EventIndex> end = {}; // kEndpoint; its guard: the thread comes to its end
  Term returns = {}; // Bool: its end is a return from its entry; none: it never returns
};

/// `joiner` (a kEndpoint whose guard says that the wait is over) waits for the end of `thread`
/// where `guard` (the handle is that thread's) holds.
struct StaticJoin {
  EventIndex joiner = 0;
  std::uint32_t thread = 0;
  Term guard;
};

/// An atomic section of the program. Where `begin` happens and none of `ends` does, the section
/// stays open: nothing of another thread happens after `begin`. (A thread may stop before a section
/// in which it would have to wait, so that this excludes no prefix.)
struct StaticSection {
  std::uint32_t number = 0;     // StaticEvent::section
  EventIndex begin = 0;         // kEndpoint
  std::vector<EventIndex> ends; // kEndpoints; at most one happens
};

/// A variable (from kFirstDefinedVariable on) that is equal to a term: it stands for something that
/// was not known yet where it is used, such as the end of a thread that is joined, what that thread
/// returns, or the size of a block. What order the events have keeps such definitions from being
/// circular: the end of a thread lies before every join with it.
struct StaticDefinition {
  Term variable;
  Term value;
};

/// What a search may say it has come to: an assertion that is evaluated, the end of the run.
/// Nothing happens there, and a check that always holds has no event.
struct StaticPoint {
  std::optional<SourceLoc> assertion = {}; // none: the run comes to its end
  std::uint32_t thread = 0;
  EventIndex next = 0; // the thread's events before this one come before it
  Term guard;          // Bool: the thread comes there
};

struct EventSet {
  const Program* program = nullptr; // outlives the set
  logic::TermStore terms;
  std::vector<StaticThread> threads;
  std::vector<StaticEvent> events; // by thread, in an order every run respects
  std::vector<StaticEdge> addr;
  std::vector<StaticEdge> data;
  std::vector<StaticEdge> ctrl;
  std::vector<StaticEdge> intra_data;    // with register events
  std::vector<StaticEdge> intra_control; // with register events
  std::vector<StaticEdge> amo;           // the two halves of an atomic update
  std::vector<StaticEdge> exclusive;     // an exclusive load and the store that succeeds by it
  /// Blocks the program allocates.
  struct Block {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool is_zeroed = false;
    ObjectId site;
    Term length = {}; // if its size is not constant; `size` is then a bound on it
  };
  std::vector<Block> blocks;
  // With EventSetOptions::for_solver:
  std::vector<StaticJoin> joins;
  std::vector<StaticSection> sections;
  std::vector<StaticDefinition> definitions;
  // With EventSetOptions::keeps_waits:
  std::vector<StaticWait> waits;
  std::vector<StaticConditionWait> condition_waits;
  std::vector<StaticWaitTurn> wait_turns;
  std::vector<StaticSignal> signals;
  std::vector<StaticExit> exits;
  std::vector<StaticAllocation> allocations; // also with keeps_frees
  std::vector<StaticPoint> points;
  Approximations approximations; // what was left out

  [[nodiscard]] static constexpr std::uint64_t variable_of(EventIndex event) {
    return kFirstEventVariable + event;
  }
  /// Are there runs in which nobody creates the thread?
  [[nodiscard]] bool may_be_missing(std::uint32_t thread) const;
  [[nodiscard]] bool is_memory(EventIndex event) const {
    return events[event].kind == StaticEvent::Kind::kRead ||
           events[event].kind == StaticEvent::Kind::kWrite;
  }
};

struct EventSetOptions {
  /// Reads and writes of named registers are events, with what flows inside an instruction; for
  /// models that compute dependencies themselves.
  bool register_events = false;
  /// Steps with one source location are parts of one instruction (assembly); otherwise every access
  /// is an instruction of its own (C).
  bool groups_by_location = false;
  /// A branch decides only what lies between it and the place where its arms meet again (C);
  /// without it, everything that follows (assembly).
  bool control_ends_at_join = false;
  /// Says where blocks end; for_solver has its own way of it.
  bool keeps_frees = false;
  /// For engines that hand guards and terms to a solver, on lowered programs. Terms may speak of
  /// what other threads read. Executions are prefixes of runs: what waits (a lock, a join), is
  /// assumed or checked narrows the guard of what follows instead of discarding the execution, so
  /// that a thread that waits for ever does not hide what others do. Create and join are
  /// kEndpoints. Every access that may be invalid has a kCheck before it.
  bool for_solver = false;
  /// With for_solver: says where threads may wait and what else belongs to a state, not only to the
  /// way there. A wait on a condition may last, and every free has an event.
  bool keeps_waits = false;
  /// What becomes of a value that the arms of a branch have left different, for programs that are
  /// compiled. Nothing (tests in C, as herd has it): a write of it depends on what it was computed
  /// from alone. Otherwise also on what the branch looked at: by an edge of ctrl, which is less
  /// than data for a processor, or, where the model has ctrl reach on to all that follows, of data
  /// (docs/semantics.md, "What compilers keep of dependencies").
  enum class Merges : std::uint8_t { kNothing, kControl, kData };
  Merges merges = Merges::kNothing;
  /// With for_solver: there are no events (PRG-013) if it is used up meanwhile.
  const Budget* budget = nullptr;
};

/// The place of the n-th hidden location; beyond all objects.
[[nodiscard]] std::uint64_t hidden_address(const Program& program, std::uint32_t number);
/// Which one tells that a thread was created, and that it has ended.
[[nodiscard]] constexpr std::uint32_t start_number(std::uint32_t thread) {
  return 2 * thread;
}
[[nodiscard]] constexpr std::uint32_t end_number(std::uint32_t thread) {
  return 2 * thread + 1;
}
/// Nothing has happened as long as it is 0; 1 afterwards, but where a join takes what a thread has
/// computed: that thread ends with 8 bytes, its result and this, bit by bit exclusively or-ed. (Two
/// locations would be two reads at the join, which a model need not keep in order.) A thread whose
/// result is this number is a trap.
inline constexpr std::uint64_t kNoResult = 0x5b1d'90c3'7ae4'26f9;
inline constexpr std::uint8_t kResultBytes = 8;

/// The bytes an address holds before anything runs; none if nothing is there, or they are
/// arbitrary.
[[nodiscard]] std::optional<std::uint64_t>
initial_bytes(const EventSet& set, std::uint64_t address, std::uint8_t size);

/// The first kind of action in the program that has no events, whatever is unrolled and inlined.
/// For a solver every action has.
[[nodiscard]] std::optional<std::string> why_no_events(const Program& program,
                                                       const EventSetOptions& options = {});

/// Fails with what stands in the way: a loop, a call, a kind of synchronisation that has no events.
[[nodiscard]] Result<EventSet> make_events(const Program& program, const EventSetOptions& options);

} // namespace heddle::program
