// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Linearization points that may lie behind the return: a store at which an operation takes effect
// when it reaches memory, and which nothing on the way to the return forces there. Operations of
// one thread may then take effect in another order than they are called in, which TSO
// linearizability allows and TSO-to-SC linearizability does not.
#pragma once

#include "ir/ir.h"
#include "object/scenarios/harness.h"

#include <string>
#include <vector>

namespace heddle::object {

/// Those of the places. `operations` are the functions that implement the object. Says yes where it
/// does not know.
[[nodiscard]] std::vector<EffectPlace>
effects_that_may_be_late(const ir::Module& module,
                         const std::vector<EffectPlace>& places,
                         const std::vector<std::string>& operations);

} // namespace heddle::object
