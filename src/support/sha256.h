// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4) of a text, to name the content of files in formats that ask for it. Not
// meant for secrets: it takes no care of timing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

using Sha256 = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256 sha256(std::string_view text);
/// 64 small hexadecimal digits.
[[nodiscard]] std::string to_hex(const Sha256& digest);

} // namespace heddle
