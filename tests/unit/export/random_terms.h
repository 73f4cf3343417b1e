// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random terms over variables with random values.
#pragma once

#include "logic/term.h"
#include "support/rng.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::exports {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermStore;

struct Value {
  std::string name;
  unsigned width = 0;
  std::uint64_t value = 0;
};

class RandomTerms {
public:
  /// Of the widths the first is the smallest and the last the largest.
  RandomTerms(std::uint64_t seed, const std::vector<unsigned>& widths, bool divides = true)
      : rng_(seed), widths_(widths), divides_(divides) {
    for (unsigned i = 0; i < 12; ++i) {
      const unsigned width = widths[i % widths.size()];
      values.push_back({fmt::format("x{}", i), width, interesting(width)});
    }
  }

  Term make(unsigned width, unsigned depth) {
    if (depth == 0)
      return leaf(width);
    const auto sub = [&](unsigned other) { return make(other, depth - 1); };
    static constexpr Op kBinary[] = {Op::kAdd,
                                     Op::kSub,
                                     Op::kMul,
                                     Op::kBitAnd,
                                     Op::kBitOr,
                                     Op::kBitXor,
                                     Op::kShl,
                                     Op::kLShr,
                                     Op::kAShr,
                                     Op::kUDiv,
                                     Op::kURem,
                                     Op::kSDiv,
                                     Op::kSRem};
    static constexpr std::size_t kDivisions = 4; // at the end
    static constexpr Op kCompare[] = {Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
    switch (rng_.below(8)) {
    case 0:
      return terms.bit_not(sub(width));
    case 1:
      return terms.negate(sub(width));
    case 2: {
      const Term a = sub(width);
      const unsigned other = widths_[rng_.below(widths_.size())];
      const Term b = sub(other);
      const Term condition = rng_.below(2) == 0
                                 ? terms.equal(b, sub(other))
                                 : terms.binary(kCompare[rng_.below(4)], b, sub(other));
      return terms.ite(terms.not_(condition), a, sub(width));
    }
    case 3: {
      const unsigned wider = widths_.back();
      const auto low = static_cast<unsigned>(rng_.below(wider - width + 1));
      return terms.extract(sub(wider), low, width);
    }
    case 4: {
      const unsigned narrower = widths_.front();
      return rng_.below(2) == 0 ? terms.zero_extend(sub(narrower), width)
                                : terms.sign_extend(sub(narrower), width);
    }
    case 5:
      if (width % 2 == 0) {
        const Term high = sub(width / 2);
        return terms.concat(high, sub(width / 2));
      }
      [[fallthrough]];
    default: {
      const Op op = kBinary[rng_.below(std::size(kBinary) - (divides_ ? 0 : kDivisions))];
      const Term a = sub(width);
      return terms.binary(op, a, sub(width));
    }
    }
  }

  std::uint64_t evaluate(Term term) const {
    return terms.evaluate(term, [&](std::uint64_t number) { return values[number].value; });
  }

  TermStore terms;
  std::vector<Value> values;

private:
  std::uint64_t interesting(unsigned width) {
    const std::uint64_t mask = logic::mask_of(width);
    switch (rng_.below(5)) {
    case 0:
      return rng_.below(4) & mask;
    case 1:
      return (0 - rng_.below(4)) & mask;
    case 2:
      return ((1ULL << (width - 1)) + rng_.below(3) - 1) & mask;
    default:
      return rng_.next() & mask;
    }
  }
  Term leaf(unsigned width) {
    for (unsigned tries = 0; tries < 6; ++tries) {
      const auto number = rng_.below(values.size());
      if (values[number].width == width)
        return terms.variable(number, Sort{static_cast<std::uint8_t>(width)});
    }
    return terms.constant(interesting(width), width);
  }

  Rng rng_;
  std::vector<unsigned> widths_;
  bool divides_;
};

} // namespace heddle::exports
