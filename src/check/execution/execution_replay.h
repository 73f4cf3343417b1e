// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The second opinion on an execution of a program under a model that has no machine. The threads
// run anew, each by itself, on the program as it was given: a read returns what the write that it
// is said to read from has written here. What comes out must be the events that were claimed, with
// their places and values; the order of the writes must be one; and the axioms are computed on it,
// with dependencies that were found along the way.
//
// Blocks of frames and of the heap may lie elsewhere than the claim has them, and thread-local
// variables: places are compared up to that. So are handles of threads: here one may serve again
// for another thread, in the claim none does.
#pragma once

#include "check/execution/dependencies.h"
#include "check/execution/execution_forms.h"
#include "check/run/namer.h"
#include "execution/execution.h"
#include "program/events/event_set.h"
#include "program/run/interpreter.h"
#include "spec/task.h"
#include "support/result.h"
#include "verdict/evidence.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::check {

/// The step of an event that no step of the run shows.
inline constexpr std::uint32_t kNoStep = ~0U;

class ExecutionReplay {
public:
  /// Both outlive it.
  ExecutionReplay(const spec::Task& task, const execution::Execution& claim);

  /// Runs the threads as far as the claim has events for them. Fails where it has others than the
  /// program.
  [[nodiscard]] Status run();

  /// After that, the execution as it came out here, with the indices of the claim.
  [[nodiscard]] const execution::Execution& execution() const { return made_; }
  /// A fault of the property that a thread has met after all its events.
  [[nodiscard]] const program::Fault& fault() const { return fault_; }
  /// A step for each event or synchronisation, those of the thread with the fault at the end.
  [[nodiscard]] const execution::Run& steps() const { return steps_; }
  [[nodiscard]] const std::vector<verdict::StepText>& texts() const { return texts_; }
  [[nodiscard]] std::vector<std::string> thread_names() const;
  /// A free that a thread has come to. Blocks stay, so that others can come to what they did
  /// before.
  struct Freed {
    std::uint32_t thread = 0;  // as the claim numbers them
    std::size_t position = 0;  // how many events of the thread come before it
    std::uint64_t address = 0; // of the block
    bool is_of_block = true;   // the start of something on the heap
    Reads pointer = {};        // what the address was computed from
    Reads control = {};        // what decides that the thread comes there, or chose the address
    SourceLoc loc = {};
    program::ProcedureId procedure = {};
  };
  [[nodiscard]] const std::vector<Freed>& frees() const { return frees_; }
  /// The events of each thread, as the claim numbers them.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& events_of_threads() const {
    return events_;
  }
  /// Where the block on the heap begins that the address is in.
  [[nodiscard]] std::optional<std::uint64_t> block_at(std::uint64_t address) const;
  [[nodiscard]] std::string name(std::uint64_t address) const;
  /// The procedure that the event is of.
  [[nodiscard]] program::ProcedureId procedure_at(std::size_t event) const {
    return procedures_[event];
  }
  /// The number of the hidden place that starts and ends of threads are told by, if it is one.
  [[nodiscard]] std::optional<std::uint32_t> hidden_number(std::size_t event) const;

  /// With exclusive accesses as loads and compare-exchanges.
  [[nodiscard]] const program::Program& program() const { return program_; }
  /// Threads where the execution leaves them, memory with the last write of every place.
  [[nodiscard]] program::State final_state() const;
  /// Where main returns after the execution, or exits: the blocks that are then lost, or with `all`
  /// left.
  [[nodiscard]] std::vector<std::uint64_t> lost_blocks(bool all) const;
  [[nodiscard]] program::Fault leak_of(std::uint64_t block) const;

