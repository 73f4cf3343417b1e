// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The words of misuses, and the rules as terms.
#include "program/model/sync_rules.h"

#include "support/check.h"

namespace heddle::program {

MisuseText describe(Misuse misuse) {
  constexpr FaultKind kBad = FaultKind::kBadSynchronisation;
  static_assert(kMaxThreads == 32, "the bound of kTooManyThreads names it");
  switch (misuse) {
  case Misuse::kNone:
    return {};
  case Misuse::kDestroyed:
    return {kBad, "use of a lock that was destroyed"};
  case Misuse::kUninitialised:
    return {kBad, "use of a lock that was never initialised"};
  case Misuse::kMutexNotHeld:
    return {kBad, "a condition wait without holding the mutex"};
  case Misuse::kLockNotHeld:
    return {kBad, "a read-write lock is released that the thread does not hold"};
  case Misuse::kTooManyReads:
    return {FaultKind::kCut, "at most 16 read locks of one thread on one lock"};
  case Misuse::kTooManyThreads:
    return {FaultKind::kCut, "at most 32 threads at a time"};
  case Misuse::kNoFunction:
    return {FaultKind::kInvalidAccess, "a thread starts at something that is no function"};
  case Misuse::kJoinOfNone:
    return {kBad, "join of a thread that was never started"};
  case Misuse::kJoinOfGone:
    return {kBad, "join of a thread that was joined or detached"};
  case Misuse::kDetachOfNone:
    return {kBad, "detach of a thread that was never started"};
  case Misuse::kDetachOfGone:
    return {kBad, "detach of a thread that was joined or detached"};
  }
  HEDDLE_CHECK(false, "no such misuse");
}

logic::Term Terms::fitted(logic::Term term, unsigned width) {
  const unsigned now = store_.sort(term).width;
  if (now == width)
    return term;
  return now > width ? store_.extract(term, 0, width) : store_.zero_extend(term, width);
}

Terms::Word Terms::with_field(Word word, unsigned low, unsigned width, Word value) {
  const unsigned whole = store_.sort(word.term).width;
  logic::Term result = fitted(value.term, width);
  if (low > 0)
    result = store_.concat(result, store_.extract(word.term, 0, low));
  if (const unsigned end = low + width; end < whole)
    result = store_.concat(store_.extract(word.term, end, whole - end), result);
  return {result};
}

template class SyncRule<Terms>;

} // namespace heddle::program
