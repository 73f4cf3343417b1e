// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "unit/frontend/llvm_import.h"

#include "ir/print.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace heddle::frontend {

namespace {
/// Removes what the tests wrote when they are done.
struct Written {
  std::vector<std::string> paths;
  ~Written() {
    for (const std::string& path : paths) {
      std::remove(path.c_str());
    }
  }
};
} // namespace

std::string write_file(const std::string& text, const std::string& ending) {
  std::string path = testing::TempDir() + "heddle_XXXXXX" + ending;
  const int file = mkstemps(path.data(), static_cast<int>(ending.size()));
  EXPECT_GE(file, 0);
  ::close(file);
  std::ofstream(path) << text;
  static Written written;
  written.paths.push_back(path);
  return path;
}

Result<Loaded> load_c(const std::string& text, const Options& options) {
  const std::vector<std::string> files = {write_file(text, ".c")};
  return load(files, options);
}

namespace {
std::string show(const Result<Loaded>& loaded) {
  if (!loaded) {
    return "error: " + loaded.error().to_string();
  }
  return std::regex_replace(ir::print(loaded->module), std::regex(" ![0-9]+:[0-9]+:[0-9]+"), "");
}
} // namespace

std::string import_c(const std::string& text, const Options& options) {
  return show(load_c(text, options));
}

std::string import_files(const std::vector<std::string>& paths, const Options& options) {
  return show(load(paths, options));
}

int lines_equal(std::string_view text, std::string_view line) {
  std::istringstream in{std::string(text)};
  int found = 0;
  for (std::string one; std::getline(in, one);) {
    const std::size_t begin = one.find_first_not_of(' ');
    found += begin != std::string::npos && one.substr(begin) == line ? 1 : 0;
  }
  return found;
}

int count(std::string_view text, std::string_view part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

std::string function(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("@" + name + "(");
  for (std::size_t begin = at; begin != std::string::npos;
       begin = text.find("@" + name + "(", begin + 1)) {
    const std::size_t line = text.rfind('\n', begin) + 1;
    if (text.compare(line, 5, "func ") == 0) {
      return text.substr(line, text.find("\n}", begin) - line);
    }
  }
  return {};
}

} // namespace heddle::frontend
