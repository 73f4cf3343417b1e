// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// MIPS32 and MIPS64, the integer subset. Register 0 reads as 0 and takes no writes. Tests are
// written without delay slots: a branch takes effect at once. Traps on overflow are not modelled,
// so that add is addu. Registers have 64 bits in tests that need them; what instructions on words
// leave in a register is then extended with its sign.
#include "frontend/litmus/asm/instruction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using In = const InstructionText&;
using Out = ThreadBuilder&;
using ir::Op;

constexpr unsigned kWord = 32;
constexpr unsigned kDoubleword = 64;
constexpr unsigned kWhole = 0; // all of a register
constexpr std::string_view kZero = "r0";

Value number(Out out, std::int64_t value, unsigned bits = kWhole) {
  const unsigned width = bits == kWhole ? out.width() : bits;
  return out.constant(low_bits(value, width), width);
}

Value get(Out out, const Argument& argument, unsigned bits = kWhole) {
  return argument.name == kZero ? number(out, 0, bits)
                                : out.get(argument.name, bits == kWhole ? out.width() : bits);
}

/// Narrower values are extended with their sign.
void set(Out out, const Argument& argument, Value value) {
  if (argument.name != kZero)
    out.set(argument.name, out.sign_extend(value, out.width()));
}

Value address_of(Out out, const Argument& memory) {
  const Value base = get(out, memory);
  return memory.value == 0 ? base : out.compute(Op::kAdd, base, number(out, memory.value));
}

// Arithmetic

/// On so many bits of the registers.
template <Op kOp, unsigned kBits = kWhole>
void emit_registers(In in, Out out) {
  const Value a = get(out, in.arguments[1], kBits);
  const Value b = get(out, in.arguments[2], kBits);
  set(out, in.arguments[0], out.compute(kOp, a, b));
}

/// The number has 16 bits, the first of which is a sign but for and, or and xor.
std::int64_t immediate(const Argument& argument, bool is_signed) {
  return is_signed && argument.value >= 0x8000 ? argument.value - 0x10000 : argument.value;
}

template <Op kOp, unsigned kBits = kWhole>
void emit_immediate(In in, Out out) {
  constexpr bool kSigned = kOp == Op::kAdd || kOp == Op::kSub;
  const Value a = get(out, in.arguments[1], kBits);
  const Value b = number(out, immediate(in.arguments[2], kSigned), kBits);
  set(out, in.arguments[0], out.compute(kOp, a, b));
}

void emit_nor(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  const Value b = get(out, in.arguments[2]);
  const Value either = out.compute(Op::kOr, a, b);
  set(out, in.arguments[0], out.compute(Op::kXor, either, number(out, -1)));
}

template <Op kOp>
void emit_less(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  const Argument& right = in.arguments[2];
  const Value b = right.kind == Argument::Kind::kImmediate ? number(out, immediate(right, true))
                                                           : get(out, right);
  set(out, in.arguments[0], out.zero_extend(out.compute(kOp, a, b), out.width()));
}

/// Of the amount as many bits count as there are amounts; dsll32 and its kin add 32.
template <Op kOp, unsigned kBits = kWord, unsigned kMore = 0>
void emit_shift(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  const Argument& by = in.arguments[2];
  const Value given = by.kind == Argument::Kind::kImmediate
                          ? number(out, by.value + std::int64_t{kMore}, kBits)
                          : get(out, by, kBits);
  const Value amount = out.compute(Op::kAnd, given, number(out, kBits - 1, kBits));
  set(out, in.arguments[0], out.compute(kOp, value, amount));
}

/// dext rt,rs,position,size, without a sign (checked before).
void emit_extract(In in, Out out) {
  const std::int64_t position = in.arguments[2].value;
  const std::int64_t size = in.arguments[3].value;
  const Value value = get(out, in.arguments[1], kDoubleword);
  const Value raised = out.compute(
      Op::kShl, value, number(out, std::int64_t{kDoubleword} - position - size, kDoubleword));
  set(out,
      in.arguments[0],
      out.compute(Op::kLShr, raised, number(out, std::int64_t{kDoubleword} - size, kDoubleword)));
}

void emit_load_immediate(In in, Out out) {
  set(out, in.arguments[0], number(out, in.arguments[1].value));
}

