// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hash-consed terms over Booleans and bit-vectors of 1 to 64 bits: the one expression language of
// the project. Two terms of one store are equal exactly if their ids are. The factories simplify
// (rewrite.cpp), so `add(x, constant 0)` is `x`. Semantics are SMT-LIB's, but for division and
// remainder by zero and shifts by at least the width, which are SMT-LIB's too (all ones, the
// dividend, 0 or the sign): whoever means C checks those cases beside the term.
#pragma once

#include "support/id.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::logic {

using Term = Id<struct TermTag>;

/// width 0 is Bool.
struct Sort {
  std::uint8_t width = 0;
  [[nodiscard]] constexpr bool is_bool() const { return width == 0; }
  constexpr auto operator<=>(const Sort&) const = default;
};

enum class Op : std::uint8_t {
  kConstant, // value; Bool: 0 or 1
  kVariable, // value is the variable's number, chosen by the user of the store
  // Bool to Bool
  kNot,
  kAnd,
  kOr,
  // Bit-vectors to Bool; kEqual also takes Bools
  kEqual,
  kULt,
  kULe,
  kSLt,
  kSLe,
  kIte, // Bool, T, T to T
  // Bit-vectors of one width to that width
  kAdd,
  kSub,
  kMul,
  kUDiv,
  kURem,
  kSDiv,
  kSRem,
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kNegate,
  kShl,
  kLShr,
  kAShr,
  // To other widths
  kConcat,  // high, low
  kExtract, // value = low bit; width of the result from the sort
  kZeroExtend,
  kSignExtend,
};

struct Node {
  Op op = Op::kConstant;
  Sort sort;
  std::uint64_t value = 0;
  std::uint32_t first_argument = 0; // into the store's argument table
  std::uint32_t argument_count = 0;
};

[[nodiscard]] constexpr std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~0ULL : (1ULL << width) - 1;
}
[[nodiscard]] constexpr std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  const std::uint64_t sign = 1ULL << (width - 1);
  return static_cast<std::int64_t>(((value & mask_of(width)) ^ sign) - sign);
}

class TermStore {
public:
  TermStore();

  [[nodiscard]] Term boolean(bool value);
  [[nodiscard]] Term constant(std::uint64_t value, unsigned width);
  [[nodiscard]] Term variable(std::uint64_t number, Sort sort);

  [[nodiscard]] Term not_(Term a);
  [[nodiscard]] Term and_(Term a, Term b);
  [[nodiscard]] Term or_(Term a, Term b);
  [[nodiscard]] Term equal(Term a, Term b);
  [[nodiscard]] Term ite(Term condition, Term a, Term b);
  /// Any binary bit-vector operation or comparison by its Op.
  [[nodiscard]] Term binary(Op op, Term a, Term b);
  [[nodiscard]] Term bit_not(Term a);
  [[nodiscard]] Term negate(Term a);
  [[nodiscard]] Term concat(Term high, Term low);
  [[nodiscard]] Term extract(Term a, unsigned low, unsigned width);
  [[nodiscard]] Term zero_extend(Term a, unsigned width);
  [[nodiscard]] Term sign_extend(Term a, unsigned width);
  /// Bool to a bit-vector of one bit, and back (is it 1?).
  [[nodiscard]] Term to_bit(Term condition);
  [[nodiscard]] Term to_bool(Term bit);

  [[nodiscard]] const Node& node(Term term) const { return nodes_[term]; }
  [[nodiscard]] std::span<const Term> arguments(Term term) const;
  [[nodiscard]] Sort sort(Term term) const { return nodes_[term].sort; }
  [[nodiscard]] bool is_constant(Term term) const { return nodes_[term].op == Op::kConstant; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// The value with each variable's number looked up; Bool gives 0 or 1. Shared subterms are
  /// evaluated once.
  [[nodiscard]] std::uint64_t
  evaluate(Term term, const std::function<std::uint64_t(std::uint64_t number)>& lookup) const;
  /// The term with variables replaced; a replacement that is not valid leaves the variable.
  [[nodiscard]] Term
  substitute(Term term, const std::function<Term(std::uint64_t number, Sort sort)>& replacement);
  /// The numbers of the variables in it, sorted, each once.
  [[nodiscard]] std::vector<std::uint64_t> variables(Term term) const;
  /// SMT-LIB concrete syntax; `name` prints a variable.
  [[nodiscard]] std::string
  to_smtlib(Term term, const std::function<std::string(std::uint64_t number)>& name) const;
  /// C-like infix for people: "x + 1 < y".
  [[nodiscard]] std::string
  to_text(Term term, const std::function<std::string(std::uint64_t number)>& name) const;

private:
  /// The raw hash-consed node, no simplification.
  Term intern(Op op, Sort sort, std::uint64_t value, std::span<const Term> arguments);
  /// The same operation as `original`'s on other arguments, through the factories.
  Term rebuild(Term original, std::span<const Term> arguments);
  /// The subterms of `term`, arguments before what uses them, each once.
  [[nodiscard]] std::vector<Term> postorder(Term term) const;

  // Questions the rewriting asks of a term. argument(t, i) is safe while new terms are made;
  // arguments(t) is not.
  [[nodiscard]] Term argument(Term term, unsigned index) const;
  [[nodiscard]] bool is(Term term, Op op) const { return nodes_[term].op == op; }
  [[nodiscard]] bool is_value(Term term, std::uint64_t value) const;
  [[nodiscard]] std::uint64_t value(Term term) const { return nodes_[term].value; }
  [[nodiscard]] bool are_complementary(Term a, Term b) const;

  // The rewriting itself, by topic; each gives a term equal to op(a, b) for every value of the
  // variables.
  std::optional<Term> fold(Op op, Sort sort, std::uint64_t value, std::span<const Term> arguments);
  Term equal_vectors(Term a, Term b);
  std::optional<Term> equal_to_constant(Term a, std::uint64_t constant);
  Term compare(Op op, Term a, Term b);
  std::optional<Term> compare_extended(Op op, Term a, Term b);
  Term add(Term a, Term b);
  Term subtract(Term a, Term b);
  Term multiply(Term a, Term b);
  Term divide(Op op, Term a, Term b);
  Term bitwise(Op op, Term a, Term b);
  Term shift(Op op, Term a, Term b);
  std::optional<Term> extract_from(Term a, unsigned low, unsigned width);

  /// The slots for twice as many nodes as there are.
  void enlarge();

  IdVector<Term, Node> nodes_;
  std::vector<Term> arguments_;
  IdVector<Term, std::uint32_t> hashes_;
  std::vector<Term> slots_; // open addressing; a power of two, twice the nodes or more
};

/// What one operation does to values of its arguments' widths: the definition every evaluator
/// shares. `argument` is the sort of the first argument, `value` the node's (a constant's value, an
/// extract's low bit). Arguments and result have no bits above their width.
[[nodiscard]] std::uint64_t apply(Op op,
                                  Sort result,
                                  Sort argument,
                                  std::uint64_t value,
                                  std::span<const std::uint64_t> arguments);

} // namespace heddle::logic
