// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The formula of a program in the solver that is best for it, and what a model of it says: a run.
#pragma once

#include "encode/program/program_formula.h"
#include "engine/axiomatic/schedule_of_execution.h"
#include "execution/run.h"
#include "spec/task.h"
#include "support/result.h"
#include "verdict/reached.h"
#include "verdict/verdict.h"

#include <vector>

namespace heddle::engine::axiomatic {

class ProgramSearch final : public encode::ProgramFormula {
public:
  ProgramSearch(const spec::Task& task, spec::Property property, encode::EventOrdering ordering);

  /// After kSatisfiable for a violation: as a schedule of the unrolled program, if it has one.
  [[nodiscard]] Result<execution::Schedule> schedule() const;
  /// Adds what executions without undefined behaviour come to.
  void note_reached(verdict::Reached& known, const Budget& budget);
  void count(verdict::Statistics& statistics) const;

private:
  [[nodiscard]] EventIndex first_violation(const std::vector<encode::Node>& order) const;
  void stop_at_state(SolvedExecution& solved) const;
  void end_run(SolvedExecution& solved) const;
  [[nodiscard]] std::uint64_t value(program::Term term, const logic::LiteralValues& model) const;
};

} // namespace heddle::engine::axiomatic
