// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an action evaluates.
#pragma once

#include "program/model/action.h"

#include <vector>

namespace heddle::program {

/// In the order of the action's members. Hints are not evaluated.
[[nodiscard]] std::vector<Term> terms_of(const Action& action);

} // namespace heddle::program
