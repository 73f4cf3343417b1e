// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What may hold at a place of a thread, for a proof to try (obligations.h): equalities between what
// is live there and memory, conditions of branches, what a load or store of the procedure would
// have left behind, and that steps do not fail. What live locals are computed from is spoken of,
// too: a store that is pending may be all that is left of it. Nothing here is believed. A thread
// with an index of its own (what pthread_self() is compared with) has a role; of memory something
// may be known to who has it, wherever it stands.
#pragma once

#include "encode/step/step_formula.h"
#include "program/model/program.h"

#include <vector>

namespace heddle::engine::invariants {

using encode::StepEnd;
using encode::StepFailure;
using encode::StepFormula;
using encode::StepResult;
using encode::StepState;
using program::Term;

/// What facts speak of: memory, the thread's locals and its index.
struct FactSymbols {
  std::vector<Term> cells;
  std::vector<Term> locals;
  Term self;
  std::vector<Term> parts = {}; // conditions that the invariant is made of, over the cells
};

/// What else to try, by who made the program: terms over the locals of the procedure.
struct FactHints {
  std::vector<Term> lemmas = {};
  std::vector<Term> cases = {}; // every fact is also tried where such a condition holds
  std::vector<program::LocalId> covered = {}; // of these locals the lemmas say enough
  /// Also the parts of the invariant: who holds a lock knows more than everybody.
  bool tries_parts = false;
};

class FactProposals {
public:
  /// All outlive it.
  FactProposals(const program::Program& program,
                const program::Procedure& procedure,
                StepFormula& formula,
                FactSymbols symbols,
                const FactHints& hints);

  /// `failures` are those of the steps from there, `stated` what fails where an assertion of the
  /// program does, anywhere.
  [[nodiscard]] std::vector<Term> at(program::LocationId location,
                                     const std::vector<StepFailure>& failures,
                                     const std::vector<Term>& stated);

private:
  void add(Term fact);
  void add_equal(Term a, Term b);
  /// Only over symbols, and over these locals.
  [[nodiscard]] bool is_about(Term fact, const std::vector<bool>& locals) const;
  void add_values(const std::vector<bool>& live);
  void add_accesses(const std::vector<bool>& live, const std::vector<bool>& related);
  void add_cases(const std::vector<bool>& live);
  /// Of locals that are assigned one and the same term wherever they are: that term, as far back
  /// as it goes.
  void find_definitions();
  [[nodiscard]] Term expanded(Term term);
  void add_definitions(const std::vector<bool>& live, const std::vector<bool>& related);
  /// Live, or what such a local is computed from.
  [[nodiscard]] std::vector<bool> related_to(const std::vector<bool>& live) const;
  /// Live, and not covered by lemmas.
  [[nodiscard]] bool is_of_interest(std::size_t local, const std::vector<bool>& live) const;
  void find_roles();
  void add_roles();

  const program::Procedure& procedure_;
  StepFormula& formula_;
  logic::TermStore& terms_;
  FactSymbols symbols_;
  FactHints hints_;
  std::vector<Term> definitions_; // by local, over the locals; invalid: none
  std::vector<Term> roles_;
  std::vector<std::vector<bool>> live_; // by location
  std::vector<Term> facts_;             // of the place at hand
};

} // namespace heddle::engine::invariants
