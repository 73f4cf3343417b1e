// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The facts of all synchronisation operations, written down a second time: what a classification
// says is compared with the operations it is meant to have, one by one.
#include "ir/sync_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heddle::ir {
namespace {

using enum SyncOp;
using Set = std::set<SyncOp>;

constexpr SyncAttempt kWaits = SyncAttempt::kPlain;
constexpr SyncAttempt kTries = SyncAttempt::kTries;
constexpr SyncAttempt kTimed = SyncAttempt::kTimed;

struct Row {
  SyncOp op;
  SyncObject object;
  SyncRole role;
  SyncAttempt attempt;
  std::size_t operands;
  std::size_t addresses;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {kCreate, SyncObject::kThread, SyncRole::kCreate, kWaits, 2, 2},
      {kJoin, SyncObject::kThread, SyncRole::kJoin, kWaits, 1, 0},
      {kDetach, SyncObject::kThread, SyncRole::kDetach, kWaits, 1, 0},
      {kSelf, SyncObject::kThread, SyncRole::kSelf, kWaits, 0, 0},
      {kMutexInit, SyncObject::kMutex, SyncRole::kInitialise, kWaits, 2, 1},
      {kMutexDestroy, SyncObject::kMutex, SyncRole::kDestroy, kWaits, 1, 1},
      {kMutexLock, SyncObject::kMutex, SyncRole::kTake, kWaits, 1, 1},
      {kMutexTryLock, SyncObject::kMutex, SyncRole::kTake, kTries, 1, 1},
      {kMutexTimedLock, SyncObject::kMutex, SyncRole::kTake, kTimed, 1, 1},
      {kMutexUnlock, SyncObject::kMutex, SyncRole::kGive, kWaits, 1, 1},
      {kSpinLock, SyncObject::kSpinLock, SyncRole::kTake, kWaits, 1, 1},
      {kSpinTryLock, SyncObject::kSpinLock, SyncRole::kTake, kTries, 1, 1},
      {kSpinUnlock, SyncObject::kSpinLock, SyncRole::kGive, kWaits, 1, 1},
      {kReadLock, SyncObject::kReadWriteLock, SyncRole::kTakeShared, kWaits, 1, 1},
      {kTryReadLock, SyncObject::kReadWriteLock, SyncRole::kTakeShared, kTries, 1, 1},
      {kTimedReadLock, SyncObject::kReadWriteLock, SyncRole::kTakeShared, kTimed, 1, 1},
      {kWriteLock, SyncObject::kReadWriteLock, SyncRole::kTake, kWaits, 1, 1},
      {kTryWriteLock, SyncObject::kReadWriteLock, SyncRole::kTake, kTries, 1, 1},
      {kTimedWriteLock, SyncObject::kReadWriteLock, SyncRole::kTake, kTimed, 1, 1},
      {kReadWriteUnlock, SyncObject::kReadWriteLock, SyncRole::kGive, kWaits, 1, 1},
      {kConditionWait, SyncObject::kCondition, SyncRole::kWait, kWaits, 2, 2},
      {kConditionTimedWait, SyncObject::kCondition, SyncRole::kWait, kTimed, 2, 2},
      {kConditionSignal, SyncObject::kCondition, SyncRole::kSignal, kWaits, 1, 1},
      {kConditionBroadcast, SyncObject::kCondition, SyncRole::kBroadcast, kWaits, 1, 1},
      {kSemaphoreInit, SyncObject::kSemaphore, SyncRole::kInitialise, kWaits, 2, 1},
      {kSemaphoreWait, SyncObject::kSemaphore, SyncRole::kTake, kWaits, 1, 1},
      {kSemaphoreTryWait, SyncObject::kSemaphore, SyncRole::kTake, kTries, 1, 1},
      {kSemaphoreTimedWait, SyncObject::kSemaphore, SyncRole::kTake, kTimed, 1, 1},
      {kSemaphorePost, SyncObject::kSemaphore, SyncRole::kPost, kWaits, 1, 1},
      {kSemaphoreValue, SyncObject::kSemaphore, SyncRole::kLook, kWaits, 1, 1},
      {kBarrierInit, SyncObject::kBarrier, SyncRole::kInitialise, kWaits, 2, 1},
      {kBarrierWait, SyncObject::kBarrier, SyncRole::kArrive, kWaits, 1, 1},
      {kOnceEnter, SyncObject::kOnce, SyncRole::kEnter, kWaits, 1, 1},
      {kOnceLeave, SyncObject::kOnce, SyncRole::kLeave, kWaits, 1, 1},
  };
  return all;
}

/// The operations of which it holds.
Set where(const std::function<bool(SyncOp)>& holds) {
  Set found;
  for (std::size_t i = 0; i < kSyncOps; ++i)
    if (holds(static_cast<SyncOp>(i)))
      found.insert(static_cast<SyncOp>(i));
  return found;
}

const Set kThreadOperations = {kCreate, kJoin, kDetach, kSelf};
const Set kExclusiveTakes = {kMutexLock, kMutexTryLock, kMutexTimedLock, kSpinLock, kSpinTryLock};
const Set kReadWriteTakes = {
    kReadLock, kTryReadLock, kTimedReadLock, kWriteLock, kTryWriteLock, kTimedWriteLock};
