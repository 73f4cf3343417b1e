// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of a program for a solver (EventSetOptions::for_solver). Executions are prefixes of
// runs: each thread goes on until it ends, waits, or meets an assumption or check that fails, which
// narrows the guard of what follows in it. Private to event_*.cpp: event_prefix.cpp has the threads
// and what is known of the whole program, event_paths.cpp control flow and calls,
// event_prefix_actions.cpp and event_prefix_memory.cpp what actions do, event_blocks.cpp allocation
// and the judgement of addresses, unwritten_objects.cpp bytes that nobody has written,
// event_locks.cpp and event_threads.cpp synchronisation.
#pragma once

#include "program/analyse/destroyed_locks.h"
#include "program/events/event_areas.h"
#include "program/events/event_pieces.h"
#include "program/events/event_set.h"
#include "program/events/event_tables.h"
#include "program/events/path_guards.h"
#include "program/events/unwritten_objects.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heddle::program {

/// A block the program allocates, with what the event set does not tell.
struct PrefixBlock {
  std::uint64_t address = 0;
  std::uint64_t size = 0; // or, if it is not constant, a bound on it
  bool has_constant_size = true;
  ObjectId site;
  bool operator==(const PrefixBlock&) const = default;
};

/// What must be known before the events can be written down, and is found out by doing it: a pass
/// that finds it wrong is repeated.
struct PrefixPlan {
  std::set<ObjectId> with_events; // private objects that are not followed, being too hard to
  std::vector<PrefixBlock> blocks;
  std::uint32_t thread_count = 1;
  bool operator==(const PrefixPlan&) const = default;
};

/// What the threads share while they are written down.
struct PrefixContext {
  const Program& program;
  EventSet& set;
  const PrefixPlan& plan;
  const AccessPieces& pieces;
  const UnwrittenObjects& unwritten;
  const DestroyedLocks& destroyed;

  struct Created {
    std::uint32_t thread = 0;
    ProcedureId entry;
    Term argument = {}; // none for the initial thread
    Term guard;
    std::uint32_t creator = 0;
    std::optional<EventIndex> created_at = {};
  };
  std::vector<Created> created = {};
  std::vector<PrefixBlock> blocks = {};
  std::map<ObjectId, std::vector<PrefixBlock>> blocks_of = {}; // of plan.blocks, by site
  std::set<ObjectId> too_hard = {}; // private objects that should have events
  bool asked_for_blocks = false;    // something depends on plan.blocks
  bool is_first = false;            // plan.blocks is not known yet
  bool asked_for_threads = false;   // something depends on plan.thread_count
  std::uint32_t sections = 0;
  std::uint32_t steps = 0; // edges followed
  bool has_freed = false;
  bool allocates_late = false; // when something may have been freed, if anything is
  IdVector<ProcedureId, std::vector<LocationId>> orders = {};
  bool has_only_normal_mutexes = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> given_up = {}; // joined or detached, by
  bool keeps_waits = false; // EventSetOptions::keeps_waits
  const Budget* budget = nullptr;
  UsedUnits used_units = {};
};

class PrefixBuilder {
public:
  PrefixBuilder(PrefixContext& context, const PrefixContext::Created& thread);
  Status build();

private:
  /// What is known on one path.
  struct Path : PathPlace {
    TermTables::Root locals = 0;
    TermTables::Root cells = 0;
    TermTables::Root facts = 0; // by the number of a term: it is true wherever this path is alive
    TermTables::Owner owner = 0;
    Term result = {};          // of a return or exit, 64 bits
    std::uint32_t section = 0; // the atomic section it is in, and how often that was entered
    std::uint32_t section_depth = 0;
    std::uint32_t kept_threads = 0; // at least so many of its threads are not given up
  };
  /// A procedure being walked.
  struct Frame {
    ProcedureId procedure;
    IdVector<LocationId, std::vector<Path>> incoming = {};
    std::vector<Path> returns = {};
    std::vector<std::size_t> blocks = {}; // into context_.blocks
  };
  /// A piece of memory that only this thread touches.
  struct Cell {
    std::uint64_t address = 0;
    std::uint8_t size = 0; // 0: of marks, or a flag
    Term initial = {};
    std::optional<std::uint32_t> marks = {}; // the cell that says which of its bytes are unwritten
  };

