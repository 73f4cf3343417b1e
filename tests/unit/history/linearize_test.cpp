// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The decision procedure on histories made by hand, and on random ones against a reference that
// tries every permutation and reads the order off the events.
#include "history/linearize.h"
#include "history/transactions.h"
#include "support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::history {
namespace {

using Kind = Event::Kind;

ObjectKind kind_of(const std::string& name) {
  Result<ObjectKind> kind = find_object_kind(name);
  EXPECT_TRUE(kind);
  return *kind;
}

/// Events as text: "a push 1; a ok; b pop; b = 1": a thread, then an operation with its argument,
/// "ok" (returns nothing) or "= result". A thread has one operation under way.
History read_history(const std::string& text) {
  std::vector<Operation> operations;
  std::vector<Event> events;
  std::vector<std::uint32_t> current(26);
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t to = std::min(text.find("; ", from), text.size());
    const std::string event = text.substr(from, to - from);
    from = to + 2;
    const auto thread = static_cast<std::uint32_t>(event[0] - 'a');
    const std::string rest = event.substr(2);
    if (rest == "ok" || rest[0] == '=') {
      Operation& operation = operations[current[thread]];
      if (rest != "ok")
        operation.result = std::stoll(rest.substr(2));
      events.push_back({Kind::kResponse, current[thread]});
      continue;
    }
    const std::size_t blank = rest.find(' ');
    Operation operation;
    operation.thread = thread;
    operation.method = rest.substr(0, blank);
    if (blank != std::string::npos)
      operation.argument = std::stoll(rest.substr(blank + 1));
    current[thread] = static_cast<std::uint32_t>(operations.size());
    events.push_back({Kind::kInvocation, current[thread]});
    operations.push_back(operation);
  }
  return from_events(operations, events);
}

bool holds(const std::string& object,
           const std::string& text,
           Criterion criterion = Criterion::kLinearizable,
           ResultCodes codes = {}) {
  return linearize(with_order_of(read_history(text), criterion),
                   *make_object(kind_of(object), codes))
      .has_value();
}

