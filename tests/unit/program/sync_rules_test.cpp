// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The rules of synchronisation against a second definition over all words that tell anything, the
// rules as terms against the rules as numbers, and the places of words.
#include "program/model/sync_fields.h"
#include "program/model/sync_rules.h"
#include "support/rng.h"
#include "sync_oracle.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <type_traits>

namespace heddle::program_test {
namespace {

constexpr std::uint32_t kThreads[] = {0, 1, 2, 31};

static_assert(!std::is_convertible_v<Terms::Bool, bool>);
static_assert(!std::is_constructible_v<bool, Terms::Bool>);

Found<Concrete> found_of(const SyncCase& given) {
  Found<Concrete> found;
  for (std::size_t i = 0; i < kSyncFields; ++i) {
    found.field[i] = given.words[i];
    found.unwritten[i] = given.unwritten[i];
  }
  found.gone = given.is_gone();
  return found;
}

Given<Concrete> given_of(const SyncCase& given, bool is_late) {
  const bool creates = given.op == SyncOp::kCreate;
  return {given.thread + 1U,
          creates ? given.handle : given.argument,
          given.kept,
          is_late,
          given.argument != 0};
}

Did<Concrete> did(const SyncCase& given, bool is_late) {
  Concrete numbers;
  return rule(numbers, given.op, given.stage, found_of(given), given_of(given, is_late));
}

std::string text_of(const SyncCase& given, bool is_late) {
  std::string text = "operation " + std::to_string(static_cast<int>(given.op)) + " stage " +
                     std::to_string(static_cast<int>(given.stage)) + " thread " +
                     std::to_string(given.thread) + (is_late ? " late" : "") + " words";
  for (std::size_t i = 0; i < kSyncFields; ++i)
    text += " " + (given.unwritten[i] ? "-" : std::to_string(given.words[i]));
  return text + " argument " + std::to_string(given.argument) + " kept " +
         std::to_string(given.kept) + (given.condition_gone ? " gone" : "");
}

/// What came of it, in a word.
std::string outcome_of(const Did<Concrete>& step, bool is_blocked) {
  if (const Misuse misuse = first_misuse(step); misuse != Misuse::kNone)
    return std::string("undefined: ") + describe(misuse).what;
  if (is_blocked)
    return "waits";
  if (step.more)
    return "more";
  return step.result == ~0ULL ? "-1" : std::to_string(step.result);
}

TEST(SyncRules, MeanWhatTheSecondDefinitionSays) {
  for (const auto& [op, stage] : all_sync_stages())
    for (const std::uint32_t thread : kThreads)
      for_each_sync_case(op, stage, thread, [&](const SyncCase& given) {
        OldSynchronisation old(given);
        const Did<Concrete> in_time = did(given, false);
        const std::optional<WaitsFor> blocked = old.blocked();
        const bool waits =
            first_misuse(in_time) == Misuse::kNone && !in_time.goes && !in_time.may_be_late;
        ASSERT_EQ(waits, blocked.has_value()) << text_of(given, false);
        if (blocked) {
          ASSERT_EQ(in_time.waits, *blocked) << text_of(given, false);
        }
        const Misuse misuse = first_misuse(in_time);
        ASSERT_EQ(is_of_object(misuse) && stage != Stage::kAgain ? describe(misuse).what : "",
                  stage == Stage::kOnly || stage == Stage::kGive || stage == Stage::kArrive
                      ? old.fault()
                      : "")
            << text_of(given, false);
        for (const std::uint64_t choice : old.choices()) {
          const bool is_late = choice != 0;
          const Did<Concrete> step = did(given, is_late);
          const SyncOutcome expected =
              OldSynchronisation(given).execute(is_late, given.words[2] + 1);
          ASSERT_EQ(describe(first_misuse(step)).what, expected.fault) << text_of(given, is_late);
          if (!expected.fault.empty())
            continue;
          ASSERT_TRUE(step.goes || step.may_be_woken) << text_of(given, is_late);
          for (std::size_t i = 0; i < kSyncFields; ++i) {
            ASSERT_EQ(step.after[i], expected.words[i]) << text_of(given, is_late) << " at " << i;
            ASSERT_EQ(step.written[i], expected.written[i])
                << text_of(given, is_late) << " at " << i;
          }
          ASSERT_EQ(!step.more, expected.result.has_value()) << text_of(given, is_late);
          if (expected.result) {
            ASSERT_EQ(step.result, *expected.result) << text_of(given, is_late);
          }
          ASSERT_EQ(step.more ? step.kept : 0, expected.kept) << text_of(given, is_late);
          ASSERT_EQ(step.opens, expected.opens) << text_of(given, is_late);
          ASSERT_EQ(int{step.begins_to_hold} - int{step.ceases_to_hold}, expected.held)
              << text_of(given, is_late);
        }
        // Being late is no choice of others.
        if (!in_time.may_be_late) {
          const Did<Concrete> late = did(given, true);
          ASSERT_EQ(outcome_of(late, !late.goes), outcome_of(in_time, !in_time.goes));
        }
      });
}

/// Who takes a lock comes after those who have given it back, and nothing else orders threads.
TEST(SyncRules, AcquireWhatTheyTakeAndReleaseWhatTheyGive) {
  using namespace sync_channel;
  for (const auto& [op, stage] : all_sync_stages())
    for_each_sync_case(op, stage, 1, [&](const SyncCase& given) {
      for (const bool is_late : {false, true}) {
        const Did<Concrete> step = did(given, is_late);
        if (first_misuse(step) != Misuse::kNone || !(step.goes || step.may_be_woken))
          continue;
        const OldObject object = OldSynchronisation::object_of(op);
        const auto was = given.words[0];
        const auto is = step.after[0];
        const bool reads_before = (given.words[1] >> given.thread & 1U) != 0;
        const bool reads_after = (step.after[1] >> given.thread & 1U) != 0;
        bool acquires = false;
        bool acquires_from_readers = false;
        bool releases = false;
        bool releases_as_reader = false;
        switch (object) {
        case OldObject::kMutex:
        case OldObject::kSpin:
        case OldObject::kCondition:
          acquires = was != 2 && is == 2;
          releases = was != 0 && is == 0 && op != SyncOp::kMutexInit;
          break;
        case OldObject::kReadWrite:
          acquires = (was != 2 && is == 2) || (!reads_before && reads_after);
          acquires_from_readers = was != 2 && is == 2;
          releases = was == 2 && is == 0;
          releases_as_reader = reads_before && !reads_after;
          break;
        case OldObject::kSemaphore:
          acquires = op != SyncOp::kSemaphoreInit && op != SyncOp::kSemaphorePost && is != was;
          releases = op == SyncOp::kSemaphorePost;
          break;
        case OldObject::kBarrier:
          releases = stage == Stage::kArrive;
          acquires = stage == Stage::kLeave || step.opens;
          break;
        case OldObject::kOnce:
          acquires = op == SyncOp::kOnceEnter && was == 2;
          releases = op == SyncOp::kOnceLeave;
          break;
        case OldObject::kThread:
          acquires = op == SyncOp::kJoin;
          releases = op == SyncOp::kCreate;
          break;
        }
        ASSERT_EQ(step.acquires[kAlone], acquires) << text_of(given, is_late);
        ASSERT_EQ(step.acquires[kReaders], acquires_from_readers) << text_of(given, is_late);
        ASSERT_EQ(step.releases[kAlone], releases) << text_of(given, is_late);
        ASSERT_EQ(step.releases[kReaders], releases_as_reader) << text_of(given, is_late);
      }
    });
}

/// So that the comparisons above compare something.
TEST(SyncRules, EveryStageHasAllItsOutcomes) {
  const std::string undefined = "undefined: ";
  const std::string destroyed = undefined + "use of a lock that was destroyed";
  const std::string fresh = undefined + "use of a lock that was never initialised";
  const std::string not_held = undefined + "a condition wait without holding the mutex";
  const std::string not_locked =
      undefined + "a read-write lock is released that the thread does not hold";
  const std::string reads = undefined + "at most 16 read locks of one thread on one lock";
  using Outcomes = std::set<std::string>;
  const std::map<std::pair<SyncOp, Stage>, Outcomes> expected = {
      {{SyncOp::kCreate, Stage::kOnly},
       {undefined + "at most 32 threads at a time",
        undefined + "a thread starts at something that is no function",
        "1",
        "2",
        "32"}},
      {{SyncOp::kJoin, Stage::kOnly},
       {undefined + "join of a thread that was never started",
        undefined + "join of a thread that was joined or detached",
        "waits",
        "0",
        "5",
        "4294967295"}},
      {{SyncOp::kDetach, Stage::kOnly},
       {undefined + "detach of a thread that was never started",
        undefined + "detach of a thread that was joined or detached",
        "0"}},
      {{SyncOp::kSelf, Stage::kOnly}, {"1", "2", "3", "32"}},
      {{SyncOp::kMutexInit, Stage::kOnly}, {"0"}},
      {{SyncOp::kMutexDestroy, Stage::kOnly}, {destroyed, "0", "16"}},
      {{SyncOp::kMutexLock, Stage::kOnly}, {destroyed, fresh, "waits", "0", "35"}},
      {{SyncOp::kMutexTryLock, Stage::kOnly}, {destroyed, fresh, "0", "16"}},
      {{SyncOp::kMutexTimedLock, Stage::kOnly}, {destroyed, fresh, "waits", "0", "35", "110"}},
      {{SyncOp::kMutexUnlock, Stage::kOnly}, {destroyed, fresh, "0", "1"}},
      {{SyncOp::kSpinLock, Stage::kOnly}, {destroyed, fresh, "waits", "0"}},
      {{SyncOp::kSpinTryLock, Stage::kOnly}, {destroyed, fresh, "0", "16"}},
      {{SyncOp::kSpinUnlock, Stage::kOnly}, {destroyed, fresh, "0"}},
      {{SyncOp::kReadLock, Stage::kOnly}, {destroyed, fresh, reads, "waits", "0", "35"}},
      {{SyncOp::kTryReadLock, Stage::kOnly}, {destroyed, fresh, reads, "0", "16"}},
      {{SyncOp::kTimedReadLock, Stage::kOnly}, {destroyed, fresh, reads, "waits", "0", "110"}},
      {{SyncOp::kWriteLock, Stage::kOnly}, {destroyed, fresh, "waits", "0", "35"}},
      {{SyncOp::kTryWriteLock, Stage::kOnly}, {destroyed, fresh, "0", "16"}},
      {{SyncOp::kTimedWriteLock, Stage::kOnly}, {destroyed, fresh, "waits", "0", "110"}},
      {{SyncOp::kReadWriteUnlock, Stage::kOnly}, {destroyed, fresh, not_locked, "0"}},
      {{SyncOp::kConditionWait, Stage::kGive}, {destroyed, not_held, "more"}},
      {{SyncOp::kConditionWait, Stage::kWoken}, {"waits"}},
      {{SyncOp::kConditionWait, Stage::kAgain}, {destroyed, "waits", "0"}},
      {{SyncOp::kConditionTimedWait, Stage::kGive}, {destroyed, not_held, "more"}},
      {{SyncOp::kConditionTimedWait, Stage::kWoken}, {"waits", "more"}},
      {{SyncOp::kConditionTimedWait, Stage::kAgain}, {destroyed, "waits", "0", "110"}},
      {{SyncOp::kConditionSignal, Stage::kOnly}, {destroyed, "0"}},
      {{SyncOp::kConditionBroadcast, Stage::kOnly}, {destroyed, "0"}},
      {{SyncOp::kSemaphoreInit, Stage::kOnly}, {"0"}},
      {{SyncOp::kSemaphoreWait, Stage::kOnly}, {destroyed, fresh, "waits", "0"}},
      {{SyncOp::kSemaphoreTryWait, Stage::kOnly}, {destroyed, fresh, "0", "11"}},
      {{SyncOp::kSemaphoreTimedWait, Stage::kOnly}, {destroyed, fresh, "waits", "0", "110"}},
      {{SyncOp::kSemaphorePost, Stage::kOnly}, {destroyed, fresh, "0"}},
      {{SyncOp::kSemaphoreValue, Stage::kOnly}, {destroyed, fresh, "0", "1", "2", "4294967295"}},
      {{SyncOp::kBarrierInit, Stage::kOnly}, {"0", "22"}},
      {{SyncOp::kBarrierWait, Stage::kArrive}, {fresh, "more", "-1"}},
      {{SyncOp::kBarrierWait, Stage::kLeave}, {"waits", "0"}},
      {{SyncOp::kOnceEnter, Stage::kOnly}, {destroyed, fresh, "waits", "0", "1"}},
      {{SyncOp::kOnceLeave, Stage::kOnly}, {destroyed, fresh, "0"}},
  };
  std::map<std::pair<SyncOp, Stage>, Outcomes> seen;
  for (const auto& [op, stage] : all_sync_stages())
    for (const std::uint32_t thread : kThreads)
      for_each_sync_case(op, stage, thread, [&](const SyncCase& given) {
        for (const bool is_late : {false, true}) {
          const Did<Concrete> step = did(given, is_late);
          seen[{op, stage}].insert(outcome_of(step, !step.goes));
        }
      });
  for (const auto& [key, outcomes] : expected)
    EXPECT_EQ(seen[key], outcomes)
        << "operation " << static_cast<int>(key.first) << " stage " << static_cast<int>(key.second);
  EXPECT_EQ(seen.size(), expected.size());
}

/// A step as terms, and which number each of its variables has.
class TermStep {
public:
  TermStep(SyncOp op, Stage stage) : domain_(store_, 64) {
    Found<Terms> found;
    Given<Terms> given;
    const bool is_thread = OldSynchronisation::object_of(op) == OldObject::kThread;
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      found.field[i] = word(is_thread && i == sync_field::kReturned ? 64 : 32);
      found.unwritten[i] = truth();
    }
    found.gone = truth();
    given.me = word();
    given.argument = word();
    given.kept = word();
    given.late = truth();
    given.callable = truth();
    step_ = rule(domain_, op, stage, found, given);
  }

