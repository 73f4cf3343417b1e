// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/budget.h"
#include "transform/basic/transform.h"

#include <memory>

namespace heddle::transform {

/// The same within a budget, which outlives it; null: there is none. A body is copied for every
/// call: there may be exponentially many.
[[nodiscard]] std::unique_ptr<Transform> inline_calls(InlineSlots slots, const Budget* budget);

} // namespace heddle::transform
