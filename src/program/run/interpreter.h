// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One step of one thread: the single definition of what every action does, shared by machines,
// engines and the checker. It does not know memory models: a visible load is answered by the caller
// (complete), who asks a machine or reads rf. Compiles the program's terms once; a step allocates
// nothing in the common case.
#pragma once

#include "program/model/fault.h"
#include "program/model/program.h"
#include "program/run/state.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle::program {

struct InterpreterOptions {
  bool malloc_may_fail = false;
  bool reuse_freed_blocks = true;
  /// Assert on each concrete access that it lies in its may-set, and that no invisible access
  /// touches memory that another thread touches: a failure is our bug.
  bool check_analyses = false;
  /// Bits of a nondeterministic value up to which all values are tried; above, samples (and choices
  /// says so).
  unsigned exhaustive_bits = 8;
  /// Do not zero dead locals, so that the last values of variables can be shown. States that differ
  /// in dead locals only are then told apart, and a dead pointer still counts where malloc asks
  /// whether a freed block can be told from new.
  bool keep_dead_locals = false;
  /// If given, [procedure][edge] is set for every Check that is evaluated. Its owner has made it
  /// large enough, and keeps it alive as long as the interpreter is used.
  std::vector<std::vector<bool>>* evaluated_checks = nullptr;
};

/// What a thread does next, operands evaluated.
struct Request {
  enum class Kind : std::uint8_t {
    kLocal,  // an invisible action: apply with run_local
    kNondet, // needs a value
    kLoad,
    kStore,
    kReadModifyWrite,
    kCompareExchange,
    kLoadExclusive,
    kStoreExclusive, // of memory
    kFence,
    kAllocate,
    kFree,
    kSynchronize, // any SyncOp
    kWakeUp,      // waiting on a condition: a spurious wake-up (or a timeout); never progress
    kReacquire,   // woken: takes the mutex back
    kLeaveBarrier,
    kAtomicBegin,
    kAtomicEnd,
    kThreadExit,
    kExit,
    kFault, // evaluating it is already a fault (fault() says which)
  };
  Kind kind = Kind::kLocal;
  bool drains = false;        // enabled only on an empty store buffer
  bool is_visible = false;    // another thread may see it or be seen by it
  std::uint8_t size = 0;      // bytes, memory requests
  const Edge* edge = nullptr; // null for kWakeUp, kReacquire and kLeaveBarrier
  std::uint64_t address = 0;  // memory and synchronisation (the mutex for kReacquire)
  std::uint64_t value =
      0; // stored, operand of a read-modify-write, desired; second operand of synchronisation
  std::uint64_t expected = 0; // compare-exchange
  bool keeps_marks = false;   // load: copies unwritten bytes as such, so it needs no choice
  std::uint8_t marks = 0;     // store: the bytes that become unwritten
};

/// All bits of the bytes whose marks are set.
[[nodiscard]] constexpr std::uint64_t bytes_of_marks(std::uint8_t marks) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i)
    if ((marks >> i & 1U) != 0)
      bits |= 0xffULL << (8 * i);
  return bits;
}

/// Bytes a request reads or writes in shared memory, for independence: none, or one range (and
/// `everything` for calls that touch no single place: create, exit, free of any block).
struct Footprint {
  std::uint64_t address = 0;
  std::uint64_t size = 0; // 0: no memory
  bool writes = false;
  bool touches_everything = false;
};

/// What a blocked thread waits for: one thread (the owner of a mutex, the joined thread), or
/// anybody.
struct Wait {
  enum class Reason : std::uint8_t {
    kMutex,
    kReadWriteLock,
    kJoin,
    kCondition,
    kSemaphore,
    kBarrier,
    kOnce,
    kAtomicSection
  };
  Reason reason = Reason::kMutex;
  std::uint64_t address = 0;
  /// Bit t: thread t could end the wait by going on. All live threads for condition, semaphore,
  /// barrier.
  std::uint64_t releasers = 0;
};

struct Observation {
  std::uint64_t value = 0; // read, or the old value of a read-modify-write
  bool wrote = false;
  std::uint64_t written = 0;
};

class Interpreter {
public:
  /// The program outlives the interpreter and does not change.
  Interpreter(const Program& program, const InterpreterOptions& options);
  ~Interpreter();
  Interpreter(Interpreter&&) noexcept;
  Interpreter& operator=(Interpreter&&) = delete;
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  [[nodiscard]] const Program& program() const;
  [[nodiscard]] const InterpreterOptions& options() const;
  /// May what a local step does depend on the locals of other threads? (A new frame does not take
  /// the place of an ended one to which another thread may have a pointer.) Or what a create does?
  [[nodiscard]] bool looks_at_other_threads() const;

  /// Memory as loaded, and the initial thread at its entry.
  [[nodiscard]] State initial() const;

  /// The index the next thread to be created gets: the first whose thread is gone (kJoined), or a
  /// new one.
  [[nodiscard]] ThreadIndex next_thread(const State& state) const;