  Did<Concrete> evaluate(const SyncCase& given, bool is_late) const {
    std::vector<std::uint64_t> values;
    const Found<Concrete> found = found_of(given);
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      values.push_back(found.field[i]);
      values.push_back(found.unwritten[i] ? 1 : 0);
    }
    values.push_back(found.gone ? 1 : 0);
    const Given<Concrete> numbers = given_of(given, is_late);
    values.push_back(numbers.me);
    values.push_back(numbers.argument);
    values.push_back(numbers.kept);
    values.push_back(numbers.late ? 1 : 0);
    values.push_back(numbers.callable ? 1 : 0);
    const auto lookup = [&](std::uint64_t number) { return values[number]; };
    const auto value = [&](logic::Term term) { return store_.evaluate(term, lookup); };
    const auto holds = [&](Terms::Bool condition) { return value(condition.term) != 0; };
    Did<Concrete> result;
    for (std::size_t i = 0; i < kMostMisuses; ++i)
      result.undefined[i] = {holds(step_.undefined[i].when), step_.undefined[i].what};
    result.goes = holds(step_.goes);
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      result.after[i] = value(step_.after[i].term);
      result.written[i] = holds(step_.written[i]);
    }
    for (std::size_t i = 0; i < kSyncChannels; ++i) {
      result.acquires[i] = holds(step_.acquires[i]);
      result.releases[i] = holds(step_.releases[i]);
    }
    result.result = value(step_.result.term);
    result.more = holds(step_.more);
    result.kept = value(step_.kept.term);
    result.begins_to_hold = holds(step_.begins_to_hold);
    result.ceases_to_hold = holds(step_.ceases_to_hold);
    result.opens = holds(step_.opens);
    result.next = step_.next;
    result.waits = step_.waits;
    result.wakes = step_.wakes;
    result.may_be_late = step_.may_be_late;
    result.may_be_woken = step_.may_be_woken;
    return result;
  }

