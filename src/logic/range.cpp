// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The set of values itself, and the ranges of terms; range_operations.cpp has the operations.
#include "logic/range.h"

#include "support/check.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::logic {

namespace {

std::int64_t lowest(unsigned width) {
  return sign_extended(1ULL << (width - 1), width);
}

std::int64_t highest(unsigned width) {
  return static_cast<std::int64_t>(mask_of(width) >> 1U);
}

/// One round of making each description as tight as the others allow; false if no value is left.
bool tighten(Range& range) {
  const std::uint64_t mask = mask_of(range.width);
  range.min = std::max(range.min, range.ones);
  range.max = std::min(range.max, ~range.zeros & mask);
  // A half in which the sign does not change is ordered alike both ways.
  if (range.signed_min >= 0 || range.signed_max < 0) {
    range.min = std::max(range.min, static_cast<std::uint64_t>(range.signed_min) & mask);
    range.max = std::min(range.max, static_cast<std::uint64_t>(range.signed_max) & mask);
  }
  if (range.min > range.max)
    return false;
  const std::int64_t low = sign_extended(range.min, range.width);
  const std::int64_t high = sign_extended(range.max, range.width);
  if ((low < 0) == (high < 0)) {
    range.signed_min = std::max(range.signed_min, low);
    range.signed_max = std::min(range.signed_max, high);
  }
  if (range.signed_min > range.signed_max)
    return false;
  // Bits above the highest one in which the bounds differ.
  const std::uint64_t common =
      mask & ~mask_of(static_cast<unsigned>(std::bit_width(range.min ^ range.max)));
  range.zeros |= common & ~range.min;
  range.ones |= common & range.min;
  const std::uint64_t sign = 1ULL << (range.width - 1U);
  if ((range.ones & sign) != 0)
    range.signed_max = std::min<std::int64_t>(range.signed_max, -1);
  if ((range.zeros & sign) != 0)
    range.signed_min = std::max<std::int64_t>(range.signed_min, 0);
  return (range.zeros & range.ones) == 0 && range.signed_min <= range.signed_max;
}

std::optional<Range> tight_or_none(Range range) {
  for (;;) {
    const Range before = range;
    if (!tighten(range))
      return std::nullopt;
    if (range == before)
      return range;
  }
}

/// Where the descriptions are known to share a value.
Range tight(const Range& range) {
  const std::optional<Range> result = tight_or_none(range);
  HEDDLE_CHECK(result.has_value(), "a range without values");
  return *result;
}

} // namespace

Range Range::full(unsigned width) {
  HEDDLE_CHECK(width >= 1 && width <= 64, "a range is of 1 to 64 bits");
  Range range;
  range.width = static_cast<std::uint8_t>(width);
  range.max = mask_of(width);
  range.signed_min = lowest(width);
  range.signed_max = highest(width);
  return range;
}

Range Range::constant(std::uint64_t value, unsigned width) {
  return of_unsigned(value, value, width);
}

Range Range::of_unsigned(std::uint64_t min, std::uint64_t max, unsigned width) {
  Range range = full(width);
  HEDDLE_CHECK(min <= max && max <= range.max, "an interval within the width");
  range.min = min;
  range.max = max;
  return tight(range);
}

Range Range::of_signed(std::int64_t min, std::int64_t max, unsigned width) {
  Range range = full(width);
  HEDDLE_CHECK(range.signed_min <= min && min <= max && max <= range.signed_max,
               "an interval within the width");
  range.signed_min = min;
  range.signed_max = max;
  return tight(range);
}

Range Range::of_bits(std::uint64_t zeros, std::uint64_t ones, unsigned width) {
  Range range = full(width);
  HEDDLE_CHECK((zeros & ones) == 0 && ((zeros | ones) & ~range.max) == 0, "bits within the width");
  range.zeros = zeros;
  range.ones = ones;
  return tight(range);
}

Range Range::tightened() const {
  return tight_or_none(*this).value_or(full(width));
}

bool Range::contains(std::uint64_t value) const {
  const std::int64_t as_signed = sign_extended(value, width);
  return (value & ~mask_of(width)) == 0 && min <= value && value <= max &&
         signed_min <= as_signed && as_signed <= signed_max && (value & zeros) == 0 &&
         (value & ones) == ones;
}

unsigned Range::unsigned_width() const {
  return static_cast<unsigned>(std::bit_width(max));
}

unsigned Range::signed_width() const {
  // A negative number's complement has the bits that differ from its sign.
  const auto needed = [](std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value < 0 ? ~value : value);
    return static_cast<unsigned>(std::bit_width(bits)) + 1;
  };
  return std::max(needed(signed_min), needed(signed_max));
}

Range hull(const Range& a, const Range& b) {
  HEDDLE_CHECK(a.width == b.width, "the hull of ranges of one width");
  Range range;
  range.width = a.width;
  range.min = std::min(a.min, b.min);
  range.max = std::max(a.max, b.max);
  range.signed_min = std::min(a.signed_min, b.signed_min);
  range.signed_max = std::max(a.signed_max, b.signed_max);
  range.zeros = a.zeros & b.zeros;
  range.ones = a.ones & b.ones;
  return tight(range);
}

std::optional<Range> meet(const Range& a, const Range& b) {
  HEDDLE_CHECK(a.width == b.width, "the common part of ranges of one width");
  Range range;
  range.width = a.width;
  range.min = std::max(a.min, b.min);
  range.max = std::min(a.max, b.max);
  range.signed_min = std::max(a.signed_min, b.signed_min);
  range.signed_max = std::min(a.signed_max, b.signed_max);
  range.zeros = a.zeros | b.zeros;
  range.ones = a.ones | b.ones;
  return tight_or_none(range);
}

const Range& RangeAnalysis::range(Term term) {
  std::vector<Term> pending = {term};
  while (!pending.empty()) {
    const Term current = pending.back();
    if (known_.contains(current)) {
      pending.pop_back();
      continue;
    }
    const Node& node = store_.node(current);
    const unsigned width = std::max<unsigned>(node.sort.width, 1);
    if (node.op == Op::kVariable) {
      const std::optional<Range> given = variables_ ? variables_(current) : std::nullopt;
      HEDDLE_CHECK(!given || given->width == width, "a variable's range has its width");
      known_.emplace(current, given ? given->tightened() : Range::full(width));
      continue;
    }
    std::vector<Range> parts;
    for (const Term part : store_.arguments(current)) {
      const auto found = known_.find(part);
      if (found != known_.end())
        parts.push_back(found->second);
      else
        pending.push_back(part);
    }
    if (pending.back() != current)
      continue;
    const Sort argument =
        node.argument_count == 0 ? node.sort : store_.sort(store_.arguments(current)[0]);
    known_.emplace(current, apply_range(node.op, node.sort, argument, node.value, parts));
  }
  return known_.at(term);
}

} // namespace heddle::logic
