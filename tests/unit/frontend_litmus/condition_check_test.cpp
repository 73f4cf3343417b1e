// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The condition of a test as an assertion at the end of main: propositions, filters, quantifiers
// and addresses. Whether it means the same is for tests/litmus/run_litmus.py --conditions.
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/condition_check.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::frontend::litmus {
namespace {

/// P0 stores 2 to x and the address of x to p, and reads 2 into EAX.
std::string test_with(const std::string& condition) {
  return "X86_64 checked\n{\nuint64_t x; uint64_t p;\n}\n P0 ;\n MOVQ [x],$2 ;\n MOV RAX,[x] ;\n" +
         condition + "\n";
}

Test parsed(const std::string& text) {
  auto result = parse(text, "checked.litmus");
  if (const auto* wrong = std::get_if<Diagnostics>(&result)) {
    ADD_FAILURE() << wrong->errors.front().to_string();
    return {};
  }
  return std::move(std::get<Test>(result));
}

std::string main_of(const std::string& condition) {
  Test test = parsed(test_with(condition));
  const Status added = check_condition(test);
  EXPECT_TRUE(added) << added.error().to_string();
  const Status verified = ir::verify(test.module);
  EXPECT_TRUE(verified) << verified.error().to_string();
  const std::string text = ir::print(test.module);
  return text.substr(text.find("func @main"));
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

TEST(ConditionCheck, an_exists_is_violated_where_it_holds) {
  const std::string main = main_of("exists (x=2)");
  EXPECT_EQ(count(main, "load"), 1U);
  EXPECT_EQ(count(main, "assert"), 1U);
  EXPECT_EQ(count(main, "xor"), 1U); // it must not hold
  EXPECT_LT(main.find("join"), main.find("load"));
}

TEST(ConditionCheck, a_forall_is_violated_where_it_does_not_hold) {
  EXPECT_EQ(count(main_of("forall (x=2)"), "xor"), 0U);
  EXPECT_EQ(count(main_of("~exists (x=2)"), "xor"), 1U);
  EXPECT_NE(main_of("exists (x=2)").find("\"~exists"), std::string::npos);
}

TEST(ConditionCheck, each_observed_thing_is_loaded_once) {
  const std::string main = main_of("exists (x=2 /\\ (0:RAX=2 \\/ not (x=1)))");
  EXPECT_EQ(count(main, "load"), 2U);
  EXPECT_EQ(count(main, " eq "), 3U);
}

TEST(ConditionCheck, a_filter_is_an_assumption_before_it) {
  const std::string main = main_of("filter (0:RAX=2)\nexists (x=2)");
  EXPECT_EQ(count(main, "assume"), 1U);
  EXPECT_LT(main.find("assume"), main.find("assert"));
}

TEST(ConditionCheck, an_address_is_compared_as_one) {
  EXPECT_NE(main_of("exists (p=x)").find("@x"), std::string::npos);
}

TEST(ConditionCheck, a_test_that_asks_nothing_is_refused) {
  auto test = parsed(test_with("locations [x;]"));
  const Status added = check_condition(test);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, "LIT-040");
}

} // namespace
} // namespace heddle::frontend::litmus
