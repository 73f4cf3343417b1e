// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The layout of MemoryState's words and everything that reads or changes it; only the interpreter's
// files include this.
//
//   the globals that are not constant, each at a fixed byte place (constant ones are read from the
//   Program); with analyses checked: two words per such global, which threads touched it and how
//   (note_touch); then, for each 64 bytes of a global with one that is unwritten (copied from
//   unwritten memory), sorted by unit and place, two words:
//     unit (20 bits) | place in the global / 64 (24) | 0 (16) | kMarksOfGlobal (4)
//     a bit per byte
//   then the blocks, sorted by unit, each:
//     unit (20 bits) | size in bytes (24) | site (16) | flags (4)
//     with analyses checked: two such words
//     unless freed: its bytes, filled up with 0 to whole words; then, as long as a byte of it was
//     never written, a bit per byte that is set while the byte is unwritten (such a byte reads 0
//     here)
#pragma once

#include "program/model/program.h"
#include "program/run/state.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::program {

/// What lies at an address.
struct MemoryTarget {
  enum class Kind : std::uint8_t { kNothing, kNull, kCode, kConstant, kGlobal, kBlock };
  Kind kind = Kind::kNothing;
  bool is_freed = false;
  ObjectId object = {};
  std::uint64_t base = 0; // address of its first byte
  std::uint64_t size = 0;
  std::uint64_t unit = 0; // the first it occupies
  std::size_t place = 0;  // kGlobal: byte in the words; kBlock: index of the block's first word
};

class MemoryMap {
public:
  enum BlockFlag : std::uint64_t {
    kFreed = 1,
    kHasUnwritten = 2,
    kVisibleFrame = 4,  // a frame block another thread may reach: its end is visible
    kMarksOfGlobal = 8, // no block: the unwritten bytes of a global
  };

  MemoryMap(const Program& program, bool tracks_touches);

  [[nodiscard]] const AddressSpace& space() const { return space_; }
  [[nodiscard]] MemoryState initial() const;

  [[nodiscard]] MemoryTarget find(const MemoryState& memory, std::uint64_t address) const;
  /// Are the addresses in the units of one object (or both nowhere, in one unit)?
  [[nodiscard]] bool
  are_neighbours(const MemoryState& memory, std::uint64_t a, std::uint64_t b) const;

  [[nodiscard]] std::uint64_t
  read(const MemoryState& memory, std::uint64_t address, unsigned size) const;
  /// The bytes whose bits are set in `marks` become unwritten.
  void write(MemoryState& memory,
             std::uint64_t address,
             unsigned size,
             std::uint64_t value,
             std::uint8_t marks = 0) const;
  /// Bit i is set if byte address + i was never written.
  [[nodiscard]] std::uint8_t
  unwritten(const MemoryState& memory, std::uint64_t address, unsigned size) const;

  /// The bytes of an address in what lies there, if `size` of them are live and may be written.
  [[nodiscard]] const std::uint8_t* live_bytes(const MemoryState& memory,
                                               const MemoryTarget& target,
                                               std::uint64_t address,
                                               std::uint64_t size) const;
  /// Was every byte of it written? (If in doubt not.)
  [[nodiscard]] bool is_written(const MemoryState& memory, const MemoryTarget& target) const;

  enum class Content : std::uint8_t { kUnwritten, kZero, kInitial };
  void add_block(MemoryState& memory,
                 std::uint64_t unit,
                 std::uint64_t size,
                 ObjectId site,
                 Content content,
                 std::uint64_t flags) const;
  /// Removes all blocks that start in the units [first, first + count).
  void remove_blocks(MemoryState& memory, std::uint64_t first, std::uint64_t count) const;
  [[nodiscard]] bool
  has_visible_block(const MemoryState& memory, std::uint64_t first, std::uint64_t count) const;
  /// Drops the bytes, keeps the header.
  void mark_freed(MemoryState& memory, const MemoryTarget& block) const;
  /// The first unit at or above `first` after the last block that starts in [first, first + count).
  [[nodiscard]] std::uint64_t
  unit_after_last(const MemoryState& memory, std::uint64_t first, std::uint64_t count) const;

  struct Block {
    std::uint64_t unit = 0;
    std::uint64_t size = 0;
    ObjectId site = {};
    bool is_freed = false;
    const std::uint8_t* bytes = nullptr; // null if freed
  };
  /// The index of the first block's word; then next_block until it is memory.words.size().
  [[nodiscard]] std::size_t first_block(const MemoryState& memory) const;
  [[nodiscard]] std::size_t next_block(const MemoryState& memory, std::size_t index) const;
  [[nodiscard]] Block block(const MemoryState& memory, std::size_t index) const;
  [[nodiscard]] std::size_t global_bytes() const { return global_bytes_; }

  /// With touches tracked: notes that the thread accesses the target; false if that shows an access
  /// that was called invisible to touch what another thread touches, one of the two writing.
  [[nodiscard]] bool note_touch(MemoryState& memory,
                                const MemoryTarget& target,
                                ThreadIndex thread,
                                bool writes,
                                bool is_visible) const;

private:
  struct Fixed { // a global of the program
    ObjectId object;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::size_t place = 0;      // byte in the words; constants: unused
    std::size_t touch_word = 0; // with touches tracked
    bool is_constant = false;
  };
  [[nodiscard]] std::size_t header_words() const { return tracks_touches_ ? 3 : 1; }
  [[nodiscard]] std::size_t block_length(std::uint64_t header) const;
  [[nodiscard]] bool has_marked_globals(const MemoryState& memory) const;
  /// The place of the marks' header for byte `offset` of a global, or where it would have to go.
  [[nodiscard]] std::size_t
  find_marks(const MemoryState& memory, std::uint64_t unit, std::uint64_t offset) const;
  void mark_global(MemoryState& memory,
                   const MemoryTarget& target,
                   std::uint64_t offset,
                   bool is_unwritten) const;
  void mark_block(MemoryState& memory,
                  const MemoryTarget& target,
                  std::uint64_t offset,
                  unsigned size,
                  std::uint8_t marks) const;

  const Program& program_;
  AddressSpace space_;
  bool tracks_touches_ = false;
  std::vector<Fixed> fixed_;
  std::vector<std::uint32_t>
      fixed_by_unit_;           // from kFirstGlobalUnit: index into fixed_ plus one, 0 = none
  std::vector<ObjectId> sites_; // objects that name blocks, by the number in a block's header
  std::vector<std::uint32_t> site_of_object_;
  std::size_t global_bytes_ = 0;
  std::size_t blocks_start_ = 0; // of the globals' marks and the blocks
};

} // namespace heddle::program