  /// Of a live thread. Does not change the state; does not look at other threads' progress but for
  /// `blocked`.
  [[nodiscard]] Request request(const State& state, ThreadIndex thread) const;
  /// Why the request cannot be carried out now, if so (buffers and atomic sections aside).
  [[nodiscard]] std::optional<Wait>
  blocked(const State& state, ThreadIndex thread, const Request& request) const;
  /// The ways it can go: values for kNondet and for reads of unwritten memory, the block for an
  /// allocation, the thread to wake for a signal, success or failure of weak compare-exchange and
  /// timed waits. Usually one. False if the values are samples only (an under-approximation). A
  /// blocked request has no choices.
  bool choices(const State& state,
               ThreadIndex thread,
               const Request& request,
               std::vector<std::uint64_t>& out) const;
  /// The same for a request that reads, of bytes the caller has found: `value` is what they are,
  /// and bit i of `unwritten` says that byte i is arbitrary.
  bool read_choices(const Request& request,
                    std::uint64_t value,
                    std::uint8_t unwritten,
                    std::vector<std::uint64_t>& out) const;
  [[nodiscard]] Footprint
  footprint(const State& state, ThreadIndex thread, const Request& request) const;

  /// Is the access one of live memory, with write permission if it writes? Judged when issued.
  [[nodiscard]] Fault
  check_access(const State& state, ThreadIndex thread, const Request& request) const;
  /// Bytes of memory, without judgement (dead memory reads as 0, writes to it vanish): for machines
  /// and flushes.
  [[nodiscard]] std::uint64_t
  read(const MemoryState& memory, std::uint64_t address, unsigned size) const;
  /// The bytes whose bits are set in `marks` become unwritten.
  void write(MemoryState& memory,
             std::uint64_t address,
             unsigned size,
             std::uint64_t value,
             std::uint8_t marks = 0) const;
  /// Bit i is set if byte address + i is unwritten (arbitrary). Constants never are; globals only
  /// where unwritten bytes were copied to them.
  [[nodiscard]] std::uint8_t
  unwritten(const MemoryState& memory, std::uint64_t address, unsigned size) const;
  /// Is any byte there still unwritten?
  [[nodiscard]] bool
  is_unwritten(const MemoryState& memory, std::uint64_t address, unsigned size) const;

  /// The new value of a read-modify-write.
  [[nodiscard]] static std::uint64_t
  modify(RmwOp op, std::uint64_t old_value, std::uint64_t operand, unsigned size);
  /// Moves the thread past a memory request or fence whose memory effect the caller has taken care
  /// of. `value` is what was read (old value); for a compare-exchange `success` says whether it
  /// stored; `marks` are the bytes a copying load found unwritten.
  void complete(State& state,
                ThreadIndex thread,
                const Request& request,
                std::uint64_t value,
                bool success,
                std::uint8_t marks = 0) const;
  /// Carries out any request that is not a visible memory access or fence, with one of its choices.
  [[nodiscard]] Fault
  execute(State& state, ThreadIndex thread, const Request& request, std::uint64_t choice) const;
  /// Takes invisible deterministic steps until the thread's next request is visible, needs a
  /// choice, or the thread has ended; stops in an endless local loop, so that it becomes visible as
  /// a cycle of states, and after `limit` steps. Also stops before a step that would fault, unless
  /// it is the first (or others cannot move, the thread being in an atomic section): other threads
  /// may go on until then, and a failed assumption must not discard what they do. A faulting step
  /// changes nothing. With `stops_at_frame_end` it also stops before a return that ends blocks of
  /// the frame.
  [[nodiscard]] Fault run_local(State& state,
                                ThreadIndex thread,
                                unsigned limit,
                                bool stops_at_frame_end = false) const;
  /// The addresses of the objects that the thread's next action ends, if it is a free or a return
  /// that ends any.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0; // exclusive
  };
  [[nodiscard]] std::optional<Range> ends_objects(const State& state, ThreadIndex thread) const;
  /// Keeps the place of a frame's block that has ended from being used by the next frames: a
  /// pointer to it is on its way to memory.
  void keep_ended(State& state, ThreadIndex thread, std::uint64_t address) const;
  /// The same for a value that is about to wait in a buffer, whosever frame it points to. (While it
  /// is in a local or in memory it is found there.)
  void keep_if_ended(State& state, std::uint64_t value) const;
  /// Where the frames of a thread with that index lie, all of them.
  [[nodiscard]] Range frames_of(ThreadIndex thread) const;
  /// Thread-local variables lie where those of a former thread with the same index did. If somebody
  /// still points to one of these (`pending` are values on their way to memory), then creating a
  /// thread there would make the pointer good again: that is a bound, and `thread` stops at it.
  [[nodiscard]] Fault reuse_fault(const State& state,
                                  ThreadIndex thread,
                                  ThreadIndex created,
                                  std::span<const std::uint64_t> pending) const;
  /// Where an allocation would go that must not use any unit again, if there is room.
  [[nodiscard]] std::optional<std::uint64_t>
  never_used_unit(const State& state, ThreadIndex thread, std::uint64_t size) const;

  /// Heap blocks that are still allocated and to which nothing points any more (or, with `all`, all
  /// that are left).
  [[nodiscard]] std::vector<std::uint64_t> leaked_blocks(const State& state, bool all) const;
  /// Object and offset of an address for people: "x", "a[3]" is left to reports; nothing there
  /// gives no object.
  struct Place {
    ObjectId object;
    std::uint64_t offset = 0;
    bool is_freed = false;
  };
  [[nodiscard]] std::optional<Place> place(const MemoryState& memory, std::uint64_t address) const;

private:
  struct Code;
  std::unique_ptr<Code> code_;
};

} // namespace heddle::program
