// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a command prints: results to the standard output, all else to the standard error, and a
// progress line that is shown on a terminal only.
#pragma once

#include "support/result.h"

#include <iosfwd>
#include <string>

namespace heddle::driver {

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  unsigned terminal_width = 0; // 0: not known

  /// "heddle: file:line:col: message [CODE]"
  void complain(const Error& error) const;
  void say(const std::string& line) const;
  /// Replaces the line last shown; nothing in a pipe.
  void show_progress(const std::string& line) const;
  void clear_progress() const;
};

} // namespace heddle::driver
