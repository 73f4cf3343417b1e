// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random terms over random values, in C and in Promela: a compiled C program and SPIN's simulator
// must compute what logic::evaluate does.
#include "export/infix.h"
#include "support/rng.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace heddle::exports {
namespace {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermStore;

constexpr unsigned kTerms = 400;

struct Value {
  std::string name;
  unsigned width = 0;
  std::uint64_t value = 0;
};

class RandomTerms {
public:
  RandomTerms(std::uint64_t seed, const std::vector<unsigned>& widths)
      : rng_(seed), widths_(widths) {
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
                                     Op::kUDiv,
                                     Op::kURem,
                                     Op::kSDiv,
                                     Op::kSRem,
                                     Op::kBitAnd,
                                     Op::kBitOr,
                                     Op::kBitXor,
                                     Op::kShl,
                                     Op::kLShr,
                                     Op::kAShr};
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
      const Op op = kBinary[rng_.below(std::size(kBinary))];
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
};

/// A new folder; the system's own cleaning takes it away.
std::filesystem::path folder() {
  std::string name = ::testing::TempDir() + "heddle_infix_XXXXXX";
  return mkdtemp(name.data());
}

TEST(Infix, CComputesWhatTheTermsMean) {
  RandomTerms random(1, {1, 8, 16, 32, 64});
  std::string text = "#include <stdio.h>\nint main(void) {\n";
  for (const Value& value : random.values)
    text += fmt::format("  volatile {} {} = {}ull;\n",
                        value.width > 32 ? "unsigned long long" : "unsigned int",
                        value.name,
                        value.value);
  for (unsigned i = 0; i < kTerms; ++i) {
    const unsigned width = std::vector<unsigned>{1, 8, 16, 32, 64}[i % 5];
    const Term term = random.make(width, 1 + i % 3);
    text += fmt::format("  if ({} != {}ull) {{ puts(\"term {}\"); return 1; }}\n",
                        to_infix(random.terms,
                                 term,
                                 Dialect::kC,
                                 [&](std::uint64_t number) { return random.values[number].name; }),
                        random.evaluate(term),
                        i);
  }
  const std::filesystem::path place = folder();
  std::ofstream(place / "terms.c") << text << "  return 0;\n}\n";
  const std::string program = (place / "terms").string();
  ASSERT_EQ(0, std::system(fmt::format("gcc -w -O0 -o {0} {0}.c", program).c_str()));
  EXPECT_EQ(0, std::system(program.c_str()));
}

TEST(Infix, SpinComputesWhatTheTermsMean) {
  RandomTerms random(2, {1, 8, 16, 32});
  const auto exact = [](std::uint64_t value) {
    const auto number = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return number == INT32_MIN ? std::string("(-2147483647 - 1)") : fmt::format("({})", number);
  };
  std::string text = "active proctype p() {\n";
  for (const Value& value : random.values)
    text += fmt::format("  int {} = {};\n", value.name, exact(value.value));
  for (unsigned i = 0; i < kTerms; ++i) {
    const unsigned width = std::vector<unsigned>{1, 8, 16, 32}[i % 4];
    const Term term = random.make(width, 1 + i % 2);
    const std::uint64_t expected = random.evaluate(term);
    text += fmt::format("  assert({} == {}); /* {} */\n",
                        to_infix(random.terms,
                                 term,
                                 Dialect::kPromela,
                                 [&](std::uint64_t number) { return random.values[number].name; }),
                        exact(expected),
                        i);
  }
  const std::filesystem::path place = folder();
  std::ofstream(place / "terms.pml") << text << "  printf(\"all terms\\n\")\n}\n";
  // The simulator's exit code does not say whether an assertion failed; its last line does.
  const std::string command = fmt::format(
      "cd {} && spin -T terms.pml > terms.out 2>&1; grep -q 'all terms' terms.out", place.string());
  EXPECT_EQ(0, std::system(command.c_str()));
}

TEST(Infix, BracketsAreAddedOnce) {
  EXPECT_EQ("(a == b)", in_brackets("(a == b)"));
  EXPECT_EQ("((a) == (b))", in_brackets("(a) == (b)"));
  EXPECT_EQ("(a)", in_brackets("a"));
}

} // namespace
} // namespace heddle::exports
