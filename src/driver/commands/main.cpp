// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/run_command.h"

#include <iostream>
#include <new>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  winsize size = {};
  const bool has_size = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const heddle::driver::Console console{std::cout,
                                        std::cerr,
                                        isatty(STDOUT_FILENO) == 1,
                                        isatty(STDERR_FILENO) == 1,
                                        has_size ? size.ws_col : 0U};
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    return heddle::driver::run(arguments, console);
  } catch (const std::bad_alloc&) {
    std::cout << "UNKNOWN: out of memory; help: a higher --memory, or a smaller program\n";
    return 32;
  }
}
