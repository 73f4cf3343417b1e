// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A corpus of tests with the logs of another tool beside them (X.litmus and X.litmus.expected in
// folders of $HEDDLE_BENCH/litmus): all are read, their ir verifies, and the condition and the
// names of what is observed are those of the logs. Skipped where there is no corpus.
#include "frontend/litmus/asm/parsed_test.h"
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::frontend::litmus {

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// "0:EAX=1; [x]=2;" → "0:EAX [x] "
std::string names_of(const std::string& line) {
  std::stringstream words(line);
  std::string names;
  for (std::string word; words >> word;)
    names += word.substr(0, word.find('=')) + " ";
  return names;
}

void compare_with_log(const litmus::Test& test, const std::filesystem::path& path) {
  std::ifstream log(path);
  std::string names;
  for (const Observed& observed : test.observed)
    names += observed.name + " ";
  bool is_state = false;
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with("Condition ")) {
      EXPECT_EQ(line.substr(10), test.condition_text) << path;
    }
    if (is_state && line.find('=') != std::string::npos) {
      EXPECT_EQ(names_of(line), names) << path;
    }
    is_state = line.starts_with("States ");
  }
}

} // namespace

TEST(LitmusCorpus, AgreesWithItsLogs) {
  const char* bench = std::getenv("HEDDLE_BENCH");
  if (bench == nullptr)
    GTEST_SKIP() << "HEDDLE_BENCH is not set";
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(bench) / "litmus"))
    if (entry.path().extension() == ".litmus")
      files.push_back(entry.path());
  ASSERT_FALSE(files.empty());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    const std::string text = contents(file);
    const auto result = parse(text, file.string());
    if (const auto* diagnostics = std::get_if<Diagnostics>(&result)) {
      ADD_FAILURE() << diagnostics->errors.front().to_string();
      continue;
    }
    const auto& test = std::get<litmus::Test>(result);
    const Status verified = ir::verify(test.module);
    EXPECT_TRUE(verified) << file << ": " << verified.error().to_string();
    compare_with_log(test, file.string() + ".expected");
    if (test.architecture == "C")
      continue;
    const Result<ParsedTest> parsed = parse_syntax(text);
    const Result<ParsedTest> again = parse_syntax(print(*parsed));
    EXPECT_TRUE(again && is_same(*again, *parsed)) << file;
  }
}

} // namespace heddle::frontend::litmus
