// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each synchronisation operation does: which words of its object it looks at, when it goes on,
// what it writes and answers, what is undefined, what it acquires and releases, and who can end the
// wait. Locks behave as glibc's where POSIX leaves it open (docs/semantics.md). This is the one
// switch over all operations; who takes steps instantiates it with Concrete, who reasons about them
// with Terms (sync_domain.h). It knows neither where the words lie (sync_fields.h) nor which thread
// a signal wakes.
#pragma once

#include "program/model/address_space.h"
#include "program/model/fault.h"
#include "program/model/sync_domain.h"
#include "program/model/sync_layout.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace heddle::program {

/// Some operations take several steps, between which the others may step.
enum class Stage : std::uint8_t {
  kOnly,
  kGive,   // a condition wait gives its mutex up and begins to wait
  kWoken,  // its wait ends without a signal, or because its time is up
  kAgain,  // it takes its mutex back
  kArrive, // at a barrier
  kLeave,
};
/// The stage an operation begins with.
[[nodiscard]] constexpr Stage first_stage(SyncOp op) {
  if (op == SyncOp::kConditionWait || op == SyncOp::kConditionTimedWait)
    return Stage::kGive;
  return op == SyncOp::kBarrierWait ? Stage::kArrive : Stage::kOnly;
}

/// The words of an object, by their place in Found and Did.
inline constexpr std::size_t kSyncFields = 3;
namespace sync_field {
// Mutex and spin lock (the owner only), also that of a condition wait. A thread is written as its
// index plus one.
inline constexpr std::size_t kOwner = 0;
inline constexpr std::size_t kDepth = 1;
inline constexpr std::size_t kKind = 2;
// Read-write lock, as its user sees it: kExtra is how often that thread reads beyond the first
// time.
inline constexpr std::size_t kWriter = 0;
inline constexpr std::size_t kReaders = 1;
inline constexpr std::size_t kExtra = 2;
inline constexpr std::size_t kCount = 0; // semaphore
inline constexpr std::size_t kOnce = 0;
inline constexpr std::size_t kThreshold = 0; // barrier
inline constexpr std::size_t kArrived = 1;
inline constexpr std::size_t kGeneration = 2;
// Thread: the one that is created, or that a handle names.
inline constexpr std::size_t kPhase = 0; // a ThreadPhase
inline constexpr std::size_t kDetached = 1;
inline constexpr std::size_t kReturned = 2; // what it has returned, as wide as an answer
} // namespace sync_field

enum class ThreadPhase : std::uint8_t { kNone, kRuns, kEnded, kGone };

/// What an operation finds in its object; a field that the object has not does not matter.
template <SyncDomain D>
struct Found {
  typename D::Word field[kSyncFields] = {};
  /// Bytes of it were never written.
  typename D::Bool unwritten[kSyncFields] = {};
  /// Was the object destroyed? (Of a condition wait that begins: the condition.)
  typename D::Bool gone = {};
};

/// What an operation is given besides.
template <SyncDomain D>
struct Given {
  typename D::Word me = {};       // the thread's index plus one
  typename D::Word argument = {}; // kind, count or threshold; create: the new thread's handle
  typename D::Word kept = {};     // what its former stage has kept
  typename D::Bool late = {};     // its time is up; matters to timed operations only
  typename D::Bool callable = {}; // create: what the thread is to run is a function
};

/// What is undefined, or cut by a bound.
enum class Misuse : std::uint8_t {
  kNone,
  kDestroyed,
  kUninitialised,
  kMutexNotHeld,
  kLockNotHeld,
  kTooManyReads,
  kTooManyThreads,
  kNoFunction,
  kJoinOfNone,
  kJoinOfGone,
  kDetachOfNone,
  kDetachOfGone,
};
struct MisuseText {
  FaultKind kind = FaultKind::kNone;
  const char* what = "";
};
[[nodiscard]] MisuseText describe(Misuse misuse);
/// Is it already told by the object being there, initialised, and the mutex of a condition wait
/// being held? Otherwise it is what the operation would do that is undefined.
[[nodiscard]] constexpr bool is_of_object(Misuse misuse) {
  return misuse == Misuse::kDestroyed || misuse == Misuse::kUninitialised ||
         misuse == Misuse::kMutexNotHeld;
}

