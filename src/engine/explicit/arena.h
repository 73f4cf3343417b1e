// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that only grows, in segments that never move: 32-bit words addressed by a 32-bit offset. A
// record lies in one segment, or, if it is larger than one, in segments of its own that follow each
// other in memory. Growth costs one segment at a time, so there is no moment at
// which everything is held twice.
#pragma once

#include "support/check.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::engine {

class Arena {
public:
  static constexpr unsigned kSegmentBits = 18; // words: 1 MiB a segment
  static constexpr std::uint32_t kSegmentWords = 1U << kSegmentBits;

  /// Room for `words` words; the offset of the first. The caller fills all of them.
  std::uint32_t allocate(std::uint32_t words) {
    if (segments_.empty() || used_ + std::uint64_t{words} > kSegmentWords)
      add_segments(words);
    const auto offset = (static_cast<std::uint32_t>(first_) << kSegmentBits) + used_;
    // Of a large record what is left of its last segment stays unused.
    used_ = words > kSegmentWords ? kSegmentWords : used_ + words;
    return offset;
  }

  [[nodiscard]] std::uint32_t* at(std::uint32_t offset) {
    return segments_[offset >> kSegmentBits] + (offset & (kSegmentWords - 1));
  }
  [[nodiscard]] const std::uint32_t* at(std::uint32_t offset) const {
    return segments_[offset >> kSegmentBits] + (offset & (kSegmentWords - 1));
  }

  /// The next record may be a little larger than any before it.
  [[nodiscard]] bool is_nearly_full() const {
    return segments_.size() + largest_ + 2 >= kMaxSegments;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    if (segments_.empty())
      return 0;
    return ((segments_.size() - 1) * std::uint64_t{kSegmentWords} + used_) * sizeof(std::uint32_t);
  }

private:
  static constexpr std::size_t kMaxSegments = (1ULL << (32 - kSegmentBits)) - 1;

  void add_segments(std::uint32_t words) {
    const std::size_t count =
        std::max<std::size_t>(1, (words + std::uint64_t{kSegmentWords} - 1) >> kSegmentBits);
    first_ = segments_.size();
    largest_ = std::max(largest_, count);
    HEDDLE_CHECK(first_ + count <= kMaxSegments, "the arena's 32-bit offsets are used up");
    blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(count << kSegmentBits));
    for (std::size_t i = 0; i < count; ++i)
      segments_.push_back(blocks_.back().get() + (i << kSegmentBits));
    used_ = 0;
  }

  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
  std::vector<std::uint32_t*> segments_; // where each begins in its block
  std::size_t largest_ = 1;
  std::size_t first_ = 0;  // segment of the newest block
  std::uint32_t used_ = 0; // of that block
};

} // namespace heddle::engine
