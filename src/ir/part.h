// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How C divides the memory of a variable into elements and fields. It is for showing addresses and
// values only ("a[3]", "list[1].next"): nothing that decides a verdict looks at it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::ir {

/// A field of a struct or union, or (without a name) the elements of an array.
struct Part {
  std::string field = {};
  std::uint64_t offset = 0;     // of the first byte, in what it is a part of
  std::uint64_t size = 0;       // of one element
  std::uint64_t count = 1;      // of elements; 1 for a field
  std::uint8_t scalar_bits = 0; // as in Global; 0: not a scalar
  bool scalar_signed = false;
  std::vector<Part> parts = {};
  bool operator==(const Part&) const = default;
};

struct PartPath {
  std::string text = {};      // "[1].next"; empty if the whole is meant
  std::uint64_t rest = 0;     // bytes between the start of the part and what was asked for
  const Part* part = nullptr; // the innermost one, or null
};
/// The part at `offset`. With a size of 0 the outermost that starts there is meant, otherwise the
/// innermost that holds that many bytes.
[[nodiscard]] PartPath
part_at(std::span<const Part> parts, std::uint64_t offset, std::uint64_t size);

} // namespace heddle::ir
