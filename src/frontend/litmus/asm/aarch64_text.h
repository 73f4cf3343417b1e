// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One AArch64 instruction taken apart: mnemonic and operands, each with its column, and the values
// of operands. What instructions do is in aarch64.cpp (registers, branches) and aarch64_memory.cpp.
#pragma once

#include "frontend/litmus/shared/thread_builder.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// Wn is the low half of Xn. The zero register has no name and reads as 0.
struct A64Register {
  std::string canonical; // "X3", "SP"; empty for XZR and WZR
  unsigned bits = 64;
  [[nodiscard]] bool is_zero() const { return canonical.empty(); }
  /// 0 to 31, which is the zero register; nothing for SP and symbolic registers.
  [[nodiscard]] std::optional<unsigned> number() const;
  bool operator==(const A64Register&) const = default;
};
[[nodiscard]] std::optional<A64Register> find_a64_register(std::string_view name);

/// LSL #2, SXTW, UXTW #3
struct A64Shift {
  enum class Kind : std::uint8_t {
    kLsl,
    kLsr,
    kAsr,
    kRor,
    kUxtb,
    kUxth,
    kUxtw,
    kUxtx,
    kSxtb,
    kSxth,
    kSxtw,
    kSxtx,
  };
  Kind kind = Kind::kLsl;
  unsigned amount = 0;
  [[nodiscard]] bool is_extension() const { return kind >= Kind::kUxtb; }
};
struct A64Immediate {
  std::int64_t value = 0;
};
/// [Xn], [Xn,#4], [Xn,Xm], [Xn,Wm,SXTW #2], [Xn,#4]!
struct A64Memory {
  A64Register base;
  std::int64_t offset = 0;
  std::optional<A64Register> index = {};
  A64Shift shift = {};
  bool writes_back = false;
  [[nodiscard]] bool is_plain() const { return offset == 0 && !index && !writes_back; }
};
struct A64Name { // a label, a condition, the option of a barrier: in upper case too
  std::string name;
  std::string upper;
};

struct A64Operand {
  std::variant<A64Register, A64Immediate, A64Memory, A64Shift, A64Name> content;
  std::uint32_t column = 1;
};

struct A64Text {
  std::string mnemonic; // in upper case
  std::uint32_t column = 1;
  std::vector<A64Operand> operands = {};

  [[nodiscard]] std::size_t size() const { return operands.size(); }
  /// Null if there is no such operand.
  template <class Kind>
  [[nodiscard]] const Kind* find(std::size_t i) const {
    return i < operands.size() ? std::get_if<Kind>(&operands[i].content) : nullptr;
  }
  /// At operand i, or at the instruction if it is missing.
  [[nodiscard]] Error refuse(std::size_t i, const std::string& message) const;
  /// The first `count` operands are registers of one width, and there are no fewer.
  [[nodiscard]] Status check_registers(std::size_t count) const;
};

[[nodiscard]] Result<A64Text> read_a64(std::string_view text);

[[nodiscard]] ThreadBuilder::Value
get_a64(ThreadBuilder& out, const A64Register& source, unsigned bits);
inline ThreadBuilder::Value get_a64(ThreadBuilder& out, const A64Register& source) {
  return get_a64(out, source, source.bits);
}
/// Narrower values are zero-extended.
void set_a64(ThreadBuilder& out, const A64Register& target, ThreadBuilder::Value value);
/// The register's value, shifted or extended, with that many bits.
[[nodiscard]] ThreadBuilder::Value
shifted_a64(ThreadBuilder& out, const A64Register& source, const A64Shift& shift, unsigned bits);

/// The instructions of aarch64_memory.cpp: loads, stores, atomics and barriers. Nothing if it is
/// none of them.
[[nodiscard]] std::optional<Status> translate_a64_memory(const A64Text& in, ThreadBuilder& out);

} // namespace heddle::frontend::litmus
