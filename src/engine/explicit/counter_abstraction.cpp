// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/counter_abstraction.h"

#include "support/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle::engine {

void CounterAbstraction::begin(const Tuple& tuple) {
  before_ = tuple;
  many_ = 0;
  const std::uint64_t holders = symmetry_.holders(tuple);
  for (std::uint32_t a = 1; a < tuple.thread_count(); ++a)
    for (std::uint32_t b = a + 1; b < tuple.thread_count(); ++b)
      if (content(tuple, a) == content(tuple, b) && ((holders >> a | holders >> b) & 1U) == 0)
        many_ |= 1ULL << a | 1ULL << b;
}

void CounterAbstraction::settle(Tuple& tuple, program::ThreadIndex thread) {
  if ((many_ >> thread & 1U) != 0)
    leave_one_behind(tuple, thread);
  sort_and_merge(tuple);
}

void CounterAbstraction::leave_one_behind(Tuple& tuple, program::ThreadIndex thread) const {
  const Tuple after = tuple;
  const std::uint32_t count = after.thread_count();
  HEDDLE_CHECK(count == before_.thread_count(), "a thread of a crowd made another");
  HEDDLE_CHECK(count < program::kMaxThreads, "there is no room for another thread");
  tuple.set_header(count + 1, after.atomic_owner(), after.has_ended());
  tuple.size = store_.tuple_size(count + 1);
  tuple.thread(count) = before_.thread(thread);
  if (!store_.shape().has_buffers)
    return;
  for (std::uint32_t t = 0; t < count; ++t)
    tuple.buffer(t) = after.buffer(t);
  tuple.buffer(count) = before_.buffer(thread);
}

/// Threads that hold something come first, so that what names them does not depend on the others.
/// Nobody waits for a thread that has ended.
void CounterAbstraction::sort_and_merge(Tuple& tuple) {
  const std::uint64_t holders = symmetry_.holders(tuple);
  const auto rank = [&](std::uint8_t t) {
    return std::tuple((holders >> t & 1U) == 0, content(tuple, t), t);
  };
  std::vector<std::uint8_t> kept;
  for (std::uint32_t t = 1; t < tuple.thread_count(); ++t)
    if ((holders >> t & 1U) != 0 || is_live(tuple, t))
      kept.push_back(static_cast<std::uint8_t>(t));
  std::ranges::sort(kept, {}, rank);
  const auto is_third = [&](std::size_t i) {
    return i >= 2 && (holders >> kept[i - 2] & 1U) == 0 &&
           content(tuple, kept[i]) == content(tuple, kept[i - 2]);
  };
  std::vector<std::uint8_t> order = {0};
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!is_third(i))
      order.push_back(kept[i]);
  symmetry_.rearrange(tuple, order);
}

CounterAbstraction::Parts CounterAbstraction::parts(const Tuple& tuple) const {
  const std::uint64_t holders = symmetry_.holders(tuple);
  Parts result;
  result.fixed = {std::uint64_t{tuple.memory()} << 32U | tuple.words[0] >> 6U, content(tuple, 0)};
  for (std::uint32_t t = 1; t < tuple.thread_count(); ++t)
    ((holders >> t & 1U) != 0 ? result.fixed : result.others).push_back(content(tuple, t));
  return result;
}

bool CounterAbstraction::is_covered(const Tuple& tuple) const {
  const Parts wanted = parts(tuple);
  const auto found = largest_.find(wanted.fixed);
  return found != largest_.end() && std::ranges::any_of(found->second, [&](const Contents& larger) {
           return std::ranges::includes(larger, wanted.others);
         });
}

void CounterAbstraction::add(const Tuple& tuple) {
  Parts added = parts(tuple);
  std::vector<Contents>& largest = largest_[std::move(added.fixed)];
  std::erase_if(largest, [&](const Contents& smaller) {
    return std::ranges::includes(added.others, smaller);
  });
  largest.push_back(std::move(added.others));
}

bool CounterAbstraction::is_outdone(const Tuple& tuple) const {
  const Parts added = parts(tuple);
  return std::ranges::find(largest_.at(added.fixed), added.others) ==
         largest_.at(added.fixed).end();
}

} // namespace heddle::engine
