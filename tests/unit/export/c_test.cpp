// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is printed for steps whose guard is plainly true.
#include "export/c.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::exports {
namespace {

/// Two steps from location 0, the first of which is always possible.
System two_steps(bool are_local) {
  System system;
  system.halted = system.variables.push_back({.name = "halted", .width = 1});
  const VariableId chosen = system.variables.push_back({.name = "chosen", .width = 1});
  const Term yes = system.terms.boolean(true);
  const Term is_chosen = system.terms.equal(system.terms.variable(chosen.value, logic::Sort{1}),
                                            system.terms.constant(1, 1));
  Process process{.name = "main", .locations = {}};
  process.locations = {{Step{.guard = yes, .to = 1, .is_local = are_local},
                        Step{.guard = is_chosen, .to = 2, .is_local = are_local}},
                       {Step{.guard = yes, .effects = {Statement{Halt{}}}, .to = 2}},
                       {}};
  system.processes.push_back(process);
  return system;
}

TEST(ToC, ABranchThatIsAlwaysTakenHasNoCondition) {
  const Result<std::string> text = to_c(two_steps(true));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("if \n"), std::string::npos) << *text;
  EXPECT_NE(text->find("L0:;\n  /*  */\n  goto L1;\nL1:;"), std::string::npos) << *text;
}

TEST(ToC, AChoiceThatIsAlwaysPossibleIsNotTriedAgain) {
  const Result<std::string> text = to_c(two_steps(false));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("if (!) {"), std::string::npos) << *text;
  EXPECT_EQ(text->find("H_WAIT;"), std::string::npos) << *text;
  EXPECT_NE(text->find("H_WAIT("), std::string::npos) << *text; // the other one may not be
}

} // namespace
} // namespace heddle::exports
