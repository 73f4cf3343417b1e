// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What coherence alone says about the order of the writes to one place, once it is known who reads
// from whom: a small partial order, closed under the rules (Alglave, Maranget, Tautschnig, "Herding
// Cats", 2014, section 4.2: CoWW, CoRW, CoWR, CoRR).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::engine::enumerate {

/// Over the writes of a place by position; the initial write is before all and not among them.
class PlaceOrder {
public:
  explicit PlaceOrder(std::size_t writes);
  void add(std::size_t before, std::size_t after) { after_[before] |= bit(after); }
  /// None of the writes in `others` (a bit for each position) comes between the two.
  void add_adjacent(std::size_t before, std::size_t after, std::uint64_t others);
  /// The write comes before all in `others`.
  void add_first(std::size_t write, std::uint64_t others) { after_[write] |= others; }
  /// Closes it; false if it has a cycle.
  [[nodiscard]] bool close();
  [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const {
    return (after_[a] >> b & 1U) != 0;
  }

  /// More writes than this to one place are left to the axioms.
  static constexpr std::size_t kMost = 64;

private:
  static std::uint64_t bit(std::size_t position) { return std::uint64_t{1} << position; }
  std::vector<std::uint64_t> after_;
  struct Adjacent {
    std::size_t before;
    std::size_t after;
    std::uint64_t others;
  };
  std::vector<Adjacent> adjacent_;
};

} // namespace heddle::engine::enumerate