void emit_load_upper(In in, Out out) {
  const std::uint64_t upper = static_cast<std::uint64_t>(in.arguments[1].value) << 16;
  set(out, in.arguments[0], out.constant(upper & 0xffffffffU, kWord));
}

void emit_move(In in, Out out) {
  set(out, in.arguments[0], get(out, in.arguments[1]));
}

// Control

template <Op kOp>
void emit_branch(In in, Out out) {
  const Value a = get(out, in.arguments[0]);
  const Value b = get(out, in.arguments[1]);
  out.branch_if(out.compute(kOp, a, b), in.arguments[2].text);
}

template <Op kOp, bool kSwapped = false>
void emit_branch_zero(In in, Out out) {
  const Value a = get(out, in.arguments[0]);
  const Value zero = number(out, 0);
  const Value condition = kSwapped ? out.compute(kOp, zero, a) : out.compute(kOp, a, zero);
  out.branch_if(condition, in.arguments[1].text);
}

void emit_jump(In in, Out out) {
  out.jump(in.arguments[0].text);
}
/// To a label; by register 31 it is a return, which ends the thread if it is to none.
void emit_jump_register(In in, Out out) {
  if (in.arguments[0].name == "r31")
    out.return_by("r31");
  else
    out.jump_to(get(out, in.arguments[0]));
}
void emit_nothing(In, Out) {}

// Memory

template <unsigned kBits, bool kSigned = true>
void emit_load(In in, Out out) {
  const Value value = out.load(address_of(out, in.arguments[1]), kBits, Marks{});
  set(out,
      in.arguments[0],
      kSigned ? out.sign_extend(value, out.width()) : out.zero_extend(value, out.width()));
}

template <unsigned kBits>
void emit_store(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(address_of(out, in.arguments[1]), value, Marks{});
}

Marks exclusive() {
  return Marks{ir::Order::kRelaxed, {"EX", "X"}};
}

template <unsigned kBits>
void emit_load_linked(In in, Out out) {
  const Value address = address_of(out, in.arguments[1]);
  set(out, in.arguments[0], out.load_exclusive(address, kBits, exclusive()));
}

/// The register that is stored gets 1 if it was, 0 if not.
template <unsigned kBits>
void emit_store_conditional(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  const Value address = address_of(out, in.arguments[1]);
  const Value success = out.store_exclusive(address, value, exclusive());
  set(out, in.arguments[0], out.zero_extend(success, out.width()));
}

void emit_sync(In, Out out) {
  out.fence(Marks{ir::Order::kSeqCst, {"SYNC"}});
}

