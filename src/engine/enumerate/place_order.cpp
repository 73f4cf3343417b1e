// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/enumerate/place_order.h"

namespace heddle::engine::enumerate {

PlaceOrder::PlaceOrder(std::size_t writes) : after_(writes, 0) {}

void PlaceOrder::add_adjacent(std::size_t before, std::size_t after, std::uint64_t others) {
  add(before, after);
  adjacent_.push_back({before, after, others});
}

bool PlaceOrder::close() {
  const std::size_t count = after_.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < count; ++i)
        if ((after_[i] & bit(k)) != 0)
          after_[i] |= after_[k];
    for (const auto& [first, second, others] : adjacent_)
      for (std::size_t i = 0; i < count; ++i) {
        if (i == first || i == second || (others & bit(i)) == 0)
          continue;
        if ((after_[i] & bit(second)) != 0 && (after_[i] & bit(first)) == 0) {
          after_[i] |= bit(first);
          changed = true;
        }
        if ((after_[first] & bit(i)) != 0 && (after_[second] & bit(i)) == 0) {
          after_[second] |= bit(i);
          changed = true;
        }
      }
  }
  for (std::size_t i = 0; i < count; ++i)
    if ((after_[i] & bit(i)) != 0)
      return false;
  return true;
}

} // namespace heddle::engine::enumerate
