// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The initial state of a test, { x=1; 0:EAX=2; int *p = x; … }, as written; and the words that it
// shares with conditions: places and values. What the types mean in bits is here too; what the
// entries mean for a program is decided by those who build it.
#pragma once

#include "frontend/litmus/shared/litmus_lexer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// x, [x], *x, a[1], 0:EAX, P0:EAX: a location, or (with a thread) a register or local variable.
struct Place {
  std::optional<std::uint32_t> thread = {};
  std::string name;
  std::optional<std::uint64_t> index = {};
  SourceLoc loc = {};
  bool is_of_whole = false; // the test speaks of the array, not of this element

  /// As logs print it: "0:EAX", "[x]", "[a[1]]".
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] bool is_same(const Place& other) const {
    return thread == other.thread && name == other.name && index == other.index;
  }
};

struct NumberValue {
  bool is_negative = false;
  bool is_hex = false;
  std::uint64_t magnitude = 0;
  /// Two's complement, 64 bits.
  [[nodiscard]] std::uint64_t bits() const { return is_negative ? ~magnitude + 1 : magnitude; }
  bool operator==(const NumberValue&) const = default;
};
/// x, &x, x[1], &x[1], x+4 (bytes): the address of a location; or another word (NULL, a label).
struct NameValue {
  std::string name;
  std::optional<std::uint64_t> index = {};
  std::int64_t offset = 0;
  bool operator==(const NameValue&) const = default;
};
struct LiteralValue {
  std::variant<NumberValue, NameValue, std::vector<LiteralValue>> content;
  SourceLoc loc = {};
  [[nodiscard]] std::string to_string() const;
};

/// int, int*, atomic_int, uint64_t, struct s*, …: the words with single blanks, and how many stars.
struct TypeName {
  std::string words;
  unsigned stars = 0;
  [[nodiscard]] std::string to_string() const;
  bool operator==(const TypeName&) const = default;
};

struct InitialEntry {
  std::optional<TypeName> type = {};
  Place place;
  /// T x[4]: so many elements. 0 if the number is left out: as many as the value has.
  std::optional<std::uint64_t> elements = {};
  std::optional<LiteralValue> value = {};
};

/// From the opening to the closing brace, and a semicolon after it if there is one.
[[nodiscard]] Result<std::vector<InitialEntry>> parse_initial_state(Lexer& lexer);

/// "{" one entry per line "}".
[[nodiscard]] std::string print_initial_state(const std::vector<InitialEntry>& entries);

[[nodiscard]] Result<Place> parse_place(Lexer& lexer);
[[nodiscard]] Result<LiteralValue> parse_literal(Lexer& lexer);

struct ScalarType {
  unsigned bits = 32;
  bool is_signed = true;
};
/// Nothing if the type is not known. Pointers have `pointer_bits`.
[[nodiscard]] std::optional<ScalarType> find_scalar(const TypeName& type, unsigned pointer_bits);

} // namespace heddle::frontend::litmus
