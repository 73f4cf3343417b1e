// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Interned sequences of words, one table for each kind of component of a state (Holzmann, "State
// compression in SPIN", 1997): memory, thread, buffer, monitor. A long sequence is stored as a
// sequence of interned chunks, so that a store to a large memory costs one chunk and one list of
// chunk ids, not a copy of everything.
#pragma once

#include "engine/explicit/arena.h"
#include "engine/explicit/slot_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::engine {

class ComponentTable {
public:
  /// The hash is a parameter so that tests can make everything collide.
  using Hash = std::uint64_t (*)(std::span<const std::uint32_t>);
  explicit ComponentTable(Hash hash);
  ComponentTable();

  static constexpr std::size_t kChunkWords = 32;

  /// Equal sequences have equal ids, and only they. `mark` is a word the user may attach to new
  /// content.
  std::uint32_t intern(std::span<const std::uint64_t> words, std::uint32_t mark = 0);
  /// The same, faster if the words are the content of `before`, or differ from it in few chunks.
  std::uint32_t
  intern_changed(std::span<const std::uint64_t> words, std::uint32_t before, std::uint32_t mark);

  void read(std::uint32_t id, std::vector<std::uint64_t>& out) const;
  [[nodiscard]] std::uint32_t mark(std::uint32_t id) const { return arena_.at(id)[1]; }
  void set_mark(std::uint32_t id, std::uint32_t mark) { arena_.at(id)[1] = mark; }

  [[nodiscard]] std::uint64_t size() const { return table_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return arena_.bytes() + table_.bytes(); }
  [[nodiscard]] bool is_nearly_full() const { return arena_.is_nearly_full(); }

private:
  // A record: the length in 64-bit words (with kComposite: a list of chunks follows, else the
  // words), the mark, content. A chunk is flagged, so that it is never taken for a whole component
  // (they have different marks).
  static constexpr std::uint32_t kComposite = 1U << 31U;
  static constexpr std::uint32_t kChunk = 1U << 30U;
  static constexpr std::uint32_t kHeaderWords = 2;

  std::uint32_t
  intern_record(std::uint32_t length, std::span<const std::uint32_t> content, std::uint32_t mark);
  std::uint32_t
  intern_words(std::span<const std::uint64_t> words, std::uint32_t mark, std::uint32_t flag);

  Hash hash_;
  Arena arena_;
  SlotTable table_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint32_t> chunks_;
};

/// The hash that is used but in tests.
[[nodiscard]] std::uint64_t hash_record(std::span<const std::uint32_t> words);

} // namespace heddle::engine
