// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which vocabulary a C test is written in: that of C11 or that of the Linux kernel. Some functions
// have the same name in both and mean different things.
#pragma once

#include "frontend/litmus/c/c_macros.h"
#include "frontend/litmus/c/c_syntax.h"
#include "frontend/litmus/shared/initial_state.h"

#include <string>
#include <vector>

namespace heddle::frontend::litmus {

/// "c11" or "lkmm", by the functions the threads call (before expansion); if they call none that
/// decides it, by the types of the initial state and the macros of the user.
[[nodiscard]] std::string find_c_vocabulary(const std::vector<CThread>& threads,
                                            const std::vector<InitialEntry>& initial,
                                            const CMacros& macros);

} // namespace heddle::frontend::litmus
