// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What differs between the assembly languages of litmus tests: names of registers, and what each
// instruction does. One class and one file each; the rest of the front end knows none of them.
#pragma once

#include "frontend/litmus/shared/thread_builder.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend::litmus {

/// How a register's name in the text relates to the machine's: W3 is the low 32 bits of X3.
struct RegisterView {
  std::string canonical;
  unsigned bits = 64;
  /// Bytes above are kept on writing (x86's AX), not zeroed.
  bool keeps_upper = false;
  bool is_zero = false; // always 0
};

class Dialect {
public:
  virtual ~Dialect() = default;
  [[nodiscard]] virtual std::string vocabulary() const = 0;
  [[nodiscard]] virtual unsigned width() const = 0; // of registers and addresses
  /// Nothing if it is no register of this machine.
  [[nodiscard]] virtual std::optional<RegisterView> find_register(std::string_view name) const = 0;
  /// How logs name the register (RISC-V: x10 for a0). By default as it is written.
  [[nodiscard]] virtual std::string printed_register(std::string_view name) const {
    return std::string(name);
  }
  /// The order of two registers of one thread in logs. By default numbers within names count as
  /// numbers: X2 before X10.
  [[nodiscard]] virtual bool is_register_before(std::string_view a, std::string_view b) const;
  /// One instruction of one thread (a label before it has been taken off), emitted into `out`,
  /// which stands at its place. The error says what is wrong, with the column within `text` (from
  /// 1).
  [[nodiscard]] virtual Status translate(std::string_view text, ThreadBuilder& out) const = 0;
};

/// `%name` stands for a register that the reader of the test is to choose; here it is one of its
/// own. Nothing for other names.
[[nodiscard]] std::optional<RegisterView> find_symbolic_register(std::string_view name,
                                                                 unsigned width);

/// By the architecture's name at the head of the file ("X86", "X86_64", "AArch64", "PPC", "RISCV",
/// "ARM", "MIPS"); null if it is not one of ours.
[[nodiscard]] std::unique_ptr<Dialect> find_dialect(std::string_view architecture);

[[nodiscard]] std::unique_ptr<Dialect> make_x86(bool is_64_bit);
[[nodiscard]] std::unique_ptr<Dialect> make_aarch64();
[[nodiscard]] std::unique_ptr<Dialect> make_power();
[[nodiscard]] std::unique_ptr<Dialect> make_riscv();
[[nodiscard]] std::unique_ptr<Dialect> make_arm();
[[nodiscard]] std::unique_ptr<Dialect> make_mips(bool is_64_bit);
/// Is it an instruction that only MIPS64 has?
[[nodiscard]] bool needs_mips64(std::string_view instruction);

} // namespace heddle::frontend::litmus