constexpr std::array kForms = {
    Form{"li", "ri", &emit_load_immediate},
    Form{"lui", "ri", &emit_load_upper},
    Form{"move", "rr", &emit_move},
    Form{"add", "rrr", &emit_registers<Op::kAdd, kWord>},
    Form{"addu", "rrr", &emit_registers<Op::kAdd, kWord>},
    Form{"addi", "rri", &emit_immediate<Op::kAdd, kWord>},
    Form{"addiu", "rri", &emit_immediate<Op::kAdd, kWord>},
    Form{"sub", "rrr", &emit_registers<Op::kSub, kWord>},
    Form{"subu", "rrr", &emit_registers<Op::kSub, kWord>},
    Form{"subi", "rri", &emit_immediate<Op::kSub, kWord>},
    Form{"subiu", "rri", &emit_immediate<Op::kSub, kWord>},
    Form{"mul", "rrr", &emit_registers<Op::kMul, kWord>},
    Form{"and", "rrr", &emit_registers<Op::kAnd>},
    Form{"andi", "rri", &emit_immediate<Op::kAnd>},
    Form{"or", "rrr", &emit_registers<Op::kOr>},
    Form{"ori", "rri", &emit_immediate<Op::kOr>},
    Form{"xor", "rrr", &emit_registers<Op::kXor>},
    Form{"xori", "rri", &emit_immediate<Op::kXor>},
    Form{"nor", "rrr", &emit_nor},
    Form{"slt", "rrr", &emit_less<Op::kSLt>},
    Form{"slti", "rri", &emit_less<Op::kSLt>},
    Form{"sltu", "rrr", &emit_less<Op::kULt>},
    Form{"sltiu", "rri", &emit_less<Op::kULt>},
    Form{"sll", "rrv", &emit_shift<Op::kShl>},
    Form{"sllv", "rrr", &emit_shift<Op::kShl>},
    Form{"srl", "rrv", &emit_shift<Op::kLShr>},
    Form{"srlv", "rrr", &emit_shift<Op::kLShr>},
    Form{"sra", "rrv", &emit_shift<Op::kAShr>},
    Form{"srav", "rrr", &emit_shift<Op::kAShr>},

    Form{"dadd", "rrr", &emit_registers<Op::kAdd>},
    Form{"daddu", "rrr", &emit_registers<Op::kAdd>},
    Form{"daddi", "rri", &emit_immediate<Op::kAdd>},
    Form{"daddiu", "rri", &emit_immediate<Op::kAdd>},
    Form{"dsub", "rrr", &emit_registers<Op::kSub>},
    Form{"dsubu", "rrr", &emit_registers<Op::kSub>},
    Form{"dsll", "rrv", &emit_shift<Op::kShl, kDoubleword>},
    Form{"dsllv", "rrr", &emit_shift<Op::kShl, kDoubleword>},
    Form{"dsll32", "rri", &emit_shift<Op::kShl, kDoubleword, kWord>},
    Form{"dsrl", "rrv", &emit_shift<Op::kLShr, kDoubleword>},
    Form{"dsrlv", "rrr", &emit_shift<Op::kLShr, kDoubleword>},
    Form{"dsrl32", "rri", &emit_shift<Op::kLShr, kDoubleword, kWord>},
    Form{"dsra", "rrv", &emit_shift<Op::kAShr, kDoubleword>},
    Form{"dsrav", "rrr", &emit_shift<Op::kAShr, kDoubleword>},
    Form{"dsra32", "rri", &emit_shift<Op::kAShr, kDoubleword, kWord>},
    Form{"dext", "rrii", &emit_extract},
    Form{"dextm", "rrii", &emit_extract},
    Form{"dextu", "rrii", &emit_extract},

    Form{"b", "n", &emit_jump},
    Form{"j", "n", &emit_jump},
    Form{"jr", "r", &emit_jump_register},
    Form{"beq", "rrn", &emit_branch<Op::kEq>},
    Form{"bne", "rrn", &emit_branch<Op::kNe>},
    Form{"beqz", "rn", &emit_branch_zero<Op::kEq>},
    Form{"bnez", "rn", &emit_branch_zero<Op::kNe>},
    Form{"bltz", "rn", &emit_branch_zero<Op::kSLt>},
    Form{"blez", "rn", &emit_branch_zero<Op::kSLe>},
    Form{"bgtz", "rn", &emit_branch_zero<Op::kSLt, true>},
    Form{"bgez", "rn", &emit_branch_zero<Op::kSLe, true>},

    Form{"lb", "rm", &emit_load<8>},
    Form{"lbu", "rm", &emit_load<8, false>},
    Form{"lh", "rm", &emit_load<16>},
    Form{"lhu", "rm", &emit_load<16, false>},
    Form{"lw", "rm", &emit_load<32>},
    Form{"sb", "rm", &emit_store<8>},
    Form{"sh", "rm", &emit_store<16>},
    Form{"sw", "rm", &emit_store<32>},
    Form{"ll", "rm", &emit_load_linked<kWord>},
    Form{"sc", "rm", &emit_store_conditional<kWord>},
    Form{"lwu", "rm", &emit_load<kWord, false>},
    Form{"ld", "rm", &emit_load<kDoubleword>},
    Form{"sd", "rm", &emit_store<kDoubleword>},
    Form{"lld", "rm", &emit_load_linked<kDoubleword>},
    Form{"scd", "rm", &emit_store_conditional<kDoubleword>},
    Form{"sync", "", &emit_sync},
    Form{"nop", "", &emit_nothing},
};

