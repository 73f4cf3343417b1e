// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/symmetry.h"

#include "engine/explicit/symmetry_conditions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::engine {

Permutation identity_permutation() {
  Permutation result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::uint8_t>(i);
  return result;
}

Symmetry::Symmetry(const memory::Machine& machine, StateStore& store, bool is_wanted)
    : machine_(machine), store_(store) {
  if (!is_wanted || machine.interpreter().options().check_analyses) {
    reason_ = "not asked for";
    return;
  }
  SymmetryConditions conditions = symmetry_conditions(machine.interpreter().program());
  is_active_ = conditions.hold;
  reason_ = std::move(conditions.why_not);
  is_crowd_ = conditions.is_crowd && !machine.interpreter().looks_at_other_threads();
  locks_ = std::move(conditions.owner_words);
}

void Symmetry::canonicalise(Tuple& tuple, Permutation* from) {
  if (!is_active_)
    return;
  const std::uint32_t count = tuple.thread_count();
  const bool has_buffers = store_.shape().has_buffers;
  // What makes the order canonical is that equal contents have equal ids.
  const auto key = [&](std::uint32_t t) {
    return std::uint64_t{tuple.thread(t)} << 32U | (has_buffers ? tuple.buffer(t) : 0);
  };
  // A thread that was joined stays where it is: the initial thread has passed the join of that
  // index.
  std::array<std::uint8_t, program::kMaxThreads> slots{};
  std::size_t slot_count = 0;
  bool is_sorted = true;
  for (std::uint32_t t = 1; t < count; ++t) {
    if ((store_.threads.mark(tuple.thread(t)) & StateCodec::kJoined) != 0)
      continue;
    if (slot_count > 0 && key(slots[slot_count - 1]) > key(t))
      is_sorted = false;
    slots[slot_count++] = static_cast<std::uint8_t>(t);
  }
  if (is_sorted)
    return;
  auto sorted = slots;
  std::sort(
      sorted.begin(),
      sorted.begin() + static_cast<std::ptrdiff_t>(slot_count),
      [&](std::uint8_t a, std::uint8_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
  Permutation order = identity_permutation();
  for (std::size_t i = 0; i < slot_count; ++i)
    order[slots[i]] = sorted[i];
  const Tuple old = tuple;
  for (std::uint32_t t = 1; t < count; ++t) {
    tuple.thread(t) = old.thread(order[t]);
    if (has_buffers)
      tuple.buffer(t) = old.buffer(order[t]);
  }
  rename_owners(tuple, order);
  if (from != nullptr)
    *from = order;
}

void Symmetry::rename_owners(Tuple& tuple, const Permutation& from) {
  const std::uint32_t count = tuple.thread_count();
  const auto renamed = [&](std::uint64_t thread) {
    for (std::uint32_t t = 0; t < count; ++t)
      if (from[t] == thread)
        return std::uint64_t{t};
    return thread;
  };
  if (tuple.atomic_owner() >= 0)
    tuple.set_owner(
        static_cast<std::int32_t>(renamed(static_cast<std::uint64_t>(tuple.atomic_owner()))));
  if (locks_.empty())
    return;
  const program::Interpreter& interpreter = machine_.interpreter();
  store_.memories.read(tuple.memory(), memory_.words);
  bool changed = false;
  for (const std::uint64_t lock : locks_) {
    const std::uint64_t owner = interpreter.read(memory_, lock, 4);
    if (owner == 0 || renamed(owner - 1) == owner - 1)
      continue;
    interpreter.write(memory_, lock, 4, renamed(owner - 1) + 1);
    changed = true;
  }
  if (changed)
    tuple.memory() = store_.memories.intern_changed(memory_.words, tuple.memory(), 0);
}

std::uint64_t Symmetry::holders(const Tuple& tuple) const {
  std::uint64_t threads = 0;
  if (tuple.atomic_owner() >= 0)
    threads |= 1ULL << static_cast<unsigned>(tuple.atomic_owner());
  if (locks_.empty())
    return threads;
  store_.memories.read(tuple.memory(), memory_.words);
  for (const std::uint64_t lock : locks_)
    if (const std::uint64_t owner = machine_.interpreter().read(memory_, lock, 4); owner != 0)
      threads |= 1ULL << (owner - 1);
  return threads;
}

void Symmetry::rearrange(Tuple& tuple, std::span<const std::uint8_t> kept) {
  const Tuple old = tuple;
  const auto count = static_cast<std::uint32_t>(kept.size());
  Permutation from = identity_permutation();
  std::ranges::copy(kept, from.begin());
  tuple.set_header(count, old.atomic_owner(), old.has_ended());
  tuple.size = store_.tuple_size(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    tuple.thread(t) = old.thread(from[t]);
    if (store_.shape().has_buffers)
      tuple.buffer(t) = old.buffer(from[t]);
  }
  rename_owners(tuple, from);
}

execution::Transition Symmetry::real(const execution::Transition& transition,
                                     const Permutation& permutation) const {
  // Choices name no threads: a program with signals is not taken for symmetric.
  execution::Transition result = transition;
  result.thread = permutation[transition.thread];
  return result;
}

} // namespace heddle::engine
