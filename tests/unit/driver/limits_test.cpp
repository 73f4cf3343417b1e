// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The watchdog ends a process that obeys nothing.
#include "driver/output/limits.h"
#include "support/budget_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <string>
#include <unistd.h>

extern char** environ;

namespace heddle::driver {
namespace {

using std::chrono::milliseconds;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void obey_nothing() {
  std::atomic<unsigned> turns = 0;
  while (true)
    ++turns;
}

LastWords words_of(Exhausted what) {
  const int code = what == Exhausted::kTime ? 31 : what == Exhausted::kMemory ? 32 : 30;
  return {"UNKNOWN\n", "{\"exit_code\": " + std::to_string(code) + "}\n", code};
}

class LimitsTest : public testing::Test {
protected:
  LimitsTest() {
    std::filesystem::create_directory(folder_);
    testing::FLAGS_gtest_death_test_style = "fast";
  }
  ~LimitsTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("heddle-limits-" + std::to_string(getpid()));
  std::string json_ = (folder_ / "report.json").string();
};

TEST_F(LimitsTest, EndsWithWhatIsKnownAfterTheTime) {
  EXPECT_EXIT(
      {
        Watchdog watchdog({milliseconds(10), ~std::uint64_t{0}, json_, false});
        watchdog.know(words_of);
        obey_nothing();
      },
      testing::ExitedWithCode(31),
      "");
  EXPECT_EQ(read(json_), "{\"exit_code\": 31}\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(LimitsTest, EndsAfterASignalThatNobodyHeeds) {
  EXPECT_EXIT(
      {
        Watchdog watchdog({{}, ~std::uint64_t{0}, json_, false});
        watchdog.know(words_of);
        watchdog.keep_json(); // it has been written
        (void)std::raise(SIGTERM);
        obey_nothing();
      },
      testing::ExitedWithCode(30),
      "");
  EXPECT_FALSE(std::filesystem::exists(json_));
}

TEST_F(LimitsTest, AViolationThatIsKnownIsNoUnknown) {
  EXPECT_EXIT(
      {
        Watchdog watchdog({milliseconds(10), ~std::uint64_t{0}, json_, false});
        watchdog.know(words_of);
        watchdog.know(LastWords{"VIOLATED\n", "{}\n", 10});
        obey_nothing();
      },
      testing::ExitedWithCode(10),
      "");
  EXPECT_EQ(read(json_), "{}\n");
}

/// Leaves the number of the child in the file.
[[noreturn]] void start_and_obey_nothing(const std::string& number) {
  const Watchdog watchdog({milliseconds(10), ~std::uint64_t{0}, {}, false});
  char name[] = "sleep";
  char seconds[] = "100";
  char* arguments[] = {name, seconds, nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, name, nullptr, nullptr, arguments, environ) == 0)
    std::ofstream(number) << child;
  obey_nothing();
}

TEST_F(LimitsTest, ProgramsThatWereStartedAreEnded) {
  const std::string number = (folder_ / "number").string();
  EXPECT_EXIT(start_and_obey_nothing(number), testing::ExitedWithCode(31), "");
  pid_t child = 0;
  ASSERT_TRUE(std::ifstream(number) >> child);
  // Nobody waits for it any more; who takes it over may need a moment.
  for (int i = 0; i < 100 && kill(child, 0) == 0; ++i) {
    const std::string status = read("/proc/" + std::to_string(child) + "/stat");
    if (status.find(") Z") != std::string::npos)
      return;
    usleep(20'000);
  }
  EXPECT_NE(kill(child, 0), 0);
}

TEST_F(LimitsTest, NothingIsEndedWhileTheReportIsPrinted) {
  Watchdog watchdog({milliseconds(1), ~std::uint64_t{0}, {}, false});
  watchdog.stand_down();
  usleep(1'300'000);
  EXPECT_EQ(watchdog.budget().exhausted(0), Exhausted::kTime);
}

TEST_F(LimitsTest, ABudgetThatIsUsedUpIsToldFromOtherErrors) {
  EXPECT_TRUE(is_budget_used_up(budget_used_up("it was made")));
  EXPECT_FALSE(is_budget_used_up(Error{ErrorKind::kInput, "IR-001", "no"}));
  const Budget none_left(milliseconds(0), 1);
  BudgetWatch watch(&none_left);
  bool is_used_up = false;
  for (std::uint32_t i = 0; i < Pace::kMost; ++i)
    is_used_up = watch.is_used_up();
  EXPECT_TRUE(is_used_up);
  EXPECT_TRUE(watch.is_used_up());
  EXPECT_FALSE(BudgetWatch(nullptr).is_used_up());
}

TEST_F(LimitsTest, TheDefaultIsAShareOfTheMachine) {
  const auto all = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(default_memory_bytes(), 0U);
  EXPECT_LE(default_memory_bytes(), all / 4);
}

} // namespace
} // namespace heddle::driver
