// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes an output file so that it is there as a whole or not at all.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace heddle::report {

/// Writes beside the target and renames; a device or pipe is written directly. On failure nothing
/// is left behind.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content);

} // namespace heddle::report
