// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The engine that lists every execution an axiomatic model allows, as herd does (Alglave, Maranget,
// Tautschnig, "Herding Cats", 2014): for litmus tests and programs of their size.
#pragma once

#include "engine/engine.h"

#include <functional>
#include <memory>

namespace heddle::engine {

struct EnumerateOptions {
  /// Which final states count; none: all. An execution that ends in another one is left out, with
  /// the flags it raises.
  std::function<bool(const verdict::Outcome&)> admits = {};
};

[[nodiscard]] std::unique_ptr<Engine> make_enumerate(EnumerateOptions options = {});

} // namespace heddle::engine
