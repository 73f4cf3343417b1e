// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A place in a source file. The file's name lives in a table of the module or program (`files`);
// file 0 is "unknown".
#pragma once

#include <compare>
#include <cstdint>

namespace heddle {

struct SourceLoc {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  [[nodiscard]] constexpr bool is_known() const { return line != 0; }
  constexpr auto operator<=>(const SourceLoc&) const = default;
};

} // namespace heddle
