// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "relation/bit_set.h"

#include "support/check.h"

#include <algorithm>
#include <bit>

namespace heddle::relation {

namespace {

constexpr std::uint64_t bit(std::size_t element) {
  return 1ULL << (element % 64);
}

} // namespace

BitSet::BitSet(std::size_t bound) : bound_(bound), words_((bound + 63) / 64, 0) {}

BitSet BitSet::full(std::size_t bound) {
  return BitSet(bound).complement();
}

bool BitSet::contains(std::size_t element) const {
  HEDDLE_CHECK(element < bound_, "an element beyond the set's bound");
  return (words_[element / 64] & bit(element)) != 0;
}

void BitSet::insert(std::size_t element) {
  HEDDLE_CHECK(element < bound_, "an element beyond the set's bound");
  words_[element / 64] |= bit(element);
}

void BitSet::erase(std::size_t element) {
  HEDDLE_CHECK(element < bound_, "an element beyond the set's bound");
  words_[element / 64] &= ~bit(element);
}

void BitSet::clear() {
  std::fill(words_.begin(), words_.end(), 0);
}

bool BitSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

std::size_t BitSet::size() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_)
    count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::optional<std::size_t> BitSet::next(std::size_t from) const {
  if (from >= bound_)
    return std::nullopt;
  std::size_t index = from / 64;
  std::uint64_t word = words_[index] & (~0ULL << (from % 64));
  while (word == 0) {
    if (++index == words_.size())
      return std::nullopt;
    word = words_[index];
  }
  return index * 64 + static_cast<std::size_t>(std::countr_zero(word));
}

std::vector<std::size_t> BitSet::elements() const {
  std::vector<std::size_t> result;
  result.reserve(size());
  for (std::optional<std::size_t> element = next(0); element; element = next(*element + 1))
    result.push_back(*element);
  return result;
}

BitSet& BitSet::operator|=(const BitSet& other) {
  HEDDLE_CHECK(bound_ == other.bound_, "sets of different bounds");
  for (std::size_t i = 0; i < words_.size(); ++i)
    words_[i] |= other.words_[i];
  return *this;
}

BitSet& BitSet::operator&=(const BitSet& other) {
  HEDDLE_CHECK(bound_ == other.bound_, "sets of different bounds");
  for (std::size_t i = 0; i < words_.size(); ++i)
    words_[i] &= other.words_[i];
  return *this;
}

BitSet& BitSet::operator-=(const BitSet& other) {
  HEDDLE_CHECK(bound_ == other.bound_, "sets of different bounds");
  for (std::size_t i = 0; i < words_.size(); ++i)
    words_[i] &= ~other.words_[i];
  return *this;
}

BitSet BitSet::complement() const {
  BitSet result = *this;
  for (std::uint64_t& word : result.words_)
    word = ~word;
  if (bound_ % 64 != 0) // the bits above the bound stay 0
    result.words_.back() &= bit(bound_) - 1;
  return result;
}

bool BitSet::is_subset_of(const BitSet& other) const {
  HEDDLE_CHECK(bound_ == other.bound_, "sets of different bounds");
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] & ~other.words_[i]) != 0)
      return false;
  return true;
}

bool BitSet::intersects(const BitSet& other) const {
  HEDDLE_CHECK(bound_ == other.bound_, "sets of different bounds");
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] & other.words_[i]) != 0)
      return true;
  return false;
}

} // namespace heddle::relation
