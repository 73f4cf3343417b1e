// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The bounded engine: a program with one thread becomes a formula, and a solver looks for a run
// that violates the property (docs/bounded-engine.md). Loops are followed further where their
// bounds cut a run, until none is, or induction shows that the property is kept, or time is up.
#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <memory>

namespace heddle::engine {

struct BoundedOptions {
  /// Numbers of so many bits are tried first; 0: only all.
  unsigned bits = 0;
  bool induction = true;
};

[[nodiscard]] std::unique_ptr<Engine> make_bounded(BoundedOptions options);

} // namespace heddle::engine
