// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread that is run in slices, round after round, would compute all that it does by itself in
// every round again: a formula has its branches and locals once for each. Here it runs once, from
// its beginning to its end, before anybody has moved, and guesses what it will read. What it cannot
// do by itself is left for the slices, with the operands it has then: a step that is taken there
// assumes that what it reads was guessed. So whenever a step is taken, all that came before it in
// its thread has turned out to be right, and the run is one of the source.
//
// For engines that ask a solver: nobody else should have to guess.
#pragma once

#include "logic/range.h"
#include "transform/sequential/fixed_values.h"
#include "transform/sequential/own_copies.h"
#include "transform/sequential/sequentialize_writer.h"
#include "transform/sequential/shared_cells.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::transform {

class RunAhead {
public:
  /// A step for the slices.
  struct Step {
    std::uint32_t edge = 0;
    program::Action action; // its operands and destinations are locals of the step
    program::LocalId is_reached = {};
    struct Read {
      program::LocalId seen;
      program::LocalId guess;
    };
    std::vector<Read> reads = {}; // which must be equal when the step has been taken
    program::LocalId known = {};  // what is read is this, and memory need not be asked
    bool is_computation = false;  // nothing happens; numbers may have too many bits
  };
  /// What is the same for all threads. Outlives it.
  struct Shared {
    SequentialWriter& writer;
    const program::Program& source;
    const SharedCells& cells;
    const std::vector<logic::Range>& contents; // by cell
  };

  /// Should the thread be run ahead? It must touch nothing but its locals and cells. Without
  /// branches that depend on what it reads there is nothing to gain.
  [[nodiscard]] static bool takes(const program::Program& source,
                                  program::ProcedureId procedure,
                                  const SharedCells& cells,
                                  const FixedValues& values,
                                  const logic::TermStore& terms);

  /// A thread with these locals in the program that is written. The parameter has a value already.
  RunAhead(const Shared& shared,
           program::ProcedureId procedure,
           const FixedValues& values,
           const OwnCopies& own);
  /// Writes the run, with the locations in a topological order.
  void write(const std::vector<program::LocationId>& order);
  /// In that order.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

private:
  using Term = program::Term;
  using LocalId = program::LocalId;

  [[nodiscard]] logic::TermStore& terms() { return shared_.writer.terms(); }
  void write_edge(std::uint32_t edge);
  void compute(std::uint32_t edge, const program::Assign& action);
  void leave(std::uint32_t edge, const program::Action& action);
  [[nodiscard]] Step& add_step(std::uint32_t edge, const program::Action& action);
  [[nodiscard]] LocalId kept(Term value);
  /// The guess is what the destination holds from here on.
  void guess(Step& step, LocalId dest, LocalId seen, const std::optional<logic::Range>& range);
  [[nodiscard]] std::optional<logic::Range> contents(std::uint32_t edge) const;
  [[nodiscard]] LocalId temporary(LocalId like);

  Shared shared_;
  program::ProcedureId id_;
  const program::Procedure& procedure_;
  const FixedValues& values_;
  const OwnCopies& own_;
  std::set<std::uint64_t> read_; // locals, of the writer, that some term has
  IdVector<program::LocationId, program::LocationId> bodies_;
  program::LocationId after_;
  std::vector<Step> steps_;
};

} // namespace heddle::transform
