// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a search has come to, and what of the program it never saw. An engine notes the former
// whatever the bounds were; where something was proved, or holds within bounds, the latter says how
// much that is worth.
#pragma once

#include "program/model/program.h"
#include "support/source_loc.h"
#include "verdict/verdict.h"

#include <set>
#include <string>

namespace heddle::verdict {

struct Reached {
  /// Where one was evaluated. (That an error call is never reached is what one hopes for.)
  std::set<SourceLoc> assertions = {};
  std::set<std::string> threads = {}; // templates, by name, of which one was created
  bool some_run_completes = false;
};

[[nodiscard]] NeverReached never_reached(const program::Program& program, const Reached& reached);

} // namespace heddle::verdict
