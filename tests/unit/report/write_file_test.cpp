// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/write_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace heddle::report {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle_write_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(WriteFile, WritesAndReplaces) {
  const fs::path path = folder_ / "out.json";
  ASSERT_TRUE(write_file(path, "one").has_value());
  ASSERT_TRUE(write_file(path, "two").has_value());
  EXPECT_EQ(content(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(WriteFile, AFullDiskIsOneErrorThatNamesTheFile) {
  const Status status = write_file("/dev/full", "text");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, "OUT-001");
  EXPECT_NE(status.error().message.find("/dev/full"), std::string::npos);
}

TEST_F(WriteFile, AMissingFolderLeavesNothing) {
  EXPECT_FALSE(write_file(folder_ / "no" / "out.json", "text").has_value());
  EXPECT_FALSE(write_file(folder_, "text").has_value());
  EXPECT_TRUE(fs::is_empty(folder_));
}

} // namespace
} // namespace heddle::report