private:
  using EventIndex = std::size_t;
  struct Thread {
    std::uint32_t claimed = 0;     // the number the claim has for it
    std::size_t next = 0;          // of the claimed events
    std::size_t next_choice = 0;   // of the claimed choices
    std::uint32_t instruction = 0; // of its last event
    SourceLoc instruction_at = {};
    bool awaits_start = false;                // its creator has told so by an event
    bool has_stopped = false;                 // it does nothing more in this execution
    const program::Edge* operation = nullptr; // its last synchronisation
    unsigned part = 0;                        // how many accesses of the operation at hand are done
    std::uint64_t found = 0;                  // by the first of them
    std::uint64_t kind = 0;                   // of the mutex at hand, if it was read
    std::vector<EventIndex> looked_at;        // by the operation at hand
    std::vector<EventIndex> reserved;         // the reads of the last exclusive load
  };
  enum class Progress : std::uint8_t { kMoved, kWaits, kStopped };
  /// What an access of an action is to the model.
  struct Marks {
    program::StaticEvent form;
    bool has_succeeded = true;
  };
  /// Events to come of a thread, as pieces of one access.
  using Pieces = std::vector<EventIndex>;

  Result<Progress> advance(program::ThreadIndex thread);
  Result<Progress> access(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> exclusive_store(program::ThreadIndex thread, const program::Request& request);
  /// That it is in; none for one that was never created.
  [[nodiscard]] program::ProcedureId procedure_of(program::ThreadIndex thread) const;
  Progress free_block(program::ThreadIndex thread, const program::Request& request);
  [[nodiscard]] program::Fault own_use_after_free(program::ThreadIndex thread,
                                                  const program::Request& request) const;
  Result<Progress> fence(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> grace_period(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> synchronize(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> synchronize_by_words(program::ThreadIndex thread,
                                        const program::Request& request);
  Result<Progress> lock(program::ThreadIndex thread, const program::Request& request);
  Result<Progress>
  lock_deeper(program::ThreadIndex thread, const program::Request& request, program::Term operand);
  Result<Progress> unlock(program::ThreadIndex thread, const program::Request& request);
  Result<Progress>
  give_back(program::ThreadIndex thread, const program::Request& request, std::size_t operand);
  Result<Progress> init_mutex(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> destroy_mutex(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> begin_wait(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> wake_up(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> probe(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> read_write_lock(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> read_write_unlock(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> semaphore(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> init_barrier(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> arrive_at_barrier(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> leave_barrier(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> once(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> create(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> join(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> end(program::ThreadIndex thread, const program::Request& request);
  Result<Progress> step_locally(program::ThreadIndex thread, const program::Request& request);
  [[nodiscard]] std::optional<std::uint64_t> next_choice(program::ThreadIndex thread);
  Progress stop(program::ThreadIndex thread, const program::Fault& fault);

  /// The claimed events of the kind, next or `later` behind, that make up so many bytes there; none
  /// left: empty.
  Result<Pieces> pieces(program::ThreadIndex thread,
                        execution::Event::Kind kind,
                        std::uint64_t address,
                        unsigned size,
                        std::size_t later = 0);
  /// What the reads return, once the writes they read from are there.
  Result<std::optional<std::uint64_t>> value_of(const Pieces& reads, std::uint64_t address);
  Status take(program::ThreadIndex thread,
              const Pieces& pieces,
              std::uint64_t address,
              const Marks& marks);
  Status set_value(EventIndex event, std::uint64_t value);
  Status hidden(program::ThreadIndex thread,
                std::uint32_t number,
                bool is_write,
                const Reads& address_from = {});
  [[nodiscard]] bool is_told_number(program::ThreadIndex thread) const;
  Status start(program::ThreadIndex thread);
  /// The end of a thread as its last event tells it, or as a join reads it.
  Status end_of(program::ThreadIndex thread,
                std::uint32_t ended,
                bool is_write,
                const program::Request& request);
  Status hidden(program::ThreadIndex thread,
                std::uint32_t number,
                bool is_write,
                std::uint8_t size,
                std::uint64_t written,
                const Origins& data,
                const Reads& address_from = {});
  void begin_instruction(program::ThreadIndex thread, SourceLoc loc);
  Status branch(program::ThreadIndex thread, SourceLoc loc);
  void
  depend(program::ThreadIndex thread, const Pieces& on, const Origins& addr, const Origins& data);
  Status relate_update(const Pieces& reads, const Pieces& writes);
  [[nodiscard]] Reads expected_by(program::ThreadIndex thread,
                                  const program::CompareExchange* exchange);
  /// A word of a lock, and how it is accessed.
  struct Word {
    std::uint64_t address = 0;
    std::uint8_t size = kWord;
    program::Order order = program::Order::kRelaxed;
    const std::vector<std::string>& tags;
    program::Term operand; // that the address comes from
    bool fails_relaxed = false;
  };
  struct Updated {
    std::uint64_t found = 0;
    Pieces events;
  };
  /// Reads the word and writes what `next` makes of it, if that is anything, in the same step.
  /// Nothing as long as the source of the read is not there.
  Result<std::optional<Updated>>
  update_word(program::ThreadIndex thread,
              const program::Request& request,
              const Word& word,
              const std::function<std::optional<std::uint64_t>(std::uint64_t)>& next);
  void decide(const Pieces& looked_at, const Pieces& writes);
  /// Is the thread's next event a read (or write) at that address?
  [[nodiscard]] bool
  comes_next(program::ThreadIndex thread, std::uint64_t address, bool is_write) const;
  /// Reads a word that orders nothing. None: what it finds is not known yet.
  Result<std::optional<Updated>> look(program::ThreadIndex thread,
                                      const program::Request& request,
                                      std::uint64_t address,
                                      program::Term operand);
  /// Puts what was found into the interpreter's mutex.
  void set_mutex(program::ThreadIndex thread, std::uint64_t address, std::uint64_t depth);
  Result<Pieces> write_word(program::ThreadIndex thread,
                            const program::Request& request,
                            const Word& word,
                            std::uint64_t value);
  /// The interpreter does it, on memory that was made to hold what was found.
  Result<Progress> perform(program::ThreadIndex thread,
                           const program::Request& request,
                           bool is_late,
                           const Pieces& events);
  [[nodiscard]] std::optional<bool> is_late(program::ThreadIndex thread) const;
  void set_read_write_lock(program::ThreadIndex thread, std::uint64_t address, std::uint64_t word);
  void set_word(std::uint64_t address, std::uint64_t value);
  Status take_unborn();
  void give_away(program::ThreadIndex index);
  void take_last_fences();
  [[nodiscard]] Status check_end() const;
  void complete_relations();

  [[nodiscard]] std::size_t left(program::ThreadIndex thread) const;
  [[nodiscard]] EventIndex claimed_at(program::ThreadIndex thread, std::size_t later) const;
  [[nodiscard]] bool may_lie_elsewhere(std::uint64_t unit) const;
  [[nodiscard]] program::Request with_claimed_handle(program::Request request) const;
  bool is_same_place(std::uint64_t made, std::uint64_t claimed);
  bool is_same_value(std::uint64_t made, std::uint64_t claimed, unsigned size);
  [[nodiscard]] Error mismatch(program::ThreadIndex thread, const std::string& what) const;
  void moved(program::ThreadIndex thread);
  void tell(program::ThreadIndex thread,
            const program::Request& request,
            execution::Step::What what,
            const Pieces& events);

  const spec::Task& task_;
  const execution::Execution& claim_;
  program::Program program_; // exclusive accesses are loads and compare-exchanges in it
  std::set<const program::Edge*> exclusives_;
  std::set<const program::Edge*> free_edges_; // loads of what is freed in program_
  std::vector<Freed> frees_;
  std::map<std::uint64_t, std::uint64_t> sizes_of_blocks_; // of the heap, by address
  std::vector<program::ProcedureId> procedures_;           // by event
  program::Interpreter interpreter_;
  program::State state_;
  program::MemoryState initial_;
  execution::Execution made_;
  std::vector<bool> is_known_;                           // by event: its value
  std::vector<bool> is_believed_;                        // reads whose source is not there yet
  std::vector<std::vector<EventIndex>> sources_;         // by read
  std::vector<std::vector<EventIndex>> events_;          // by claimed thread
  std::map<program::ThreadIndex, Thread> threads_;       // by number here
  std::map<std::uint64_t, std::uint64_t> unit_of_claim_; // of blocks
  std::map<std::uint64_t, std::uint64_t> claim_of_unit_;
  std::uint64_t next_gone_unit_ = 1ULL << 24U;                // beyond all there are
  std::set<std::pair<std::uint64_t, std::uint64_t>> handles_; // here, and in the claim
  std::uint64_t marks_ = 0;                                   // of handles (ir/handle_marks.h)
  std::uint64_t size_of_marks_ = 0;
  std::set<program::ThreadIndex> lack_room_; // there are too many others for one they create
  bool announces_ = false;
  std::uint32_t created_ = 0;
  std::set<std::uint64_t> locks_; // places of locks that were tried
  bool is_assembly_ = false;
  Dependencies dependencies_;
  program::Fault fault_;
  program::ThreadIndex faulty_ = 0;
  bool may_end_blocks_ = false; // nothing else can be done
  bool may_believe_ = false;
  execution::Run steps_;
  std::vector<verdict::StepText> texts_;
  Namer namer_;
  std::vector<std::vector<program::ProcedureId>> starts_;
};

} // namespace heddle::check
