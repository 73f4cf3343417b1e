// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The states seen so far. A state is a tuple of component ids (memory, each thread, each buffer,
// the monitor) with a header; components and tuples are interned, so two states are equal exactly
// if their tuples are. Each record also carries the state it was first reached from and what the
// search notes about it. Records lie in the order of discovery: walking them is a breadth-first
// queue that costs nothing.
#pragma once

#include "engine/explicit/arena.h"
#include "engine/explicit/component_table.h"
#include "engine/explicit/slot_table.h"
#include "memory/machine/machine.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::engine {

using StateId = std::uint32_t;
inline constexpr StateId kNoState = 0xffff'ffffU;

/// Header, memory, threads, buffers (if the machine has any), monitor (if there is one).
struct Tuple {
  static constexpr std::size_t kMaxWords = 3 + 2 * program::kMaxThreads;
  std::array<std::uint32_t, kMaxWords> words;
  std::uint32_t size = 0;

  // The header: 6 bits number of threads, 6 bits owner of the atomic section plus one, 1 bit "the
  // run has ended".
  static constexpr std::uint32_t kIdentityMask = (1U << 13U) - 1;
  [[nodiscard]] std::uint32_t thread_count() const { return words[0] & 63U; }
  [[nodiscard]] std::int32_t atomic_owner() const {
    return static_cast<std::int32_t>((words[0] >> 6U) & 63U) - 1;
  }
  [[nodiscard]] bool has_ended() const { return ((words[0] >> 12U) & 1U) != 0; }
  void set_header(std::uint32_t threads, std::int32_t owner, bool ended) {
    words[0] = threads | (static_cast<std::uint32_t>(owner + 1) << 6U) | (ended ? 1U << 12U : 0U);
  }
  void set_owner(std::int32_t owner) { set_header(thread_count(), owner, has_ended()); }

  [[nodiscard]] std::uint32_t& memory() { return words[1]; }
  [[nodiscard]] std::uint32_t memory() const { return words[1]; }
  [[nodiscard]] std::uint32_t& thread(std::uint32_t t) { return words[2 + t]; }
  [[nodiscard]] std::uint32_t thread(std::uint32_t t) const { return words[2 + t]; }
  [[nodiscard]] std::uint32_t& buffer(std::uint32_t t) { return words[2 + thread_count() + t]; }
  [[nodiscard]] std::uint32_t buffer(std::uint32_t t) const {
    return words[2 + thread_count() + t];
  }
  /// Only where there is a monitor.
  [[nodiscard]] std::uint32_t& monitor() { return words[size - 1]; }
  [[nodiscard]] std::uint32_t monitor() const { return words[size - 1]; }

  [[nodiscard]] bool operator==(const Tuple& other) const;
};

class StateStore {
public:
  struct Shape {
    bool has_buffers = false;
    bool has_monitor = false;
  };
  explicit StateStore(Shape shape, ComponentTable::Hash hash = hash_record);

  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] std::uint32_t tuple_size(std::uint32_t thread_count) const {
    return 2 + thread_count * (shape_.has_buffers ? 2U : 1U) + (shape_.has_monitor ? 1U : 0U);
  }

  ComponentTable memories;
  ComponentTable threads;
  ComponentTable buffers;
  ComponentTable monitors;

  [[nodiscard]] std::uint64_t hash_of(const Tuple& tuple) const {
    return hash_({tuple.words.data(), tuple.size});
  }
  void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
  [[nodiscard]] std::optional<StateId> find(const Tuple& tuple, std::uint64_t hash) const;
  /// Something find has just not found. `streak` is kept for the search (below).
  StateId insert(const Tuple& tuple, std::uint64_t hash, StateId parent, std::uint32_t streak);

  void read(StateId id, Tuple& out) const;
  [[nodiscard]] StateId parent(StateId id) const { return arena_.at(id)[0]; }
  [[nodiscard]] bool is_expanded(StateId id) const { return ((arena_.at(id)[1] >> 13U) & 1U) != 0; }
  void set_expanded(StateId id) { arena_.at(id)[1] |= 1U << 13U; }
  /// How many reduced expansions in a row lead here.
  static constexpr std::uint32_t kMaxStreak = 255;
  [[nodiscard]] std::uint32_t streak(StateId id) const { return (arena_.at(id)[1] >> 14U) & 255U; }

  /// In the order of insertion; kNoState after the last.
  [[nodiscard]] StateId first() const { return count_ == 0 ? kNoState : 0; }
  [[nodiscard]] StateId next(StateId id) const;

  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] bool is_nearly_full() const;

private:
  [[nodiscard]] std::uint32_t record_words(const std::uint32_t* record) const {
    return 1 + tuple_size(record[1] & 63U);
  }

  Shape shape_;
  ComponentTable::Hash hash_;
  Arena arena_; // records: parent, header with notes, the rest of the tuple
  SlotTable table_;
  std::vector<std::uint32_t> segment_ends_; // offset after the last record of each full segment
  std::uint32_t end_ = 0;                   // offset after the last record
  std::uint64_t count_ = 0;
};

/// Reads and writes machine states as tuples. Keeps one machine state and knows which components it
/// holds, so that going from one tuple to another copies only what differs.
class StateCodec {
public:
  explicit StateCodec(StateStore& store) : store_(store) {}

  /// The machine state of the tuple, valid until the next call. Who changes it calls one of the
  /// next three.
  memory::MachineState& load(const Tuple& tuple);
  /// The change led nowhere (the run ended in a fault).
  void spoil() { loaded_.size = 0; }
  /// After `load(before)` and a step of `thread` that touched at most memory, that thread and its
  /// buffer.
  void store_local(const Tuple& before, program::ThreadIndex thread, Tuple& after);
  /// After `load(before)` and any step. Keeps the monitor of `before`.
  void store_all(const Tuple& before, Tuple& after);
  /// A state from nowhere; the monitor is 0.
  void encode(const memory::MachineState& state, Tuple& out);

  /// Marks of thread components: two flags; the bits above are the reduction's.
  static constexpr std::uint32_t kLive = 1;
  static constexpr std::uint32_t kJoined = 2;
  static constexpr std::uint32_t kFlagBits = 2;

private:
  std::uint32_t intern_thread(const program::ThreadState& thread, std::uint32_t before);
  std::uint32_t intern_buffer(const memory::StoreBuffer& buffer, std::uint32_t before);

  StateStore& store_;
  memory::MachineState state_;
  Tuple loaded_; // what state_ holds; kNoState: unknown
  std::vector<std::uint64_t> words_;
};

} // namespace heddle::engine
