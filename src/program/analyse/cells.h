// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A partition of the objects' bytes into cells, such that every access that overlaps no other
// access but in the same bytes is exactly one cell. Where accesses overlap otherwise, each byte is
// a cell. For rooms that reason about memory symbolically and want as few and as large pieces as
// possible; the interpreter is byte-exact and does not use it.
#pragma once

#include "program/analyse/alias_value.h"
#include "program/model/program.h"

#include <cstdint>
#include <vector>

namespace heddle::program {

using CellId = Id<struct CellTag>;

/// Bytes [offset, offset + size) of an object.
struct Cell {
  ObjectId object;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  auto operator<=>(const Cell&) const = default;
};

/// Where accesses of `size` bytes to an object may start.
struct AccessPattern {
  Offsets offsets;
  std::uint64_t size = 0;
  auto operator<=>(const AccessPattern&) const = default;
};

/// The cut points 0 = c0 < c1 < … = object_size of the partition that the patterns ask for.
/// Accesses that stick out of the object are faults and do not count. Bytes that no access touches
/// are one cell between their neighbours.
[[nodiscard]] std::vector<std::uint64_t> partition(std::uint64_t object_size,
                                                   std::vector<AccessPattern> patterns);

class Cells {
public:
  /// Objects larger than this are not cut into a table.
  static constexpr std::uint64_t kLargestObject = 1U << 20U;

  explicit Cells(const Program& program);

  [[nodiscard]] const IdVector<CellId, Cell>& cells() const { return cells_; }
  /// Is the object cut into cells? Not if its size is unknown (a block of variable size) or too
  /// large: then every byte is to be taken on its own.
  [[nodiscard]] bool is_cut(ObjectId object) const { return first_[object].is_valid(); }
  /// The cells of [offset, offset + size) in an object that is cut, in order; none if it sticks out
  /// of the object.
  [[nodiscard]] std::vector<CellId>
  covering(ObjectId object, std::uint64_t offset, std::uint64_t size) const;
  /// Is every access the program can make to that object, of that size and at that place, one cell?
  [[nodiscard]] bool is_one_cell(ObjectId object, std::uint64_t offset, std::uint64_t size) const {
    return is_cut(object) && covering(object, offset, size).size() == 1;
  }

private:
  IdVector<CellId, Cell> cells_;     // by object, then offset
  IdVector<ObjectId, CellId> first_; // invalid: not cut
};

} // namespace heddle::program
