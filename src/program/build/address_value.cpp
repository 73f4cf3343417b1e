// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/address_value.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace heddle::program {

namespace {

/// Nothing lies that close to either end of the address space: null, error numbers, marks such as
/// (void*)1 and (void*)-1.
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUnbounded = ~0ULL;

std::uint64_t rounded(std::uint64_t bound) {
  return bound >= kPage ? kUnbounded : std::bit_ceil(bound + 1) - 1;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Offsets sum(Offsets a, Offsets b) {
  return Offsets{0, std::gcd(a.stride, b.stride)}.shifted(plus(a.first, b.first));
}

Offsets scaled(Offsets offsets, std::uint64_t factor) {
  constexpr std::uint64_t kFar = 1ULL << 20U;
  if (factor == 0)
    return {};
  if (factor > kFar || offsets.stride > kFar || offsets.first > static_cast<std::int64_t>(kFar) ||
      offsets.first < -static_cast<std::int64_t>(kFar))
    return Offsets::anywhere();
  return Offsets{0, offsets.stride * factor}.shifted(offsets.first *
                                                     static_cast<std::int64_t>(factor));
}

std::optional<std::uint64_t> constant(const AddressPart& part, unsigned bits) {
  if (part.base != kNumberBase || part.offsets.stride != 0)
    return std::nullopt;
  return static_cast<std::uint64_t>(part.offsets.first) & logic::mask_of(bits);
}

bool is_no_address(const AddressPart& part, unsigned bits) {
  if (part.base != kNumberBase)
    return false;
  if (part.bound < kPage)
    return true;
  const std::optional<std::uint64_t> value = constant(part, bits);
  return value && (*value < kPage || *value > logic::mask_of(bits) - kPage);
}

AddressPart plain(std::uint64_t bound) {
  return {kNumberBase, Offsets::anywhere(), rounded(bound)};
}

/// The bits of the offset under a mask that the base has no part in.
AddressPart low_bits(const AddressPart& part, std::uint64_t mask) {
  const std::uint64_t span = std::bit_ceil(mask + 1);
  const bool is_known = part.base == kNumberBase || part.bound == 0;
  if (is_known && part.offsets.stride % span == 0) {
    const std::uint64_t value = static_cast<std::uint64_t>(part.offsets.first) & mask;
    return {kNumberBase, {static_cast<std::int64_t>(value), 0}, rounded(value)};
  }
  return plain(mask);
}

class Operation {
public:
  Operation(ir::Op op,
            unsigned bits,
            const std::vector<AddressValue>& operands,
            const BaseFacts& facts)
      : op_(op), bits_(bits), operands_(operands), facts_(facts) {}

  AddressValue run() const {
    switch (op_) {
    case ir::Op::kCopy:
    case ir::Op::kZExt:
    case ir::Op::kSExt:
      return operands_[0];
    case ir::Op::kTrunc:
      return cut();
    case ir::Op::kSelect: {
      AddressValue result = operands_[1];
      result.join(operands_[2]);
      result.depends = result.depends || operands_[0].depends;
      return result;
    }
    case ir::Op::kAdd:
    case ir::Op::kPtrAdd:
    case ir::Op::kSub:
    case ir::Op::kMul:
    case ir::Op::kShl:
    case ir::Op::kAnd:
    case ir::Op::kOr:
    case ir::Op::kXor:
    case ir::Op::kUDiv:
    case ir::Op::kSDiv:
    case ir::Op::kURem:
    case ir::Op::kSRem:
    case ir::Op::kLShr:
    case ir::Op::kAShr:
    case ir::Op::kEq:
    case ir::Op::kNe:
    case ir::Op::kULt:
    case ir::Op::kULe:
    case ir::Op::kSLt:
    case ir::Op::kSLe:
      return pairs();
    }
    return AddressValue::dependent();
  }

private:
  AddressValue cut() const {
    AddressValue result;
    result.depends = operands_[0].depends;
    for (const AddressPart& part : operands_[0].parts) {
      if (part.base == kNumberBase)
        result.add(part);
      else if (bits_ >= facts_.pointer_bits)
        result.add(part);
      else if (bits_ < 32 && logic::mask_of(bits_) < facts_.alignment(part.base))
        result.add(low_bits(part, logic::mask_of(bits_)));
      else
        result.depends = true;
    }
    return result;
  }

  AddressValue pairs() const {
    AddressValue result;
    result.depends = operands_[0].depends || operands_[1].depends;
    for (const AddressPart& a : operands_[0].parts)
      for (const AddressPart& b : operands_[1].parts)
        if (is_impossible(a, b))
          continue;
        else if (const std::optional<AddressPart> part = pair(a, b))
          result.add(*part);
        else
          result.depends = true;
    return result;
  }

  /// Nobody takes null from an address: where one of two pointers may be null, so is the other
  /// then.
  bool is_impossible(const AddressPart& a, const AddressPart& b) const {
    if (op_ != ir::Op::kSub || (a.base == kNumberBase) == (b.base == kNumberBase))
      return false;
    const bool is_first = a.base == kNumberBase;
    return (is_first ? a : b).bound == 0 && operands_[is_first ? 0 : 1].has_base();
  }

  /// None if it depends on where objects lie.
  std::optional<AddressPart> pair(const AddressPart& a, const AddressPart& b) const {
    const bool are_numbers = a.base == kNumberBase && b.base == kNumberBase;
    const bool are_one = a.base == b.base && !are_numbers;
    switch (op_) {
    case ir::Op::kAdd:
    case ir::Op::kPtrAdd:
      if (a.base != kNumberBase && b.base != kNumberBase)
        return std::nullopt;
      // Nobody walks on from null: what comes out of it is no address either.
      if (op_ == ir::Op::kPtrAdd && a.bound == 0 && are_numbers)
        return AddressPart{kNumberBase, sum(a.offsets, b.offsets), 0};
      return AddressPart{std::max(a.base, b.base),
                         sum(a.offsets, b.offsets),
                         are_numbers             ? added(a.bound, b.bound)
                         : a.base != kNumberBase ? a.bound
                                                 : b.bound};
    case ir::Op::kSub: {
      const Offsets difference = sum(a.offsets, scaled_back(b.offsets));
      if (b.base == kNumberBase)
        return AddressPart{a.base, difference, a.base == kNumberBase ? kUnbounded : a.bound};
      if (!are_one || !facts_.is_same_instance(a.base))
        return std::nullopt;
      const bool has_tags = a.bound != 0 || b.bound != 0;
      return AddressPart{kNumberBase, has_tags ? Offsets::anywhere() : difference, kUnbounded};
    }
    case ir::Op::kEq:
    case ir::Op::kNe:
      if (!are_numbers && (a.base == kNumberBase || b.base == kNumberBase) &&
          !is_no_address(a.base == kNumberBase ? a : b, facts_.pointer_bits))
        return std::nullopt;
      return plain(1);
    case ir::Op::kULt:
    case ir::Op::kULe:
      if (!are_numbers && !are_one &&
          (is_no_address(a, facts_.pointer_bits) || is_no_address(b, facts_.pointer_bits)))
        return plain(1);
      [[fallthrough]];
    case ir::Op::kSLt:
    case ir::Op::kSLe:
      if (are_numbers || (are_one && facts_.is_same_instance(a.base)))
        return plain(1);
      return std::nullopt;
    case ir::Op::kMul:
      return are_numbers ? std::optional(multiplied(a, b)) : std::nullopt;
    case ir::Op::kShl: {
      if (!are_numbers)
        return std::nullopt;
      const std::optional<std::uint64_t> by = constant(b, bits_);
      if (!by || *by >= 20)
        return plain(kUnbounded);
      return AddressPart{kNumberBase, scaled(a.offsets, 1ULL << *by), kUnbounded};
    }
    case ir::Op::kAnd:
      return a.base == kNumberBase ? masked(b, a) : masked(a, b);
    case ir::Op::kOr:
    case ir::Op::kXor:
      return a.base == kNumberBase ? tagged(b, a) : tagged(a, b);
    case ir::Op::kURem:
    case ir::Op::kSRem: {
      const std::optional<std::uint64_t> by = constant(b, bits_);
      if (are_numbers)
        return plain(by && *by != 0 && op_ == ir::Op::kURem ? *by - 1 : kUnbounded);
      if (op_ == ir::Op::kURem && by && std::has_single_bit(*by) && *by <= facts_.alignment(a.base))
        return low_bits(a, *by - 1);
      return std::nullopt;
    }
    case ir::Op::kLShr: {
      const std::optional<std::uint64_t> by = constant(b, bits_);
      if (!are_numbers)
        return std::nullopt;
      return plain(by && *by < bits_ ? std::min(a.bound, logic::mask_of(bits_)) >> *by
                                     : kUnbounded);
    }
    case ir::Op::kUDiv:
    case ir::Op::kSDiv:
    case ir::Op::kAShr:
      return are_numbers ? std::optional(plain(kUnbounded)) : std::nullopt;
    case ir::Op::kCopy:
    case ir::Op::kZExt:
    case ir::Op::kSExt:
    case ir::Op::kTrunc:
    case ir::Op::kSelect:
      return std::nullopt; // not here
    }
    return std::nullopt;
  }

  static std::uint64_t added(std::uint64_t a, std::uint64_t b) {
    return a >= kPage || b >= kPage ? kUnbounded : rounded(a + b);
  }
  static Offsets scaled_back(Offsets offsets) {
    return Offsets{0, offsets.stride}.shifted(
        static_cast<std::int64_t>(~static_cast<std::uint64_t>(offsets.first) + 1));
  }
  AddressPart multiplied(const AddressPart& a, const AddressPart& b) const {
    const std::optional<std::uint64_t> left = constant(a, bits_);
    const std::optional<std::uint64_t> right = constant(b, bits_);
    const bool is_small = a.bound < kPage && b.bound < kPage;
    const std::uint64_t bound = is_small ? rounded(a.bound * b.bound) : kUnbounded;
    if (right)
      return {kNumberBase, scaled(a.offsets, *right), bound};
    if (left)
      return {kNumberBase, scaled(b.offsets, *left), bound};
    return plain(bound);
  }

  /// a & b, where b is a number if one of them is.
  std::optional<AddressPart> masked(const AddressPart& a, const AddressPart& b) const {
    if (a.base == kNumberBase) // both are
      return plain(std::min(a.bound, b.bound));
    if (b.base != kNumberBase)
      return std::nullopt;
    const std::uint64_t alignment = facts_.alignment(a.base);
    const std::optional<std::uint64_t> mask = constant(b, bits_);
    if (b.bound < alignment)
      return mask ? low_bits(a, *mask) : plain(b.bound);
    if (!mask || (~*mask & logic::mask_of(bits_)) >= alignment)
      return std::nullopt;
    const std::uint64_t cleared = ~*mask & logic::mask_of(bits_);
    const std::uint64_t tags = a.bound <= cleared ? 0 : a.bound;
    const auto is_kept = [&](std::uint64_t number) { return (number & cleared) == 0; };
    if (is_kept(static_cast<std::uint64_t>(a.offsets.first)) && is_kept(a.offsets.stride))
      return AddressPart{a.base, a.offsets, tags};
    if (a.offsets.stride == 0)
      return AddressPart{a.base, {a.offsets.first & static_cast<std::int64_t>(~cleared), 0}, tags};
    return AddressPart{a.base, {0, std::bit_ceil(cleared + 1)}, tags};
  }

  /// a | b or a ^ b, where b is a number if one of them is.
  std::optional<AddressPart> tagged(const AddressPart& a, const AddressPart& b) const {
    if (a.base == kNumberBase) // both are
      return plain(std::max(a.bound, b.bound) >= kPage ? kUnbounded : a.bound | b.bound);
    if (b.base != kNumberBase || b.bound >= facts_.alignment(a.base))
      return std::nullopt;
    return AddressPart{a.base, a.offsets, a.bound | b.bound};
  }

  ir::Op op_;
  unsigned bits_;
  const std::vector<AddressValue>& operands_;
  const BaseFacts& facts_;
};

} // namespace

AddressValue AddressValue::number(std::uint64_t value, unsigned bits) {
  AddressValue result;
  result.parts.push_back(
      {kNumberBase, {bits == 0 ? 0 : logic::sign_extended(value, bits), 0}, rounded(value)});
  return result;
}

AddressValue AddressValue::any_number(std::uint64_t bound) {
  AddressValue result;
  result.parts.push_back(plain(bound));
  return result;
}

AddressValue AddressValue::of(AddressBase base, std::int64_t offset) {
  AddressValue result;
  result.parts.push_back({base, {offset, 0}, 0});
  return result;
}

AddressValue AddressValue::dependent() {
  AddressValue result;
  result.depends = true;
  return result;
}

bool AddressValue::has_base() const {
  return std::ranges::any_of(parts,
                             [](const AddressPart& part) { return part.base != kNumberBase; });
}

void AddressValue::add(AddressPart part) {
  const auto place = std::ranges::lower_bound(parts, part.base, {}, &AddressPart::base);
  if (place == parts.end() || place->base != part.base) {
    parts.insert(place, part);
    return;
  }
  place->offsets = place->offsets.join(part.offsets);
  place->bound = std::max(place->bound, part.bound);
}

bool AddressValue::join(const AddressValue& other) {
  const AddressValue before = *this;
  depends = depends || other.depends;
  is_of_handle = is_of_handle || other.is_of_handle;
  for (const AddressPart& part : other.parts)
    add(part);
  return !(before == *this);
}

AddressValue address_value(ir::Op op,
                           unsigned bits,
                           const std::vector<AddressValue>& operands,
                           const BaseFacts& facts) {
  return Operation(op, bits, operands, facts).run();
}

} // namespace heddle::program
