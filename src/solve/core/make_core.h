// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Our own CDCL(T) solver: hosts a theory everywhere and writes proofs with the theory's lemmas in
// them. docs/solver.md describes it.
#pragma once

#include "solve/sat.h"

#include <cstdint>
#include <memory>

namespace heddle::solve {

class ProofSink;

struct CoreOptions {
  /// Each technique can be switched off, for tests and measurements.
  bool restart = true;
  bool rephase = true;
  bool reduce = true;
  bool switch_modes = true; // between focused (VMTF, fast restarts) and stable (EVSIDS, rare ones)
  bool minimise = true;
  bool probe = true;
  bool vivify = true;
  bool subsume = true;
  bool eliminate = true;
  bool substitute = true; // equivalent literals
  bool walk = true;       // local search for phases

  /// Conflicts between two runs of each kind; small values make tests hard on the solver.
  std::uint64_t reduce_interval = 300;
  std::uint64_t rephase_interval = 1000;
  std::uint64_t mode_interval = 1000;
  std::uint64_t probe_interval = 5000;
  std::uint64_t eliminate_interval = 2000;

  /// Where the proof goes; null for none. The caller keeps it alive as long as the solver.
  ProofSink* proof = nullptr;
};

[[nodiscard]] std::unique_ptr<Sat> make_core(const CoreOptions& options = {});

} // namespace heddle::solve
