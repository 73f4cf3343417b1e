// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A system in Promela, the language of SPIN: a proctype for each process, an atomic step for each
// step, an assertion wherever something fails.
#pragma once

#include "export/system.h"
#include "support/result.h"

#include <string>

namespace heddle::exports {

[[nodiscard]] Result<std::string> to_promela(const System& system);

} // namespace heddle::exports
