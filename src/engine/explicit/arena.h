// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that only grows, in segments that never move: 32-bit words addressed by a 32-bit offset. A
// record never straddles two segments. Growth costs one segment at a time, so there is no moment at
// which everything is held twice.
#pragma once

#include "support/check.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace heddle::engine {

class Arena {
public:
  static constexpr unsigned kSegmentBits = 18; // words: 1 MiB a segment
  static constexpr std::uint32_t kSegmentWords = 1U << kSegmentBits;

  /// Room for `words` words; the offset of the first. The caller fills all of them.
  std::uint32_t allocate(std::uint32_t words) {
    HEDDLE_CHECK(words <= kSegmentWords, "a record is larger than a segment");
    if (segments_.empty() || used_ + words > kSegmentWords) {
      HEDDLE_CHECK(segments_.size() < kMaxSegments, "the arena's 32-bit offsets are used up");
      segments_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kSegmentWords));
      used_ = 0;
    }
    const auto offset = (static_cast<std::uint32_t>(segments_.size() - 1) << kSegmentBits) + used_;
    used_ += words;
    return offset;
  }

  [[nodiscard]] std::uint32_t* at(std::uint32_t offset) {
    return segments_[offset >> kSegmentBits].get() + (offset & (kSegmentWords - 1));
  }
  [[nodiscard]] const std::uint32_t* at(std::uint32_t offset) const {
    return segments_[offset >> kSegmentBits].get() + (offset & (kSegmentWords - 1));
  }

  /// Has the next record of at most `words` words to be looked for in another segment? (For walking
  /// records in order.)
  [[nodiscard]] std::uint32_t segment_count() const {
    return static_cast<std::uint32_t>(segments_.size());
  }
  [[nodiscard]] bool is_nearly_full() const { return segments_.size() >= kMaxSegments - 2; }
  [[nodiscard]] std::uint64_t bytes() const {
    if (segments_.empty())
      return 0;
    return ((segments_.size() - 1) * std::uint64_t{kSegmentWords} + used_) * sizeof(std::uint32_t);
  }

private:
  static constexpr std::size_t kMaxSegments = (1ULL << (32 - kSegmentBits)) - 1;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
  std::uint32_t used_ = 0;
};

} // namespace heddle::engine
