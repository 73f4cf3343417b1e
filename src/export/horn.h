// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A system as constrained Horn clauses in SMT-LIB: a relation for each combination of locations
// that the processes can be in, over the values of the variables and of the memory, all exact
// bit-vectors. The clauses have a solution ("sat") exactly if nothing can fail.
#pragma once

#include "export/system.h"
#include "support/result.h"

#include <string>

namespace heddle::exports {

[[nodiscard]] Result<std::string> to_horn_clauses(const System& system);

} // namespace heddle::exports
