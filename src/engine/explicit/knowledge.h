// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the race monitor remembers of a run. Instead of clocks, which grow without bound: the last
// access of each thread of each kind to each place, and sets of those. A set says which of these
// accesses happen before what the set belongs to (a thread's next action, a message in memory or in
// a buffer, a lock that was given back, …). When a thread makes the same access again, the new one
// takes the place of the old one and nobody but the thread knows it yet. That is exact: who is
// ordered after the last of such accesses is ordered after all of them. An access all live threads
// know of can race with nothing any more and is forgotten.
#pragma once

#include "program/run/state.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::engine {

struct AccessRecord {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  program::ThreadIndex thread = 0;
  bool writes = false;
  bool is_atomic = false;
  bool in_section = false;
  auto operator<=>(const AccessRecord&) const = default;
};

class Knowledge {
public:
  using Set = std::vector<std::uint32_t>; // sorted indices into records()
  enum class Owner : std::uint8_t {
    kThread,       // a: thread
    kReleaseFence, // a: thread; what its later relaxed stores release
    kUnacquired,   // a: thread; read by relaxed loads, until an acquire fence
    kReleaseStore, // a: byte, b: thread; released by its stores to that byte
    kMessage,      // a: byte; of the store whose value is in memory
    kPending,      // a: thread, b: position in its buffer
    kWriters,      // a: lock; given back by writers
    kReaders,      // a: lock; given back by readers
    kSemaphore,    // a: semaphore or once
    kArriving,     // a: barrier
    kSections,     // atomic sections
  };
  struct Key {
    Owner owner = Owner::kThread;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    auto operator<=>(const Key&) const = default;
  };

  [[nodiscard]] static Knowledge decode(const std::vector<std::uint64_t>& words);
  [[nodiscard]] std::vector<std::uint64_t> encode() const;

  [[nodiscard]] const std::vector<AccessRecord>& records() const { return records_; }
  [[nodiscard]] Set get(Key key) const;
  void set(Key key, Set value);
  void add(Key key, const Set& more);
  /// The thread makes that access now.
  void renew(const AccessRecord& record);
  /// Forgets the accesses that all these threads (a bit mask) know of.
  void forget_known(std::uint64_t threads);
  /// The bytes belong to a new block: what was done to an old one there is not done to it.
  void forget_place(std::uint64_t address, std::uint64_t size);
  [[nodiscard]] bool knows(Key key, std::uint32_t record) const;

  /// The entry at `position` of the thread's buffer has left; the later ones move up.
  void remove_pending(program::ThreadIndex thread, std::uint64_t position);

  [[nodiscard]] static Set united(const Set& a, const Set& b);

private:
  void erase_record(std::uint32_t index);

  std::vector<AccessRecord> records_; // sorted
  std::map<Key, Set> sets_;           // none empty
};

} // namespace heddle::engine
