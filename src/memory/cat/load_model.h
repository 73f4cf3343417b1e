// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From the text of a model in CAT to a core: reads the file and what it includes, parses, checks
// types, and evaluates definitions, functions and procedures away.
#pragma once

#include "memory/core.h"
#include "memory/vocabulary.h"
#include "support/result.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace heddle::memory::cat {

struct LoadOptions {
  /// Where `include` looks after the including file's own folder.
  std::vector<std::filesystem::path> search_path;
  /// Which sets and relations an execution has, by name: the vocabulary's.
  const BaseNames* base_names = nullptr;
  /// The strings for which `if "name"` takes its first branch.
  std::set<std::string> variants;
  /// Accesses of C are not torn, whether the model knows of their pieces (sm, si) or not.
  bool keeps_accesses_whole = false;
};

/// Everything that is wrong, not just the first thing; at least one.
struct Diagnostics {
  std::vector<Error> errors;
};

/// Either a core, or what is wrong with the text. A .bell file of the same stem beside the model,
/// or named by `model.bell`, is the caller's to give: `bell` is evaluated first, in the same scope.
[[nodiscard]] std::variant<Core, Diagnostics>
load(const std::filesystem::path& file, const LoadOptions& options, const std::string& bell = {});
/// The same for text that has no file; for tests.
[[nodiscard]] std::variant<Core, Diagnostics>
load_text(const std::string& text, const std::string& name, const LoadOptions& options);

} // namespace heddle::memory::cat