/// What an operation waits for where it does not go, and so who can end the wait.
enum class WaitsFor : std::uint8_t {
  kNothing, // it never waits
  kOwner,
  kWriter,
  kWriterAndReaders,
  kSignal, // anybody, as all below but the last
  kPost,
  kArrivals,
  kOnce,
  kThread, // the one it joins
};
/// Whose wait at the condition ends.
enum class Wakes : std::uint8_t { kNobody, kOne, kAll };

/// What others release is acquired through a channel of the object: that of those who hold it alone
/// (and of all objects that are no lock), and that of readers.
inline constexpr std::size_t kSyncChannels = 2;
namespace sync_channel {
inline constexpr std::size_t kAlone = 0;
inline constexpr std::size_t kReaders = 1;
} // namespace sync_channel

template <SyncDomain D>
struct Undefined {
  typename D::Bool when = {};
  Misuse what = Misuse::kNone;
};
inline constexpr std::size_t kMostMisuses = 3;

/// The step, for every way the words may be. Where something is undefined nothing else matters, and
/// where the operation does not go it waits and does nothing at all.
template <SyncDomain D>
struct Did {
  Undefined<D> undefined[kMostMisuses] = {}; // the first that holds
  typename D::Bool goes = {};
  typename D::Bool written[kSyncFields] = {};
  typename D::Word after[kSyncFields] = {}; // as found where it is not written
  typename D::Word result = {};             // if no stage follows
  typename D::Bool more = {};               // the stage `next` follows
  typename D::Word kept = {};               // for it
  typename D::Bool acquires[kSyncChannels] = {};
  typename D::Bool releases[kSyncChannels] = {};
  /// The object names the thread where it did not; or it does not any more.
  typename D::Bool begins_to_hold = {};
  typename D::Bool ceases_to_hold = {};
  /// All who wait at the barrier may leave. The generation is one that nobody has to wait for any
  /// more: one more than the last one, or another that recurs.
  typename D::Bool opens = {};
  // What does not depend on words.
  Stage next = Stage::kOnly;
  WaitsFor waits = WaitsFor::kNothing;
  Wakes wakes = Wakes::kNobody;
  bool may_be_late = false;  // timed: it looks at Given::late
  bool may_be_woken = false; // it may go on without reason where it does not go: no progress
};

