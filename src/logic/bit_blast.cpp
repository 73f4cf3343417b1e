// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The walk over terms and what each operation becomes; bit_blast_circuits.cpp has the arithmetic.
#include "logic/bit_blast.h"

#include "logic/bit_blast_circuits.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::logic {

BitBlaster::BitBlaster(const TermStore& store, Gates& gates, VariableRanges ranges)
    : store_(store), gates_(gates), given_ranges_(std::move(ranges)),
      ranges_(store, [this](Term variable) { return variable_range(variable); }) {}

bool BitBlaster::is_translated(Term term) const {
  return term.index() < known_.size() && !known_[term].empty();
}

void BitBlaster::define(Term variable, std::span<const Literal> literals) {
  HEDDLE_CHECK(store_.node(variable).op == Op::kVariable, "only a variable is defined");
  HEDDLE_CHECK(literals.size() == std::max<std::size_t>(store_.sort(variable).width, 1),
               "one literal a bit");
  HEDDLE_CHECK(!is_translated(variable), "a variable is defined before it is used, and once");
  if (known_.size() <= variable.index())
    known_.resize(store_.size());
  known_[variable].assign(literals.begin(), literals.end());
}

/// What the literals of a defined variable show (constant bits, copies of the sign), and what the
/// caller promised.
std::optional<Range> BitBlaster::variable_range(Term variable) const {
  std::optional<Range> given = given_ranges_ ? given_ranges_(variable) : std::nullopt;
  if (!is_translated(variable))
    return given;
  const std::vector<Literal>& literals = known_[variable];
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    zeros |= (gates_.is_false(literals[i]) ? 1ULL : 0ULL) << i;
    ones |= (gates_.is_true(literals[i]) ? 1ULL : 0ULL) << i;
  }
  std::size_t different = literals.size(); // bits above repeat the last of these
  while (different > 1 && literals[different - 1] == literals[different - 2])
    --different;
  const auto width = static_cast<unsigned>(literals.size());
  const auto highest = static_cast<std::int64_t>(mask_of(static_cast<unsigned>(different)) >> 1U);
  std::optional<Range> seen =
      meet(Range::of_bits(zeros, ones, width), Range::of_signed(-highest - 1, highest, width));
  HEDDLE_CHECK(seen.has_value(), "literals that have a value");
  return given ? meet(*given, *seen).value_or(*seen) : seen;
}

Literal BitBlaster::literal(Term boolean) {
  HEDDLE_CHECK(store_.sort(boolean).is_bool(), "a Bool is one literal");
  translate(boolean);
  return known_[boolean][0];
}

std::span<const Literal> BitBlaster::bits(Term vector) {
  HEDDLE_CHECK(!store_.sort(vector).is_bool(), "a bit-vector has bits");
  translate(vector);
  return known_[vector];
}

bool BitBlaster::define_by(Term equality) {
  if (store_.node(equality).op != Op::kEqual || is_translated(equality))
    return false;
  const Term a = store_.arguments(equality)[0];
  const Term b = store_.arguments(equality)[1];
  for (const auto& [variable, value] : {std::pair{a, b}, std::pair{b, a}}) {
    if (store_.node(variable).op != Op::kVariable || is_translated(variable))
      continue;
    translate(value);
    if (is_translated(variable)) // the value contains it
      return false;
    define(variable, known_[value]);
    return true;
  }
  return false;
}

void BitBlaster::require(Term boolean) {
  struct Part {
    Term term;
    bool is_negated = false;
  };
  // Moves a negation inside, and takes a conjunction (or, as negated, a disjunction) apart.
  const auto take_apart = [&](Part part, Op op, Op dual, std::vector<Part>& parts) {
    while (store_.node(part.term).op == Op::kNot)
      part = {store_.arguments(part.term)[0], !part.is_negated};
    if (store_.node(part.term).op != (part.is_negated ? dual : op) || is_translated(part.term))
      return std::optional(part);
    for (const Term below : store_.arguments(part.term))
      parts.push_back({below, part.is_negated});
    return std::optional<Part>();
  };
  std::vector<Part> conjuncts = {{boolean}};
  while (!conjuncts.empty()) {
    const Part next = conjuncts.back();
    conjuncts.pop_back();
    const std::optional<Part> conjunct = take_apart(next, Op::kAnd, Op::kOr, conjuncts);
    if (!conjunct || (!conjunct->is_negated && define_by(conjunct->term)))
      continue;
    std::vector<Literal> clause;
    std::vector<Part> disjuncts = {*conjunct};
    while (!disjuncts.empty()) {
      const Part last = disjuncts.back();
      disjuncts.pop_back();
      if (const std::optional<Part> part = take_apart(last, Op::kOr, Op::kAnd, disjuncts))
        clause.push_back(literal(part->term) ^ part->is_negated);
    }
    gates_.require_any(clause);
  }
}

