// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What may still happen from a location on: an over-approximation of the objects read and written,
// and of the other things that other threads notice, by the rest of the procedure, its callees and
// the threads it creates. It does not include what happens after the procedure returns: the future
// of a thread is the union over its frames. Used by partial-order reductions. Invisible accesses do
// not count, by definition no other thread can tell.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <vector>

namespace heddle::program {

/// A set of objects, or all of them.
class ObjectBits {
public:
  void add(ObjectId object) {
    const std::size_t word = object.index() / 64;
    if (word >= words_.size())
      words_.resize(word + 1);
    words_[word] |= 1ULL << (object.index() % 64);
  }
  void add_all() { all_ = true; }
  /// Did anything change?
  bool add(const ObjectBits& other);
  [[nodiscard]] bool has(ObjectId object) const {
    const std::size_t word = object.index() / 64;
    return all_ || (word < words_.size() && (words_[word] >> (object.index() % 64) & 1U) != 0);
  }
  [[nodiscard]] bool intersects(const ObjectBits& other) const;
  [[nodiscard]] bool is_all() const { return all_; }

private:
  std::vector<std::uint64_t> words_;
  bool all_ = false;
};

struct FutureEffects {
  ObjectBits reads;
  ObjectBits writes;         // also locks and everything else that changes bytes
  bool creates = false;      // threads
  bool joins = false;        // or detaches
  bool changes_heap = false; // allocates or frees
  bool exits = false;        // ends all threads
  ObjectBits frames;         // frame blocks others may reach, whose life ends when it returns
  /// Adds; says whether anything changed.
  bool add(const FutureEffects& other);
};

class FutureAnalysis {
public:
  explicit FutureAnalysis(const Program& program);

  [[nodiscard]] const FutureEffects& from(ProcedureId procedure, LocationId location) const {
    return futures_[first_[procedure.index()] + location.index()];
  }
  /// Objects that some synchronisation works on.
  [[nodiscard]] const ObjectBits& synchronisation_objects() const { return synchronisation_; }
  /// Heap blocks, blocks of frames, thread-locals.
  [[nodiscard]] const ObjectBits& heap_objects() const { return heap_; }
  [[nodiscard]] const ObjectBits& frame_objects() const { return frame_; }
  [[nodiscard]] const ObjectBits& thread_local_objects() const { return thread_local_; }

  /// Frame blocks of the procedure itself that others may reach.
  [[nodiscard]] const ObjectBits& frames_of(ProcedureId procedure) const {
    return frames_[procedure.index()];
  }
  /// At least so many joins are made from there on, in the procedure itself, before it returns or
  /// all threads end; kNever if neither can happen.
  static constexpr std::uint32_t kNever = 0xffff'ffffU;
  [[nodiscard]] std::uint32_t joins_before_end(ProcedureId procedure, LocationId location) const {
    return joins_before_end_[first_[procedure.index()] + location.index()];
  }
  /// Does some action ask for the size of a block?
  [[nodiscard]] bool asks_block_sizes() const { return asks_block_sizes_; }

private:
  void find_effects(const Program& program);
  void find_joins(const Program& program);

  std::vector<std::size_t> first_; // by procedure: its first location in the tables below
  std::vector<FutureEffects> futures_;
  std::vector<ObjectBits> frames_;
  std::vector<std::uint32_t> joins_before_end_;
  bool asks_block_sizes_ = false;
  ObjectBits synchronisation_;
  ObjectBits heap_;
  ObjectBits frame_;
  ObjectBits thread_local_;
};

} // namespace heddle::program
