// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output/console.h"

#include <ostream>

namespace heddle::driver {

void Console::complain(const Error& error) const {
  clear_progress();
  err << "heddle: " << error.to_string() << "\n";
}

void Console::say(const std::string& line) const {
  clear_progress();
  err << line << "\n";
}

void Console::show_progress(const std::string& line) const {
  if (!err_is_terminal)
    return;
  const unsigned width = terminal_width == 0 ? 80 : terminal_width;
  err << "\r\033[K" << line.substr(0, width - 1) << std::flush;
}

void Console::clear_progress() const {
  if (err_is_terminal)
    err << "\r\033[K" << std::flush;
}

} // namespace heddle::driver
