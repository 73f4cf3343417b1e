// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What objects hold at first, how much they have room for, and results in types of few bits.
#include "history/first_unexplained.h"
#include "history/linearize.h"
#include "history/object.h"

#include <gtest/gtest.h>

namespace heddle::history {
namespace {

using Kind = Event::Kind;

ObjectKind kind_of(const std::string& name) {
  return *find_object_kind(name);
}

Operation call(const std::string& method,
               std::optional<std::int64_t> argument,
               std::optional<std::int64_t> result,
               unsigned bits = 64) {
  Operation operation;
  operation.method = method;
  operation.argument = argument;
  operation.has_returned = true;
  operation.result = result;
  operation.result_bits = bits;
  return operation;
}

/// Whether one thread can have called these one after the other.
bool can_follow(const SequentialObject& object, const std::vector<Operation>& calls) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    events.push_back({Kind::kInvocation, i});
    events.push_back({Kind::kResponse, i});
  }
  return linearize(from_events(calls, events), object).has_value();
}

TEST(Object, ResultsAreComparedInTheBitsOfTheirType) {
  const auto stack = make_object(kind_of("stack"), {});
  EXPECT_TRUE(can_follow(*stack, {call("pop", {}, 255, 8)})); // -1 in an unsigned char
  EXPECT_TRUE(can_follow(*stack, {call("pop", {}, -1, 8)}));
  EXPECT_FALSE(can_follow(*stack, {call("pop", {}, 255)}));
  EXPECT_FALSE(can_follow(*stack, {call("pop", {}, 254, 8)}));
  const auto giving_up = make_object(kind_of("set"), {-1, -2});
  EXPECT_FALSE(can_follow(*giving_up, {call("add", 1, 0, 1)})) << "false is not -2 in one bit";
  const auto unsigned_empty = make_object(kind_of("stack"), {0xffffffff, {}});
  EXPECT_TRUE(can_follow(*unsigned_empty, {call("pop", {}, -1, 32)}));
  EXPECT_FALSE(can_follow(*unsigned_empty, {call("pop", {}, -1)}));
  const auto aborting = make_object(kind_of("stack"), {-1, 254});
  EXPECT_TRUE(can_follow(*aborting, {call("push", 7, -2, 8), call("pop", {}, -1, 8)}));
}

TEST(Object, WhatItHoldsAtFirst) {
  const auto with = [](const std::string& kind, ObjectState initial) {
    return make_object(kind_of(kind), {}, *contents_of(kind_of(kind), {std::move(initial), {}, 0}));
  };
  EXPECT_TRUE(can_follow(*with("stack", {7, 8}),
                         {call("pop", {}, 8), call("pop", {}, 7), call("pop", {}, -1)}));
  EXPECT_TRUE(can_follow(*with("queue", {7, 8}), {call("dequeue", {}, 7), call("dequeue", {}, 8)}));
  EXPECT_TRUE(
      can_follow(*with("deque", {7, 8}), {call("pop_top", {}, 7), call("pop_bottom", {}, 8)}));
  EXPECT_TRUE(can_follow(*with("set", {2, 1}), {call("add", 1, 0), call("remove", 2, 1)}));
  EXPECT_TRUE(can_follow(*with("counter", {5}), {call("fetch_increment", {}, 5)}));
  EXPECT_FALSE(can_follow(*with("counter", {5}), {call("fetch_increment", {}, 0)}));
  EXPECT_TRUE(can_follow(*with("register", {-3}), {call("read", {}, -3)}));
  EXPECT_TRUE(can_follow(*with("stm", {4}), {call("r0r1", {}, 4)}));
}

TEST(Object, ContentsThatItCannotHave) {
  const auto code = [](const std::string& kind, Contents contents) {
    const Result<Contents> made = contents_of(kind_of(kind), std::move(contents));
    return made ? std::string() : made.error().code;
  };
  EXPECT_EQ(code("set", {{1, 1}, {}, 0}), "HIS-005");
  EXPECT_EQ(code("multiset", {{1, 1}, {}, 0}), "");
  EXPECT_EQ(code("counter", {{1, 2}, {}, 0}), "HIS-005");
  EXPECT_EQ(code("lock", {{1}, {}, 0}), "HIS-005");
  EXPECT_EQ(code("counter", {{}, 3, 0}), "HIS-005");
  EXPECT_EQ(code("queue", {{1, 2, 3}, 2, 0}), "HIS-005");
  EXPECT_EQ(code("queue", {{1, 2}, 2, 0}), "");
}

TEST(Object, WithoutRoomNothingIsPutIn) {
  const auto queue = make_object(kind_of("queue"), {}, {{}, 1, 0});
  EXPECT_TRUE(
      can_follow(*queue, {call("enqueue", 1, 1), call("enqueue", 2, 0), call("dequeue", {}, 1)}));
  // It must not fail while there is room, nor succeed without.
  EXPECT_FALSE(can_follow(*queue, {call("enqueue", 1, 0)}));
  EXPECT_FALSE(can_follow(*queue, {call("enqueue", 1, 1), call("enqueue", 2, 1)}));
  EXPECT_TRUE(can_follow(*queue,
                         {call("enqueue", 1, 1),
                          call("dequeue", {}, 1),
                          call("enqueue", 2, 1),
                          call("dequeue", {}, 2)}));
  const auto other_code = make_object(kind_of("stack"), {}, {{}, 1, -1});
  EXPECT_TRUE(can_follow(*other_code, {call("push", 1, 0), call("push", 2, -1)}));
}

TEST(FirstUnexplained, NamesTheReturnAndWhatItCouldHaveBeen) {
  // push(1) and push(2) one after the other, then a pop that gives the older one.
  std::vector<Operation> calls = {
      call("push", 1, {}), call("push", 2, {}), call("pop", {}, 1), call("pop", {}, 2)};
  calls[3].thread = 1;
  const std::vector<Event> events = {{Kind::kInvocation, 0},
                                     {Kind::kResponse, 0},
                                     {Kind::kInvocation, 1},
                                     {Kind::kResponse, 1},
                                     {Kind::kInvocation, 2},
                                     {Kind::kResponse, 2},
                                     {Kind::kInvocation, 3},
                                     {Kind::kResponse, 3}};
  const auto stack = make_object(kind_of("stack"), {});
  const std::vector<std::int64_t> tried = {2, 1, -1, 2};
  const auto found = first_unexplained(from_events(calls, events), events, *stack, tried);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->operation, 2U);
  EXPECT_EQ(found->order, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(found->explained, (std::vector<std::int64_t>{2}));
  const auto queue_like = first_unexplained(
      from_events({calls[0], calls[2]},
                  {{Kind::kInvocation, 0}, {Kind::kInvocation, 1}, {Kind::kResponse, 1}}),
      std::vector<Event>{{Kind::kInvocation, 0}, {Kind::kInvocation, 1}, {Kind::kResponse, 1}},
      *stack,
      tried);
  EXPECT_FALSE(queue_like) << "the push is pending and has taken effect";
}

} // namespace
} // namespace heddle::history
