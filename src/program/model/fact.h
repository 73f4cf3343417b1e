// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Something known about a program, with where it comes from. Facts go into an engine with its
// context and come out with its verdict; check/ can test each on concrete runs.
#pragma once

#include "program/model/program.h"

#include <string>
#include <variant>
#include <vector>

namespace heddle::program {

struct PointInProgram {
  ProcedureId procedure;
  LocationId location;
  auto operator<=>(const PointInProgram&) const = default;
};
/// The local's value at that point is in [low, high], unsigned.
struct RangeFact {
  PointInProgram point;
  LocalId local;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};
struct UnreachableFact {
  PointInProgram point;
};
/// Every time both happen, `first` happens before `second`.
struct MustOrderFact {
  PointInProgram first;
  PointInProgram second;
};
/// The accesses made at the two points never touch a common byte.
struct NoAliasFact {
  PointInProgram first;
  PointInProgram second;
};
/// The condition over the procedure's locals holds at that point.
struct InvariantFact {
  PointInProgram point;
  Term condition;
};

struct Fact {
  std::variant<RangeFact, UnreachableFact, MustOrderFact, NoAliasFact, InvariantFact> content;
  std::string origin; // the engine or analysis that found it
};
using Facts = std::vector<Fact>;

} // namespace heddle::program
