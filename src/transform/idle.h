// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Beside transform::skip_idle_turns, for who asks about steps only.
#pragma once

#include "transform/transform.h"

#include <memory>

namespace heddle::transform {

/// skip_idle_turns(kNone), where a store to what no step of the program ever reads is nothing. What
/// memory holds at the end may then be another, so that this is for assertions and overflow only.
[[nodiscard]] std::unique_ptr<Transform> skip_unseen_turns();

} // namespace heddle::transform
