// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Walks the automaton of one thread once, in topological order, and writes down its events. Private
// to event_*.cpp: event_builder.cpp has control flow and joins, event_actions.cpp what each action
// does, event_sync.cpp threads and mutexes, event_sync_words.cpp other locks and their kin,
// event_set.cpp puts the threads together.
#pragma once

#include "program/analyse/destroyed_locks.h"
#include "program/events/ended_places.h"
#include "program/events/event_areas.h"
#include "program/events/event_pieces.h"
#include "program/events/event_set.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

/// A source of a value: an event, and under which condition it is one.
struct Source {
  EventIndex event = 0;
  Term guard;
  /// It only decided which value is taken (with register events, see EventBuilder::tells_picks).
  bool picks = false;
  bool operator==(const Source&) const = default;
};
using Sources = std::vector<Source>;
/// Those of `more` that are not there yet.
void add_each(Sources& into, const Sources& more);

/// What a value comes from: what it was computed from, and what only chose which of several values
/// it is (with EventSetOptions::merges), by a branch or an address in memory of the thread's own.
struct Origins {
  Sources from = {};
  Sources chosen = {};
  Origins() = default;
  Origins(Sources computed_from) : from(std::move(computed_from)) {} // NOLINT: no more than that
  Origins(Sources computed_from, Sources chosen_by)
      : from(std::move(computed_from)), chosen(std::move(chosen_by)) {}
};

/// What a local or a private location holds.
struct Known {
  Term value = {};
  Sources sources = {};
  /// The instruction that wrote it last, by number; its parts read it without a register event.
  std::uint32_t written_by = 0;
  Sources chosen = {}; // as Origins::chosen
  bool operator==(const Known&) const = default;
};

struct PrivateCell {
  std::uint8_t size = 0;
  Known known;
  Known marks; // a bit for each byte: nobody has written or read it
  bool operator==(const PrivateCell&) const = default;
};

/// A read that a branch looked at; in C it matters until the branch's arms meet.
struct Decided {
  Source source;
  LocationId until; // none: to the end
  bool operator==(const Decided&) const = default;
};

/// What the thread reads there from now on was chosen by these: a write that it has made, or would
/// have made in another arm.
struct ChosenPlace {
  Term address;
  Sources chosen;
  bool operator==(const ChosenPlace&) const = default;
};

/// What the last exclusive load has reserved.
struct Reservation {
  Term is_held = {};
  Term address = {};
  Term size = {}; // in bytes
  Sources loads = {};
  bool operator==(const Reservation&) const = default;
};

struct PathState {
  Term guard;
  IdVector<LocalId, Known> locals;
  std::map<std::uint64_t, PrivateCell> privates;
  std::vector<Decided> decided;
  Reservation reservation;
  std::vector<ChosenPlace> chosen_places; // with EventSetOptions::merges
  Known result;                           // of the thread
  /// What the thread has freed so far: the address, where that has happened.
  std::vector<std::pair<Term, Term>> freed;
  std::uint32_t instruction = 0;
  SourceLoc loc = {};
  std::map<LocalId, EventIndex> register_reads; // of the instruction at hand
  /// The branches it came through, with the edge taken and the guard before: where all edges of the
  /// last one meet again, that guard is the guard.
  struct Turn {
    LocationId branch;
    std::uint32_t edge = 0;
    Term before;
    bool operator==(const Turn&) const = default;
  };
  std::vector<Turn> turns;
  std::uint32_t kept_threads = 0; // at least so many of its threads are not given up
};

