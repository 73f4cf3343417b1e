// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dialect makes of instructions, as text, for tests: a line for each ir instruction it
// emitted, or the error.
#pragma once

#include "frontend/litmus/asm/dialect.h"
#include "ir/ir.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::frontend::litmus {

struct Translation {
  std::string emitted; // lines, each with a newline
  std::string error;   // "column: code message", or empty
  ir::Module module;
};

[[nodiscard]] Translation translate_all(const Dialect& dialect,
                                        const std::vector<std::string>& instructions);

/// The lines, or the error.
[[nodiscard]] std::string translate_text(const Dialect& dialect, const std::string& instruction);

/// The value of a register after an instruction that touches no memory, from the given registers
/// (others are 0). Branches set "taken" to 1 if they are, to 0 if not.
[[nodiscard]] std::uint64_t value_after(const Dialect& dialect,
                                        const std::string& instruction,
                                        const std::string& register_name,
                                        const std::map<std::string, std::uint64_t>& before);

} // namespace heddle::frontend::litmus
