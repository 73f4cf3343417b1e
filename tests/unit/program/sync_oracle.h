// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation written out a second time, branch by branch: what the rules (sync_rules.h) are
// compared with. It stays as it is when the rules are moved about; only a change of meaning changes
// it. All words an operation may find, too.
#pragma once

#include "program/model/sync_layout.h"
#include "program/model/sync_rules.h"
#include "program/run/interpreter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::program_test {

using namespace heddle::program;

/// What one operation finds. The words are those of sync_field.
struct SyncCase {
  SyncOp op = SyncOp::kSelf;
  Stage stage = Stage::kOnly;
  std::uint32_t thread = 0;
  std::uint32_t words[kSyncFields] = {};
  bool unwritten[kSyncFields] = {};
  bool condition_gone = false; // of a condition's own word
  std::uint32_t argument = 0;  // create: is there a function to run?
  std::uint32_t handle = 0;    // create: of the new thread
  std::uint32_t kept = 0;

  [[nodiscard]] bool is_gone() const {
    if (op == SyncOp::kConditionSignal || op == SyncOp::kConditionBroadcast ||
        stage == Stage::kGive)
      return condition_gone;
    return !unwritten[0] && words[0] == sync_layout::kGone;
  }
};

struct SyncOutcome {
  std::string fault;
  std::uint32_t words[kSyncFields] = {};
  bool written[kSyncFields] = {};
  std::optional<std::uint64_t> result; // none: another stage follows
  std::uint32_t kept = 0;
  int held = 0; // how many more words name the thread as a holder
  bool opens = false;
};

enum class OldObject : std::uint8_t {
  kMutex,
  kSpin,
  kReadWrite,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
  kThread
};

class OldSynchronisation {
public:
  explicit OldSynchronisation(const SyncCase& given) : given_(given) {
    for (std::size_t i = 0; i < kSyncFields; ++i)
      outcome_.words[i] = given.words[i];
  }

  static OldObject object_of(SyncOp op) {
    if (op <= SyncOp::kSelf)
      return OldObject::kThread;
    if (op <= SyncOp::kMutexUnlock)
      return OldObject::kMutex;
    if (op <= SyncOp::kSpinUnlock)
      return OldObject::kSpin;
    if (op <= SyncOp::kReadWriteUnlock)
      return OldObject::kReadWrite;
    if (op <= SyncOp::kConditionBroadcast)
      return OldObject::kCondition;
    if (op <= SyncOp::kSemaphoreValue)
      return OldObject::kSemaphore;
    return op <= SyncOp::kBarrierWait ? OldObject::kBarrier : OldObject::kOnce;
  }

  /// What is undefined before the operation does anything.
  [[nodiscard]] std::string fault() const {
    const OldObject object = object_of(given_.op);
    if (object == OldObject::kThread)
      return "";
    const bool is_init = given_.op == SyncOp::kMutexInit || given_.op == SyncOp::kSemaphoreInit ||
                         given_.op == SyncOp::kBarrierInit;
    if (!is_init && object != OldObject::kBarrier && given_.is_gone())
      return "use of a lock that was destroyed";
    if (!is_init && object != OldObject::kCondition && given_.op != SyncOp::kMutexDestroy &&
        (given_.unwritten[0] || (object == OldObject::kMutex && given_.unwritten[2]) ||
         (object == OldObject::kReadWrite && given_.unwritten[1]) ||
         (object == OldObject::kBarrier && given_.words[0] == 0)))
      return "use of a lock that was never initialised";
    if (object == OldObject::kCondition && given_.stage == Stage::kGive && given_.words[0] != me())
      return "a condition wait without holding the mutex";
    return "";
  }

