// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the value of a node behaves when an execution grows.
#pragma once

#include <cstdint>

namespace heddle::memory {

/// How a node's value behaves when an execution grows: more edges of rf and co, and perhaps more
/// events.
enum class Growth : std::uint8_t {
  kFixed,     // never changes between the events there are
  kIncreases, // only gains
  kDecreases, // only loses among the events there are
  kAny,
};

inline Growth turned(Growth growth) {
  if (growth == Growth::kIncreases)
    return Growth::kDecreases;
  return growth == Growth::kDecreases ? Growth::kIncreases : growth;
}

inline Growth both(Growth a, Growth b) {
  if (a == b || b == Growth::kFixed)
    return a;
  return a == Growth::kFixed ? b : Growth::kAny;
}

inline bool only_gains(Growth growth) {
  return growth == Growth::kFixed || growth == Growth::kIncreases;
}

} // namespace heddle::memory
