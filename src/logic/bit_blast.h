// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms as circuits: every Bool becomes a literal, every bit-vector one literal a bit, with exactly
// the meaning of `apply`. Each term is translated once, whoever asks. Bits that the range of a term
// makes constant, or copies of its sign, have no gates: adding two numbers below 32 makes six bits
// of adder, whatever the width of the term.
#pragma once

#include "logic/gates.h"
#include "logic/range.h"
#include "logic/term.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace heddle::logic {

/// Whether a literal is true in a solver's model.
using LiteralValues = std::function<bool(Literal literal)>;

/// The store and the gates must outlive it. Terms may be added to the store at any time.
class BitBlaster {
public:
  /// `ranges` are promises: a variable never has a value outside of its range, and formulas made
  /// here need not allow one.
  BitBlaster(const TermStore& store, Gates& gates, VariableRanges ranges = {});
  BitBlaster(const BitBlaster&) = delete;
  BitBlaster& operator=(const BitBlaster&) = delete;

  /// The literals a variable stands for, lowest first (one for a Bool); before anything that
  /// contains it is translated. Otherwise it gets variables of its own when it is first met.
  void define(Term variable, std::span<const Literal> literals);

  [[nodiscard]] Literal literal(Term boolean);
  /// Lowest first, as many as the term is wide. The span stays valid.
  [[nodiscard]] std::span<const Literal> bits(Term vector);
  /// True in every model from now on. Conjunctions are split, disjunctions become clauses, and an
  /// equality with a variable that nothing translated contains defines that variable.
  void require(Term boolean);

  /// The value of a term that was translated. Nothing for others, among them variables that no
  /// translated term needed: any value in their range will do.
  [[nodiscard]] std::optional<std::uint64_t> value(Term term, const LiteralValues& model) const;

  [[nodiscard]] const Range& range(Term term) { return ranges_.range(term); }
  [[nodiscard]] bool is_translated(Term term) const;
  [[nodiscard]] Gates& gates() { return gates_; }

private:
  void translate(Term root);
  /// Whether the equality could be made a definition of one of its sides.
  bool define_by(Term equality);
  /// The arguments that are needed to translate it, not all of them where a range decides.
  [[nodiscard]] std::vector<Term> needed_arguments(Term term);
  [[nodiscard]] std::vector<Literal> translated(Term term);
  /// The low `count` bits of an operation, or more.
  [[nodiscard]] std::vector<Literal> low_bits(Term term, std::size_t count);
  [[nodiscard]] std::vector<Literal> fresh_bits(const Range& range);
  [[nodiscard]] Literal truth(Term term);
  [[nodiscard]] std::optional<Range> variable_range(Term variable) const;

  const TermStore& store_;
  Gates& gates_;
  VariableRanges given_ranges_;
  RangeAnalysis ranges_;
  IdVector<Term, std::vector<Literal>> known_; // empty: not translated yet
};

} // namespace heddle::logic