std::optional<std::uint64_t> BitBlaster::value(Term term, const LiteralValues& model) const {
  const Node& node = store_.node(term);
  if (node.op == Op::kConstant)
    return node.value;
  if (!is_translated(term))
    return std::nullopt;
  std::uint64_t value = 0;
  const std::vector<Literal>& literals = known_[term];
  for (std::size_t i = 0; i < literals.size(); ++i)
    value |= (model(literals[i]) ? 1ULL : 0ULL) << i;
  return value;
}

void BitBlaster::translate(Term root) {
  if (is_translated(root))
    return;
  if (known_.size() < store_.size())
    known_.resize(store_.size());
  std::vector<Term> pending = {root};
  while (!pending.empty()) {
    const Term current = pending.back();
    if (is_translated(current)) {
      pending.pop_back();
      continue;
    }
    for (const Term part : needed_arguments(current))
      if (!is_translated(part))
        pending.push_back(part);
    if (pending.back() == current)
      known_[current] = translated(current);
  }
}

std::vector<Term> BitBlaster::needed_arguments(Term term) {
  if (ranges_.range(term).is_constant())
    return {};
  const std::span<const Term> parts = store_.arguments(term);
  if (store_.node(term).op == Op::kIte) {
    const Range& condition = ranges_.range(parts[0]);
    if (condition.is_constant())
      return {parts[condition.min != 0 ? 1 : 2]};
  }
  return {parts.begin(), parts.end()};
}

std::vector<Literal> BitBlaster::fresh_bits(const Range& range) {
  std::vector<Literal> result;
  const unsigned different = range.signed_width(); // bits above repeat the last of these
  for (unsigned i = 0; i < range.width; ++i) {
    const std::uint64_t bit = 1ULL << i;
    if ((range.zeros & bit) != 0 || (range.ones & bit) != 0)
      result.push_back(gates_.constant((range.ones & bit) != 0));
    else
      result.push_back(i < different ? gates_.fresh() : result.back());
  }
  return result;
}

std::vector<Literal> BitBlaster::translated(Term term) {
  const Range range = ranges_.range(term);
  const Node& node = store_.node(term);
  if (node.op == Op::kVariable)
    return fresh_bits(range);
  if (range.is_constant()) {
    std::vector<Literal> result;
    for (unsigned i = 0; i < range.width; ++i)
      result.push_back(gates_.constant((range.min >> i & 1U) != 0));
    return result;
  }
  if (node.sort.is_bool())
    return {truth(term)};
  const std::size_t needed = std::min(range.signed_width(), range.unsigned_width());
  std::vector<Literal> result = low_bits(term, needed);
  result.resize(needed);
  for (unsigned i = 0; i < range.width; ++i) {
    const std::uint64_t bit = 1ULL << i;
    const bool is_known = ((range.zeros | range.ones) & bit) != 0;
    if (i >= result.size())
      result.push_back(is_known ? gates_.constant((range.ones & bit) != 0) : result.back());
    else if (is_known)
      result[i] = gates_.constant((range.ones & bit) != 0);
  }
  return result;
}

