// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// CaDiCaL behind the interface of solve/sat.h. It hosts a theory only where the installed version
// has an external propagator (see cadical_host.h); elsewhere `connect` answers false.
#pragma once

#include "solve/sat.h"

#include <memory>

namespace heddle::solve {

struct CadicalOptions {
  /// Looks for models by flipping values now and then. Of little use where nearly all variables
  /// follow from a few: it costs as much as it finds there.
  bool walks = true;
  /// Replaces variables by their definitions after a few hundred conflicts, not a few thousand: for
  /// circuits that are asked one hard question.
  bool eliminates_soon = false;
};
[[nodiscard]] std::unique_ptr<Sat> make_cadical(const CadicalOptions& options = {});

} // namespace heddle::solve
