// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From files to one complete module: compiles and imports C (.c, .i), reads bitcode (.bc), LLVM
// text (.ll) and our own text form (.hir), links them with the parts of the runtime they use, and
// replaces calls of library and verifier functions by instructions. What a task file asks for is
// read by task_file.h.
#pragma once

#include "ir/ir.h"
#include "support/budget.h"
#include "support/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::frontend {

struct Options {
  std::optional<ir::DataModel> data_model =
      {}; // LP64 for C if not given; a mismatch with bitcode is an error
  std::vector<std::string> compiler_flags = {};
  std::vector<std::string> havoc = {}; // external functions that return anything and touch nothing
  std::string entry = "main";          // empty: there is none, only `keep`
  std::vector<std::string> keep = {};  // functions to keep beside what the entry reaches
  /// A call of one of these is the violation of "reach", whatever its body says.
  std::vector<std::string> error_functions = {"reach_error", "__VERIFIER_error"};
  /// Whether a failed assert() is a violation of "reach", or (SV-COMP's reading) only ends the
  /// program.
  bool assert_is_error = true;
  /// Whether a new thread may run before its creator has stored its handle.
  bool create_stores_late = false;
};

struct Loaded {
  ir::Module module; // verified; only what `entry` and `keep` can reach
  std::vector<std::string> warnings;
  /// Functions whose C type has something that is neither a number of up to 64 bits nor a pointer,
  /// and what: "returns a structure".
  std::map<std::string, std::string> other_types = {};
};

/// Where the runtime's shared-memory abstractions lie; none if they are not there.
[[nodiscard]] std::optional<std::string> abstraction_folder();

/// Whether this build can read C and bitcode.
[[nodiscard]] bool can_read_c();

/// A compiler that runs beyond the budget is ended (is_budget_used_up).
[[nodiscard]] Result<Loaded>
load(std::span<const std::string> files, const Options& options, const Budget& budget = {});

} // namespace heddle::frontend
