// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where things live. A pointer is an ordinary bit-vector; the address space is cut into units (64
// KiB for ILP32, 4 GiB for LP64) and each object starts a quarter into a unit of its own, so that
// small excursions to either side stay in the object's neighbourhood and are seen as out of bounds,
// never as another object. Fixed for a program: the same object has the same address in every run
// and every engine.
#pragma once

#include "ir/ir.h"

#include <cstdint>

namespace heddle::program {

/// Threads that may exist in one run; further creations are cut (a bound the verdict names).
inline constexpr unsigned kMaxThreads = 32;
/// Larger objects are not simulated: reaching one is a bound.
inline constexpr std::uint64_t kMaxBlockSize = (1ULL << 24U) - 1;

struct AddressSpace {
  unsigned unit_shift = 32;

  static constexpr AddressSpace of(ir::DataModel model) {
    return AddressSpace{model == ir::DataModel::kILP32 ? 16U : 32U};
  }

  // Unit 0 is null's. Functions share one unit. Then globals; then one unit per thread and live
  // frame block; then one per thread and heap block, so that allocations of different threads do
  // not depend on each other's order.
  static constexpr std::uint64_t kCodeUnit = 1;
  static constexpr std::uint64_t kFirstGlobalUnit = 2;
  static constexpr std::uint64_t kFirstFrameUnit = 0x4000;
  static constexpr std::uint64_t kFrameUnitsPerThread = 0x200;
  static constexpr std::uint64_t kFirstHeapUnit = 0x8000;
  static constexpr std::uint64_t kHeapUnitsPerThread = 0x400;

  [[nodiscard]] constexpr std::uint64_t unit_size() const { return 1ULL << unit_shift; }
  [[nodiscard]] constexpr std::uint64_t unit_of(std::uint64_t address) const {
    return address >> unit_shift;
  }
  /// The address of the first byte of an object that starts in that unit.
  [[nodiscard]] constexpr std::uint64_t base_of(std::uint64_t unit) const {
    return (unit << unit_shift) + unit_size() / 4;
  }
  /// Units an object of that size occupies, with a quarter of a unit free on each side.
  [[nodiscard]] constexpr std::uint64_t units_for(std::uint64_t size) const {
    return (size + unit_size() / 2 + unit_size() - 1) >> unit_shift;
  }
  [[nodiscard]] constexpr std::uint64_t function_address(std::uint32_t function) const {
    return base_of(kCodeUnit) + 16ULL * function;
  }
};

} // namespace heddle::program
