// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a replay says where a claim needs more threads at a time than a run has: a limit, no bug.
#pragma once

#include <string_view>

namespace heddle::check {

/// The code of the error that says that a run has no room for all threads of a claim at a time:
/// nothing is known of it then.
inline constexpr std::string_view kLacksRoom = "CHECK-019";

} // namespace heddle::check
