// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The limit on the process may be met before an engine's own count of what it holds is.
#pragma once

#include <new>

namespace heddle {

/// What `attempt` gives; what `otherwise` gives where there was not enough memory for it, which is
/// free again then.
template <typename Attempt, typename Otherwise>
auto within_memory(const Attempt& attempt, const Otherwise& otherwise) -> decltype(attempt()) {
  try {
    return attempt();
  } catch (const std::bad_alloc&) {
    return otherwise();
  }
}

} // namespace heddle