private:
  Terms::Word word(std::uint8_t width = 32) {
    return {store_.variable(next_++, logic::Sort{width})};
  }
  Terms::Bool truth() { return {store_.variable(next_++, logic::Sort{})}; }

  logic::TermStore store_;
  Terms domain_;
  std::uint64_t next_ = 0;
  Did<Terms> step_;
};

void expect_same(const Did<Concrete>& a, const Did<Concrete>& b, const std::string& text) {
  for (std::size_t i = 0; i < kMostMisuses; ++i) {
    ASSERT_EQ(a.undefined[i].when, b.undefined[i].when) << text;
    ASSERT_EQ(a.undefined[i].what, b.undefined[i].what) << text;
  }
  for (std::size_t i = 0; i < kSyncFields; ++i) {
    ASSERT_EQ(a.after[i], b.after[i]) << text;
    ASSERT_EQ(a.written[i], b.written[i]) << text;
  }
  for (std::size_t i = 0; i < kSyncChannels; ++i) {
    ASSERT_EQ(a.acquires[i], b.acquires[i]) << text;
    ASSERT_EQ(a.releases[i], b.releases[i]) << text;
  }
  ASSERT_EQ(a.goes, b.goes) << text;
  ASSERT_EQ(a.result, b.result) << text;
  ASSERT_EQ(a.more, b.more) << text;
  ASSERT_EQ(a.kept, b.kept) << text;
  ASSERT_EQ(a.begins_to_hold, b.begins_to_hold) << text;
  ASSERT_EQ(a.ceases_to_hold, b.ceases_to_hold) << text;
  ASSERT_EQ(a.opens, b.opens) << text;
  ASSERT_EQ(a.next, b.next) << text;
  ASSERT_EQ(a.waits, b.waits) << text;
  ASSERT_EQ(a.wakes, b.wakes) << text;
  ASSERT_EQ(a.may_be_late, b.may_be_late) << text;
  ASSERT_EQ(a.may_be_woken, b.may_be_woken) << text;
}

