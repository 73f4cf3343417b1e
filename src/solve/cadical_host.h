// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A theory inside CaDiCaL, where the installed version can host one. cadical_propagator.cpp does it
// through CaDiCaL's external propagator; cadical_no_propagator.cpp stands in for older versions.
// CMake compiles one of the two. Only for solve/cadical.cpp.
#pragma once

#include "solve/propagator.h"

#include <memory>

namespace CaDiCaL {
class Solver;
} // namespace CaDiCaL

namespace heddle::solve {

class CadicalHost {
public:
  virtual ~CadicalHost() = default;
  /// Tells CaDiCaL of variables that the theory observes since the last call.
  virtual void observe() = 0;
};

/// Null where CaDiCaL has no external propagator.
[[nodiscard]] std::unique_ptr<CadicalHost> make_cadical_host(CaDiCaL::Solver& solver,
                                                             Propagator& propagator);

} // namespace heddle::solve