/// One operation, or one stage of it. What comes of it goes to `did`, which is fresh.
template <SyncDomain D>
class SyncRule {
public:
  SyncRule(D& domain, const Found<D>& found, const Given<D>& given, Did<D>& did)
      : d_(domain), found_(found), given_(given), did_(did) {
    const Bool no = d_.truth(false);
    for (Undefined<D>& undefined : did_.undefined)
      undefined.when = no;
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      did_.after[i] = found.field[i];
      did_.written[i] = no;
    }
    for (std::size_t i = 0; i < kSyncChannels; ++i) {
      did_.acquires[i] = no;
      did_.releases[i] = no;
    }
    did_.goes = d_.truth(true);
    did_.more = did_.begins_to_hold = did_.ceases_to_hold = did_.opens = no;
    did_.result = d_.answer(std::uint64_t{0});
    did_.kept = d_.number(0);
  }

  void apply(SyncOp op, Stage stage) {
    switch (op) {
    case SyncOp::kCreate:
      create();
      break;
    case SyncOp::kJoin:
      join();
      break;
    case SyncOp::kDetach:
      detach();
      break;
    case SyncOp::kSelf:
      did_.result = d_.answer_of(given_.me);
      break;
    case SyncOp::kMutexInit:
      set(sync_field::kOwner, d_.number(0));
      set(sync_field::kDepth, d_.number(0));
      set(sync_field::kKind, given_.argument);
      break;
    case SyncOp::kMutexDestroy:
      destroy_mutex();
      break;
    case SyncOp::kMutexLock:
      take_mutex(Manner::kWaits, false);
      break;
    case SyncOp::kMutexTryLock:
      take_mutex(Manner::kTries, false);
      break;
    case SyncOp::kMutexTimedLock:
      take_mutex(Manner::kTimed, false);
      break;
    case SyncOp::kMutexUnlock:
      usable({sync_field::kOwner, sync_field::kKind});
      give_mutex(false);
      break;
    case SyncOp::kSpinLock:
      take_mutex(Manner::kWaits, true);
      break;
    case SyncOp::kSpinTryLock:
      take_mutex(Manner::kTries, true);
      break;
    case SyncOp::kSpinUnlock:
      usable({sync_field::kOwner});
      give_mutex(true);
      break;
    case SyncOp::kReadLock:
      read_lock(Manner::kWaits);
      break;
    case SyncOp::kTryReadLock:
      read_lock(Manner::kTries);
      break;
    case SyncOp::kTimedReadLock:
      read_lock(Manner::kTimed);
      break;
    case SyncOp::kWriteLock:
      write_lock(Manner::kWaits);
      break;
    case SyncOp::kTryWriteLock:
      write_lock(Manner::kTries);
      break;
    case SyncOp::kTimedWriteLock:
      write_lock(Manner::kTimed);
      break;
    case SyncOp::kReadWriteUnlock:
      give_read_write_lock();
      break;
    case SyncOp::kConditionWait:
      wait_on_condition(stage, false);
      break;
    case SyncOp::kConditionTimedWait:
      wait_on_condition(stage, true);
      break;
    case SyncOp::kConditionSignal:
      undefined(found_.gone, Misuse::kDestroyed);
      did_.wakes = Wakes::kOne;
      break;
    case SyncOp::kConditionBroadcast:
      undefined(found_.gone, Misuse::kDestroyed);
      did_.wakes = Wakes::kAll;
      break;
    case SyncOp::kSemaphoreInit:
      set(sync_field::kCount, given_.argument);
      break;
    case SyncOp::kSemaphoreWait:
      take_semaphore(Manner::kWaits);
      break;
    case SyncOp::kSemaphoreTryWait:
      take_semaphore(Manner::kTries);
      break;
    case SyncOp::kSemaphoreTimedWait:
      take_semaphore(Manner::kTimed);
      break;
    case SyncOp::kSemaphorePost:
      usable({sync_field::kCount});
      set(sync_field::kCount, d_.add(field(sync_field::kCount), d_.number(1)));
      did_.releases[sync_channel::kAlone] = d_.truth(true);
      break;
    case SyncOp::kSemaphoreValue:
      usable({sync_field::kCount});
      did_.result = d_.answer_of(field(sync_field::kCount));
      break;
    case SyncOp::kBarrierInit:
      init_barrier();
      break;
    case SyncOp::kBarrierWait:
      if (stage == Stage::kLeave)
        leave_barrier();
      else
        arrive_at_barrier();
      break;
    case SyncOp::kOnceEnter:
      enter_once();
      break;
    case SyncOp::kOnceLeave:
      usable({sync_field::kOnce});
      set(sync_field::kOnce, d_.number(2));
      did_.releases[sync_channel::kAlone] = d_.truth(true);
      break;
    }
  }

