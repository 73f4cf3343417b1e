// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// All engines, in the order `--engine auto` tries them: the one place where an engine is
// registered.
#pragma once

#include "driver/options/options.h"
#include "engine/engine.h"

namespace heddle::driver {

[[nodiscard]] engine::Registry all_engines(const Options& options);

} // namespace heddle::driver
