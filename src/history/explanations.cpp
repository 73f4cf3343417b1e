// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/explanations.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::history {

namespace {

using What = Moment::What;

/// How an operation takes effect.
enum class Way : std::uint8_t { kAtOnce, kBuffered, kLook };
struct Effect {
  std::uint32_t operation = 0;
  Way way = Way::kAtOnce;
};

/// All orders of effects that the object allows and that the order of each thread allows.
class Orders {
public:
  Orders(const std::vector<Operation>& operations,
         const SequentialObject& object,
         Timing timing,
         std::size_t most)
      : operations_(operations), object_(object), timing_(timing), most_(most) {
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const std::uint32_t thread = timing == Timing::kLastFlush ? i : operations[i].thread;
      threads_.resize(std::max<std::size_t>(threads_.size(), thread + 1));
      threads_[thread].todo.push_back(i);
    }
    const bool is_unknown = std::ranges::any_of(
        operations, [&](const Operation& one) { return !object.may_wait(one).has_value(); });
    if (timing == Timing::kBuffered && is_unknown)
      see_who_waits(object.initial());
  }

  std::optional<std::vector<Precedences>> run() {
    extend(object_.initial());
    if (found_.size() > most_)
      return std::nullopt;
    return std::vector<Precedences>(found_.begin(), found_.end());
  }

private:
  struct Thread {
    std::vector<std::uint32_t> todo; // in its order
    std::size_t next = 0;
    std::vector<std::uint32_t> buffer; // oldest first
  };

  /// Finds operations that could come, with the results there are, at a moment when the object does
  /// not allow them: those wait.
  /// As deep as there are operations.
  void see_who_waits(const ObjectState& state) {
    std::vector<std::size_t> next;
    for (const Thread& thread : threads_)
      next.push_back(thread.next);
    if (!visited_.emplace(next, state).second)
      return;
    for (Thread& thread : threads_) {
      if (thread.next == thread.todo.size())
        continue;
      const std::uint32_t operation = thread.todo[thread.next];
      const std::optional<ObjectState> after = object_.apply(state, operations_[operation]);
      if (!after) {
        waits_.insert(operation);
        continue;
      }
      ++thread.next;
      see_who_waits(*after);
      --thread.next;
    }
  }

  /// As deep as there are operations, twice at most.
  void extend(const ObjectState& state) {
    if (found_.size() > most_)
      return;
    bool is_over = true;
    for (Thread& thread : threads_) {
      if (!thread.buffer.empty()) {
        is_over = false;
        flush(thread, state);
      }
      if (thread.next < thread.todo.size()) {
        is_over = false;
        go_on(thread, state);
      }
    }
    if (is_over)
      found_.insert(contradicted_by());
  }

  void flush(Thread& thread, const ObjectState& state) {
    const std::uint32_t operation = thread.buffer.front();
    const std::optional<ObjectState> after = object_.apply(state, operations_[operation]);
    if (!after)
      return;
    thread.buffer.erase(thread.buffer.begin());
    effects_.push_back({operation, Way::kBuffered});
    extend(*after);
    effects_.pop_back();
    thread.buffer.insert(thread.buffer.begin(), operation);
  }

  void go_on(Thread& thread, const ObjectState& state) {
    const std::uint32_t operation = thread.todo[thread.next];
    const Operation& called = operations_[operation];
    ++thread.next;
    // In the buffer and at once out of it is as good as a step of memory, and less contradicts it:
    // the marker of a return leaves the buffer after the return.
    const bool is_buffered = timing_ == Timing::kBuffered && !called.result &&
                             !object_.may_wait(called).value_or(waits_.contains(operation));
    if (thread.buffer.empty() && !is_buffered)
      if (const std::optional<ObjectState> after = object_.apply(state, called)) {
        effects_.push_back({operation, Way::kAtOnce});
        extend(*after);
        effects_.pop_back();
      }
    if (timing_ == Timing::kBuffered) {
      if (is_buffered) {
        thread.buffer.push_back(operation);
        extend(state);
        thread.buffer.pop_back();
      }
      if (changes_nothing(seen_by(thread, state), called)) {
        effects_.push_back({operation, Way::kLook});
        extend(state);
        effects_.pop_back();
      }
    }
    --thread.next;
  }

  /// Memory, and then what the thread's own buffer holds.
  [[nodiscard]] std::optional<ObjectState> seen_by(const Thread& thread,
                                                   const ObjectState& state) const {
    std::optional<ObjectState> seen = state;
    for (std::size_t i = 0; seen && i < thread.buffer.size(); ++i)
      seen = object_.apply(*seen, operations_[thread.buffer[i]]);
    return seen;
  }
  [[nodiscard]] bool changes_nothing(const std::optional<ObjectState>& seen,
                                     const Operation& called) const {
    return seen && object_.apply(*seen, called) == seen;
  }

  [[nodiscard]] Moment begin_of(const Effect& effect) const {
    if (timing_ == Timing::kFixed)
      return {effect.operation, What::kEffect};
    const bool is_call = timing_ != Timing::kBuffered || effect.way == Way::kLook;
    return {effect.operation, is_call ? What::kCall : What::kCallFlushed};
  }
  [[nodiscard]] Moment end_of(const Effect& effect) const {
    if (timing_ == Timing::kFixed)
      return {effect.operation, What::kEffect};
    if (timing_ == Timing::kLastFlush)
      return {effect.operation,
              operations_[effect.operation].has_stored ? What::kReturnFlushed : What::kReturn};
    return {effect.operation, effect.way == Way::kBuffered ? What::kReturnFlushed : What::kReturn};
  }