  [[nodiscard]] std::optional<WaitsFor> blocked() const {
    switch (given_.stage) {
    case Stage::kWoken:
      if (given_.op == SyncOp::kConditionTimedWait)
        return std::nullopt;
      return WaitsFor::kSignal;
    case Stage::kAgain:
      if (given_.is_gone() || mutex_outcome(false) != Taken::kHeld)
        return std::nullopt;
      return WaitsFor::kOwner;
    case Stage::kLeave:
      if (given_.words[2] == given_.kept)
        return WaitsFor::kArrivals;
      return std::nullopt;
    default:
      break;
    }
    if (given_.op != SyncOp::kJoin && !fault().empty())
      return std::nullopt;
    const auto if_ = [](bool waits, WaitsFor what) {
      return waits ? std::optional(what) : std::nullopt;
    };
    switch (given_.op) {
    case SyncOp::kMutexLock:
      return if_(mutex_outcome(false) == Taken::kHeld, WaitsFor::kOwner);
    case SyncOp::kSpinLock:
      return if_(mutex_outcome(true) == Taken::kHeld, WaitsFor::kOwner);
    case SyncOp::kReadLock:
      return if_(!can_read_lock() && given_.words[0] != me(), WaitsFor::kWriter);
    case SyncOp::kWriteLock:
      return if_(!can_write_lock() && given_.words[0] != me(), WaitsFor::kWriterAndReaders);
    case SyncOp::kSemaphoreWait:
      return if_(given_.words[0] == 0, WaitsFor::kPost);
    case SyncOp::kOnceEnter:
      return if_(given_.words[0] == 1, WaitsFor::kOnce);
    case SyncOp::kJoin:
      return if_(given_.words[0] == number(ThreadPhase::kRuns) && given_.words[1] == 0,
                 WaitsFor::kThread);
    default:
      return std::nullopt;
    }
  }

  /// 0, and 1 for being late (or 1 alone). A signal chooses a thread, which is not known here.
  [[nodiscard]] std::vector<std::uint64_t> choices() const {
    if (given_.stage == Stage::kWoken)
      return given_.op == SyncOp::kConditionTimedWait ? std::vector<std::uint64_t>{0, 1}
                                                      : std::vector<std::uint64_t>{0};
    if (blocked())
      return {};
    if (given_.stage == Stage::kAgain || given_.stage == Stage::kLeave || !fault().empty())
      return {0};
    const auto timed = [](bool can) {
      return can ? std::vector<std::uint64_t>{0, 1} : std::vector<std::uint64_t>{1};
    };
    switch (given_.op) {
    case SyncOp::kMutexTimedLock:
      return timed(mutex_outcome(false) != Taken::kHeld);
    case SyncOp::kTimedReadLock:
      return timed(can_read_lock());
    case SyncOp::kTimedWriteLock:
      return timed(can_write_lock());
    case SyncOp::kSemaphoreTimedWait:
      return timed(given_.words[0] != 0);
    default:
      return {0};
    }
  }

  /// Of an operation that is not blocked. `next_generation` is what a barrier that opens gets.
  [[nodiscard]] SyncOutcome execute(bool is_late, std::uint32_t next_generation) {
    switch (given_.stage) {
    case Stage::kWoken:
      outcome_.kept = is_late ? 1 : 0;
      return outcome_;
    case Stage::kAgain:
      if (given_.is_gone())
        return failed("use of a lock that was destroyed");
      mutex_take();
      return finish(given_.kept != 0 ? sync_layout::kErrorTimedOut : 0);
    case Stage::kLeave:
      return finish(0);
    default:
      break;
    }
    if (const std::string found = fault(); !found.empty())
      return failed(found);
    perform(is_late, next_generation);
    return outcome_;
  }

private:
  enum class Taken : std::uint8_t { kYes, kAgain, kDeadlockError, kHeld };

  [[nodiscard]] std::uint32_t me() const { return given_.thread + 1; }
  static std::uint32_t number(ThreadPhase phase) { return static_cast<std::uint32_t>(phase); }
  [[nodiscard]] bool reads() const { return (given_.words[1] >> given_.thread & 1U) != 0; }
  [[nodiscard]] bool can_read_lock() const { return given_.words[0] == 0; }
  [[nodiscard]] bool can_write_lock() const { return given_.words[0] == 0 && given_.words[1] == 0; }
  void set_word(std::size_t index, std::uint64_t value) {
    outcome_.words[index] = static_cast<std::uint32_t>(value);
    outcome_.written[index] = true;
  }
  SyncOutcome finish(std::uint64_t result) {
    outcome_.result = result;
    return outcome_;
  }
  SyncOutcome failed(const std::string& what) {
    outcome_.fault = what;
    return outcome_;
  }

