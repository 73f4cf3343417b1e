// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The whole program but for main: arguments in, exit code out. Tests call it with strings for
// streams.
#pragma once

#include "driver/output/console.h"

#include <span>
#include <string>

namespace heddle::driver {

[[nodiscard]] int run(std::span<const std::string> arguments, const Console& console);

} // namespace heddle::driver
