// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/litmus_log.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using Quantifier = LitmusResult::Quantifier;

LitmusState
state(const std::string& left, const std::string& right, bool satisfies, std::uint64_t count = 1) {
  return {{{"0:EAX", left}, {"[x]", right}}, count, satisfies};
}

LitmusResult result(Quantifier quantifier, std::vector<LitmusState> states) {
  LitmusResult made;
  made.test = "SB";
  made.quantifier = quantifier;
  made.condition = "exists (0:EAX=0 /\\ [x]=0)";
  made.states = std::move(states);
  return made;
}

TEST(LitmusLog, IsWhatComparisonToolsRead) {
  EXPECT_EQ(litmus_log(
                result(Quantifier::kExists,
                       {state("1", "0", false, 2), state("0", "0", true), state("0", "1", false)})),
            "Test SB Allowed\n"
            "States 3\n"
            "0:EAX=0; [x]=0;\n"
            "0:EAX=0; [x]=1;\n"
            "0:EAX=1; [x]=0;\n"
            "Ok\n"
            "Witnesses\n"
            "Positive: 1 Negative: 3\n"
            "Condition exists (0:EAX=0 /\\ [x]=0)\n"
            "Observation SB Sometimes 1 3\n"
            "Time SB 0.00\n"
            "\n");
}

TEST(LitmusLog, CountsWitnessesOfNotExistsTheOtherWayRound) {
  const std::string log = litmus_log(
      result(Quantifier::kNotExists, {state("0", "0", true), state("0", "1", false, 4)}));
  EXPECT_NE(log.find("Test SB Forbidden\n"), std::string::npos);
  EXPECT_NE(log.find("\nNo\nWitnesses\nPositive: 4 Negative: 1\n"), std::string::npos);
  EXPECT_NE(log.find("\nObservation SB Sometimes 1 4\n"), std::string::npos);
}

TEST(LitmusLog, VerdictWordsOfEachQuantifier) {
  const auto word = [](Quantifier quantifier, bool some_hold, bool some_do_not) {
    std::vector<LitmusState> states;
    if (some_hold)
      states.push_back(state("0", "0", true));
    if (some_do_not)
      states.push_back(state("1", "0", false));
    const LitmusResult made = result(quantifier, states);
    return std::string(holds(made) ? "Ok " : "No ") + observation(made);
  };
  EXPECT_EQ(word(Quantifier::kExists, true, false), "Ok Always");
  EXPECT_EQ(word(Quantifier::kExists, false, true), "No Never");
  EXPECT_EQ(word(Quantifier::kExists, false, false), "No Never");
  EXPECT_EQ(word(Quantifier::kNotExists, false, true), "Ok Never");
  EXPECT_EQ(word(Quantifier::kNotExists, true, true), "No Sometimes");
  EXPECT_EQ(word(Quantifier::kForall, true, false), "Ok Always");
  EXPECT_EQ(word(Quantifier::kForall, true, true), "No Sometimes");
}

TEST(LitmusLog, ATestThatAsksNothingAsksForTruth) {
  LitmusResult made = result(Quantifier::kNone, {state("0", "0", false)});
  made.condition.clear();
  const std::string log = litmus_log(made);
  EXPECT_NE(log.find("Test SB Required\n"), std::string::npos);
  EXPECT_NE(log.find("\nOk\nWitnesses\nPositive: 1 Negative: 0\nCondition forall (true)\n"),
            std::string::npos);
}

TEST(LitmusLog, NamesFlagsAndSaysUndefAndLoop) {
  LitmusResult made = result(Quantifier::kExists, {state("0", "0", true)});
  made.flags = {{"data-race", 2}};
  EXPECT_NE(
      litmus_log(made).find("\nOk\nWitnesses\nPositive: 1 Negative: 0\nFlag data-race\nCondition"),
      std::string::npos);
  made.flags = {{"*undef*", 1}};
  made.complete = false;
  made.hash = "abc";
  const std::string log = litmus_log(made);
  EXPECT_NE(log.find("\nLoop Undef\nWitnesses\n"), std::string::npos);
  EXPECT_NE(log.find("\nFlag *undef*\n"), std::string::npos);
  EXPECT_NE(log.find("\nTime SB 0.00\nHash=abc\n\n"), std::string::npos);
}

TEST(LitmusLog, SortsValuesAsNumbersAndNamesAfterThem) {
  const std::string log = litmus_log(result(Quantifier::kExists,
                                            {state("10", "0", false),
                                             state("x", "0", false),
                                             state("9", "1", false),
                                             state("-2", "0", false),
                                             state("9", "0", false),
                                             state("-1", "0", false)}));
  EXPECT_NE(log.find("States 6\n0:EAX=-2; [x]=0;\n0:EAX=-1; [x]=0;\n0:EAX=9; [x]=0;\n"
                     "0:EAX=9; [x]=1;\n0:EAX=10; [x]=0;\n0:EAX=x; [x]=0;\n"),
            std::string::npos)
      << log;
}

TEST(LitmusJson, SaysTheSame) {
  LitmusResult made =
      result(Quantifier::kNotExists, {state("1", "0", false, 3), state("0", "0", true, 2)});
  made.model = "tso";
  const nlohmann::ordered_json json = litmus_json(made);
  EXPECT_EQ(json["test"], "SB");
  EXPECT_EQ(json["model"], "tso");
  EXPECT_EQ(json["kind"], "Forbidden");
  EXPECT_EQ(json["verdict"], "No");
  EXPECT_EQ(json["positive"], 3);
  EXPECT_EQ(json["negative"], 2);
  EXPECT_EQ(json["states"][0]["values"]["0:EAX"], "0");
  EXPECT_EQ(json["states"][0]["executions"], 2);
  EXPECT_EQ(json["states"][0]["satisfies"], true);
  EXPECT_EQ(json["complete"], true);
}

} // namespace
TEST(LitmusLog, WhatIsExpectedIsContradictedOnlyByWhatIsCertain) {
  LitmusResult made;
  made.quantifier = LitmusResult::Quantifier::kExists;
  const auto found = [&](const char* observation, bool has_race = false) {
    made.expected = {observation, has_race};
    return contradiction(made).value_or("");
  };
  EXPECT_EQ(contradiction(made), std::nullopt);
  EXPECT_EQ(found("DEADLOCK"), "");
  EXPECT_EQ(found("Never"), "no execution that ends");
  made.states = {{{{"0:r0", "0"}}, 2, false}, {{{"0:r0", "1"}}, 1, true}};
  EXPECT_EQ(found("Sometimes"), "");
  EXPECT_EQ(found("Never"), "Sometimes");
  EXPECT_EQ(found("Always"), "Sometimes");
  EXPECT_EQ(found("DEADLOCK"), "Sometimes");
  EXPECT_EQ(found("Sometimes", true), "no data race");
  // More states change nothing of that, but might of these.
  made.complete = false;
  EXPECT_EQ(found("Never"), "Sometimes");
  EXPECT_EQ(found("Always"), "Sometimes");
  EXPECT_EQ(found("Sometimes", true), "");
  made.states.pop_back();
  EXPECT_EQ(found("Sometimes"), "");
  EXPECT_EQ(found("Never"), "");
  EXPECT_EQ(found("Always"), "Never");
  // After a race that was expected anything may happen.
  made.flags["data-race"] = 1;
  EXPECT_EQ(found("Always", true), "");
  EXPECT_EQ(found("Never"), "a data race");
}

} // namespace heddle::report
