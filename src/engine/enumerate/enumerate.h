// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The engine that lists every execution an axiomatic model allows, as herd does (Alglave, Maranget,
// Tautschnig, "Herding Cats", 2014): for litmus tests and programs of their size.
#pragma once

#include "engine/engine.h"

#include <memory>

namespace heddle::engine {

[[nodiscard]] std::unique_ptr<Engine> make_enumerate();

} // namespace heddle::engine
