// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/alias_value.h"

#include <algorithm>
#include <numeric>

namespace heddle::program {

namespace {

/// The representative of a number modulo a stride.
std::int64_t reduced(std::int64_t number, std::uint64_t stride) {
  if (stride == 0)
    return number;
  const auto modulus = static_cast<std::int64_t>(stride);
  const std::int64_t rest = number % modulus;
  return rest < 0 ? rest + modulus : rest;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

/// Strides of more than this are of no use, and their arithmetic could overflow.
constexpr std::uint64_t kLargestStride = 1ULL << 40U;

Offsets normal(std::int64_t first, std::uint64_t stride) {
  if (stride > kLargestStride)
    return Offsets::anywhere();
  return {reduced(first, stride), stride};
}

} // namespace

Offsets Offsets::shifted(std::int64_t by) const {
  constexpr auto kFar = static_cast<std::int64_t>(kLargestStride);
  if (by > kFar || by < -kFar || first > kFar || first < -kFar)
    return anywhere();
  return normal(first + by, stride);
}

Offsets Offsets::join(Offsets other) const {
  const std::uint64_t common =
      std::gcd(std::gcd(stride, other.stride), distance(first, other.first));
  return normal(first, common);
}

Offsets Offsets::with_stride(std::uint64_t other) const {
  return normal(first, std::gcd(stride, other));
}

Overlap overlap(Offsets a, std::uint64_t a_size, Offsets b, std::uint64_t b_size) {
  // The differences a - b are d + n · g.
  const std::uint64_t g = std::gcd(a.stride, b.stride);
  if (g == 0) {
    if (a.first == b.first && a_size == b_size)
      return Overlap::kSame;
    const bool apart = a.first >= b.first ? distance(a.first, b.first) >= b_size
                                          : distance(a.first, b.first) >= a_size;
    return apart ? Overlap::kNever : Overlap::kPartial;
  }
  const auto d = static_cast<std::uint64_t>(reduced(reduced(a.first, g) - reduced(b.first, g), g));
  // a lies d behind the nearest b before it, and g - d before the next.
  if (d >= b_size && g - d >= a_size)
    return Overlap::kNever;
  if (d == 0 && a_size == b_size && g >= a_size)
    return Overlap::kSame;
  return Overlap::kPartial;
}

std::vector<Targets::Entry>::const_iterator Targets::place_of(Target target) const {
  return std::lower_bound(
      entries_.begin(), entries_.end(), target, [](const Entry& entry, const Target& wanted) {
        return entry.first < wanted;
      });
}

bool Targets::contains(Target target) const {
  const auto place = place_of(target);
  return place != entries_.end() && place->first == target;
}

bool Targets::join(Target target, Offsets offsets) {
  const auto place = place_of(target);
  if (place == entries_.end() || place->first != target) {
    entries_.emplace(place, target, offsets);
    return true;
  }
  Offsets& known = entries_[static_cast<std::size_t>(place - entries_.begin())].second;
  const Offsets both = known.join(offsets);
  const bool is_changed = both != known;
  known = both;
  return is_changed;
}

AliasValue AliasValue::any() {
  AliasValue value;
  value.is_any_ = true;
  return value;
}

AliasValue AliasValue::number() {
  AliasValue value;
  value.add({Target::Kind::kNumber, 0}, {});
  return value;
}

AliasValue AliasValue::object(ObjectId object, Offsets offsets) {
  AliasValue value;
  value.add({Target::Kind::kObject, object.value}, offsets);
  return value;
}

AliasValue AliasValue::procedure(ProcedureId procedure) {
  AliasValue value;
  value.add({Target::Kind::kProcedure, procedure.value}, {});
  return value;
}

bool AliasValue::has_address() const {
  if (is_any_)
    return true;
  for (const auto& [target, offsets] : targets_)
    if (target.kind != Target::Kind::kNumber)
      return true;
  return false;
}

std::vector<ObjectId> AliasValue::objects() const {
  std::vector<ObjectId> result;
  for (const auto& [target, offsets] : targets_)
    if (target.kind == Target::Kind::kObject)
      result.emplace_back(std::size_t{target.index});
  return result;
}

bool AliasValue::join(const AliasValue& other) {
  if (is_any_)
    return false;
  if (other.is_any_) {
    *this = any();
    return true;
  }
  bool is_changed = false;
  for (const auto& [target, offsets] : other.targets_)
    is_changed = targets_.join(target, offsets) || is_changed;
  return is_changed;
}

void AliasValue::add(Target target, Offsets offsets) {
  if (!is_any_)
    targets_.join(target, target.kind == Target::Kind::kObject ? offsets : Offsets{});
}

} // namespace heddle::program
