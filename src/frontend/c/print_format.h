// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a format of printf does with its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// An argument that a format takes.
struct PrintedArgument {
  enum class Kind : std::uint8_t {
    kValue,
    kText,   // %s: the characters it points to
    kTarget, // %n: where a number is stored
  };
  Kind kind = Kind::kValue;
  /// At most so many characters of a text are read.
  std::optional<std::uint64_t> limit = {};
  /// … or as many as the argument before it says (%.*s).
  bool is_limited_by_argument = false;
  bool operator==(const PrintedArgument&) const = default;
};

/// The arguments in order; nothing if one takes more than a word, or is chosen by its number.
[[nodiscard]] std::optional<std::vector<PrintedArgument>> print_format(std::string_view format);

} // namespace heddle::frontend