TEST(SyncRules, AreTheSameAsTermsAndAsNumbers) {
  Rng rng(1);
  for (const auto& [op, stage] : all_sync_stages()) {
    const TermStep terms(op, stage);
    for (const std::uint32_t thread : kThreads)
      for_each_sync_case(op, stage, thread, [&](const SyncCase& given) {
        if (thread != 1 && !rng.chance(1, 8))
          return; // the thread's number says little
        for (const bool is_late : {false, true})
          ASSERT_NO_FATAL_FAILURE(expect_same(
              terms.evaluate(given, is_late), did(given, is_late), text_of(given, is_late)));
      });
  }
}

TEST(SyncRules, AnswersAreAsWideAsTheyAreAskedFor) {
  for (const unsigned width : {8U, 32U, 64U}) {
    logic::TermStore store;
    Terms terms(store, width);
    Found<Terms> found;
    for (std::size_t i = 0; i < kSyncFields; ++i) {
      found.field[i] = terms.number(1);
      found.unwritten[i] = terms.truth(false);
    }
    found.gone = terms.truth(false);
    Given<Terms> given;
    given.me = terms.number(1);
    const Did<Terms> step = rule(terms, SyncOp::kBarrierWait, Stage::kArrive, found, given);
    // Constants in, constants out: what is known costs nothing.
    ASSERT_TRUE(store.is_constant(step.result.term));
    EXPECT_EQ(store.sort(step.result.term).width, width);
    EXPECT_EQ(store.node(step.result.term).value, logic::mask_of(width));
    EXPECT_EQ(step.opens.term, store.boolean(true));
  }
}

