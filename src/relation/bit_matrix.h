// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A binary relation over the numbers below a bound: one bit for each pair, a row for each first
// component. For relations over the events of one execution and the like, up to a few thousand
// elements; not for sparse graphs of states. Operations on two relations require equal bounds.
#pragma once

#include "relation/bit_set.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::relation {

class BitMatrix {
public:
  BitMatrix() = default;
  explicit BitMatrix(std::size_t bound);
  [[nodiscard]] static BitMatrix identity(std::size_t bound);
  /// [set]: the identity on its elements.
  [[nodiscard]] static BitMatrix identity_on(const BitSet& set);
  /// domain × range.
  [[nodiscard]] static BitMatrix product(const BitSet& domain, const BitSet& range);

  [[nodiscard]] std::size_t bound() const { return rows_.size(); }
  [[nodiscard]] bool contains(std::size_t from, std::size_t to) const;
  void insert(std::size_t from, std::size_t to);
  void erase(std::size_t from, std::size_t to);
  /// The successors of `from`.
  [[nodiscard]] const BitSet& row(std::size_t from) const;

  [[nodiscard]] bool empty() const;
  /// The number of pairs.
  [[nodiscard]] std::size_t size() const;
  /// In lexicographic order.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairs() const;

  BitMatrix& operator|=(const BitMatrix& other);
  BitMatrix& operator&=(const BitMatrix& other);
  BitMatrix& operator-=(const BitMatrix& other);
  [[nodiscard]] friend BitMatrix operator|(BitMatrix a, const BitMatrix& b) { return a |= b; }
  [[nodiscard]] friend BitMatrix operator&(BitMatrix a, const BitMatrix& b) { return a &= b; }
  [[nodiscard]] friend BitMatrix operator-(BitMatrix a, const BitMatrix& b) { return a -= b; }
  [[nodiscard]] BitMatrix complement() const;
  /// this ; other
  [[nodiscard]] BitMatrix compose(const BitMatrix& other) const;
  [[nodiscard]] BitMatrix inverse() const;
  /// this⁺
  [[nodiscard]] BitMatrix transitive_closure() const;
  /// this ∪ id
  [[nodiscard]] BitMatrix reflexive_closure() const;
  /// [domain] ; this ; [range]
  [[nodiscard]] BitMatrix restrict(const BitSet& domain, const BitSet& range) const;
  [[nodiscard]] BitSet domain() const;
  [[nodiscard]] BitSet range() const;

  [[nodiscard]] bool is_subset_of(const BitMatrix& other) const;
  [[nodiscard]] bool is_irreflexive() const;
  [[nodiscard]] bool is_acyclic() const;
  [[nodiscard]] bool is_transitive() const;
  /// The elements of a cycle with as few as possible, each related to the next and the last to the
  /// first; empty if there is none. Among the shortest, the one found first from the smallest
  /// element.
  [[nodiscard]] std::vector<std::size_t> shortest_cycle() const;
  /// What `sources` reach in zero or more steps.
  [[nodiscard]] BitSet reachable(const BitSet& sources) const;
  bool operator==(const BitMatrix&) const = default;

private:
  std::vector<BitSet> rows_;
};

} // namespace heddle::relation