Literal BitBlaster::truth(Term term) {
  const std::span<const Term> parts = store_.arguments(term);
  const auto a = [&]() -> BitSpan { return known_[parts[0]]; };
  const auto b = [&]() -> BitSpan { return known_[parts[1]]; };
  switch (store_.node(term).op) {
  case Op::kNot:
    return ~a()[0];
  case Op::kAnd:
    return gates_.and_(a()[0], b()[0]);
  case Op::kOr:
    return gates_.or_(a()[0], b()[0]);
  case Op::kEqual:
    return circuit_equal(gates_, a(), b());
  case Op::kULt:
    return circuit_less(gates_, a(), b(), false);
  case Op::kULe:
    return circuit_less(gates_, a(), b(), true);
  case Op::kSLt:
    return circuit_less_signed(gates_, a(), b(), false);
  case Op::kSLe:
    return circuit_less_signed(gates_, a(), b(), true);
  case Op::kIte: {
    const Range& condition = ranges_.range(parts[0]);
    if (condition.is_constant())
      return known_[parts[condition.min != 0 ? 1 : 2]][0];
    return gates_.ite(a()[0], b()[0], known_[parts[2]][0]);
  }
  case Op::kConstant:
  case Op::kVariable:
  case Op::kAdd:
  case Op::kSub:
  case Op::kMul:
  case Op::kUDiv:
  case Op::kURem:
  case Op::kSDiv:
  case Op::kSRem:
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor:
  case Op::kBitNot:
  case Op::kNegate:
  case Op::kShl:
  case Op::kLShr:
  case Op::kAShr:
  case Op::kConcat:
  case Op::kExtract:
  case Op::kZeroExtend:
  case Op::kSignExtend:
    break;
  }
  HEDDLE_CHECK(false, "not an operation with a Bool result");
}

std::vector<Literal> BitBlaster::low_bits(Term term, std::size_t count) {
  const std::span<const Term> parts = store_.arguments(term);
  const Node& node = store_.node(term);
  const auto a = [&]() -> BitSpan { return known_[parts[0]]; };
  const auto b = [&]() -> BitSpan { return known_[parts[1]]; };
  const auto low_a = [&] { return a().first(count); };
  const auto low_b = [&] { return b().first(count); };
  const auto copy = [](BitSpan bits) { return Bits(bits.begin(), bits.end()); };
  const auto each = [&](auto gate) {
    Bits result;
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(gate(a()[i], b()[i]));
    return result;
  };
  switch (node.op) {
  case Op::kIte: {
    const Range& condition = ranges_.range(parts[0]);
    if (condition.is_constant())
      return copy(known_[parts[condition.min != 0 ? 1 : 2]]);
    return circuit_ite(gates_, a()[0], low_b(), BitSpan(known_[parts[2]]).first(count));
  }
  case Op::kAdd:
    return circuit_add(gates_, low_a(), low_b());
  case Op::kSub:
    return circuit_subtract(gates_, low_a(), low_b());
  case Op::kNegate:
    return circuit_negate(gates_, low_a());
  case Op::kMul:
    return circuit_multiply(gates_, low_a(), low_b());
  case Op::kUDiv:
    return circuit_divide(gates_, a(), b()).quotient;
  case Op::kURem:
    return circuit_divide(gates_, a(), b()).remainder;
  case Op::kSDiv:
    return circuit_divide_signed(gates_, a(), b()).quotient;
  case Op::kSRem:
    return circuit_divide_signed(gates_, a(), b()).remainder;
  case Op::kBitAnd:
    return each([&](Literal x, Literal y) { return gates_.and_(x, y); });
  case Op::kBitOr:
    return each([&](Literal x, Literal y) { return gates_.or_(x, y); });
  case Op::kBitXor:
    return each([&](Literal x, Literal y) { return gates_.xor_(x, y); });
  case Op::kBitNot: {
    Bits result;
    for (const Literal bit : low_a())
      result.push_back(~bit);
    return result;
  }
  case Op::kShl:
    return circuit_shift_left(gates_, a(), b());
  case Op::kLShr:
    return circuit_shift_right(gates_, a(), b(), gates_.constant(false));
  case Op::kAShr:
    return circuit_shift_right(gates_, a(), b(), a().back());
  case Op::kConcat: {
    Bits result = copy(b());
    result.insert(result.end(), a().begin(), a().end());
    return result;
  }
  case Op::kExtract:
    return copy(a().subspan(static_cast<std::size_t>(node.value), node.sort.width));
  case Op::kZeroExtend:
  case Op::kSignExtend: {
    Bits result = copy(a());
    result.resize(node.sort.width,
                  node.op == Op::kSignExtend ? a().back() : gates_.constant(false));
    return result;
  }
  case Op::kConstant:
  case Op::kVariable:
  case Op::kNot:
  case Op::kAnd:
  case Op::kOr:
  case Op::kEqual:
  case Op::kULt:
  case Op::kULe:
  case Op::kSLt:
  case Op::kSLe:
    break;
  }
  HEDDLE_CHECK(false, "not an operation with a vector result");
}

} // namespace heddle::logic