/// The fields of an object do not overlap, and a field that is written is read back alone.
void expect_apart(const FieldPlaces& places) {
  Rng rng(2);
  Concrete numbers;
  logic::TermStore store;
  Terms terms(store, 32);
  std::set<unsigned> bits;
  for (const FieldPlace& place : places) {
    for (unsigned bit = 0; bit < place.width; ++bit)
      EXPECT_TRUE(bits.insert(8U * place.offset + place.low + bit).second);
    if (place.bytes == 0)
      continue;
    EXPECT_LE(place.low + place.width, 8U * place.bytes);
    const std::uint64_t whole = rng.next() & logic::mask_of(8U * place.bytes);
    const std::uint64_t value = rng.next() & logic::mask_of(place.width);
    const std::uint64_t packed = pack(numbers, place, whole, value);
    EXPECT_EQ(unpack(numbers, place, packed), value);
    EXPECT_EQ(pack(numbers, place, packed, unpack(numbers, place, whole)), whole);
    const Terms::Word before{store.constant(whole, 8U * place.bytes)};
    const Terms::Word term = pack(terms, place, before, terms.number(Concrete::kMask & value));
    EXPECT_EQ(store.node(term.term).value, packed);
    EXPECT_EQ(store.sort(term.term).width, 8U * place.bytes);
    EXPECT_EQ(store.node(unpack(terms, place, term).term).value, value);
    EXPECT_EQ(store.sort(unpack(terms, place, term).term).width, 32U);
  }
}

TEST(SyncFields, LieApart) {
  for (const ir::DataModel model : {ir::DataModel::kILP32, ir::DataModel::kLP64})
    expect_apart(sync_fields::mutex(model));
  for (std::uint32_t thread = 0; thread < kMaxThreads; ++thread)
    expect_apart(sync_fields::read_write_lock(thread));
  expect_apart(sync_fields::kOneWord);
  expect_apart(sync_fields::kBarrier);
  expect_apart(sync_fields::kReadWriteLockByAxioms);
  expect_apart(sync_fields::kBarrierByAxioms);
}

} // namespace
} // namespace heddle::program_test
