// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The condition of a test as a property of its program: `main`, which has joined all threads by
// then, loads what the condition speaks of and asserts what the test asks about. A violation of
// that assertion is an execution that satisfies the condition (exists, ~exists) or does not
// (forall).
#pragma once

#include "frontend/litmus/shared/test.h"

namespace heddle::frontend::litmus {

/// Adds it to the end of `main`; a filter is an assumption before it. A test without a condition
/// has nothing to be asked, which is an error.
[[nodiscard]] Status check_condition(Test& test);

} // namespace heddle::frontend::litmus
