// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For CaDiCaL before 1.7, which has no external propagator.
#include "solve/cadical_host.h"

namespace heddle::solve {

std::unique_ptr<CadicalHost> make_cadical_host(CaDiCaL::Solver& /*solver*/,
                                               Propagator& /*propagator*/) {
  return nullptr;
}

} // namespace heddle::solve
