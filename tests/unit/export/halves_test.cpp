// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms over halves must mean what the terms over wide numbers do.
#include "export/term_halves.h"
#include "unit/export/random_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace heddle::exports {
namespace {

constexpr std::uint64_t kHigh = 1000; // the number of the upper half of a variable

unsigned widest(const TermStore& terms, Term term) {
  unsigned width = terms.sort(term).width;
  for (const Term argument : terms.arguments(term))
    width = std::max(width, widest(terms, argument));
  return width;
}

class Split {
public:
  explicit Split(RandomTerms& random)
      : random_(random), halves_(random.terms, [this](std::uint64_t number) {
          const auto bits = static_cast<std::uint8_t>(random_.values[number].width - kHalfBits);
          return Halves{random_.terms.variable(number, Sort{kHalfBits}),
                        random_.terms.variable(number + kHigh, Sort{bits})};
        }) {}

  std::uint64_t evaluate(Term term) {
    if (!halves_.is_wide(term))
      return value(halves_.narrow(term));
    const Halves both = halves_.halves(term);
    return value(both.low) | value(both.high) << kHalfBits;
  }
  [[nodiscard]] bool has_failed() const { return halves_.has_failed(); }

private:
  std::uint64_t value(Term term) {
    EXPECT_LE(widest(random_.terms, term), kHalfBits);
    return random_.terms.evaluate(term, [&](std::uint64_t number) {
      const std::uint64_t whole = random_.values[number % kHigh].value;
      return number >= kHigh ? whole >> kHalfBits : whole & logic::mask_of(kHalfBits);
    });
  }
  RandomTerms& random_;
  TermHalves halves_;
};

TEST(TermHalves, MeanWhatTheTermsMean) {
  const std::vector<unsigned> widths{1, 20, 32, 40, 64};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomTerms random(seed, widths, false);
    Split split(random);
    for (unsigned i = 0; i < 100; ++i) {
      const Term term = random.make(widths[i % widths.size()], 1 + i % 3);
      const std::uint64_t expected = random.evaluate(term);
      ASSERT_EQ(split.evaluate(term), expected) << "seed " << seed << ", term " << i;
    }
    EXPECT_FALSE(split.has_failed());
  }
}

TEST(TermHalves, ShiftByAnyAmount) {
  TermStore terms;
  TermHalves halves(terms, [&](std::uint64_t number) {
    return Halves{terms.variable(number, Sort{32}), terms.variable(number + kHigh, Sort{32})};
  });
  const Term a = terms.variable(0, Sort{64});
  const Term by = terms.variable(1, Sort{64});
  for (const Op op : {Op::kShl, Op::kLShr, Op::kAShr}) {
    const Term whole = terms.binary(op, a, by);
    const Halves both = halves.halves(whole);
    for (const std::uint64_t shifted : {0x8000'0001'c000'0003U, 0x1234'5678'9abc'def0U})
      for (std::uint64_t amount = 0; amount <= 130; ++amount)
        for (const std::uint64_t by_value : {amount, amount << 32U}) {
          const std::map<std::uint64_t, std::uint64_t> values{{0, shifted}, {1, by_value}};
          const auto at = [&](Term term) {
            return terms.evaluate(term, [&](std::uint64_t number) {
              const std::uint64_t one = values.at(number % kHigh);
              return number >= kHigh ? one >> 32U : one & 0xffff'ffffU;
            });
          };
          const std::uint64_t expected =
              terms.evaluate(whole, [&](std::uint64_t number) { return values.at(number); });
          ASSERT_EQ(at(both.low) | at(both.high) << 32U, expected) << by_value;
        }
  }
}

TEST(TermHalves, DivisionsOfWideNumbersFail) {
  TermStore terms;
  TermHalves halves(terms, [&](std::uint64_t number) {
    return Halves{terms.variable(number, Sort{32}), terms.variable(number + kHigh, Sort{32})};
  });
  const Term quotient =
      terms.binary(Op::kUDiv, terms.variable(0, Sort{64}), terms.variable(1, Sort{64}));
  (void)halves.narrow(terms.extract(quotient, 0, 8));
  EXPECT_TRUE(halves.has_failed());
}

} // namespace
} // namespace heddle::exports
