// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One line of assembly taken apart: a mnemonic and its operands, each with its column. It knows
// which names are registers (from the dialect) and how memory operands are written, and nothing of
// what an instruction does. Dialects keep tables of Form that say which operands a mnemonic takes.
#pragma once

#include "frontend/litmus/asm/dialect.h"
#include "frontend/litmus/shared/thread_builder.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

struct Argument {
  enum class Kind : std::uint8_t {
    kRegister,  // `name`
    kImmediate, // `value`: 4, -1, 0x10, #4
    kMemory,    // 4(r1), (r1), [R1], [R1,#4], [R1,R2], [R1,R2,LSL #2]
    kName,      // a label, or an option such as rw or SY
    kList,      // {R1,R2}, {R1-R3}: `registers`, as written
  };
  Kind kind = Kind::kName;
  std::string name = {};    // the register (canonical) or name; of memory the base register
  std::string index = {};   // of memory: the register that is added, or empty
  unsigned index_shift = 0; // … to the left by so many bits
  std::int64_t value = 0;   // an immediate, or the bytes that are added
  std::vector<std::string> registers = {};
  bool is_written_back = false; // a register: R1!
  std::string text = {};        // as written
  std::uint32_t column = 1;     // in the instruction's text
};

struct InstructionText {
  std::string mnemonic; // in lower case
  std::uint32_t column = 1;
  std::vector<Argument> arguments = {};
  /// What the dialect took off the mnemonic ("aq", "rl", "s", "ne").
  std::vector<std::string> suffixes = {};

  [[nodiscard]] bool has_suffix(std::string_view suffix) const;
};

[[nodiscard]] Result<InstructionText> read_instruction(std::string_view text,
                                                       const Dialect& dialect);

/// `shape` has a letter per operand: r a register, i an immediate, v one of both, z a register or
/// the number 0, m memory (a register and a number), x memory of any form, a memory without offset,
/// n a name, w a register that may be written back, l a list of registers.
struct Form {
  std::string_view mnemonic;
  std::string_view shape;
  void (*emit)(const InstructionText& in, ThreadBuilder& out);
};

/// Emits by the first form of that mnemonic that fits.
[[nodiscard]] Status
emit_by_form(std::span<const Form> forms, const InstructionText& in, ThreadBuilder& out);

[[nodiscard]] bool has_form(std::span<const Form> forms, std::string_view mnemonic);

/// An error at a column of the instruction; the message begins with the mnemonic.
[[nodiscard]] Error
instruction_error(const InstructionText& in, std::uint32_t column, const std::string& message);
[[nodiscard]] Error unsupported_instruction(const InstructionText& in, const std::string& message);

/// 7 for "x7" with prefix "x"; nothing if it is not the prefix and a number below `count` without
/// leading zeros.
[[nodiscard]] std::optional<unsigned>
numbered_register(std::string_view name, std::string_view prefix, unsigned count);

/// The value in two's complement, zero above `bits`.
[[nodiscard]] std::uint64_t low_bits(std::int64_t value, unsigned bits);

} // namespace heddle::frontend::litmus