  [[nodiscard]] Taken mutex_outcome(bool is_spin) const {
    if (given_.words[0] == 0)
      return Taken::kYes;
    if (is_spin || given_.words[0] != me())
      return Taken::kHeld;
    switch (given_.words[2]) {
    case sync_layout::kMutexRecursive:
      return Taken::kAgain;
    case sync_layout::kMutexErrorCheck:
      return Taken::kDeadlockError;
    default:
      return Taken::kHeld;
    }
  }
  void mutex_take() {
    if (given_.words[0] == me()) {
      set_word(1, given_.words[1] + 1ULL);
      return;
    }
    set_word(0, me());
    outcome_.held = 1;
  }
  std::uint64_t mutex_unlock(bool is_spin) {
    const std::uint32_t owner = given_.words[0];
    const std::uint32_t kind = is_spin ? sync_layout::kMutexNormal : given_.words[2];
    if (owner != me() &&
        (kind == sync_layout::kMutexRecursive || kind == sync_layout::kMutexErrorCheck))
      return sync_layout::kErrorPerm;
    if (kind == sync_layout::kMutexRecursive && given_.words[1] > 0) {
      set_word(1, given_.words[1] - 1ULL);
      return 0;
    }
    if (owner == me())
      outcome_.held = -1;
    set_word(0, 0);
    return 0;
  }

