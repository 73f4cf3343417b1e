// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tries the shared-memory abstractions of runtime/sma natively, against a reference of its own: sma_test FOLDER PART… where a part is shapes,
// features, bounds, example or random=COUNT,SEED; in front of them, only=NAME tries one abstraction and once ends with the first failure. Ends with `N passed, N failed`.
#include "checker.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: sma_test FOLDER PART...\n");
    return 2;
  }
  heddle::sma::Checker checker(words[1]);
  for (int i = 2; i < count; ++i) {
    const std::string part = words[i];
    const std::clock_t start = std::clock();
    if (part.starts_with("only=")) {
      checker.try_only(part.substr(5));
      continue;
    }
    if (part == "once") {
      checker.stop_at_failure();
      continue;
    }
    if (part == "shapes") {
      heddle::sma::check_shapes(checker);
    } else if (part == "features") {
      heddle::sma::check_features(checker);
    } else if (part == "bounds") {
      heddle::sma::check_bounds(checker);
    } else if (part == "example") {
      heddle::sma::check_example(checker);
    } else if (part.starts_with("random=")) {
      char* end = nullptr;
      const unsigned long programs = std::strtoul(part.c_str() + 7, &end, 10);
      const unsigned long seed = *end == ',' ? std::strtoul(end + 1, nullptr, 10) : 1;
      heddle::sma::check_random(checker, static_cast<unsigned>(programs), static_cast<unsigned>(seed));
    } else {
      std::fprintf(stderr, "no such part: %s\n", part.c_str());
      return 2;
    }
    std::printf("%s: %.1f s of processor time\n", part.c_str(), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
  std::printf("%u passed, %u failed\n", checker.passed(), checker.failed());
  return checker.failed() == 0 && checker.passed() != 0 ? 0 : 1;
}