/// What the threads of one program share while they are written down.
struct EventContext {
  const Program& program;
  const EventSetOptions& options;
  const AccessPieces& pieces;
  EventSet& set;
  /// A thread that has been created and is yet to be written down.
  struct Created {
    std::uint32_t thread = 0;
    ProcedureId entry;
    std::vector<Term> arguments = {};
    std::uint32_t creator = 0;
    /// The creator's write of a hidden location, with a read of which it starts.
    std::optional<EventIndex> announced_at = {};
    Term guard; // it is created at all
    /// That write tells its argument, too, which depends on what the creator has read or chosen.
    bool is_told_argument = false;
  };
  std::vector<Created> created;
  std::uint32_t thread_count = 0;
  /// What each thread runs, by number, as the pass before has found; who joins a thread that is not
  /// known asks for it.
  std::vector<ProcedureId> planned;
  bool asked_for_threads = false;
  bool announces = true;            // do create and join have events of their own?
  bool needs_announcements = false; // somebody found out that they have to
  bool tells_results = false;       // do joins take what threads have computed?
  /// A join or detach of a thread: by whom, and where.
  struct GivenUp {
    std::uint32_t thread = 0;
    std::uint32_t by = 0;
    Term guard;
  };
  std::vector<GivenUp> given_up;
  DestroyedLocks destroyed;
  bool has_only_normal_mutexes = false;
  const std::vector<EndedPlace>& ended_places;
  std::vector<EventIndex> stores_of_frees = {};
};

/// What a thread with that function returns, if that is one constant.
[[nodiscard]] std::optional<std::uint64_t> constant_result(const Program& program,
                                                           ProcedureId entry);

class EventBuilder {
public:
  EventBuilder(EventContext& context, const EventContext::Created& thread);
  Status build();

private:
  // Control flow (event_builder.cpp).
  /// `next` is visited after it.
  Status visit(LocationId location, LocationId next);
  [[nodiscard]] PathState join(std::vector<PathState>& incoming);
  void branch(LocationId location);
  std::vector<LocationId> topological_order();
  void find_postdominators(const std::vector<LocationId>& order);
  void begin_thread();
  void end_thread();

  // Events and terms (event_actions.cpp).
  void enter(const Edge& edge);
  Term evaluate(Term term);
  Sources sources_of(Term term, const std::vector<LocalId>& more = {});
  [[nodiscard]] bool merges() const;
  /// With what chose its locals.
  Origins origins_of(Term term, const std::vector<LocalId>& more = {});
  /// The same where reading registers is no event: of what memory of the thread's own holds.
  Origins own_origins_of(Term term);
  /// The reads of this thread that the term speaks of.
  Sources reads_in(Term term);
  /// What the branches that have not ended yet looked at.
  [[nodiscard]] Sources choosing_branches(const std::vector<Decided>& decided) const;
  /// The thread has written to memory that others see, if it `is_sure` whatever happens here.
  void choose_place(Term address, const Sources& chosen, bool is_sure);
  [[nodiscard]] Sources chosen_at(Term address);
  /// From here on everything depends on them.
  void control_all(const Sources& sources);
  [[nodiscard]] bool tells_picks() const;
  void add_sources(Term term, Term guard, bool picks, Sources& result);
  Known read_local(LocalId local, bool is_quiet);
  void assign(LocalId local, Term value, Origins origins);
  EventIndex add(StaticEvent event);
  StaticEvent memory_event(StaticEvent::Kind kind, const Access& access, Term address);
  void relate(std::vector<StaticEdge>& relation, const Sources& sources, EventIndex to);
  void mark_sources(const Sources& sources, bool is_address);
  void depend(EventIndex event, const Origins& address, const Origins& data);
  [[nodiscard]] const AccessPlace& place_of(Term address, const Access& access) const;
  /// Stops where memory of the thread's own is used that it has freed.
  void stop_freed(Term address);
  /// What cannot be followed is where the condition holds.
  void trap_where(Term condition, const char* what);
  void stop_misaligned(const AccessPlace& place, Term address);
  /// The events that read the bytes, in order of address, and the value they make.
  struct Reading {
    std::vector<EventIndex> events;
    Term value;
    Sources chosen = {}; // as Origins::chosen
  };
  Reading emit_read(const AccessPlace& place,
                    const Access& access,
                    Term address,
                    const Origins& address_origins);
  std::vector<EventIndex> emit_write(const AccessPlace& place,
                                     const Access& access,
                                     Term address,
                                     Term value,
                                     const Origins& address_origins,
                                     const Origins& data_origins,
                                     Term guard);
  static Sources from_events(const std::vector<EventIndex>& events, Term guard);
  /// Of what was read.
  [[nodiscard]] Origins origins_of(const Reading& reading) const;
  static Access half_of(const Access& access, char half);
  /// Pieces of memory that only this thread touches.
  PrivateCell& private_piece(std::uint64_t address, std::uint8_t size);
  Term initial_value(std::uint64_t address, std::uint8_t size);
  std::optional<std::vector<std::uint64_t>> private_candidates(const AccessPlace& place,
                                                               Term address);
  void stop_outside(const std::vector<std::uint64_t>& candidates, Term address);
  /// The access stays in its block where the size of that is computed.
  void check_length(const AccessPlace& place, Term address);
  struct Private {
    Known known;
    Term marks;
  };
  /// `origins` are the address's.
  Private load_private(const AccessPlace& place, Term address, const Origins& origins);
  Known fix_private(const AccessPlace& place, Term address, const Origins& origins);
  void store_private(const AccessPlace& place,
                     Term address,
                     Term value,
                     const Origins& address_origins,
                     const Origins& origins,
                     Term marks = {});
  void stop_marked_store(const Access& access, Term marks);
  Term fresh_choice(unsigned width);
  void assume(Term condition);
  /// With EventSetOptions::keeps_waits: the thread waits where the condition fails.
  void wait_until(Term condition, StaticWait wait);
  void assume_at(const Edge& edge, Term condition);
  [[nodiscard]] bool is_always_true(Term condition) const;
  [[nodiscard]] bool is_always_false(Term condition) const;