  void perform(bool is_late, std::uint32_t next_generation) {
    using namespace sync_layout;
    const std::uint32_t* const words = given_.words;
    switch (given_.op) {
    case SyncOp::kCreate:
      if (given_.handle > kMaxThreads)
        return (void)failed("at most 32 threads at a time");
      if (given_.argument == 0)
        return (void)failed("a thread starts at something that is no function");
      set_word(0, number(ThreadPhase::kRuns));
      set_word(1, 0);
      set_word(2, 0);
      return (void)finish(given_.handle);
    case SyncOp::kJoin:
      if (words[0] == number(ThreadPhase::kNone))
        return (void)failed("join of a thread that was never started");
      if (words[0] != number(ThreadPhase::kEnded) || words[1] != 0)
        return (void)failed("join of a thread that was joined or detached");
      set_word(0, number(ThreadPhase::kGone));
      set_word(2, 0);
      return (void)finish(words[2]);
    case SyncOp::kDetach:
      if (words[0] == number(ThreadPhase::kNone))
        return (void)failed("detach of a thread that was never started");
      if (words[0] == number(ThreadPhase::kGone) || words[1] != 0)
        return (void)failed("detach of a thread that was joined or detached");
      if (words[0] == number(ThreadPhase::kEnded)) {
        set_word(0, number(ThreadPhase::kGone));
        set_word(2, 0);
      } else {
        set_word(1, 1);
      }
      return (void)finish(0);
    case SyncOp::kSelf:
      return (void)finish(me());
    case SyncOp::kMutexInit:
      set_word(0, 0);
      set_word(1, 0);
      set_word(2, given_.argument);
      return (void)finish(0);
    case SyncOp::kMutexDestroy:
      if (!given_.unwritten[0] && words[0] != 0)
        return (void)finish(kErrorBusy);
      set_word(0, kGone);
      return (void)finish(0);
    case SyncOp::kMutexLock:
    case SyncOp::kMutexTryLock:
    case SyncOp::kMutexTimedLock:
    case SyncOp::kSpinLock:
    case SyncOp::kSpinTryLock: {
      const bool is_try = given_.op == SyncOp::kMutexTryLock || given_.op == SyncOp::kSpinTryLock;
      if (given_.op == SyncOp::kMutexTimedLock && is_late)
        return (void)finish(kErrorTimedOut);
      switch (mutex_outcome(object_of(given_.op) == OldObject::kSpin)) {
      case Taken::kYes:
      case Taken::kAgain:
        mutex_take();
        return (void)finish(0);
      case Taken::kDeadlockError:
        return (void)finish(is_try ? kErrorBusy : kErrorDeadlock);
      case Taken::kHeld:
        return (void)finish(kErrorBusy);
      }
      return;
    }
    case SyncOp::kMutexUnlock:
      return (void)finish(mutex_unlock(false));
    case SyncOp::kSpinUnlock:
      return (void)finish(mutex_unlock(true));
    case SyncOp::kReadLock:
    case SyncOp::kTryReadLock:
    case SyncOp::kTimedReadLock:
      if (given_.op == SyncOp::kTimedReadLock && is_late)
        return (void)finish(kErrorTimedOut);
      if (!can_read_lock())
        return (void)finish(given_.op == SyncOp::kReadLock ? kErrorDeadlock : kErrorBusy);
      if (words[2] == 15)
        return (void)failed("at most 16 read locks of one thread on one lock");
      if (reads()) {
        set_word(2, words[2] + 1);
      } else {
        set_word(1, words[1] | 1ULL << given_.thread);
        outcome_.held = 1;
      }
      return (void)finish(0);
    case SyncOp::kWriteLock:
    case SyncOp::kTryWriteLock:
    case SyncOp::kTimedWriteLock:
      if (given_.op == SyncOp::kTimedWriteLock && is_late)
        return (void)finish(kErrorTimedOut);
      if (!can_write_lock())
        return (void)finish(given_.op == SyncOp::kWriteLock ? kErrorDeadlock : kErrorBusy);
      set_word(0, me());
      outcome_.held = 1;
      return (void)finish(0);
    case SyncOp::kReadWriteUnlock:
      if (words[0] == me()) {
        set_word(0, 0);
        outcome_.held = -1;
      } else if (!reads()) {
        return (void)failed("a read-write lock is released that the thread does not hold");
      } else if (words[2] > 0) {
        set_word(2, words[2] - 1);
      } else {
        set_word(1, words[1] & ~(1ULL << given_.thread));
        outcome_.held = -1;
      }
      return (void)finish(0);
    case SyncOp::kConditionWait:
    case SyncOp::kConditionTimedWait:
      (void)mutex_unlock(false);
      return;
    case SyncOp::kConditionSignal:
    case SyncOp::kConditionBroadcast:
      return (void)finish(0);
    case SyncOp::kSemaphoreInit:
      set_word(0, given_.argument);
      return (void)finish(0);
    case SyncOp::kSemaphoreWait:
    case SyncOp::kSemaphoreTryWait:
    case SyncOp::kSemaphoreTimedWait:
      if (given_.op == SyncOp::kSemaphoreTimedWait && is_late)
        return (void)finish(kErrorTimedOut);
      if (words[0] == 0)
        return (void)finish(kErrorAgain);
      set_word(0, words[0] - 1ULL);
      return (void)finish(0);
    case SyncOp::kSemaphorePost:
      set_word(0, words[0] + 1ULL);
      return (void)finish(0);
    case SyncOp::kSemaphoreValue:
      return (void)finish(words[0]);
    case SyncOp::kBarrierInit:
      if (given_.argument == 0)
        return (void)finish(kErrorInvalid);
      set_word(0, given_.argument == kGone ? 0 : given_.argument);
      if (given_.argument != kGone) {
        set_word(1, 0);
        set_word(2, 0);
      }
      return (void)finish(0);
    case SyncOp::kBarrierWait:
      if (words[1] + 1U < words[0]) {
        set_word(1, words[1] + 1ULL);
        outcome_.kept = words[2];
        return;
      }
      set_word(1, 0);
      set_word(2, next_generation);
      outcome_.opens = true;
      return (void)finish(~0ULL);
    case SyncOp::kOnceEnter:
      if (words[0] != 0)
        return (void)finish(0);
      set_word(0, 1);
      return (void)finish(1);
    case SyncOp::kOnceLeave:
      set_word(0, 2);
      return (void)finish(0);
    }
  }

  const SyncCase& given_;
  SyncOutcome outcome_;
};

