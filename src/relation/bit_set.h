// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A set of numbers below a bound fixed when it is made: one bit each. For dense ids of one kind;
// for sparse or unbounded ones use a standard container. Operations on two sets require equal
// bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::relation {

class BitSet {
public:
  BitSet() = default;
  explicit BitSet(std::size_t bound);
  /// All numbers below `bound`.
  [[nodiscard]] static BitSet full(std::size_t bound);

  [[nodiscard]] std::size_t bound() const { return bound_; }
  [[nodiscard]] bool contains(std::size_t element) const;
  void insert(std::size_t element);
  void erase(std::size_t element);
  void clear();

  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t size() const;
  /// The least element that is at least `from`.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t from) const;
  /// In increasing order.
  [[nodiscard]] std::vector<std::size_t> elements() const;

  BitSet& operator|=(const BitSet& other);
  BitSet& operator&=(const BitSet& other);
  BitSet& operator-=(const BitSet& other);
  [[nodiscard]] friend BitSet operator|(BitSet a, const BitSet& b) { return a |= b; }
  [[nodiscard]] friend BitSet operator&(BitSet a, const BitSet& b) { return a &= b; }
  [[nodiscard]] friend BitSet operator-(BitSet a, const BitSet& b) { return a -= b; }
  [[nodiscard]] BitSet complement() const;

  [[nodiscard]] bool is_subset_of(const BitSet& other) const;
  [[nodiscard]] bool intersects(const BitSet& other) const;
  bool operator==(const BitSet&) const = default;

  /// The bits themselves, 64 to a word, least first; those at and above the bound are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

private:
  std::size_t bound_ = 0;
  std::vector<std::uint64_t> words_;
};

} // namespace heddle::relation