  Status act(const Edge& edge);
  void load(const Load& action);
  void store(const Store& action);
  void load_exclusive(const LoadExclusive& action);
  void store_exclusive(const StoreExclusive& action);
  void read_modify_write(const ReadModifyWrite& action);
  void compare_exchange(const CompareExchange& action);
  Term choice_if(Term condition);
  void pick_by_comparison(const Reading& reading,
                          const Sources& expected,
                          const std::vector<EventIndex>& writes,
                          Term succeeds,
                          Known& result);
  void check_neighbourhood(const CheckNeighbourhood& action);
  [[nodiscard]] std::uint64_t most_bytes(Term size);
  void note_point(std::optional<SourceLoc> assertion);
  void allocate(const Allocate& action);
  void block_size(const BlockSize& action);
  void free_block(const Free& action);
  void write_ended_places(Term pointer, Term address);

  // Threads and locks (event_sync.cpp).
  Status synchronize(const Synchronize& action, SourceLoc loc);
  /// Tries to take the mutex of that operand, which works where it is free and `may_take` holds.
  struct Taking {
    Reading reading; // who has it
    Term is_taken;   // where it may be: it is free, or a recursive one and the thread's
    Term is_refused; // an error-checking one is the thread's
  };
  Taking take_lock(const Synchronize& action, std::size_t operand, Term may_take);
  /// Gives the result.
  Term wait_for_lock(const Synchronize& action, std::size_t operand);
  /// Is the lock of the normal kind, so that only its owner matters?
  [[nodiscard]] bool is_normal(const Synchronize& action) const;
  /// A mutex that is given back; with `needs_owner`, undefined by somebody else than its owner.
  /// Bool: the mutex is not the thread's, and of a kind that says so.
  Term release_lock(const Synchronize& action, std::size_t operand, bool needs_owner);
  void init_mutex(const Synchronize& action);
  void destroy_mutex(const Synchronize& action);
  /// A relaxed read or write of a word, which orders nothing.
  Reading read_quietly(const Synchronize& action, const SyncWord& word);
  void write_quietly(const Synchronize& action, const SyncWord& word, Term value, Term when);
  /// What was found in the first word of a lock says that it was not destroyed.
  void check_usable(const Synchronize& action, const Reading& reading);
  [[nodiscard]] std::optional<std::uint64_t> result_of(std::uint32_t thread) const;
  void keep_result(const std::optional<Term>& value);
  /// Is what the thread has computed told with its end?
  [[nodiscard]] bool tells_result(std::uint32_t thread) const;
  [[nodiscard]] std::optional<ProcedureId> entry_of(std::uint32_t thread) const;
  void create_thread(const Synchronize& action);
  void join_thread(const Synchronize& action);
  void detach_thread(const Synchronize& action);
  struct Named {
    std::uint32_t thread = 0;
    Term is_meant;
  };
  [[nodiscard]] std::vector<Named> named_threads(const Synchronize& action, const char* if_none);
  /// Tells of a start or an end, with a number if there is one.
  EventIndex announce(std::uint32_t hidden, const std::optional<Known>& told = {});
  /// Reads the hidden location and goes on where it has been written; gives the read.
  EventIndex await(std::uint32_t hidden,
                   bool is_told,
                   std::optional<std::uint32_t> joined = {},
                   const Origins& address = {});
  /// The number that was told with it.
  [[nodiscard]] Term told_number(EventIndex read);
  /// The thread is joined or detached, which must not have happened before.
  void give_up(std::uint32_t thread, const char* what);
  Error refuse(SourceLoc loc, const std::string& what) const;

