// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// MIPS32, the integer subset. Register 0 reads as 0 and takes no writes. Tests are written without
// delay slots: a branch takes effect at once. Traps on overflow are not modelled, so that add is
// addu.
#include "frontend/litmus/instruction_text.h"

#include <algorithm>
#include <array>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using In = const InstructionText&;
using Out = ThreadBuilder&;
using ir::Op;

constexpr unsigned kWidth = 32;
constexpr std::string_view kZero = "r0";

Value number(Out out, std::int64_t value, unsigned bits = kWidth) {
  return out.constant(low_bits(value, bits), bits);
}

Value get(Out out, const Argument& argument, unsigned bits = kWidth) {
  return argument.name == kZero ? number(out, 0, bits) : out.get(argument.name, bits);
}

void set(Out out, const Argument& argument, Value value) {
  if (argument.name != kZero)
    out.set(argument.name, value);
}

Value address_of(Out out, const Argument& memory) {
  const Value base = get(out, memory);
  return memory.value == 0 ? base : out.compute(Op::kAdd, base, number(out, memory.value));
}

// Arithmetic

template <Op kOp>
void emit_registers(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  const Value b = get(out, in.arguments[2]);
  set(out, in.arguments[0], out.compute(kOp, a, b));
}

template <Op kOp>
void emit_immediate(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  set(out, in.arguments[0], out.compute(kOp, a, number(out, in.arguments[2].value)));
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
  const Value b =
      right.kind == Argument::Kind::kImmediate ? number(out, right.value) : get(out, right);
  set(out, in.arguments[0], out.zero_extend(out.compute(kOp, a, b), kWidth));
}

template <Op kOp>
void emit_shift(In in, Out out) {
  const Value value = get(out, in.arguments[1]);
  const Argument& by = in.arguments[2];
  const Value given = by.kind == Argument::Kind::kImmediate ? number(out, by.value) : get(out, by);
  const Value amount = out.compute(Op::kAnd, given, number(out, kWidth - 1));
  set(out, in.arguments[0], out.compute(kOp, value, amount));
}

void emit_load_immediate(In in, Out out) {
  set(out, in.arguments[0], number(out, in.arguments[1].value));
}

void emit_load_upper(In in, Out out) {
  const std::uint64_t upper = static_cast<std::uint64_t>(in.arguments[1].value) << 16;
  set(out, in.arguments[0], out.constant(upper & 0xffffffffU, kWidth));
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
void emit_nothing(In, Out) {}

// Memory

template <unsigned kBits, bool kSigned = true>
void emit_load(In in, Out out) {
  const Value value = out.load(address_of(out, in.arguments[1]), kBits, Marks{});
  set(out,
      in.arguments[0],
      kSigned ? out.sign_extend(value, kWidth) : out.zero_extend(value, kWidth));
}

template <unsigned kBits>
void emit_store(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(address_of(out, in.arguments[1]), value, Marks{});
}

Marks exclusive() {
  return Marks{ir::Order::kRelaxed, {"EX", "X"}};
}

void emit_load_linked(In in, Out out) {
  const Value address = address_of(out, in.arguments[1]);
  set(out, in.arguments[0], out.load_exclusive(address, kWidth, exclusive()));
}

/// The register that is stored gets 1 if it was, 0 if not.
void emit_store_conditional(In in, Out out) {
  const Value value = get(out, in.arguments[0]);
  const Value address = address_of(out, in.arguments[1]);
  const Value success = out.store_exclusive(address, value, exclusive());
  set(out, in.arguments[0], out.zero_extend(success, kWidth));
}

void emit_sync(In, Out out) {
  out.fence(Marks{ir::Order::kSeqCst, {"SYNC"}});
}

constexpr std::array kForms = {
    Form{"li", "ri", &emit_load_immediate},
    Form{"lui", "ri", &emit_load_upper},
    Form{"move", "rr", &emit_move},
    Form{"add", "rrr", &emit_registers<Op::kAdd>},
    Form{"addu", "rrr", &emit_registers<Op::kAdd>},
    Form{"addi", "rri", &emit_immediate<Op::kAdd>},
    Form{"addiu", "rri", &emit_immediate<Op::kAdd>},
    Form{"sub", "rrr", &emit_registers<Op::kSub>},
    Form{"subu", "rrr", &emit_registers<Op::kSub>},
    Form{"subi", "rri", &emit_immediate<Op::kSub>},
    Form{"subiu", "rri", &emit_immediate<Op::kSub>},
    Form{"mul", "rrr", &emit_registers<Op::kMul>},
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

    Form{"b", "n", &emit_jump},
    Form{"j", "n", &emit_jump},
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
    Form{"ll", "rm", &emit_load_linked},
    Form{"sc", "rm", &emit_store_conditional},
    Form{"sync", "", &emit_sync},
    Form{"nop", "", &emit_nothing},
};

/// The instructions of MIPS64 that tests may have: refused by name, not as unknown.
constexpr std::array<std::string_view, 11> kDoublewords = {
    "ld", "sd", "lld", "scd", "daddu", "daddiu", "dsubu", "dsll", "dsrl", "dsra", "dext"};

/// The names of the calling convention (o32), for $0 to $31.
constexpr std::array<std::string_view, 32> kNames = {
    "$zero", "$at", "$v0", "$v1", "$a0", "$a1", "$a2", "$a3", "$t0", "$t1", "$t2",
    "$t3",   "$t4", "$t5", "$t6", "$t7", "$s0", "$s1", "$s2", "$s3", "$s4", "$s5",
    "$s6",   "$s7", "$t8", "$t9", "$k0", "$k1", "$gp", "$sp", "$fp", "$ra"};

class Mips final : public Dialect {
public:
  [[nodiscard]] std::string vocabulary() const override { return "mips"; }
  [[nodiscard]] unsigned width() const override { return kWidth; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    for (const std::string_view prefix : {"r", "$", "$r"})
      if (const auto index = numbered_register(name, prefix, 32))
        return RegisterView{"r" + std::to_string(*index), kWidth};
    // Some write the names of the calling convention without the sign.
    const auto* const found =
        std::find_if(kNames.begin(), kNames.end(), [&](std::string_view known) {
          return name == known || name == known.substr(1);
        });
    if (found == kNames.end())
      return find_symbolic_register(name, kWidth);
    return RegisterView{"r" + std::to_string(found - kNames.begin()), kWidth};
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    Result<InstructionText> read = read_instruction(text, *this);
    if (!read)
      return read.error();
    InstructionText& in = *read;
    if (std::find(kDoublewords.begin(), kDoublewords.end(), in.mnemonic) != kDoublewords.end())
      return unsupported_instruction(in, "tests are read as MIPS32, which does not have it");
    if (in.mnemonic == "sync" && in.arguments.size() == 1 &&
        in.arguments[0].kind == Argument::Kind::kImmediate) {
      if (in.arguments[0].value != 0)
        return instruction_error(
            in, in.arguments[0].column, "only the full barrier, sync 0, is supported");
      in.arguments.clear();
    }
    return emit_by_form(kForms, in, out);
  }
};

} // namespace

std::unique_ptr<Dialect> make_mips() {
  return std::make_unique<Mips>();
}

} // namespace heddle::frontend::litmus
