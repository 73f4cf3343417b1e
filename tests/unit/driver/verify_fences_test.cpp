// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle verify --suggest-fences from the outside: store buffering, message passing, and a race
// that no fence helps against, written as .hir.
#include "driver/commands/run_command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

/// Two threads; main asserts something of what they leave in `a` and `b`.
std::string program(const std::string& first, const std::string& second, const std::string& check) {
  return R"(module lp64
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
global @a : 4 align 4 signed 32
global @b : 4 align 4 signed 32
func @first(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i32
block entry:
)" + first +
         R"(  ret ptr 0
}
func @second(%0 : ptr) -> ptr {
  reg %1 : i32
  reg %2 : i32
block entry:
)" + second +
         R"(  ret ptr 0
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : ptr
  reg %2 : i32
  reg %3 : i32
  reg %4 : i1
  reg %5 : i1
  reg %6 : i1
block entry:
  %0 = create(@first, ptr 0)
  %1 = create(@second, ptr 0)
  join(%0)
  join(%1)
  %2 = load @a
  %3 = load @b
)" + check +
         R"(  assert %6, "as it should be"
  ret i32 0
}
)";
}

const std::string kStoreBuffering = program("  store.atomic.relaxed i32 1, @x\n"
                                            "  %1 = load.atomic.relaxed @y\n"
                                            "  store i32 %1, @a\n",
                                            "  store.atomic.relaxed i32 1, @y\n"
                                            "  %1 = load.atomic.relaxed @x\n"
                                            "  store i32 %1, @b\n",
                                            "  %4 = ne %2, i32 0\n"
                                            "  %5 = ne %3, i32 0\n"
                                            "  %6 = or %4, %5\n");
/// The flag was seen (a), the data not (b).
const std::string kMessagePassing = program("  store.atomic.relaxed i32 1, @x\n"
                                            "  store.atomic.relaxed i32 1, @y\n",
                                            "  %1 = load.atomic.relaxed @y\n"
                                            "  %2 = load.atomic.relaxed @x\n"
                                            "  store i32 %1, @a\n"
                                            "  store i32 %2, @b\n",
                                            "  %4 = eq %2, i32 0\n"
                                            "  %5 = ne %3, i32 0\n"
                                            "  %6 = or %4, %5\n");
const std::string kLostUpdate = program("  %1 = load.atomic.relaxed @a\n"
                                        "  %1 = add %1, i32 1\n"
                                        "  store.atomic.relaxed i32 %1, @a\n",
                                        "  %1 = load.atomic.relaxed @a\n"
                                        "  %1 = add %1, i32 1\n"
                                        "  store.atomic.relaxed i32 %1, @a\n",
                                        "  %6 = eq %2, i32 2\n");

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
  nlohmann::json json;
};

Ran suggest(const std::string& text, std::vector<std::string> more) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("heddle_verify_fences_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "program.hir") << text;
  std::vector<std::string> arguments = {
      "verify", folder / "program.hir", "--suggest-fences", "--json", folder / "report.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err, false, false, 0};
  Ran ran;
  ran.code = run(arguments, console);
  ran.out = out.str();
  ran.err = err.str();
  if (fs::exists(folder / "report.json"))
    ran.json = nlohmann::json::parse(std::ifstream(folder / "report.json"));
  fs::remove_all(folder);
  return ran;
}

TEST(VerifyFences, StoreBufferingNeedsOneInEachThread) {
  for (const std::string model : {"tso", "pso"}) {
    const Ran ran = suggest(kStoreBuffering, {"--model", model});
    EXPECT_EQ(ran.code, 10) << ran.out << ran.err;
    ASSERT_TRUE(ran.json["fences"]["found"].get<bool>()) << ran.json.dump(2);
    ASSERT_EQ(ran.json["fences"]["fences"].size(), 2U) << ran.json.dump(2);
    std::set<std::string> functions;
    for (const nlohmann::json& one : ran.json["fences"]["fences"]) {
      functions.insert(one["function"].get<std::string>());
      EXPECT_NE(one["fence"].get<std::string>().find("seq_cst"), std::string::npos);
    }
    EXPECT_EQ(functions, (std::set<std::string>{"first", "second"}));
    EXPECT_NE(ran.out.find("with these 2 it is proved under " + model), std::string::npos)
        << ran.out;
  }
}

TEST(VerifyFences, MessagePassingNeedsOneThatOrdersStores) {
  const Ran ran = suggest(kMessagePassing, {"--model", "pso"});
  EXPECT_EQ(ran.code, 10) << ran.out << ran.err;
  ASSERT_EQ(ran.json["fences"]["fences"].size(), 1U) << ran.json.dump(2);
  EXPECT_EQ(ran.json["fences"]["fences"][0]["function"], "first");
  EXPECT_NE(ran.json["fences"]["fences"][0]["fence"].get<std::string>().find("release"),
            std::string::npos);
}

TEST(VerifyFences, TheWayToTheVerdictMakesNoDifference) {
  const Ran ran = suggest(kStoreBuffering, {"--model", "tso", "--via", "store-buffer-graph"});
  EXPECT_EQ(ran.code, 10) << ran.out << ran.err;
  EXPECT_EQ(ran.json["fences"]["fences"].size(), 2U) << ran.json.dump(2);
}

TEST(VerifyFences, NothingIsSaidOfProgramsThatAreRight) {
  const Ran ran = suggest(kMessagePassing, {"--model", "tso"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_FALSE(ran.json.contains("fences"));
}

TEST(VerifyFences, SomeViolationsNeedNoDelay) {
  const Ran ran = suggest(kLostUpdate, {"--model", "tso"});
  EXPECT_EQ(ran.code, 10) << ran.out << ran.err;
  EXPECT_FALSE(ran.json["fences"]["found"].get<bool>());
  EXPECT_NE(ran.out.find("no fences help"), std::string::npos) << ran.out;
}

TEST(VerifyFences, IsForStoreBuffers) {
  const Ran ran = suggest(kStoreBuffering, {"--model", "sc"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("USE-038"), std::string::npos) << ran.err;
  EXPECT_NE(suggest(kStoreBuffering, {"--model", "tso", "--via", "lazy"}).err.find("USE-038"),
            std::string::npos);
}

} // namespace
} // namespace heddle::driver
