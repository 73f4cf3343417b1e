// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From the text of one CAT file to its tree, and back.
#pragma once

#include "memory/cat/syntax.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::memory::cat {

struct Parsed {
  File file;
  std::vector<Error> errors; // in the order of the text; the tree lacks what they are about
};
/// `file_index` goes into the places of the tree, `name` into the errors.
[[nodiscard]] Parsed
parse(std::string_view text, const std::string& name, std::uint32_t file_index = 0);

/// Text that parses to an equal tree.
[[nodiscard]] std::string print(const Expr& expression);
[[nodiscard]] std::string print(const File& file);

} // namespace heddle::memory::cat
