// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One x86 instruction taken apart. Both ways of writing are read: MOV [x],$1 with the destination
// first, and movl $1,(%rax) with the destination last. Operands come out with the destination
// first.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// A register or a part of one: AH is bits 8 to 15 of RAX.
struct X86Register {
  std::string canonical; // "EAX" on a 32-bit machine, "RAX" on a 64-bit one
  unsigned bits = 32;
  unsigned shift = 0;
  unsigned rank = 0; // in logs
};

/// Any case, with or without %.
[[nodiscard]] std::optional<X86Register> find_x86_register(std::string_view name, bool is_64_bit);

struct X86Immediate {
  std::int64_t value = 0;
  std::string location = {}; // $x: its address
};
struct X86Memory {
  std::string location = {}; // [x], (x); else a register
  std::optional<X86Register> base = {};
  std::optional<X86Register> index = {};
  unsigned scale = 1;
  std::int64_t displacement = 0;
};
struct X86Name { // a label
  std::string name;
};

struct X86Operand {
  std::variant<X86Register, X86Immediate, X86Memory, X86Name> content;
  std::uint32_t column = 1;
  std::string text = {}; // as written
};

struct X86Text {
  bool is_locked = false;
  std::string mnemonic; // in upper case
  std::uint32_t column = 1;
  std::vector<X86Operand> operands = {};
};

[[nodiscard]] Result<X86Text> read_x86(std::string_view text, bool is_64_bit);

} // namespace heddle::frontend::litmus
