// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Macro definitions in the format of herd's .def files,
//     READ_ONCE(X) __load{once}(X)
//     smp_mb() { __fence{mb}; }
// and their expansion on trees. What follows from a definition has the place of its use.
#pragma once

#include "frontend/litmus/c/c_syntax.h"
#include "support/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

struct CMacro {
  std::vector<std::string> parameters = {};
  bool is_statement = false;
  CExpression value = {};                  // of an expression
  std::vector<CStatement> statements = {}; // of a statement
};

/// By name; of two definitions of a name with as many parameters the first counts.
using CMacros = std::map<std::pair<std::string, std::size_t>, CMacro>;

/// Adds the definitions of `text`. Returns what is wrong with it.
[[nodiscard]] std::vector<Error>
add_macros(std::string_view text, const std::string& file, CMacros& macros);

/// Rewrites the body of a thread until no use of a macro is left.
[[nodiscard]] std::vector<Error>
expand_macros(std::vector<CStatement>& body, const CMacros& macros, const std::string& file);

} // namespace heddle::frontend::litmus
