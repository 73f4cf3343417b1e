// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The code of an assembly test as a table: a column per thread, P0 | P1 ; at its head, and a row
// per instruction. Only labels are taken off; what is in a cell is read by the dialects.
#pragma once

#include "frontend/litmus/shared/litmus_lexer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::frontend::litmus {

/// A cell that is not empty.
struct CodeLine {
  std::vector<std::string> labels = {};
  std::string text = {}; // the instruction; empty behind a label that stands alone
  SourceLoc loc = {};    // of the cell's first character
  SourceLoc text_loc = {};
};

struct CodeColumn {
  std::uint32_t thread = 0;    // 1 for P1
  std::string annotation = {}; // what stands behind the name: ":A"
  std::vector<CodeLine> lines = {};
  SourceLoc loc = {};
};

/// Leaves the lexer at the first word of the final section, or at the end of the file.
[[nodiscard]] Result<std::vector<CodeColumn>> parse_table(Lexer& lexer);

[[nodiscard]] std::string print_table(const std::vector<CodeColumn>& columns);

} // namespace heddle::frontend::litmus
