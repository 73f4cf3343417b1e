// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Do two accesses of one thread share a byte? Decided statically where the distance of their
// addresses is a constant or their objects differ; otherwise by a term the program evaluates. Never
// by the names of registers.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <optional>

namespace heddle::transform {

struct ByteRange {
  program::Term address;
  unsigned size = 0;
  program::ObjectSetId may = {};
};

struct Overlap {
  enum class Kind : std::uint8_t { kNever, kAt, kUnknown };
  Kind kind = Kind::kUnknown;
  std::int64_t distance = 0; // kAt: how far the first lies behind the second
  [[nodiscard]] bool is_within(unsigned first_size, unsigned second_size) const {
    return kind == Kind::kAt && distance >= 0 && distance + first_size <= second_size;
  }
};

/// How the first lies to the second. kAt only if they do share a byte.
[[nodiscard]] Overlap
overlap(const program::Program& program, const ByteRange& first, const ByteRange& second);

/// Is true exactly if they share a byte.
[[nodiscard]] program::Term
shares_byte(program::Program& program, const ByteRange& first, const ByteRange& second);

/// The term with zeros added or high bits cut off.
[[nodiscard]] program::Term fitted(logic::TermStore& terms, program::Term term, unsigned width);

} // namespace heddle::transform