  // Control flow (event_paths.cpp).
  Result<const std::vector<LocationId>*> order_of(ProcedureId procedure);
  /// Walks the procedure from path_; path_ is then where it has returned, if it can.
  Status walk(ProcedureId procedure, TermTables::Root locals);
  Status visit(LocationId location);
  Status leave(LocationId location);
  void branch(LocationId location);
  void fork(std::vector<std::pair<Term, LocationId>> ways);
  Path enter_arm(std::uint32_t branch, Term condition);
  [[nodiscard]] Path merge(std::vector<Path> paths);
  [[nodiscard]] Path merge_values(const std::vector<Path>& paths,
                                  const std::vector<Term>& conditions);
  Status call(const Call& action);
  void end_frame();
  void end_block(const PrefixBlock& block, Object::Dangling known);
  [[nodiscard]] const Procedure& procedure() const;
  [[nodiscard]] bool is_dead() const;

  // Terms, events and what narrows the guard (event_prefix_actions.cpp).
  Status act(const Edge& edge);
  [[nodiscard]] Term guard();
  [[nodiscard]] Term evaluate(Term term);
  [[nodiscard]] Term local(LocalId local);
  void assign(LocalId local, Term value);
  EventIndex add(StaticEvent event);
  Term fresh_choice(unsigned width);
  void narrow(Term condition);
  void learn(Path& path, Term condition);
  [[nodiscard]] bool is_known(Term condition) const;
  void check(Term condition, FaultKind fault, const std::string& what);
  void stop(StaticEvent::Kind kind, FaultKind fault, const std::string& what);
  void assume(const Assume& action);
  void note_turn(const std::string& point, Term is_busy);
  [[nodiscard]] Term keep_turn(std::uint32_t point, Term is_busy);
  [[nodiscard]] std::optional<std::uint32_t> only_edge_to(LocationId location) const;
  /// The hint that names a point of a loop and stands right before the edge at hand, or, if steps
  /// that only compute may stand between, the nearest one.
  [[nodiscard]] std::optional<std::uint32_t> point_before(bool may_compute) const;
  [[nodiscard]] const std::string& name_of_point(std::uint32_t hint) const;
  /// The thread waits here where `can` does not hold.
  void wait_until(Term can, StaticWait wait);
  [[nodiscard]] EventIndex next_event() const;
  EventIndex endpoint(bool drains);
  void check_neighbourhood(const CheckNeighbourhood& action);
  void note_point(std::optional<SourceLoc> assertion);
  void begin_section(const AtomicBegin& action, LocationId next);
  void end_section(bool drains);
  [[nodiscard]] bool may_wait_in_section(LocationId from) const;
  [[nodiscard]] Error refuse(const std::string& what) const;
  [[nodiscard]] bool is_true(Term term) const;
  [[nodiscard]] bool is_false(Term term) const;
  [[nodiscard]] Term pointer(std::uint64_t address);
  [[nodiscard]] Term widened(Term term, unsigned width);

  // Memory (event_prefix_memory.cpp).
  struct Reading {
    std::vector<EventIndex> events = {};
    Term value;
  };
  Reading read(const AccessPlace& place,
               const Access& access,
               Term address,
               Term guard,
               std::span<const Term> marks = {});
  std::vector<EventIndex> write(const AccessPlace& place,
                                const Access& access,
                                Term address,
                                Term value,
                                Term guard,
                                Term marks = {});
  void relate_update(const Reading& reading, const std::vector<EventIndex>& writes);
  [[nodiscard]] std::uint32_t cell_at(std::uint64_t address, std::uint8_t size);
  [[nodiscard]] Term cell_value(std::uint32_t cell);
  [[nodiscard]] std::optional<std::uint64_t> initial_bytes_of(const Cell& cell) const;
  [[nodiscard]] Term initial_of(std::uint32_t cell);
  /// Where the access may go, if there are few such places.
  std::optional<std::vector<std::uint64_t>> candidates(const AccessPlace& place, Term address);
  struct Followed {
    Term value;
    Term marks; // a bit for each byte: it is unwritten
  };
  Followed load_followed(const AccessPlace& place, Term address);
  Term fix_followed(const AccessPlace& place, Term address);
  void store_followed(const AccessPlace& place, Term address, Term value, Term marks = {});
  void copy(const Load& action, const AccessPlace& place, Term address);
  // Bytes that nobody has written (unwritten_objects.cpp).
  [[nodiscard]] Term marks_of(std::uint32_t cell);
  void set_marks(std::uint32_t cell, Term marks);
  [[nodiscard]] Term no_marks(unsigned bytes) { return terms_.constant(0, bytes); }
  void load(const Load& action);
  void store(const Store& action);
  void read_modify_write(const ReadModifyWrite& action);
  void compare_exchange(const CompareExchange& action);

