// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A system without numbers of more than 32 bits: a variable or array of such is two, the one that
// was there with the lower half, and one with the upper.
#pragma once

#include "export/system.h"
#include "support/result.h"

namespace heddle::exports {

/// EXP-030 for divisions of wide numbers.
[[nodiscard]] Result<System> in_halves(System system);

} // namespace heddle::exports
