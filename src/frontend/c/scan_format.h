// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a format of scanf stores.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// The width in bits of each integer the format stores, in order; nothing if it stores anything
/// else.
[[nodiscard]] std::optional<std::vector<unsigned>> scan_format(std::string_view format,
                                                               unsigned long_bits);

} // namespace heddle::frontend