  // Other synchronisations, each a few accesses of whole words (event_sync_words.cpp).
  Reading read_word(const Synchronize& action, const SyncWord& word, const Access& access);
  /// As the second half of an update if there is a first.
  void write_word(const Synchronize& action,
                  const SyncWord& word,
                  const Access& access,
                  Term value,
                  Term when,
                  const Reading* first = nullptr);
  void fail_relaxed(const Reading& reading, Term succeeds);
  void probe(const Synchronize& action);
  void check_that(Term condition, const char* what);
  /// Bool: a timed operation runs out of time.
  Term is_late();
  void perform(const Synchronize& action);
  /// The result, which with EventSetOptions::merges comes from what it speaks of.
  void give(const Synchronize& action, Term value);
  [[nodiscard]] Term number(const Synchronize& action, std::uint64_t value);
  void wait_on_condition(const Synchronize& action);
  void take_read_lock(const Synchronize& action);
  void take_write_lock(const Synchronize& action);
  void finish_read_write_lock(const Synchronize& action, Term word, Term can, Term late);
  void release_read_write_lock(const Synchronize& action);
  void take_semaphore(const Synchronize& action);
  void post_semaphore(const Synchronize& action);
  void init_barrier(const Synchronize& action);
  void wait_at_barrier(const Synchronize& action);
  void enter_once(const Synchronize& action);

  EventContext& context_;
  EventSet& set_;
  logic::TermStore& terms_;
  const EventContext::Created& thread_;
  const Procedure& procedure_;
  PathState state_;
  bool goes_on_ = false; // state_ is that of the location visited next, the only way there
  std::uint32_t instructions_ = 0;
  std::optional<Error> error_;
  IdVector<LocationId, std::vector<PathState>> incoming_;
  IdVector<LocationId, LocationId> postdominator_;
  /// Points at which turns of a loop are looked at (transform/basic/idle.cpp): where the assumption
  /// about the turn stands, and the first event of the turn.
  struct TurnPoint {
    std::string name;
    Term is_kept; // Bool: a turn that was idle is not left out
  };
  std::map<LocationId, TurnPoint> turn_at_;
  std::map<std::string, EventIndex> turns_;
  std::vector<PathState> ends_;
  /// Has a lock been looked at that the thread does not acquire from? A fence would, in C.
  bool has_loose_read_ = false;
  /// What the synchronisation at hand has read so far, which decides about what it writes.
  std::vector<EventIndex> looked_at_;
  PrivateCell misfit_; // stands for a piece that cannot be had, until `error_` is seen
};

[[nodiscard]] Term rmw_result(logic::TermStore& terms, RmwOp op, Term old_value, Term operand);

} // namespace heddle::program
