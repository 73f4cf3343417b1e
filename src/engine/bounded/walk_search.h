// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The formulas of one program, and the solver that decides them. Walks with different bounds share
// terms, circuits and solver: nothing that was written down for small bounds is wrong for larger
// ones, since a walk only defines what its goals mean, and a question is an assumption. A question
// after which little is left to ask has a solver of its own (clause_log.h).
#pragma once

#include "engine/bounded/walk.h"
#include "execution/run.h"
#include "logic/bit_blast.h"
#include "logic/gates.h"
#include "solve/clause_log.h"
#include "solve/sat.h"
#include "transform/sequential/sequentialize.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::engine::bounded {

/// What is known of a program before it is walked.
struct Shape {
  explicit Shape(const program::Program& program);
  program::AccessPieces pieces;
  std::vector<std::vector<FlowElement>> flows; // by procedure
};

/// What a run is to be a run of: the program that is walked, or one it was made of.
struct Asked {
  const spec::Task* task = nullptr;
  /// Of the program that is walked, what each edge stands for; none: it is the task's own.
  const IdVector<program::ProcedureId, std::vector<transform::SliceOrigin>>* origins = nullptr;
};

class Search {
public:
  /// Both outlive it.
  Search(const program::Program& program, const Shape& shape);

  /// The goals of the walk are what is asked about from now on.
  [[nodiscard]] Status walk(const WalkOptions& options);
  [[nodiscard]] const Walked& walked() const { return walked_; }

  /// Is one of the goals of the kind, or of one of the kinds, reached?
  [[nodiscard]] solve::Answer reach(Goal::Kind kind, const Budget& budget);
  [[nodiscard]] solve::Answer reach(std::span<const Goal::Kind> kinds, const Budget& budget);
  /// The same; nothing that is learnt helps later questions but the answer.
  [[nodiscard]] solve::Answer reach_alone(std::span<const Goal::Kind> kinds, const Budget& budget);
  /// Is one that has none of these texts? Gives up after so many conflicts.
  [[nodiscard]] solve::Answer reach_other(Goal::Kind kind,
                                          std::span<const std::string> than,
                                          const Budget& budget,
                                          std::uint64_t conflicts);
  /// After kSatisfiable: those that are, by index.
  [[nodiscard]] std::vector<std::size_t> reached(Goal::Kind kind) const;
  /// After kSatisfiable: as a schedule of the program.
  [[nodiscard]] execution::Schedule schedule(const Asked& asked) const;

  void count(verdict::Statistics& statistics) const;

private:
  [[nodiscard]] logic::Literal any_of(const std::function<bool(const Goal&)>& is_meant);
  [[nodiscard]] solve::Answer reach(logic::Literal is_reached, const solve::Limits& limits);
  [[nodiscard]] std::vector<std::uint64_t> values() const;
  void keep_promises();
  void order_comparisons();

  const program::Program& program_;
  const Shape& shape_;
  logic::TermStore terms_;
  Symbols symbols_;
  solve::ClauseLog log_;
  std::unique_ptr<solve::Sat> kept_;
  std::size_t told_ = 0; // of the log, to the solver that is kept
  std::unique_ptr<solve::Sat> single_;
  const solve::Sat* answering_ = nullptr; // one of them
  std::uint64_t conflicts_ = 0;           // of solvers that are gone
  logic::Gates gates_;
  logic::BitBlaster blaster_;
  Walked walked_;
  std::vector<logic::Literal> literals_; // by goal; of those that were asked for
  std::vector<Term> promised_;           // variables whose ranges are still to be required
  /// By number and limit, the literal of "at most": of those that clauses order.
  std::map<Term, std::map<std::uint64_t, logic::Literal>> at_most_;
  std::size_t promises_ = 0; // of Symbols::restricted, so many have been looked at
};

} // namespace heddle::engine::bounded
