// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the rules of synchronisation (sync_rules.h) compute with: numbers, for who takes a step, and
// terms, for who reasons about all steps at once. A condition of terms is no bool, so that a rule
// cannot branch on it by mistake.
#pragma once

#include "logic/term.h"

#include <concepts>
#include <cstdint>

namespace heddle::program {

/// Words have 32 bits, but for answers (what an operation gives its caller) and for words that hold
/// several fields (sync_fields.h).
template <class D>
concept SyncDomain = requires(D& domain, typename D::Word word, typename D::Bool truth) {
  { domain.number(std::uint32_t{}) } -> std::same_as<typename D::Word>;
  { domain.truth(bool{}) } -> std::same_as<typename D::Bool>;
  { domain.equal(word, word) } -> std::same_as<typename D::Bool>;
  { domain.less(word, word) } -> std::same_as<typename D::Bool>; // unsigned
  { domain.not_(truth) } -> std::same_as<typename D::Bool>;
  { domain.and_(truth, truth) } -> std::same_as<typename D::Bool>;
  { domain.or_(truth, truth) } -> std::same_as<typename D::Bool>;
  { domain.ite(truth, word, word) } -> std::same_as<typename D::Word>;
  { domain.add(word, word) } -> std::same_as<typename D::Word>; // modulo 2^32, as subtract
  { domain.subtract(word, word) } -> std::same_as<typename D::Word>;
  { domain.bit_and(word, word) } -> std::same_as<typename D::Word>;
  { domain.bit_or(word, word) } -> std::same_as<typename D::Word>;
  { domain.bit_not(word) } -> std::same_as<typename D::Word>;
  /// 1 << word
  { domain.bit(word) } -> std::same_as<typename D::Word>;
  /// As wide as an answer: a number (cut), a word (extended by zeros, or cut).
  { domain.answer(std::uint64_t{}) } -> std::same_as<typename D::Word>;
  { domain.answer_of(word) } -> std::same_as<typename D::Word>;
  /// Bits [low, low + width) of a word of any width, as a word of 32 bits; and that word with those
  /// bits replaced.
  { domain.field(word, unsigned{}, unsigned{}) } -> std::same_as<typename D::Word>;
  { domain.with_field(word, unsigned{}, unsigned{}, word) } -> std::same_as<typename D::Word>;
};

struct Concrete {
  using Word = std::uint64_t;
  using Bool = bool;

  static constexpr std::uint64_t kMask = 0xffff'ffff;

  [[nodiscard]] static constexpr Word number(std::uint32_t value) { return value; }
  [[nodiscard]] static constexpr Bool truth(bool value) { return value; }
  [[nodiscard]] static constexpr Bool equal(Word a, Word b) { return a == b; }
  [[nodiscard]] static constexpr Bool less(Word a, Word b) { return a < b; }
  [[nodiscard]] static constexpr Bool not_(Bool a) { return !a; }
  [[nodiscard]] static constexpr Bool and_(Bool a, Bool b) { return a && b; }
  [[nodiscard]] static constexpr Bool or_(Bool a, Bool b) { return a || b; }
  [[nodiscard]] static constexpr Word ite(Bool condition, Word a, Word b) {
    return condition ? a : b;
  }
  [[nodiscard]] static constexpr Word add(Word a, Word b) { return (a + b) & kMask; }
  [[nodiscard]] static constexpr Word subtract(Word a, Word b) { return (a - b) & kMask; }
  [[nodiscard]] static constexpr Word bit_and(Word a, Word b) { return a & b; }
  [[nodiscard]] static constexpr Word bit_or(Word a, Word b) { return a | b; }
  [[nodiscard]] static constexpr Word bit_not(Word a) { return ~a & kMask; }
  [[nodiscard]] static constexpr Word bit(Word a) { return a < 32 ? Word{1} << a : 0; }
  [[nodiscard]] static constexpr Word answer(std::uint64_t value) { return value; }
  [[nodiscard]] static constexpr Word answer_of(Word word) { return word; }
  [[nodiscard]] static constexpr Word field(Word word, unsigned low, unsigned width) {
    return word >> low & logic::mask_of(width);
  }
  [[nodiscard]] static constexpr Word
  with_field(Word word, unsigned low, unsigned width, Word value) {
    const Word mask = logic::mask_of(width) << low;
    return (word & ~mask) | (value << low & mask);
  }
};

/// Terms of a store that its owner keeps alive; answers have `answer_width` bits.
class Terms {
public:
  struct Word {
    logic::Term term = {};
  };
  struct Bool {
    logic::Term term = {};
  };

  Terms(logic::TermStore& store, unsigned answer_width)
      : store_(store), answer_width_(answer_width) {}

  [[nodiscard]] Word number(std::uint32_t value) { return {store_.constant(value, 32)}; }
  [[nodiscard]] Bool truth(bool value) { return {store_.boolean(value)}; }
  [[nodiscard]] Bool equal(Word a, Word b) { return {store_.equal(a.term, b.term)}; }
  [[nodiscard]] Bool less(Word a, Word b) {
    return {store_.binary(logic::Op::kULt, a.term, b.term)};
  }
  [[nodiscard]] Bool not_(Bool a) { return {store_.not_(a.term)}; }
  [[nodiscard]] Bool and_(Bool a, Bool b) { return {store_.and_(a.term, b.term)}; }
  [[nodiscard]] Bool or_(Bool a, Bool b) { return {store_.or_(a.term, b.term)}; }
  [[nodiscard]] Word ite(Bool condition, Word a, Word b) {
    return {store_.ite(condition.term, a.term, b.term)};
  }
  [[nodiscard]] Word add(Word a, Word b) { return binary(logic::Op::kAdd, a, b); }
  [[nodiscard]] Word subtract(Word a, Word b) { return binary(logic::Op::kSub, a, b); }
  [[nodiscard]] Word bit_and(Word a, Word b) { return binary(logic::Op::kBitAnd, a, b); }
  [[nodiscard]] Word bit_or(Word a, Word b) { return binary(logic::Op::kBitOr, a, b); }
  [[nodiscard]] Word bit_not(Word a) { return {store_.bit_not(a.term)}; }
  [[nodiscard]] Word bit(Word a) { return binary(logic::Op::kShl, number(1), a); }
  [[nodiscard]] Word answer(std::uint64_t value) { return {store_.constant(value, answer_width_)}; }
  [[nodiscard]] Word answer_of(Word word) { return {fitted(word.term, answer_width_)}; }
  [[nodiscard]] Word field(Word word, unsigned low, unsigned width) {
    return {fitted(store_.extract(word.term, low, width), 32)};
  }
  [[nodiscard]] Word with_field(Word word, unsigned low, unsigned width, Word value);

private:
  [[nodiscard]] Word binary(logic::Op op, Word a, Word b) {
    return {store_.binary(op, a.term, b.term)};
  }
  [[nodiscard]] logic::Term fitted(logic::Term term, unsigned width);

  logic::TermStore& store_;
  unsigned answer_width_;
};

} // namespace heddle::program