/// Every operation with its stages.
[[nodiscard]] inline std::vector<std::pair<SyncOp, Stage>> all_sync_stages() {
  std::vector<std::pair<SyncOp, Stage>> all;
  for (unsigned i = 0; i <= static_cast<unsigned>(SyncOp::kOnceLeave); ++i) {
    const auto op = static_cast<SyncOp>(i);
    all.emplace_back(op, first_stage(op));
    if (first_stage(op) == Stage::kGive) {
      all.emplace_back(op, Stage::kWoken);
      all.emplace_back(op, Stage::kAgain);
    } else if (first_stage(op) == Stage::kArrive) {
      all.emplace_back(op, Stage::kLeave);
    }
  }
  return all;
}

/// Calls `visit` with every case of the operation by that thread.
template <class Visit>
void for_each_sync_case(SyncOp op, Stage stage, std::uint32_t thread, const Visit& visit) {
  using Words = std::vector<std::uint32_t>;
  constexpr std::uint32_t kMax = 0xffff'ffff;
  const std::uint32_t me = thread + 1;
  const std::uint32_t other = thread == 2 ? 1 : 3;
  const Words holders = {0, me, other, 8, kMax, sync_layout::kGone};
  Words first = {0};
  Words second = {0};
  Words third = {0};
  Words arguments = {0};
  Words handles = {1};
  Words kept = {0};
  switch (OldSynchronisation::object_of(op)) {
  case OldObject::kMutex:
  case OldObject::kCondition:
    first = holders;
    second = {0, 1, 2, kMax};
    third = {0, 1, 2, 3, 7};
    if (op == SyncOp::kMutexInit)
      arguments = {0, 1, 2, 3, 7};
    if (stage == Stage::kAgain && op == SyncOp::kConditionTimedWait)
      kept = {0, 1};
    break;
  case OldObject::kSpin:
    first = holders;
    break;
  case OldObject::kReadWrite:
    first = holders;
    second.clear();
    for (const std::uint32_t a : {0U, 1U << thread})
      for (const std::uint32_t b : {0U, 1U << (other - 1)})
        for (const std::uint32_t c : {0U, 1U << 7U})
          second.push_back(a | b | c);
    third = {0, 1, 14, 15};
    break;
  case OldObject::kSemaphore:
    first = {0, 1, 2, kMax, sync_layout::kGone};
    arguments = {0, 1, 2, kMax, sync_layout::kGone};
    break;
  case OldObject::kBarrier:
    first = {0, 1, 2, 3, sync_layout::kGone};
    second = third = {0, 1, 2, 3};
    if (op == SyncOp::kBarrierInit)
      arguments = {0, 1, 2, 3, kMax, sync_layout::kGone};
    if (stage == Stage::kLeave)
      kept = {0, 1, 2, 3};
    break;
  case OldObject::kOnce:
    first = {0, 1, 2, 3, sync_layout::kGone};
    break;
  case OldObject::kThread:
    first = op == SyncOp::kCreate ? Words{0, 3} : Words{0, 1, 2, 3};
    second = {0, 1};
    third = {0, 5, kMax};
    arguments = {0, 1};
    handles = {1, 2, kMaxThreads, kMaxThreads + 1};
    break;
  }
  SyncCase made;
  made.op = op;
  made.stage = stage;
  made.thread = thread;
  for (const std::uint32_t a : first)
    for (const std::uint32_t b : second)
      for (const std::uint32_t c : third)
        for (unsigned flags = 0; flags < 16; ++flags)
          for (const std::uint32_t argument : arguments)
            for (const std::uint32_t handle : handles)
              for (const std::uint32_t kept_word : kept) {
                const std::uint32_t words[] = {a, b, c};
                for (std::size_t i = 0; i < kSyncFields; ++i) {
                  made.unwritten[i] = (flags >> i & 1U) != 0;
                  made.words[i] = made.unwritten[i] ? 0 : words[i]; // they are kept as 0
                }
                made.condition_gone = (flags & 8U) != 0;
                made.argument = argument;
                made.handle = handle;
                made.kept = kept_word;
                visit(made);
              }
}

} // namespace heddle::program_test
