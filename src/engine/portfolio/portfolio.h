// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One engine after the other on one question: the explicit one as far as it gets with few states,
// since that is quick and its counterexamples are the shortest; then a solver, which does not
// mind many interleavings and values; then the explicit one without that limit. The first that is
// sure is believed. Not for questions that only one engine takes.
#pragma once

#include "engine/engine.h"

#include <memory>

namespace heddle::engine {

[[nodiscard]] std::unique_ptr<Engine> make_portfolio();

} // namespace heddle::engine
