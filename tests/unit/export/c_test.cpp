// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/c.h"

#include <gtest/gtest.h>

namespace heddle::exports {
namespace {

/// One process with a location from which those steps lead to others.
System with_steps(bool first_holds, bool is_local) {
  System system;
  system.halted = system.variables.push_back({"halted", 1, std::nullopt, false});
  Process process;
  process.name = "main";
  process.locations.resize(3);
  for (const std::uint32_t to : {1U, 2U}) {
    Step step{system.terms.boolean((to == 1) == first_holds)};
    step.to = to;
    step.is_local = is_local;
    step.note = "here";
    process.locations[0].push_back(std::move(step));
  }
  system.processes.push_back(std::move(process));
  return system;
}

TEST(C, ABranchThatIsAlwaysTakenHasNoCondition) {
  const Result<std::string> always = to_c(with_steps(true, true));
  ASSERT_TRUE(always) << always.error().to_string();
  const std::size_t start = always->find("L0:;");
  ASSERT_NE(start, std::string::npos);
  const std::string from_there = always->substr(start, always->find("L1:;") - start);
  EXPECT_EQ(from_there.find("if"), std::string::npos) << from_there;
  EXPECT_NE(from_there.find("goto L1;"), std::string::npos) << from_there;
  EXPECT_EQ(from_there.find("goto L2;"), std::string::npos) << from_there;
  const Result<std::string> never = to_c(with_steps(false, true));
  ASSERT_TRUE(never);
  EXPECT_NE(never->find("goto L2;"), std::string::npos) << *never;
}

TEST(C, AChoiceThatIsAlwaysPossibleIsNotWaitedFor) {
  const Result<std::string> text = to_c(with_steps(true, false));
  ASSERT_TRUE(text) << text.error().to_string();
  EXPECT_EQ(text->find("if (!)"), std::string::npos) << *text;
  EXPECT_EQ(text->find("H_WAIT;"), std::string::npos) << *text;
}

} // namespace
} // namespace heddle::exports
