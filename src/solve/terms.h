// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Questions about terms: facts are required for good or within scopes, terms are assumed for one
// question, and the answer comes with a model that gives every term a value, or with the assumed
// terms that cannot hold together. Each term is translated to clauses once, for all questions.
// Elements of arrays (logic/arrays.h) are made congruent as models ask for it: a model in which two
// elements with one index differ gives a clause that excludes it, until there is none (Brummayer
// and Biere, "Lemmas on demand for the extensional theory of arrays", 2009, without equalities of
// arrays). Either SAT solver serves.
//
// Not for encodings that send clauses of their own, order the events of an execution or promise
// ranges of variables: those write to solve/sat.h.
#pragma once

#include "logic/arrays.h"
#include "logic/bit_blast.h"
#include "logic/gates.h"
#include "logic/term.h"
#include "solve/sat.h"
#include "support/budget.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::solve {

using logic::Term;

/// Counted since the solver was made.
struct TermStatistics {
  std::uint64_t checks = 0; // those for minimal cores, too
  std::uint64_t solved = 0; // calls of the SAT solver
  std::uint64_t congruences = 0;
  std::uint64_t variables = 0; // of the SAT solver
  std::uint64_t clauses = 0;
  std::uint64_t conflicts = 0;
  auto operator<=>(const TermStatistics&) const = default;
};

/// Assumed terms that cannot hold together with what is required.
struct TermCore {
  std::vector<Term> terms; // in the order in which they were assumed
  /// Without any one of them there is a model. False: a limit was hit before all were tried.
  bool is_minimal = false;
};

/// Deterministic: the same calls give the same answers, models and cores, unless a limit of time or
/// memory stops one of them. Models, failed terms and what was exhausted are there until the next
/// call that requires, pushes, pops or checks.
class TermSolver {
public:
  /// The store and the arrays outlive it; terms, arrays and elements may be added at any time.
  /// Without arrays, elements are variables like others.
  TermSolver(const logic::TermStore& terms,
             std::unique_ptr<Sat> sat,
             const logic::Arrays* arrays = nullptr);
  TermSolver(const TermSolver&) = delete;
  TermSolver& operator=(const TermSolver&) = delete;

  /// From now on it holds (Bool): until the innermost scope ends, or for good if none is open.
  void require(Term fact);
  void push();
  void pop();

  /// Can all assumed terms (Bool) hold, with what is required? `limits.conflicts` are those of the
  /// whole question.
  Answer check(std::span<const Term> assumptions, const Limits& limits);
  Answer check(std::span<const Term> assumptions = {}) { return check(assumptions, Limits{}); }

  /// After kUnknown: what of the budget was used up. Nothing: the conflicts.
  [[nodiscard]] std::optional<Exhausted> exhausted() const;

  /// After kUnsatisfiable: assumed terms that cannot hold together, not necessarily all needed.
  [[nodiscard]] std::span<const Term> failed() const;
  /// The same, and each of them is needed, as far as the limits (of all questions this takes)
  /// allow. Where there is a choice the terms that were assumed first stay. `failed` are those
  /// afterwards.
  [[nodiscard]] TermCore minimal_core(const Limits& limits);

  /// After kSatisfiable: in the model, whether or not the term was ever asked about.
  [[nodiscard]] std::uint64_t value(Term term);
  /// After kSatisfiable: what a symbol holds in the model; 0 at all other indices.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> content(logic::Array symbol) const;
  /// Whether the value of a variable may matter to anything required or assumed so far.
  [[nodiscard]] bool is_mentioned(Term variable) const;

  [[nodiscard]] TermStatistics statistics() const;

private:
  struct Scope {
    Literal is_open;
    std::vector<Term> facts;
  };
  struct Cell {
    Term variable; // the first element that was found there
    std::uint64_t value = 0;
  };

  void forget();
  [[nodiscard]] Answer
  decide(std::span<const Literal> literals, std::span<const Term> elements, const Limits& limits);

  // Elements of arrays.

  /// What the question is about, oldest first: elements in assumptions, in facts, in their indices.
  /// What was only asked before has any value, and is not made congruent.
  [[nodiscard]] std::vector<Term> elements_of(std::span<const Term> assumptions);
  void look_for_elements(Term root, std::uint32_t visit, std::vector<Term>& found);
  /// True: nothing had to be excluded. False: the model is gone.
  [[nodiscard]] bool is_congruent(std::span<const Term> elements);
  void make_congruent(const logic::Select& a, const logic::Select& b);
  [[nodiscard]] std::vector<Literal> literals_of(Term term);

  // Values in the model.

  [[nodiscard]] std::uint64_t value_of(Term term);
  /// Of a variable that was translated.
  [[nodiscard]] std::optional<std::uint64_t> translated_value(Term variable) const;
  /// Once what it is computed from has its value.
  [[nodiscard]] std::uint64_t computed_value(Term term) const;
  [[nodiscard]] bool has_value(Term term) const;
  void set_value(Term term, std::uint64_t value);
  [[nodiscard]] const logic::Select* select_of(Term term) const;

  const logic::TermStore& terms_;
  const logic::Arrays* arrays_;
  std::unique_ptr<Sat> sat_;
  logic::Gates gates_;
  logic::BitBlaster blaster_;
  std::vector<Scope> scopes_;

  std::optional<Answer> answer_;
  std::vector<Term> failed_;
  std::optional<Exhausted> exhausted_;

  // By term: whether it contains an element; 0, the visit in which it was seen last, or kAlways.
  std::vector<bool> has_elements_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t visit_ = 0;
  std::vector<Term> required_elements_; // of what is required for good

  // By term: its value, and of which model.
  std::vector<std::uint64_t> values_;
  std::vector<std::uint32_t> models_;
  std::uint32_t model_ = 0;
  std::map<std::pair<logic::Array, std::uint64_t>, Cell> cells_; // by symbol and index

  TermStatistics statistics_;
};

} // namespace heddle::solve
