// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the alias analysis knows about a value: which objects it may be an address in, and at which
// offsets; or that it may be any number at all, hence an address in any object.
#pragma once

#include "program/model/program.h"

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::program {

/// The numbers first + n · stride for any integer n; stride 0 is the one number.
struct Offsets {
  std::int64_t first = 0;
  std::uint64_t stride = 0;
  auto operator<=>(const Offsets&) const = default;

  [[nodiscard]] static Offsets anywhere() { return {0, 1}; }
  [[nodiscard]] Offsets shifted(std::int64_t distance) const;
  /// The smallest such set that contains both.
  [[nodiscard]] Offsets join(Offsets other) const;
  /// Every step of `other` added to every number of this.
  [[nodiscard]] Offsets with_stride(std::uint64_t other) const;
};

/// How the bytes at two places relate: [a, a + a_size) for a in `a`, likewise b.
enum class Overlap : std::uint8_t {
  kNever,
  kSame,    // where they overlap they are the same bytes
  kPartial, // they may overlap otherwise
};
[[nodiscard]] Overlap overlap(Offsets a, std::uint64_t a_size, Offsets b, std::uint64_t b_size);

struct Target {
  enum class Kind : std::uint8_t {
    kNumber, // a constant that is no address of anything
    kObject,
    kProcedure,
  };
  Kind kind = Kind::kNumber;
  std::uint32_t index = 0;
  auto operator<=>(const Target&) const = default;
};

/// The targets of a value in their order, each once; nearly always a handful.
class Targets {
public:
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] bool contains(Target target) const;
  /// Takes the offsets in. Did that change anything?
  bool join(Target target, Offsets offsets);
  bool operator==(const Targets&) const = default;

private:
  using Entry = std::pair<Target, Offsets>;
  [[nodiscard]] std::vector<Entry>::const_iterator place_of(Target target) const;
  std::vector<Entry> entries_;
};

class AliasValue {
public:
  [[nodiscard]] static AliasValue any();
  [[nodiscard]] static AliasValue number();
  [[nodiscard]] static AliasValue object(ObjectId object, Offsets offsets);
  [[nodiscard]] static AliasValue procedure(ProcedureId procedure);

  /// May it be an address in any object? Then `targets` is empty.
  [[nodiscard]] bool is_any() const { return is_any_; }
  [[nodiscard]] const Targets& targets() const { return targets_; }
  /// Does it hold nothing but numbers that are no addresses?
  [[nodiscard]] bool has_address() const;
  [[nodiscard]] std::vector<ObjectId> objects() const;

  /// Makes this the smallest value that covers both. Did it change?
  bool join(const AliasValue& other);
  void add(Target target, Offsets offsets);

  bool operator==(const AliasValue&) const = default;

private:
  bool is_any_ = false;
  Targets targets_;
};

} // namespace heddle::program
