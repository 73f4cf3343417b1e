// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs clang as a program (no shell) to turn one C file into bitcode. Nothing is optimised: no
// access to memory may be added, dropped, merged or moved before the importer sees it.
#pragma once

#include "ir/ir.h"
#include "support/budget.h"
#include "support/result.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::frontend {

struct Compiled {
  std::string bitcode;
  std::vector<std::string> warnings; // clang's, one per line, with their place
};

struct CompileOptions {
  ir::DataModel data_model = ir::DataModel::kLP64;
  std::vector<std::string> flags = {};        // the user's, after ours
  std::vector<std::string> include_dirs = {}; // searched after the user's
};

/// `path` is a .c or .i file. What clang says is wrong comes back as an error with clang's own
/// place and words.
[[nodiscard]] Result<Compiled>
compile(const std::string& path, const CompileOptions& options, const Budget& budget);

} // namespace heddle::frontend
