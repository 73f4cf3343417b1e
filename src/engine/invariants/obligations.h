// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Is an invariant of the user's one, whatever number of threads call the operations of an object,
// and does it show what their steps assert? The obligations are those of thread-modular proofs
// (Owicki and Gries, "An axiomatic proof technique for parallel programs I", 1976; the local
// obligations of Derrick, Schellhorn and Wehrheim, "Mechanically verified proof obligations for
// linearizability", TOPLAS 2011): the invariant holds at the start; each step of a thread, from a
// state in which the invariant and the assertion of its place hold, fails no assertion (one of
// which is that the invariant holds afterwards), makes the assertion of the next place true, and
// keeps those of all places of another thread. The assertions of places are found by trying many
// and dropping those that are not kept (Houdini: Flanagan and Leino, FME 2001). What is left is
// inductive, so that what is proved with it holds in all runs; an obligation that fails says only
// that this proof does not go through.
#pragma once

#include "engine/invariants/obligation_facts.h"
#include "program/model/program.h"
#include "support/budget.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine::invariants {

struct Obligation {
  enum class Outcome : std::uint8_t { kProved, kFailed, kUndecided };
  std::string what;
  SourceLoc loc;
  Outcome outcome = Outcome::kUndecided;
  /// kFailed: a state in which the step fails: "x = 1".
  std::vector<std::string> memory = {};
  std::vector<std::string> locals = {};
};

struct ObligationReport {
  std::vector<Obligation> obligations;
  std::size_t places = 0; // where a thread may stand when others step
  std::size_t steps = 0;  // from one place to another
  std::size_t facts = 0;  // of places, that were found to be kept
  std::uint64_t queries = 0;
};

/// Threads have indices below this in a proof: others are told apart by them.
inline constexpr std::uint64_t kThreadsOfProof = 1U << 16U;

/// `program` is of object/invariants/atomic_steps.h with any number of threads and calls; they run
/// `client`. OBL-002, -003: see step_formula.h; OBL-004 for an invariant that changes memory or is
/// not a function of it. The hints are over the locals of the client.
[[nodiscard]] Result<ObligationReport> discharge(const program::Program& program,
                                                 program::ProcedureId client,
                                                 program::ProcedureId invariant,
                                                 const FactHints& hints,
                                                 const Budget& budget);

} // namespace heddle::engine::invariants
