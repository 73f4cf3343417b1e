// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Propositional variables, literals, and the place clauses are sent to. Everything that makes CNF
// (gates, bit-blasting, encodings) writes to a ClauseSink and never sees the solver behind it.
#pragma once

#include "support/id.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <span>

namespace heddle::logic {

/// Dense from 0, in the order in which a sink hands them out.
using Variable = Id<struct VariableTag>;

/// A variable or its negation. Ordered by variable, the positive one first.
class Literal {
public:
  constexpr Literal() = default; // no literal: is_valid() is false
  [[nodiscard]] static constexpr Literal from(Variable variable, bool negated) {
    return Literal(variable.value * 2 + (negated ? 1U : 0U));
  }
  [[nodiscard]] static constexpr Literal from_index(std::uint32_t index) { return Literal(index); }

  [[nodiscard]] constexpr bool is_valid() const { return index_ != kNone; }
  [[nodiscard]] constexpr Variable variable() const { return Variable{index_ >> 1U}; }
  [[nodiscard]] constexpr bool is_negative() const { return (index_ & 1U) != 0; }
  /// 2 * variable + negated: dense, for tables over literals.
  [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
  /// The number DIMACS files and most solvers use: from 1, negative if negated.
  [[nodiscard]] constexpr int to_dimacs() const {
    const int number = static_cast<int>(index_ >> 1U) + 1;
    return is_negative() ? -number : number;
  }

  [[nodiscard]] constexpr Literal operator~() const { return Literal(index_ ^ 1U); }
  /// Negated exactly if `flip`.
  [[nodiscard]] constexpr Literal operator^(bool flip) const {
    return Literal(index_ ^ (flip ? 1U : 0U));
  }
  constexpr auto operator<=>(const Literal&) const = default;

private:
  static constexpr std::uint32_t kNone = ~0U;
  explicit constexpr Literal(std::uint32_t index) : index_(index) {}
  std::uint32_t index_ = kNone;
};

/// Receives variables and clauses. A clause is a disjunction; the empty clause is false.
class ClauseSink {
public:
  virtual ~ClauseSink() = default;
  [[nodiscard]] virtual Variable new_variable() = 0;
  virtual void add_clause(std::span<const Literal> clause) = 0;
};

} // namespace heddle::logic

template <>
struct std::hash<heddle::logic::Literal> {
  std::size_t operator()(heddle::logic::Literal literal) const noexcept { return literal.index(); }
};