  /// An effect that ended before another began does not come after it.
  [[nodiscard]] Precedences contradicted_by() const {
    std::set<Precedence> against;
    if (timing_ == Timing::kThread)
      return {};
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      // It has a step of memory, so that the marker of its call has left before its return.
      if (timing_ == Timing::kBuffered && effects_[i].way == Way::kAtOnce)
        against.insert({end_of(effects_[i]), begin_of(effects_[i])});
      for (std::size_t j = i + 1; j < effects_.size(); ++j)
        if (timing_ == Timing::kLastFlush ||
            operations_[effects_[i].operation].thread !=
                operations_[effects_[j].operation].thread ||
            effects_[i].operation > effects_[j].operation)
          against.insert({end_of(effects_[j]), begin_of(effects_[i])});
    }
    return {against.begin(), against.end()};
  }

  const std::vector<Operation>& operations_;
  const SequentialObject& object_;
  Timing timing_;
  std::size_t most_;
  std::vector<Thread> threads_;
  std::set<std::pair<std::vector<std::size_t>, ObjectState>> visited_;
  std::set<std::uint32_t> waits_; // operations
  std::vector<Effect> effects_;
  std::set<Precedences> found_;
};

constexpr std::size_t kMoments = 5; // of an operation

std::size_t index_of(const Moment& moment) {
  return kMoments * moment.operation + static_cast<std::size_t>(moment.what);
}

/// Which moment comes before which.
class MomentOrder {
public:
  explicit MomentOrder(const std::vector<Operation>& operations)
      : count_(kMoments * operations.size()), is_before_(count_ * count_, false) {
    std::vector<std::optional<std::uint32_t>> last; // of each thread
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      put({i, What::kCall}, {i, What::kReturn});
      put({i, What::kCall}, {i, What::kCallFlushed});
      put({i, What::kReturn}, {i, What::kReturnFlushed});
      put({i, What::kCallFlushed}, {i, What::kReturnFlushed});
      const std::uint32_t thread = operations[i].thread;
      last.resize(std::max<std::size_t>(last.size(), thread + 1));
      if (last[thread]) {
        put({*last[thread], What::kReturn}, {i, What::kCall});
        put({*last[thread], What::kReturnFlushed}, {i, What::kCallFlushed});
      }
      last[thread] = i;
    }
  }

  /// False if it cannot be. To be called once.
  bool add(const Precedences& precedences) {
    for (const Precedence& one : precedences)
      put(one.first, one.second);
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t i = 0; i < count_; ++i)
        if (is_before_[i * count_ + k])
          for (std::size_t j = 0; j < count_; ++j)
            if (is_before_[k * count_ + j])
              is_before_[i * count_ + j] = true;
    for (std::size_t i = 0; i < count_; ++i)
      if (is_before_[i * count_ + i])
        return false;
    return true;
  }
  [[nodiscard]] bool has(const Precedence& one) const {
    return is_before_[index_of(one.first) * count_ + index_of(one.second)];
  }

private:
  void put(const Moment& first, const Moment& second) {
    is_before_[index_of(first) * count_ + index_of(second)] = true;
  }

  std::size_t count_;
  std::vector<bool> is_before_;
};

} // namespace

std::optional<std::vector<Precedences>> explanations_of(const std::vector<Operation>& operations,
                                                        const SequentialObject& object,
                                                        Timing timing,
                                                        std::size_t most) {
  return Orders(operations, object, timing, most).run();
}

std::optional<std::vector<Precedences>>
contradictions_of(const std::vector<Operation>& operations,
                  const std::vector<Precedences>& explanations,
                  std::size_t most) {
  // The first explanation that stands. What is contradicted follows from the precedences and from
  // the order of threads.
  const auto open_one = [&](const MomentOrder& order) {
    return std::ranges::find_if(explanations, [&](const Precedences& against) {
      return std::ranges::none_of(against, [&](const Precedence& one) { return order.has(one); });
    });
  };
  std::set<Precedences> seen;
  std::vector<Precedences> todo = {{}};
  std::set<Precedences> complete;
  while (!todo.empty()) {
    if (seen.size() > most)
      return std::nullopt;
    Precedences chosen = std::move(todo.back());
    todo.pop_back();
    MomentOrder order(operations);
    if (!order.add(chosen))
      continue;
    const auto open = open_one(order);
    if (open == explanations.end()) {
      // What the others imply, or what is not needed, was chosen for explanations that came first.
      for (std::size_t i = chosen.size(); i-- > 0;) {
        Precedences less = chosen;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
        MomentOrder without(operations);
        without.add(less);
        if (open_one(without) == explanations.end())
          chosen = std::move(less);
      }
      complete.insert(std::move(chosen));
      continue;
    }
    for (const Precedence& one : *open) {
      Precedences more = chosen;
      more.insert(std::ranges::lower_bound(more, one), one);
      if (seen.insert(more).second)
        todo.push_back(std::move(more));
    }
  }
  // Of sets of which one includes another the smaller one is enough.
  std::vector<Precedences> sorted(complete.begin(), complete.end());
  std::ranges::sort(sorted, {}, [](const Precedences& one) { return std::tuple(one.size(), one); });
  std::vector<Precedences> smallest;
  for (const Precedences& one : sorted)
    if (std::ranges::none_of(
            smallest, [&](const Precedences& less) { return std::ranges::includes(one, less); }))
      smallest.push_back(one);
  return smallest;
}

} // namespace heddle::history
