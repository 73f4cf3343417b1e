// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The hash table under every interned thing: open addressing over 64-bit slots, 32 bits of hash and
// a 32-bit id. It stores no content: whoever asks compares the content of each candidate in full,
// so a hash match alone never decides anything.
//
// The place of an entry is tag * size / 2^32 (Lemire, "Fast random integer generation in an
// interval", 2019): any size will do, the order of entries does not change when the table grows,
// and growing needs the tags only. The table is cut into parts that grow one at a time by a
// quarter, so growth shows neither in memory nor in time.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::engine {

class SlotTable {
public:
  static constexpr std::size_t kParts = 64;

  explicit SlotTable(std::size_t initial_slots_per_part = 16) : initial_(initial_slots_per_part) {}

  void prefetch(std::uint64_t hash) const {
    const Part& part = parts_[hash % kParts];
    if (!part.slots.empty())
      __builtin_prefetch(&part.slots[place(hash, part.slots.size())]);
  }

  /// The id among those with this hash for which `equal` says so.
  template <std::predicate<std::uint32_t> Equal>
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, Equal equal) const {
    const Part& part = parts_[hash % kParts];
    const std::size_t size = part.slots.size();
    if (size == 0)
      return std::nullopt;
    const std::uint64_t tag = hash >> 32U;
    for (std::size_t i = place(hash, size);; i = i + 1 == size ? 0 : i + 1) {
      const std::uint64_t slot = part.slots[i];
      if (slot == 0)
        return std::nullopt;
      if (slot >> 32U == tag) {
        const std::uint32_t id = static_cast<std::uint32_t>(slot) - 1;
        if (equal(id))
          return id;
      }
    }
  }

  /// Something that find has just not found. The largest 32-bit id is not available.
  void insert(std::uint64_t hash, std::uint32_t id) {
    Part& part = parts_[hash % kParts];
    if (part.count + part.count / 4 >= part.slots.size()) // load at most 4/5
      grow(part);
    put(part.slots, (hash & 0xffff'ffff'0000'0000ULL) | (id + 1ULL));
    ++part.count;
    ++count_;
  }

  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] std::uint64_t bytes() const { return slots_ * sizeof(std::uint64_t); }

private:
  struct Part {
    std::vector<std::uint64_t> slots;
    std::size_t count = 0;
  };

  static std::size_t place(std::uint64_t hash, std::size_t size) {
    return static_cast<std::size_t>(((hash >> 32U) * size) >> 32U);
  }
  static void put(std::vector<std::uint64_t>& slots, std::uint64_t slot) {
    std::size_t i = place(slot, slots.size());
    while (slots[i] != 0)
      i = i + 1 == slots.size() ? 0 : i + 1;
    slots[i] = slot;
  }
  void grow(Part& part) {
    const std::size_t old_size = part.slots.size();
    std::vector<std::uint64_t> larger(old_size == 0 ? initial_ : old_size + old_size / 4 + 1);
    for (const std::uint64_t slot : part.slots)
      if (slot != 0)
        put(larger, slot);
    slots_ += larger.size() - old_size;
    part.slots = std::move(larger);
  }

  std::array<Part, kParts> parts_;
  std::size_t initial_;
  std::uint64_t count_ = 0;
  std::uint64_t slots_ = 0;
};

} // namespace heddle::engine