TEST(Linearize, QueueFindsTheOrder) {
  const History history =
      read_history("a enqueue 1; b enqueue 2; a ok; b ok; a dequeue; a = 2; b dequeue; b = 1");
  const auto found = linearize(history, *make_object(kind_of("queue"), {}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order, (std::vector<std::uint32_t>{1, 0, 2, 3}));
}

TEST(Linearize, QueueRespectsRealTime) {
  EXPECT_FALSE(holds("queue", "a enqueue 1; a ok; b enqueue 2; b ok; c dequeue; c = 2"));
  // Without real time the thread that enqueued 2 may have been first.
  EXPECT_TRUE(holds(
      "queue", "a enqueue 1; a ok; b enqueue 2; b ok; c dequeue; c = 2", Criterion::kSequential));
}

TEST(Linearize, PendingOperationsMayTakeEffectOrNot) {
  EXPECT_TRUE(holds("stack", "a push 1; b pop; b = 1"));
  EXPECT_TRUE(holds("stack", "a push 1; b pop; b = -1"));
  EXPECT_FALSE(holds("stack", "b pop; b = 1; a push 1"));
  // A pending pop may have taken the value.
  EXPECT_TRUE(holds("stack", "a push 1; a ok; b pop; c pop; c = -1"));
  EXPECT_FALSE(holds("stack", "a push 1; a ok; c pop; c = -1; b pop"));
}

TEST(Linearize, LockIsHeldByOne) {
  EXPECT_TRUE(holds("lock", "a acquire; b acquire; a ok; a release; a ok; b ok"));
  EXPECT_FALSE(holds("lock", "a acquire; b acquire; a ok; b ok; a release; a ok; b release; b ok"));
  EXPECT_TRUE(holds("lock", "a acquire; a ok; b try_acquire; b = 0"));
  EXPECT_FALSE(holds("lock", "a acquire; a ok; a release; a ok; b try_acquire; b = 0"));
  EXPECT_FALSE(holds("lock", "a acquire; a ok; b release; b ok"));
}

TEST(Linearize, ValuesInAnArrayWithoutAFixedPoint) {
  // contains(1) scans while 1 moves from the end to the front: false, by remove, contains, add.
  EXPECT_TRUE(
      holds("multiset", "a add 1; a ok; b contains 1; a add 1; a ok; a remove 1; a = 1; b = 1"));
  EXPECT_TRUE(
      holds("set", "a add 1; a ok; b contains 1; a remove 1; a = 1; a add 1; a = 1; b = 0"));
}

TEST(Linearize, QuiescentConsistencyForgetsOrderWithinBusyTimes) {
  // b is under way all the time, so a's two operations may be swapped.
  const std::string busy = "b get; a fetch_increment; a = 1; a fetch_increment; a = 0; b = 0";
  EXPECT_FALSE(holds("counter", busy));
  EXPECT_FALSE(holds("counter", busy, Criterion::kSequential));
  EXPECT_TRUE(holds("counter", busy, Criterion::kQuiescent));
  const std::string quiet = "a fetch_increment; a = 1; a fetch_increment; a = 0; b get; b = 0";
  EXPECT_FALSE(holds("counter", quiet, Criterion::kQuiescent));
  // A pending operation keeps the object busy for ever.
  EXPECT_TRUE(holds("counter",
                    "b get; a fetch_increment; a = 1; a fetch_increment; a = 0",
                    Criterion::kQuiescent));
}

TEST(Linearize, OperationsMayGiveUpWhereThatHasACode) {
  const std::string text = "a push_bottom 1; a ok; b pop_top; b = -2; a pop_bottom; a = 1";
  EXPECT_FALSE(holds("deque", text));
  EXPECT_TRUE(holds("deque", text, Criterion::kLinearizable, ResultCodes{-1, -2}));
}

TEST(Linearize, Transactions) {
  const std::int64_t both = 1 | 2 << 16; // cell 0 holds 1, cell 1 holds 2
  EXPECT_TRUE(holds("stm", "a w0 1; a ok; b w1 2; b ok; c r0r1; c = " + std::to_string(both)));
  EXPECT_FALSE(holds("stm", "a w0 1; a ok; b w1 2; b ok; c r0r1; c = 1"));
  // Store buffering: one of two transactions sees the other.
  EXPECT_FALSE(holds("stm", "a w0r1 1; b w1r0 2; a = 0; b = 0"));
  EXPECT_TRUE(holds("stm", "a w0r1 1; b w1r0 2; a = 0; b = 1"));
}

/// What each object answers in a sequential history, and a wrong answer to the last operation.
TEST(Objects, AnswerInSequence) {
  const struct {
    const char* object;
    const char* right;
    const char* wrong;
  } cases[] = {
      {"stack", "a push 1; a ok; a push 2; a ok; a pop; a = 2", "a push 1; a ok; a pop; a = -1"},
      {"queue", "a enqueue 1; a ok; a enqueue 2; a ok; a dequeue; a = 1", "a dequeue; a = 0"},
      {"deque",
       "a push_bottom 1; a ok; a push_top 2; a ok; a pop_bottom; a = 1; a pop_top; a = 2",
       "a push_bottom 1; a ok; a push_top 2; a ok; a pop_bottom; a = 2"},
      {"set",
       "a add 1; a = 1; a add 1; a = 0; a remove 1; a = 1; a contains 1; a = 0",
       "a add 1; a = 0"},
      {"multiset",
       "a add 1; a ok; a add 1; a ok; a remove 1; a = 1; a count 1; a = 1; a contains 1; a = 1",
       "a add 1; a ok; a add 1; a ok; a count 1; a = 1"},
      {"counter",
       "a increment; a ok; a fetch_increment; a = 1; a decrement; a ok; a fetch_decrement; a = 1; "
       "a get; a = 0",
       "a increment; a ok; a get; a = 0"},
      {"register",
       "a read; a = 0; a write 3; a ok; a exchange 4; a = 3; a read; a = 4",
       "a write 3; a ok; a read; a = 0"},
      {"lock", "a acquire; a ok; a release; a ok; a try_acquire; a = 1", "a release; a ok"},
      {"stm", "a w0 7; a ok; a r0w1 8; a = 7; a r1; a = 8", "a w0 7; a ok; a r1; a = 7"},
  };
  std::vector<std::string> seen;
  for (const auto& one : cases) {
    EXPECT_TRUE(holds(one.object, one.right)) << one.object;
    EXPECT_FALSE(holds(one.object, one.wrong)) << one.object;
    seen.emplace_back(one.object);
  }
  for (const ObjectKind& kind : object_kinds())
    EXPECT_NE(std::ranges::find(seen, kind.name), seen.end()) << kind.name;
}

TEST(Objects, NamesThatAreNotThere) {
  EXPECT_EQ(find_object_kind("heap").error().code, "HIS-001");
  EXPECT_EQ(find_method(kind_of("stack"), "enqueue").error().code, "HIS-002");
  EXPECT_EQ(find_method(kind_of("stm"), "w").error().code, "HIS-002");
  EXPECT_EQ(find_method(kind_of("stm"), "x0").error().code, "HIS-002");
  EXPECT_EQ(find_method(kind_of("stm"), "r0r1r2r3").error().code, "HIS-002");
  EXPECT_TRUE(find_method(kind_of("stm"), "r0r1w2"));
  EXPECT_EQ(units_of(kind_of("lock"), std::vector<Method>{{"acquire"}}).error().code, "HIS-003");
  EXPECT_EQ(units_of(kind_of("lock"), std::vector<Method>{{"release"}}).error().code, "HIS-003");
}

TEST(History, EventsAndBack) {
  const History history =
      read_history("a push 1; b pop; a ok; a push 2; b = 1; b pop; a ok; c pop");
  EXPECT_EQ(from_events(history.operations, to_events(history)), history);
}

// The reference: every subset of pending operations, every permutation, order by positions.
struct Sample {
  std::vector<Operation> operations;
  std::vector<Event> events;
};

std::size_t position(const Sample& sample, Kind kind, std::uint32_t operation) {
  const auto found = std::ranges::find(sample.events, Event{kind, operation});
  return static_cast<std::size_t>(found - sample.events.begin()); // the end: never
}

/// Is there a moment between the response of a and the invocation of b with nothing under way?
bool quiet_between(const Sample& sample, std::uint32_t a, std::uint32_t b) {
  int under_way = 0;
  bool is_after_a = false;
  for (const Event& event : sample.events) {
    if (event == Event{Kind::kInvocation, b})
      return false;
    under_way += event.kind == Kind::kInvocation ? 1 : -1;
    is_after_a = is_after_a || event == Event{Kind::kResponse, a};
    if (is_after_a && under_way == 0)
      return true;
  }
  return false;
}

bool must_precede(const Sample& sample, Criterion criterion, std::uint32_t a, std::uint32_t b) {
  switch (criterion) {
  case Criterion::kLinearizable:
    return position(sample, Kind::kResponse, a) < position(sample, Kind::kInvocation, b);
  case Criterion::kQuiescent:
    return quiet_between(sample, a, b);
  case Criterion::kSequential:
    return sample.operations[a].thread == sample.operations[b].thread && a < b;
  }
  return false;
}

bool reference(const Sample& sample, Criterion criterion, const SequentialObject& object) {
  const auto count = static_cast<std::uint32_t>(sample.operations.size());
  std::vector<std::uint32_t> pending;
  std::vector<std::uint32_t> ended;
  for (std::uint32_t i = 0; i < count; ++i)
    (position(sample, Kind::kResponse, i) < sample.events.size() ? ended : pending).push_back(i);
  for (std::uint32_t chosen = 0; chosen < 1U << pending.size(); ++chosen) {
    std::vector<std::uint32_t> order = ended;
    for (std::size_t i = 0; i < pending.size(); ++i)
      if ((chosen >> i & 1U) != 0)
        order.push_back(pending[i]);
    std::ranges::sort(order);
    do {
      bool is_good = true;
      for (std::size_t i = 0; i < order.size() && is_good; ++i)
        for (std::size_t j = i + 1; j < order.size() && is_good; ++j)
          is_good = !must_precede(sample, criterion, order[j], order[i]);
      std::optional<ObjectState> state = object.initial();
      for (std::size_t i = 0; i < order.size() && is_good; ++i) {
        Operation operation = sample.operations[order[i]];
        operation.has_returned = position(sample, Kind::kResponse, order[i]) < sample.events.size();
        state = object.apply(*state, operation);
        is_good = state.has_value();
      }
      if (is_good)
        return true;
    } while (std::ranges::next_permutation(order).found);
  }
  return false;
}

/// Threads that call operations at random. Each takes effect somewhere between its invocation and
/// its response, but some results are spoilt afterwards.
Sample random_sample(Rng& rng, const std::vector<Method>& methods, const SequentialObject& object) {
  Sample sample;
  const std::uint32_t threads = 2 + static_cast<std::uint32_t>(rng.below(2));
  const std::size_t most = 3 + rng.below(4);
  struct Thread {
    bool is_busy = false;
    bool has_effect = false;
    std::uint32_t operation = 0;
  };
  std::vector<Thread> states(threads);
  ObjectState content = object.initial();
  for (unsigned step = 0; step < 24; ++step) {
    Thread& thread = states[rng.below(threads)];
    const auto number = static_cast<std::uint32_t>(&thread - states.data());
    if (!thread.is_busy) {
      if (sample.operations.size() == most)
        continue;
      const Method& method = methods[rng.below(methods.size())];
      Operation operation;
      operation.thread = number;
      operation.method = method.name;
      if (method.argument == Method::Argument::kUnique)
        operation.argument = static_cast<std::int64_t>(sample.operations.size()) + 1;
      else if (method.argument == Method::Argument::kKey)
        operation.argument = static_cast<std::int64_t>(rng.below(2)) + 1;
      thread = {true, false, static_cast<std::uint32_t>(sample.operations.size())};
      sample.operations.push_back(operation);
      sample.events.push_back({Kind::kInvocation, thread.operation});
    } else if (!thread.has_effect) {
      // The result is whichever the object accepts.
      Operation& operation = sample.operations[thread.operation];
      for (std::int64_t result = -1; result < 8 && !thread.has_effect; ++result) {
        Operation tried = operation;
        tried.has_returned = true;
        tried.result = result;
        if (const auto after = object.apply(content, tried)) {
          content = *after;
          operation.result = result;
          thread.has_effect = true;
        }
      }
    } else {
      Operation& operation = sample.operations[thread.operation];
      if (rng.chance(1, 8))
        operation.result = static_cast<std::int64_t>(rng.below(4)) - 1;
      sample.events.push_back({Kind::kResponse, thread.operation});
      thread.is_busy = false;
    }
  }
  return sample;
}

TEST(Linearize, AgreesWithTheReferenceOnRandomHistories) {
  for (const ObjectKind& kind : object_kinds()) {
    std::vector<Method> methods = kind.methods;
    if (methods.empty())
      for (const char* name : {"w0", "w1", "r0", "r1w0"})
        methods.push_back(*find_method(kind, name));
    const auto object = make_object(kind, {});
    for (const Criterion criterion :
         {Criterion::kLinearizable, Criterion::kQuiescent, Criterion::kSequential}) {
      unsigned good = 0;
      unsigned bad = 0;
      for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Rng rng(seed);
        const Sample sample = random_sample(rng, methods, *object);
        const History history =
            with_order_of(from_events(sample.operations, sample.events), criterion);
        const auto found = linearize(history, *object);
        ASSERT_EQ(found.has_value(), reference(sample, criterion, *object))
            << kind.name << " seed " << seed << " criterion " << static_cast<int>(criterion);
        ++(found ? good : bad);
      }
      EXPECT_GE(good, 40U) << kind.name;
      EXPECT_GE(bad, 10U) << kind.name;
    }
  }
}

TEST(Linearize, ManyOverlappingOperationsAreNoProblem) {
  // 24 pushes at the same time, then pops in an order of their own: 24! orders, few states.
  std::vector<Operation> operations;
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 24; ++i) {
    operations.push_back({i, "add", 1, false, 1});
    events.push_back({Kind::kInvocation, i});
  }
  for (std::uint32_t i = 0; i < 24; ++i)
    events.push_back({Kind::kResponse, i});
  operations[7].result = 0;
  const auto set = make_object(kind_of("set"), {});
  EXPECT_FALSE(linearize(from_events(operations, events), *set)); // only one can be the first
  const auto multiset = make_object(kind_of("multiset"), {});
  EXPECT_TRUE(linearize(from_events(operations, events), *multiset));
}

} // namespace
} // namespace heddle::history
