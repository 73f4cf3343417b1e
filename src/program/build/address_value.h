// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a value is under every placement of the objects: "base plus offset" for one of some bases,
// or something that depends on where they lie. Private to build_addresses.cpp and its parts.
#pragma once

#include "ir/ir.h"
#include "program/analyse/alias_value.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace heddle::program {

/// Index of an object, or kNumber for none.
using AddressBase = std::uint32_t;
inline constexpr AddressBase kNumberBase = 0;

/// The offsets from one base. `bound` of numbers: the least 2^k - 1 that none exceeds, or no bound
/// if it is large, so that growing ends. Of addresses: the low bits that may be set as tags on top
/// of the offset.
struct AddressPart {
  AddressBase base = kNumberBase;
  Offsets offsets = {};
  std::uint64_t bound = 0;
  bool operator==(const AddressPart&) const = default;
};

struct AddressValue {
  std::vector<AddressPart> parts = {}; // by base, each once
  bool depends = false;                // on where objects lie
  bool is_of_handle = false;           // on which number a thread has got

  [[nodiscard]] static AddressValue number(std::uint64_t value, unsigned bits);
  [[nodiscard]] static AddressValue any_number(std::uint64_t bound);
  [[nodiscard]] static AddressValue of(AddressBase base, std::int64_t offset);
  [[nodiscard]] static AddressValue dependent();

  [[nodiscard]] bool has_base() const;
  void add(AddressPart part);
  /// Did it change?
  bool join(const AddressValue& other);
  bool operator==(const AddressValue&) const = default;
};

/// What operations need to know of bases.
struct BaseFacts {
  unsigned pointer_bits = 64;
  /// A power of two.
  std::function<std::uint64_t(AddressBase)> alignment;
  /// Are the two operands of this operation in the same instance, if they have this base?
  std::function<bool(AddressBase)> is_same_instance;
};

/// A pure operation with a result of that many bits.
[[nodiscard]] AddressValue address_value(ir::Op op,
                                         unsigned bits,
                                         const std::vector<AddressValue>& operands,
                                         const BaseFacts& facts);

} // namespace heddle::program
