// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random terms over random values, in C and in Promela: a compiled C program and SPIN's simulator
// must compute what logic::evaluate does.
#include "export/infix.h"
#include "unit/export/random_terms.h"

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

constexpr unsigned kTerms = 400;

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