/// What only MIPS64 has.
constexpr std::array<std::string_view, 23> kDoublewords = {
    "ld",     "sd",   "lld",   "scd",    "lwu",   "dadd",   "daddu", "daddi",
    "daddiu", "dsub", "dsubu", "dsll",   "dsllv", "dsll32", "dsrl",  "dsrlv",
    "dsrl32", "dsra", "dsrav", "dsra32", "dext",  "dextm",  "dextu"};

bool is_for_doublewords(std::string_view mnemonic) {
  return std::find(kDoublewords.begin(), kDoublewords.end(), mnemonic) != kDoublewords.end();
}

/// Numbers within instructions have 16 bits; shifts and bit fields stay within a register.
Status check_numbers(In in) {
  const auto is_number = [&](std::size_t i) {
    return i < in.arguments.size() && in.arguments[i].kind == Argument::Kind::kImmediate;
  };
  if (in.mnemonic.starts_with("dext")) {
    if (!is_number(2) || !is_number(3))
      return Done{};
    const std::int64_t position = in.arguments[2].value;
    const std::int64_t size = in.arguments[3].value;
    if (position < 0 || position >= kDoubleword || size < 1 || size > kDoubleword - position)
      return instruction_error(
          in, in.arguments[2].column, "the number of a bit and how many there are were expected");
    return Done{};
  }
  if (in.arguments.size() != 3 || !is_number(2))
    return Done{};
  const Argument& last = in.arguments[2];
  if (last.value < -0x8000 || last.value > 0xffff)
    return instruction_error(in, last.column, "a number of 16 bits was expected");
  return Done{};
}

/// The names of the calling convention (o32), for $0 to $31.
constexpr std::array<std::string_view, 32> kNames = {
    "$zero", "$at", "$v0", "$v1", "$a0", "$a1", "$a2", "$a3", "$t0", "$t1", "$t2",
    "$t3",   "$t4", "$t5", "$t6", "$t7", "$s0", "$s1", "$s2", "$s3", "$s4", "$s5",
    "$s6",   "$s7", "$t8", "$t9", "$k0", "$k1", "$gp", "$sp", "$fp", "$ra"};

class Mips final : public Dialect {
public:
  explicit Mips(bool is_64_bit) : width_(is_64_bit ? kDoubleword : kWord) {}

  [[nodiscard]] std::string vocabulary() const override { return "mips"; }
  [[nodiscard]] unsigned width() const override { return width_; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    for (const std::string_view prefix : {"r", "$", "$r"})
      if (const auto index = numbered_register(name, prefix, 32))
        return RegisterView{"r" + std::to_string(*index), width_};
    // Some write the names of the calling convention without the sign.
    const auto* const found =
        std::find_if(kNames.begin(), kNames.end(), [&](std::string_view known) {
          return name == known || name == known.substr(1);
        });
    for (unsigned number = 4; number < 8; ++number) // $a4 to $a7 of the newer conventions
      if (name == fmt::format("$a{}", number) || name == fmt::format("a{}", number))
        return RegisterView{"r" + std::to_string(number + 4), width_};
    if (found == kNames.end())
      return find_symbolic_register(name, width_);
    return RegisterView{"r" + std::to_string(found - kNames.begin()), width_};
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    Result<InstructionText> read = read_instruction(text, *this);
    if (!read)
      return read.error();
    InstructionText& in = *read;
    if (width_ == kWord && is_for_doublewords(in.mnemonic))
      return unsupported_instruction(in, "MIPS32 does not have it");
    if (const Status status = check_numbers(in); !status)
      return status;
    if (in.mnemonic == "sync" && in.arguments.size() == 1 &&
        in.arguments[0].kind == Argument::Kind::kImmediate) {
      if (in.arguments[0].value != 0)
        return instruction_error(
            in, in.arguments[0].column, "only the full barrier, sync 0, is supported");
      in.arguments.clear();
    }
    return emit_by_form(kForms, in, out);
  }

private:
  unsigned width_;
};

} // namespace

std::unique_ptr<Dialect> make_mips(bool is_64_bit) {
  return std::make_unique<Mips>(is_64_bit);
}

bool needs_mips64(std::string_view instruction) {
  std::string mnemonic;
  for (const char c : instruction.substr(0, instruction.find_first_of(" \t")))
    mnemonic += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return is_for_doublewords(mnemonic);
}

} // namespace heddle::frontend::litmus
