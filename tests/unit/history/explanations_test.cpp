// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/explanations.h"
#include "history/linearize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace heddle::history {
namespace {

using What = Moment::What;

Operation operation(std::uint32_t thread,
                    std::string method,
                    std::optional<std::int64_t> argument,
                    std::optional<std::int64_t> result) {
  return {thread, std::move(method), argument, true, result};
}

std::vector<Precedences>
contradictions(const std::string& object, const std::vector<Operation>& operations, Timing timing) {
  const std::unique_ptr<SequentialObject> made = make_object(*find_object_kind(object), {});
  const auto explanations = explanations_of(operations, *made, timing, 10'000);
  EXPECT_TRUE(explanations);
  const auto found = contradictions_of(operations, *explanations, 100'000);
  EXPECT_TRUE(found);
  return *found;
}

TEST(Explanations, AMissedWriteIsContradictedByItsReturn) {
  const std::vector<Operation> operations = {operation(0, "write", 1, {}),
                                             operation(1, "read", {}, 0)};
  const std::vector<Precedences> expected = {{{{0, What::kReturn}, {1, What::kCall}}}};
  EXPECT_EQ(contradictions("register", operations, Timing::kInterval), expected);
  // Nothing says when a thread is over.
  EXPECT_TRUE(contradictions("register", operations, Timing::kThread).empty());
  // The write may wait in the buffer.
  const std::vector<Precedences> late = {{{{0, What::kReturnFlushed}, {1, What::kCall}}}};
  EXPECT_EQ(contradictions("register", operations, Timing::kBuffered), late);
  const std::vector<Precedences> fixed = {{{{0, What::kEffect}, {1, What::kEffect}}}};
  EXPECT_EQ(contradictions("register", operations, Timing::kFixed), fixed);
}

TEST(Explanations, AThreadSeesItsOwnBuffer) {
  // Both write and miss the other's write: store buffering, on one register.
  const std::vector<Operation> operations = {
      operation(0, "write", 1, {}), operation(0, "read", {}, 1), operation(1, "read", {}, 0)};
  for (const Precedences& one : contradictions("register", operations, Timing::kBuffered))
    EXPECT_NE(one, Precedences{}); // the first read is explained by the buffer
  // What it does not hold is not seen.
  const std::vector<Operation> wrong = {operation(0, "write", 1, {}), operation(0, "read", {}, 0)};
  EXPECT_EQ(contradictions("register", wrong, Timing::kBuffered), std::vector<Precedences>{{}});
}

TEST(Explanations, WhatReturnsSomethingOrWaitsIsNotDelayed) {
  const std::vector<Operation> exchange = {operation(0, "exchange", 1, 0),
                                           operation(1, "read", {}, 0)};
  const auto of_exchange = contradictions("register", exchange, Timing::kBuffered);
  const Precedences after_return = {{{0, What::kReturn}, {1, What::kCall}}};
  EXPECT_NE(std::ranges::find(of_exchange, after_return), of_exchange.end());
  const std::vector<Operation> lock = {operation(0, "acquire", {}, {}),
                                       operation(1, "try_acquire", {}, 1)};
  // Nobody gives it back: neither order is one.
  EXPECT_EQ(contradictions("lock", lock, Timing::kBuffered), std::vector<Precedences>{{}});
}

TEST(Explanations, StoresThatWaitMakeAnOperationLonger) {
  // TSO linearizability: the write is over when it is in memory, so that even a read of its own
  // thread may come first.
  std::vector<Operation> operations = {operation(0, "write", 1, {}), operation(0, "read", {}, 0)};
  EXPECT_EQ(contradictions("register", operations, Timing::kLastFlush),
            std::vector<Precedences>{{}}); // it has made no store: it was over when it returned
  operations[0].has_stored = true;
  const std::vector<Precedences> late = {{{{0, What::kReturnFlushed}, {1, What::kCall}}}};
  EXPECT_EQ(contradictions("register", operations, Timing::kLastFlush), late);
}

/// An object that does not say which operations wait, as specifications in C do not.
class Silent final : public SequentialObject {
public:
  explicit Silent(std::unique_ptr<SequentialObject> object) : object_(std::move(object)) {}
  [[nodiscard]] ObjectState initial() const override { return object_->initial(); }
  [[nodiscard]] std::optional<ObjectState> apply(const ObjectState& state,
                                                 const Operation& called) const override {
    return object_->apply(state, called);
  }

private:
  std::unique_ptr<SequentialObject> object_;
};

TEST(Explanations, WhoWaitsIsSeenFromTheOperations) {
  const Silent lock(make_object(*find_object_kind("lock"), {}));
  const std::vector<Operation> operations = {operation(0, "acquire", {}, {}),
                                             operation(0, "release", {}, {}),
                                             operation(1, "acquire", {}, {}),
                                             operation(1, "release", {}, {})};
  const std::unique_ptr<SequentialObject> known = make_object(*find_object_kind("lock"), {});
  EXPECT_EQ(explanations_of(operations, lock, Timing::kBuffered, 1'000),
            explanations_of(operations, *known, Timing::kBuffered, 1'000));
  // A write never waits, and may be late.
  const Silent cell(make_object(*find_object_kind("register"), {}));
  const std::vector<Operation> writes = {operation(0, "write", 1, {}), operation(1, "read", {}, 0)};
  const auto explanations = explanations_of(writes, cell, Timing::kBuffered, 1'000);
  ASSERT_TRUE(explanations);
  const std::vector<Precedences> late = {{{{0, What::kReturnFlushed}, {1, What::kCall}}}};
  EXPECT_EQ(contradictions_of(writes, *explanations, 1'000), late);
}

// What may wait in the buffer is not also tried as a step of memory: for every order there is one
// explanation, and some order is always there.
TEST(Explanations, OperationsThatReturnNothingContradictNothing) {
  std::vector<Operation> operations;
  for (std::uint32_t i = 0; i < 4; ++i)
    operations.push_back(operation(i / 2, "enqueue", i + 1, {}));
  const std::unique_ptr<SequentialObject> queue = make_object(*find_object_kind("queue"), {});
  const auto explanations = explanations_of(operations, *queue, Timing::kBuffered, 1'000);
  ASSERT_TRUE(explanations);
  EXPECT_EQ(explanations->size(), 6U);
  EXPECT_EQ(contradictions_of(operations, *explanations, 50'000), std::vector<Precedences>{});
}

TEST(Explanations, NoneIsContradictedByNothing) {
  const std::vector<Operation> operations = {operation(0, "read", {}, 7)};
  EXPECT_EQ(contradictions("register", operations, Timing::kInterval),
            std::vector<Precedences>{{}});
}

TEST(Explanations, TooManyAreNotGuessed) {
  std::vector<Operation> operations;
  for (std::uint32_t thread = 0; thread < 4; ++thread)
    operations.push_back(operation(thread, "write", thread, {}));
  const std::unique_ptr<SequentialObject> made = make_object(*find_object_kind("register"), {});
  EXPECT_FALSE(explanations_of(operations, *made, Timing::kInterval, 3));
  EXPECT_TRUE(explanations_of(operations, *made, Timing::kInterval, 24));
}

/// A history has an explanation exactly if it shows none of the contradictions of its results.
TEST(Explanations, AgreeWithTheSearchOnRandomHistories) {
  std::mt19937 random(7);
  const std::unique_ptr<SequentialObject> object = make_object(*find_object_kind("register"), {});
  unsigned bad = 0;
  for (unsigned round = 0; round < 400; ++round) {
    std::vector<Operation> operations;
    for (std::uint32_t thread = 0; thread < 2; ++thread)
      for (unsigned i = 0; i < 2; ++i) {
        const bool is_write = random() % 2 == 0;
        operations.push_back(
            is_write
                ? operation(thread, "write", static_cast<std::int64_t>(operations.size()) + 1, {})
                : operation(thread, "read", {}, static_cast<std::int64_t>(random() % 4)));
      }
    // A random interleaving of the events of both threads.
    std::vector<Event> events;
    std::uint32_t next[2] = {0, 4};
    while (next[0] < 4 || next[1] < 8) {
      const std::uint32_t thread = next[0] == 4 ? 1 : next[1] == 8 ? 0 : random() % 2;
      const std::uint32_t event = next[thread]++;
      events.push_back(
          {event % 2 == 0 ? Event::Kind::kInvocation : Event::Kind::kResponse, event / 2});
    }
    const History history = from_events(operations, events);
    const auto found = contradictions("register", operations, Timing::kInterval);
    const bool shows_one = std::ranges::any_of(found, [&](const Precedences& together) {
      return std::ranges::all_of(together, [&](const Precedence& one) {
        return (history.before[one.second.operation] >> one.first.operation & 1U) != 0;
      });
    });
    const bool is_explained = linearize(history, *object).has_value();
    EXPECT_EQ(shows_one, !is_explained) << round;
    bad += is_explained ? 0 : 1;
  }
  EXPECT_GT(bad, 50U);
  EXPECT_LT(bad, 350U);
}

} // namespace
} // namespace heddle::history
