// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a thread does from one place to the next as formulas over the locals and the memory before:
// all paths at once, joined where they meet. Ends where others may step, that is outside of atomic
// sections after one has been left and at the heads of loops; loops inside of sections are followed
// as long as their conditions do not become constant. Memory is the globals, cell by cell
// (program/analyse/cells.h). Knows nothing of invariants.
#pragma once

#include "logic/term.h"
#include "program/analyse/cells.h"
#include "program/model/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::encode {

using program::Term;

struct StepState {
  Term guard; // that this is where the thread is
  std::vector<Term> locals;
  std::vector<Term> cells; // by CellId; invalid for bytes that nothing accesses
};

struct StepFailure {
  Term when;
  std::string what;
  SourceLoc loc;
  bool is_repeated = false; // something else that is asserted implies it
  bool is_stated = false;   // by an assertion of the program itself
};

struct StepEnd {
  program::LocationId at; // none: the procedure has returned
  StepState state;
  std::optional<Term> returned = {};
};

struct StepResult {
  std::vector<StepEnd> ends;
  std::vector<StepFailure> failures; // each assertion, and what is undefined behaviour otherwise
  std::optional<SourceLoc> loc = {}; // of the first access that others can see
  bool has_choice = false;           // something has any value
};

class StepFormula {
public:
  /// The program outlives it.
  explicit StepFormula(const program::Program& program);

  [[nodiscard]] logic::TermStore& terms() { return terms_; }
  [[nodiscard]] const program::Cells& cells() const { return cells_; }
  /// Symbols that nothing is known of: for memory, and for the locals of a procedure.
  [[nodiscard]] std::vector<Term> any_cells();
  [[nodiscard]] std::vector<Term> any_locals(const program::Procedure& procedure);
  /// As the program starts.
  [[nodiscard]] std::vector<Term> initial_cells();
  [[nodiscard]] std::vector<Term> zero_locals(const program::Procedure& procedure);
  [[nodiscard]] Term fresh(unsigned width);
  /// What is at an address (over the locals given), if it is that of a cell.
  [[nodiscard]] Term value_at(const std::vector<Term>& cells,
                              const std::vector<Term>& locals,
                              Term self,
                              Term address,
                              const program::Access& access);
  /// The term with the locals and the thread's index replaced.
  [[nodiscard]] Term in(const std::vector<Term>& locals, Term self, Term term);
  [[nodiscard]] Term fitted(Term term, unsigned width);
  /// "x", "list[1].next".
  [[nodiscard]] std::string name(program::CellId cell) const;

  enum class Stop : std::uint8_t {
    kStep,   // where others may step
    kCreate, // at the first thread that is created
    kReturn,
  };
  /// `self` is the index of the thread (64 bits). OBL-002 for what has no formula here, OBL-003 for
  /// a loop that does not end.
  [[nodiscard]] Result<StepResult> run(program::ProcedureId procedure,
                                       program::LocationId from,
                                       StepState state,
                                       Term self,
                                       Stop stop);

private:
  friend class StepWalk;
  struct Candidate {
    program::CellId cell;
    Term is_it;
  };
  /// The cells an access may be to.
  [[nodiscard]] std::vector<Candidate>
  candidates(const std::vector<Term>& cells, Term address, const program::Access& access);
  [[nodiscard]] Term
  read(const std::vector<Term>& cells, const std::vector<Candidate>& from, unsigned bytes);

  const program::Program& program_;
  logic::TermStore terms_;
  program::Cells cells_;
  std::vector<std::uint64_t> addresses_; // by cell
  std::uint64_t next_fresh_;
};

} // namespace heddle::encode
