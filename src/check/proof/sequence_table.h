// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sequences of words, each once, by number. They are compared in full: that two hashes are equal
// says nothing.
#pragma once

#include "support/hash.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::check {

template <std::unsigned_integral Word>
class SequenceTable {
public:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
  [[nodiscard]] std::span<const Word> operator[](std::uint32_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::span<const Word>(words_).subspan(begin, ends_[id] - begin);
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const Word> sequence) const {
    if (slots_.empty())
      return std::nullopt;
    const std::uint32_t at = slots_[slot_of(sequence, hash_of(sequence))];
    return at == kFree ? std::nullopt : std::optional(at);
  }
  /// The number, and whether it is a new one.
  std::pair<std::uint32_t, bool> insert(std::span<const Word> sequence) {
    if (2 * (std::size_t{size()} + 1) > slots_.size())
      grow();
    const std::uint64_t hash = hash_of(sequence);
    std::uint32_t& slot = slots_[slot_of(sequence, hash)];
    if (slot != kFree)
      return {slot, false};
    slot = size();
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    ends_.push_back(words_.size());
    hashes_.push_back(hash);
    return {slot, true};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return words_.capacity() * sizeof(Word) + ends_.capacity() * sizeof(std::size_t) +
           hashes_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(std::uint32_t);
  }

private:
  static constexpr std::uint32_t kFree = 0xffff'ffffU;

  [[nodiscard]] static std::uint64_t hash_of(std::span<const Word> sequence) {
    std::uint64_t hash = sequence.size();
    for (const Word word : sequence)
      hash = (hash ^ word) * 0x9fb21c651e98df25ULL ^ hash >> 29U;
    return mix(hash);
  }
  /// Where it is, or where it would go.
  [[nodiscard]] std::size_t slot_of(std::span<const Word> sequence, std::uint64_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != kFree &&
           (hashes_[slots_[at]] != hash || !std::ranges::equal((*this)[slots_[at]], sequence)))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), kFree);
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::size_t at = hashes_[id] & (slots_.size() - 1);
      while (slots_[at] != kFree)
        at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  std::vector<Word> words_;
  std::vector<std::size_t> ends_; // by number
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

} // namespace heddle::check
