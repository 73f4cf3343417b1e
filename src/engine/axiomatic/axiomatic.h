// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The axiomatic engine: the program with its loops unrolled becomes one formula whose models are
// its executions, and a solver looks for one that violates the property (docs/axiomatic-engine.md).
// Loops are unrolled further where the bound cut an execution short, until none is, or until time
// is up.
#pragma once

#include "encode/program/event_ordering.h"
#include "engine/engine.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace heddle::engine {

struct AxiomaticOptions {
  /// How the order of events is decided.
  using Ordering = encode::EventOrdering;
  Ordering ordering = Ordering::kAutomatic;
  /// Where final states are asked for: which of them count; none: all. An execution that ends in
  /// another one is left out, with the flags it raises.
  std::function<bool(const verdict::Outcome&)> admits = {};
};

[[nodiscard]] std::unique_ptr<Engine> make_axiomatic(AxiomaticOptions options);

} // namespace heddle::engine