const Set kSemaphoreTakes = {kSemaphoreWait, kSemaphoreTryWait, kSemaphoreTimedWait};
const Set kConditionWaits = {kConditionWait, kConditionTimedWait};

Set together(std::initializer_list<Set> sets) {
  Set all;
  for (const Set& one : sets)
    all.insert(one.begin(), one.end());
  return all;
}

TEST(SyncFacts, EachOperationHasItsRow) {
  ASSERT_EQ(rows().size(), kSyncOps);
  for (const Row& row : rows()) {
    const SyncFacts& facts = facts_of(row.op);
    EXPECT_EQ(facts.object, row.object) << facts.word;
    EXPECT_EQ(facts.role, row.role) << facts.word;
    EXPECT_EQ(facts.attempt, row.attempt) << facts.word;
    EXPECT_EQ(facts.operands, row.operands) << facts.word;
    EXPECT_EQ(facts.addresses, row.addresses) << facts.word;
  }
}

TEST(SyncFacts, NamesAreThoseOfTheTextFormAndOfReports) {
  EXPECT_EQ(facts_of(kMutexTimedLock).word, "mutex_timedlock");
  EXPECT_EQ(facts_of(kMutexTimedLock).said, "timed lock");
  EXPECT_EQ(facts_of(kReadWriteUnlock).word, "rw_unlock");
  EXPECT_EQ(facts_of(kReadWriteUnlock).said, "unlock");
  EXPECT_EQ(facts_of(kConditionWait).word, "cond_wait");
  EXPECT_EQ(facts_of(kConditionWait).said, "wait");
  EXPECT_EQ(facts_of(kOnceLeave).word, "once_leave");
  EXPECT_EQ(facts_of(kOnceLeave).said, "once leave");
  std::set<std::string_view> words;
  for (const SyncFacts& facts : kSyncFacts)
    words.insert(facts.word);
  EXPECT_EQ(words.size(), kSyncOps) << "the text form cannot be read back";
}

TEST(SyncFacts, KindsOfOperations) {
  EXPECT_EQ(where(is_thread_operation), kThreadOperations);
  EXPECT_EQ(where(is_initialisation), (Set{kMutexInit, kSemaphoreInit, kBarrierInit}));
  EXPECT_EQ(where(is_condition_wait), kConditionWaits);
  EXPECT_EQ(where(is_timed),
            (Set{kMutexTimedLock,
                 kTimedReadLock,
                 kTimedWriteLock,
                 kConditionTimedWait,
                 kSemaphoreTimedWait}));
  EXPECT_EQ(where(has_two_steps), (Set{kConditionWait, kConditionTimedWait, kBarrierWait}));
}

TEST(SyncFacts, WhatTakesAndGives) {
  EXPECT_EQ(where(takes), together({kExclusiveTakes, kReadWriteTakes, kSemaphoreTakes}));
  EXPECT_EQ(where(is_attempt),
            (Set{kMutexTryLock,
                 kMutexTimedLock,
                 kSpinTryLock,
                 kTryReadLock,
                 kTimedReadLock,
                 kTryWriteLock,
                 kTimedWriteLock,
                 kSemaphoreTryWait,
                 kSemaphoreTimedWait}));
  EXPECT_EQ(where(takes_exclusive_lock), kExclusiveTakes);
  EXPECT_EQ(where(gives_exclusive_lock), (Set{kMutexUnlock, kSpinUnlock}));
}

TEST(SyncFacts, WhatOrdersThreads) {
  EXPECT_EQ(where(releases),
            together({kConditionWaits,
                      {kMutexUnlock,
                       kSpinUnlock,
                       kReadWriteUnlock,
                       kSemaphorePost,
                       kBarrierWait,
                       kOnceLeave}}));
  EXPECT_EQ(where(acquires),
            together({kExclusiveTakes,
                      kReadWriteTakes,
                      kSemaphoreTakes,
                      kConditionWaits,
                      {kBarrierWait, kOnceEnter}}));
}

TEST(SyncFacts, Locks) {
  const auto has = [](bool (*is)(SyncObject)) {
    return where([&](SyncOp op) { return is(facts_of(op).object); });
  };
  const Set exclusive =
      together({kExclusiveTakes, {kMutexInit, kMutexDestroy, kMutexUnlock, kSpinUnlock}});
  EXPECT_EQ(has(is_exclusive_lock), exclusive);
  EXPECT_EQ(has(is_lock), together({exclusive, kReadWriteTakes, {kReadWriteUnlock}}));
}

TEST(SyncFacts, ObjectsComeInTheOrderOfOperands) {
  for (std::size_t i = 0; i < kSyncOps; ++i) {
    const auto op = static_cast<SyncOp>(i);
    const auto objects = objects_of(op);
    const std::vector<SyncObject> found(objects.begin(), objects.end());
    std::vector<SyncObject> expected;
    if (kConditionWaits.contains(op))
      expected = {SyncObject::kCondition, SyncObject::kMutex};
    else if (!kThreadOperations.contains(op))
      expected = {facts_of(op).object};
    EXPECT_EQ(found, expected) << facts_of(op).word;
    EXPECT_LE(objects.size(), facts_of(op).addresses) << facts_of(op).word;
  }
}

} // namespace
} // namespace heddle::ir