private:
  using Word = typename D::Word;
  using Bool = typename D::Bool;
  /// It waits until it can take what it takes, or says at once that it cannot, or at any moment.
  enum class Manner : std::uint8_t { kWaits, kTries, kTimed };

  [[nodiscard]] Word field(std::size_t index) const { return found_.field[index]; }
  [[nodiscard]] Bool is(Word word, std::uint32_t value) { return d_.equal(word, d_.number(value)); }
  [[nodiscard]] Bool is_mine(std::size_t index) { return d_.equal(field(index), given_.me); }
  void set(std::size_t index, Bool when, Word value) {
    did_.after[index] = d_.ite(when, value, did_.after[index]);
    did_.written[index] = d_.or_(did_.written[index], when);
  }
  void set(std::size_t index, Word value) {
    did_.after[index] = value;
    did_.written[index] = d_.truth(true);
  }
  void undefined(Bool when, Misuse what) { did_.undefined[misuses_++] = {when, what}; }
  /// Not destroyed, and these words were written.
  void usable(std::initializer_list<std::size_t> looked_at) {
    undefined(found_.gone, Misuse::kDestroyed);
    Bool is_unwritten = d_.truth(false);
    for (const std::size_t index : looked_at)
      is_unwritten = d_.or_(is_unwritten, found_.unwritten[index]);
    undefined(is_unwritten, Misuse::kUninitialised);
  }
  [[nodiscard]] Word answer(Bool condition, std::uint64_t then, std::uint64_t otherwise) {
    return d_.ite(condition, d_.answer(then), d_.answer(otherwise));
  }
  /// It takes something where it is `possible`, and answers `result`, unless it is late.
  [[nodiscard]] Bool takes(Manner manner, Bool possible, Word result) {
    did_.result = result;
    if (manner != Manner::kTimed)
      return possible;
    did_.may_be_late = true;
    did_.result = d_.ite(given_.late, d_.answer(sync_layout::kErrorTimedOut), result);
    return d_.and_(possible, d_.not_(given_.late));
  }
  void goes_if(Manner manner, Bool possible, WaitsFor waits) {
    if (manner == Manner::kTries)
      return;
    did_.goes = manner == Manner::kTimed ? d_.or_(given_.late, possible) : possible;
    did_.waits = waits;
  }

  void take_mutex(Manner manner, bool is_spin) {
    const Bool is_free = is(field(sync_field::kOwner), 0);
    if (is_spin) {
      usable({sync_field::kOwner});
      goes_if(manner, is_free, WaitsFor::kOwner);
      hold(takes(manner, is_free, answer(is_free, 0, sync_layout::kErrorBusy)));
      return;
    }
    usable({sync_field::kOwner, sync_field::kKind});
    const Bool is_again = d_.and_(is_mine(sync_field::kOwner),
                                  is(field(sync_field::kKind), sync_layout::kMutexRecursive));
    const Bool is_refused = d_.and_(is_mine(sync_field::kOwner),
                                    is(field(sync_field::kKind), sync_layout::kMutexErrorCheck));
    const Bool can = d_.or_(is_free, is_again);
    goes_if(manner, d_.or_(can, is_refused), WaitsFor::kOwner);
    const Bool takes_it = takes(
        manner,
        can,
        answer(can,
               0,
               manner == Manner::kTries ? sync_layout::kErrorBusy : sync_layout::kErrorDeadlock));
    hold(d_.and_(takes_it, is_free));
    set(sync_field::kDepth,
        d_.and_(takes_it, is_again),
        d_.add(field(sync_field::kDepth), d_.number(1)));
  }
  /// The thread becomes the owner.
  void hold(Bool when) {
    set(sync_field::kOwner, when, given_.me);
    did_.acquires[sync_channel::kAlone] = did_.begins_to_hold = when;
  }
  /// Whoever unlocks a normal mutex gives it back, even if nobody or another thread holds it.
  void give_mutex(bool is_spin) {
    Bool stays = d_.truth(false);
    const Bool mine = is_mine(sync_field::kOwner);
    if (!is_spin) {
      const Bool is_recursive = is(field(sync_field::kKind), sync_layout::kMutexRecursive);
      const Bool is_checking = is(field(sync_field::kKind), sync_layout::kMutexErrorCheck);
      const Bool is_refused = d_.and_(d_.not_(mine), d_.or_(is_recursive, is_checking));
      const Bool is_deeper =
          d_.and_(d_.and_(mine, is_recursive), d_.not_(is(field(sync_field::kDepth), 0)));
      set(sync_field::kDepth, is_deeper, d_.subtract(field(sync_field::kDepth), d_.number(1)));
      did_.result = answer(is_refused, sync_layout::kErrorPerm, 0);
      stays = d_.or_(is_refused, is_deeper);
    }
    const Bool gives = d_.not_(stays);
    set(sync_field::kOwner, gives, d_.number(0));
    did_.releases[sync_channel::kAlone] = d_.and_(gives, d_.not_(is(field(sync_field::kOwner), 0)));
    did_.ceases_to_hold = d_.and_(gives, mine);
  }
  /// One that nobody has written may be destroyed.
  void destroy_mutex() {
    undefined(found_.gone, Misuse::kDestroyed);
    const Bool is_free =
        d_.or_(found_.unwritten[sync_field::kOwner], is(field(sync_field::kOwner), 0));
    set(sync_field::kOwner, is_free, d_.number(sync_layout::kGone));
    did_.result = answer(is_free, 0, sync_layout::kErrorBusy);
  }

  void read_lock(Manner manner) {
    usable({sync_field::kWriter, sync_field::kReaders});
    const Bool can = is(field(sync_field::kWriter), 0);
    goes_if(manner, or_mine(manner, can), WaitsFor::kWriter);
    const Bool takes_it = takes(manner, can, answer(can, 0, refusal(manner)));
    undefined(d_.and_(takes_it, is(field(sync_field::kExtra), kMostExtraReads)),
              Misuse::kTooManyReads);
    const Word bit = own_bit();
    const Bool begins = d_.and_(takes_it, d_.not_(reads(bit)));
    set(sync_field::kReaders, begins, d_.bit_or(field(sync_field::kReaders), bit));
    set(sync_field::kExtra,
        d_.and_(takes_it, reads(bit)),
        d_.add(field(sync_field::kExtra), d_.number(1)));
    did_.acquires[sync_channel::kAlone] = did_.begins_to_hold = begins;
  }
  void write_lock(Manner manner) {
    usable({sync_field::kWriter, sync_field::kReaders});
    const Bool can = d_.and_(is(field(sync_field::kWriter), 0), is(field(sync_field::kReaders), 0));
    goes_if(manner, or_mine(manner, can), WaitsFor::kWriterAndReaders);
    const Bool takes_it = takes(manner, can, answer(can, 0, refusal(manner)));
    set(sync_field::kWriter, takes_it, given_.me);
    did_.acquires[sync_channel::kAlone] = did_.acquires[sync_channel::kReaders] = takes_it;
    did_.begins_to_hold = takes_it;
  }
  void give_read_write_lock() {
    usable({sync_field::kWriter, sync_field::kReaders});
    const Word bit = own_bit();
    const Bool writes = is_mine(sync_field::kWriter);
    const Bool is_reader = d_.and_(d_.not_(writes), reads(bit));
    undefined(d_.not_(d_.or_(writes, is_reader)), Misuse::kLockNotHeld);
    const Bool is_deeper = d_.and_(is_reader, d_.not_(is(field(sync_field::kExtra), 0)));
    const Bool leaves = d_.and_(is_reader, d_.not_(is_deeper));
    set(sync_field::kWriter, writes, d_.number(0));
    set(sync_field::kExtra, is_deeper, d_.subtract(field(sync_field::kExtra), d_.number(1)));
    set(sync_field::kReaders, leaves, d_.bit_and(field(sync_field::kReaders), d_.bit_not(bit)));
    did_.releases[sync_channel::kAlone] = writes;
    did_.releases[sync_channel::kReaders] = leaves;
    did_.ceases_to_hold = d_.or_(writes, leaves);
  }
  [[nodiscard]] Word own_bit() { return d_.bit(d_.subtract(given_.me, d_.number(1))); }
  [[nodiscard]] Bool reads(Word bit) {
    return d_.not_(is(d_.bit_and(field(sync_field::kReaders), bit), 0));
  }
  /// A writer that locks again is told so, unless it can be told otherwise.
  [[nodiscard]] Bool or_mine(Manner manner, Bool can) {
    return manner == Manner::kWaits ? d_.or_(can, is_mine(sync_field::kWriter)) : can;
  }
  [[nodiscard]] static std::uint64_t refusal(Manner manner) {
    return manner == Manner::kWaits ? sync_layout::kErrorDeadlock : sync_layout::kErrorBusy;
  }

  void wait_on_condition(Stage stage, bool is_timed) {
    switch (stage) {
    case Stage::kWoken:
      did_.goes = is_timed ? given_.late : d_.truth(false);
      did_.may_be_late = is_timed;
      did_.may_be_woken = true;
      did_.waits = WaitsFor::kSignal;
      if (is_timed)
        did_.kept = d_.ite(given_.late, d_.number(1), d_.number(0));
      go_on_with(Stage::kAgain, d_.truth(true));
      return;
    case Stage::kAgain:
      take_mutex_back(is_timed);
      return;
    default:
      undefined(found_.gone, Misuse::kDestroyed);
      undefined(d_.not_(is_mine(sync_field::kOwner)), Misuse::kMutexNotHeld);
      give_mutex(false);
      go_on_with(Stage::kWoken, d_.truth(true));
      return;
    }
  }
  void take_mutex_back(bool is_timed) {
    undefined(found_.gone, Misuse::kDestroyed);
    const Bool is_free = is(field(sync_field::kOwner), 0);
    const Bool mine = is_mine(sync_field::kOwner); // a recursive one that was not given up
    const Bool is_known = d_.or_(is(field(sync_field::kKind), sync_layout::kMutexRecursive),
                                 is(field(sync_field::kKind), sync_layout::kMutexErrorCheck));
    did_.goes = d_.or_(is_free, d_.and_(mine, is_known));
    did_.waits = WaitsFor::kOwner;
    hold(d_.not_(mine));
    set(sync_field::kDepth, mine, d_.add(field(sync_field::kDepth), d_.number(1)));
    if (is_timed)
      did_.result = answer(is(given_.kept, 0), 0, sync_layout::kErrorTimedOut);
  }

  void take_semaphore(Manner manner) {
    usable({sync_field::kCount});
    const Bool can = d_.not_(is(field(sync_field::kCount), 0));
    goes_if(manner, can, WaitsFor::kPost);
    const Bool takes_it = takes(manner, can, answer(can, 0, sync_layout::kErrorAgain));
    set(sync_field::kCount, takes_it, d_.subtract(field(sync_field::kCount), d_.number(1)));
    did_.acquires[sync_channel::kAlone] = takes_it;
  }

  /// For so many threads as kGone says: it is destroyed. Some may still have to leave it.
  void init_barrier() {
    const Bool is_bad = is(given_.argument, 0);
    const Bool is_gone = is(given_.argument, sync_layout::kGone);
    const Bool is_new = d_.not_(d_.or_(is_bad, is_gone));
    set(sync_field::kThreshold, d_.not_(is_bad), d_.ite(is_gone, d_.number(0), given_.argument));
    set(sync_field::kArrived, is_new, d_.number(0));
    set(sync_field::kGeneration, is_new, d_.number(0));
    did_.result = answer(is_bad, sync_layout::kErrorInvalid, 0);
  }
  void arrive_at_barrier() {
    undefined(
        d_.or_(found_.unwritten[sync_field::kThreshold], is(field(sync_field::kThreshold), 0)),
        Misuse::kUninitialised);
    const Word arrived = d_.add(field(sync_field::kArrived), d_.number(1));
    did_.more = d_.less(arrived, field(sync_field::kThreshold));
    did_.opens = d_.not_(did_.more);
    set(sync_field::kArrived, d_.ite(did_.more, arrived, d_.number(0)));
    set(sync_field::kGeneration, did_.opens, d_.add(field(sync_field::kGeneration), d_.number(1)));
    did_.kept = field(sync_field::kGeneration);
    did_.result = d_.answer(~std::uint64_t{0}); // PTHREAD_BARRIER_SERIAL_THREAD
    did_.releases[sync_channel::kAlone] = d_.truth(true);
    did_.acquires[sync_channel::kAlone] = did_.opens;
    go_on_with(Stage::kLeave, did_.more);
  }
  void leave_barrier() {
    did_.goes = d_.not_(d_.equal(field(sync_field::kGeneration), given_.kept));
    did_.waits = WaitsFor::kArrivals;
    did_.acquires[sync_channel::kAlone] = d_.truth(true);
  }

  void enter_once() {
    usable({sync_field::kOnce});
    const Bool is_first = is(field(sync_field::kOnce), 0);
    did_.goes = d_.not_(is(field(sync_field::kOnce), 1));
    did_.waits = WaitsFor::kOnce;
    set(sync_field::kOnce, is_first, d_.number(1));
    did_.result = answer(is_first, 1, 0);
    did_.acquires[sync_channel::kAlone] = is(field(sync_field::kOnce), 2);
  }

  void create() {
    undefined(d_.less(d_.number(kMaxThreads), given_.argument), Misuse::kTooManyThreads);
    undefined(d_.not_(given_.callable), Misuse::kNoFunction);
    set_phase(d_.truth(true), ThreadPhase::kRuns);
    set(sync_field::kDetached, d_.number(0));
    set(sync_field::kReturned, d_.answer(std::uint64_t{0}));
    did_.result = d_.answer_of(given_.argument);
    did_.releases[sync_channel::kAlone] = d_.truth(true);
  }
  void join() {
    const Bool is_detached = d_.not_(is(field(sync_field::kDetached), 0));
    undefined(is_phase(ThreadPhase::kNone), Misuse::kJoinOfNone);
    undefined(d_.or_(is_phase(ThreadPhase::kGone), is_detached), Misuse::kJoinOfGone);
    did_.goes = is_phase(ThreadPhase::kEnded);
    did_.waits = WaitsFor::kThread;
    set_phase(d_.truth(true), ThreadPhase::kGone);
    set(sync_field::kReturned, d_.answer(std::uint64_t{0}));
    did_.result = field(sync_field::kReturned);
    did_.acquires[sync_channel::kAlone] = d_.truth(true);
  }
  void detach() {
    const Bool is_detached = d_.not_(is(field(sync_field::kDetached), 0));
    undefined(is_phase(ThreadPhase::kNone), Misuse::kDetachOfNone);
    undefined(d_.or_(is_phase(ThreadPhase::kGone), is_detached), Misuse::kDetachOfGone);
    const Bool has_ended = is_phase(ThreadPhase::kEnded);
    set_phase(has_ended, ThreadPhase::kGone);
    set(sync_field::kReturned, has_ended, d_.answer(std::uint64_t{0}));
    set(sync_field::kDetached, d_.not_(has_ended), d_.number(1));
  }
  [[nodiscard]] Bool is_phase(ThreadPhase phase) {
    return is(field(sync_field::kPhase), static_cast<std::uint32_t>(phase));
  }
  void set_phase(Bool when, ThreadPhase phase) {
    set(sync_field::kPhase, when, d_.number(static_cast<std::uint32_t>(phase)));
  }

  void go_on_with(Stage next, Bool when) {
    did_.next = next;
    did_.more = when;
  }

  /// Half a byte holds it.
  static constexpr std::uint32_t kMostExtraReads = 15;

  D& d_;
  const Found<D>& found_;
  const Given<D>& given_;
  Did<D>& did_;
  std::size_t misuses_ = 0;
};

template <SyncDomain D>
[[nodiscard]] Did<D>
rule(D& domain, SyncOp op, Stage stage, const Found<D>& found, const Given<D>& given) {
  Did<D> did;
  SyncRule<D>(domain, found, given, did).apply(op, stage);
  return did;
}

[[nodiscard]] inline Misuse first_misuse(const Did<Concrete>& did) {
  for (const Undefined<Concrete>& undefined : did.undefined)
    if (undefined.when)
      return undefined.what;
  return Misuse::kNone;
}

extern template class SyncRule<Terms>;

} // namespace heddle::program
