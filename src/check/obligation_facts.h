// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What may hold at a place of a thread, for a proof to try (obligations.h): equalities between what
// is live there and memory, conditions of branches, what a load or store of the procedure would
// have left behind, and that the next step does not fail. Nothing here is believed.
#pragma once

#include "check/step_formula.h"
#include "program/program.h"

#include <vector>

namespace heddle::check {

/// What facts speak of: memory, the thread's locals and its index.
struct FactSymbols {
  std::vector<Term> cells;
  std::vector<Term> locals;
  Term self;
};

class FactProposals {
public:
  /// All outlive it.
  FactProposals(const program::Program& program,
                const program::Procedure& procedure,
                StepFormula& formula,
                FactSymbols symbols);

  /// `failures` are those of the steps from there.
  [[nodiscard]] std::vector<Term> at(program::LocationId location,
                                     const std::vector<StepFailure>& failures);

private:
  void add(Term fact);
  void add_equal(Term a, Term b);
  /// Only over symbols, and over locals that are live.
  [[nodiscard]] bool is_about(Term fact, const std::vector<bool>& live) const;
  void add_values(const std::vector<bool>& live);
  void add_accesses(const std::vector<bool>& live);

  const program::Procedure& procedure_;
  StepFormula& formula_;
  logic::TermStore& terms_;
  FactSymbols symbols_;
  std::vector<std::vector<bool>> live_; // by location
  std::vector<Term> facts_;             // of the place at hand
};

} // namespace heddle::check
