// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/native.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

namespace heddle::fuzz {

Result<std::set<FinalState>>
run_on_hardware(const Program& program, const NativeRun& run, const std::string& directory) {
  const std::string source = directory + "/native.c";
  const std::string binary = directory + "/native";
  {
    std::ofstream file(source);
    file << to_native_c(program, run);
    if (!file.flush())
      return Error{ErrorKind::kInput, "FUZZ-001", "cannot write the native test", source};
  }
  const std::string compile = "cc -O0 -w -pthread -o '" + binary + "' '" + source + "'";
  if (std::system(compile.c_str()) != 0)
    return Error{ErrorKind::kInput, "FUZZ-002", "the C compiler refused the native test", source};
  std::set<FinalState> states;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(("timeout 60 '" + binary + "'").c_str(), "r"), pclose);
  if (!pipe)
    return Error{ErrorKind::kInput, "FUZZ-003", "cannot run the native test", binary};
  char line[512];
  bool has_ended = false;
  while (std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    if (std::string_view(line) == "end\n") {
      has_ended = true;
      break;
    }
    std::istringstream words(line);
    FinalState state;
    for (std::uint32_t value = 0; words >> std::hex >> value;)
      state.push_back(value);
    states.insert(std::move(state));
  }
  if (!has_ended || states.empty())
    return Error{ErrorKind::kInput, "FUZZ-004", "the native test did not finish", binary};
  return states;
}

} // namespace heddle::fuzz