  // Blocks, and which addresses are good (event_blocks.cpp).
  struct Span {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    Term length = {}; // if the size is not constant
  };
  [[nodiscard]] std::vector<Span> spans_of(ObjectId object);
  [[nodiscard]] Span span_of(const PrefixBlock& block);
  [[nodiscard]] Term is_inside(const Span& span, Term address, std::uint64_t size);
  void judge(const AccessPlace& place, Term address, std::uint64_t size, bool writes);
  void allocate(const Allocate& action);
  void free_block(const Free& action);
  void block_size(const BlockSize& action);
  /// The heap sites among the objects, or all.
  [[nodiscard]] std::vector<ObjectId> heap_sites(ObjectSetId may) const;
  /// The piece of private memory that says (as a Bool) whether a followed block has been freed.
  [[nodiscard]] std::uint32_t freed_cell(std::uint64_t block);
  [[nodiscard]] FaultKind fault_at(std::uint64_t address, bool writes);

  // Locks (event_locks.cpp).
  Status synchronize(const Synchronize& action);
  Reading read_word(const Synchronize& action, std::size_t operand, std::uint64_t offset);
  struct LockReading : Reading {
    Term is_written; // Bools: somebody has written the word;
    Term is_kept;    // the lock was not destroyed
  };
  LockReading read_first(const Synchronize& action, std::size_t operand);
  Term usable_; // of the current synchronisation's lock, as far as was looked: else it ends here
  void check_usable(const LockReading& reading);
  [[nodiscard]] bool may_be_unusable(const Synchronize& action, std::size_t operand);
  void write_word(const Synchronize& action,
                  std::size_t operand,
                  std::uint64_t offset,
                  const Reading* reading,
                  Term value,
                  Term when);
  struct Mutex {
    LockReading owner;
    std::optional<Reading> kind = {};
    std::optional<Reading> depth = {};
    Term is_free;
    Term is_mine;
    Term is_recursive;
    Term is_checking;
  };
  Mutex read_mutex(const Synchronize& action, std::size_t operand);
  [[nodiscard]] bool is_normal(const Synchronize& action, std::size_t operand);
  void lock_mutex(const Synchronize& action);
  void unlock_mutex(const Synchronize& action);
  void
  write_unlocked(const Synchronize& action, std::size_t operand, const Mutex& mutex, Term when);
  EventIndex take_again(const Synchronize& action);
  void wait_on_condition(const Synchronize& action);
  void read_write_lock(const Synchronize& action);
  void read_write_unlock(const Synchronize& action);
  void semaphore(const Synchronize& action);
  void barrier_wait(const Synchronize& action);
  void once(const Synchronize& action);
  /// Several words are read and written in one step.
  void open_step();
  void close_step();
  void judge_object(const Synchronize& action, std::size_t operand, std::uint64_t size);
  void touch_condition(const Synchronize& action);
  /// The thread waits here where `can` does not hold, which depends on what was read.
  void wait_until(Term can, StaticWait::For what, const std::vector<const Reading*>& readings);
  void wait_for_mutex(Term can, const Mutex& mutex);
  void give(const Synchronize& action, Term value);
  [[nodiscard]] Term number(const Synchronize& action, std::uint64_t value);
  [[nodiscard]] Term word(std::uint64_t value);

  // Threads (event_threads.cpp).
  void create(const Synchronize& action);
  void give_up_one();
  void join(const Synchronize& action);
  void detach(const Synchronize& action);
  void end_thread();
  void end_thread_locals();
  [[nodiscard]] std::uint32_t joined_cell(std::uint32_t thread);

  PrefixContext& context_;
  EventSet& set_;
  logic::TermStore& terms_;
  TermTables tables_;
  const PrefixContext::Created thread_;
  Path path_;
  PathGuards guards_;
  std::vector<Frame> frames_; // the procedures being walked, innermost last
  std::vector<Path> ends_;    // where the thread ends
  std::vector<Cell> cells_;
  std::map<std::uint64_t, std::uint32_t> cell_of_;          // by address
  std::map<ObjectId, std::vector<PrefixBlock>> own_blocks_; // of this thread's heap, by site
  std::uint64_t frame_unit_ = 0;                            // the next one that is free
  std::uint64_t heap_unit_ = 0;
  std::uint32_t instruction_ = 0;
  const Edge* edge_ = nullptr;
  std::uint32_t edge_index_ = 0;
  std::uint32_t read_locks_ = 0;                    // so far, of read-write locks
  Term returns_;                                    // Bool: the thread returns from its entry
  std::map<std::string, EventIndex> turns_;         // by point, where the last turn began
  std::map<std::string, std::size_t> last_waits_;   // by point, into condition_waits
  std::map<std::uint32_t, std::size_t> open_turns_; // by the edge of the hint, into wait_turns
  std::optional<Error> error_;
};

/// make_events for a solver.
[[nodiscard]] Result<EventSet> make_prefix_events(const Program& program,
                                                  const EventSetOptions& options);

} // namespace heddle::program
