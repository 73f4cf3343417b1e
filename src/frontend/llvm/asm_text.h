// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the text of x86 inline assembly (AT&T syntax, as LLVM keeps it) into statements. Knows
// nothing of LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct AsmArgument {
  enum class Kind : std::uint8_t { kOperand, kLiteral, kRegister, kStack, kOther };
  Kind kind = Kind::kOther;
  std::uint64_t value = 0;  // the operand's number, the literal, or the register's number
  unsigned bits = 0;        // of a register named so, or as a modifier (`${0:b}`) says; else 0
  bool is_indirect = false; // the memory `displacement` bytes behind what the register points to
  std::int64_t displacement = 0;
  bool operator==(const AsmArgument&) const = default;
};

/// The number (as the processor counts them) and width of a register's name without `%`; also of
/// the letters of constraints ("a", "S"), with width 0.
struct AsmRegister {
  std::uint64_t number = 0;
  unsigned bits = 0;
};
[[nodiscard]] std::optional<AsmRegister> asm_register(std::string_view name);

struct AsmStatement {
  bool has_lock = false;
  std::string name;  // without its size suffix
  unsigned bits = 0; // from the suffix; 0 if there is none
  std::vector<AsmArgument> arguments;
  bool operator==(const AsmStatement&) const = default;
};

/// Directives, labels and comments are dropped.
[[nodiscard]] std::vector<AsmStatement> parse_asm(std::string_view text);

} // namespace heddle::frontend
