// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The final states of a program without threads, by an engine that only answers questions: is
// there a run that ends in a state other than those that are known?
#pragma once

#include "engine/engine.h"
#include "spec/task.h"
#include "verdict/verdict.h"

namespace heddle::driver {

/// The task asks for final states; its program has one thread and no calls.
[[nodiscard]] verdict::Verdict list_final_states(const spec::Task& task,
                                                 const engine::Engine& engine,
                                                 const engine::Context& context);

} // namespace heddle::driver
