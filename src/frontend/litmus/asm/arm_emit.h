// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What ARM instructions do: an emitter for each kind, for the tables in arm.cpp. The flags N, Z, C
// and V are registers of their own. An instruction's suffixes ("s", a condition) are in its text.
#pragma once

#include "frontend/litmus/asm/instruction_text.h"

namespace heddle::frontend::litmus::arm {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using In = const InstructionText&;
using Out = ThreadBuilder&;

constexpr unsigned kWidth = 32;

inline Value number(Out out, std::int64_t value, unsigned bits = kWidth) {
  return out.constant(low_bits(value, bits), bits);
}

inline Value get(Out out, const Argument& argument, unsigned bits = kWidth) {
  return argument.kind == Argument::Kind::kImmediate ? number(out, argument.value, bits)
                                                     : out.get(argument.name, bits);
}

// Conditions

inline Value flag(Out out, const std::string& name) {
  return out.get(name, 1);
}

inline Value inverse(Out out, Value condition) {
  return out.compute(ir::Op::kXor, condition, number(out, 1, 1));
}

/// The condition of the instruction (1 bit), or nothing if it is always executed.
inline std::optional<Value> condition_of(In in, Out out) {
  for (const std::string& suffix : in.suffixes) {
    const auto is = [&](std::string_view a, std::string_view b = "") {
      return suffix == a || suffix == b;
    };
    if (is("s") || is("al"))
      continue;
    if (is("eq") || is("ne"))
      return is("eq") ? flag(out, "Z") : inverse(out, flag(out, "Z"));
    if (is("mi") || is("pl"))
      return is("mi") ? flag(out, "N") : inverse(out, flag(out, "N"));
    if (is("vs") || is("vc"))
      return is("vs") ? flag(out, "V") : inverse(out, flag(out, "V"));
    if (is("cs", "hs") || is("cc", "lo"))
      return is("cs", "hs") ? flag(out, "C") : inverse(out, flag(out, "C"));
    if (is("hi") || is("ls")) {
      const Value carry = flag(out, "C");
      const Value is_not_equal = inverse(out, flag(out, "Z"));
      const Value is_higher = out.compute(ir::Op::kAnd, carry, is_not_equal);
      return is("hi") ? is_higher : inverse(out, is_higher);
    }
    const Value negative = flag(out, "N");
    const Value overflow = flag(out, "V");
    const Value is_less = out.compute(ir::Op::kXor, negative, overflow);
    if (is("lt") || is("ge"))
      return is("lt") ? is_less : inverse(out, is_less);
    const Value is_at_most = out.compute(ir::Op::kOr, is_less, flag(out, "Z"));
    return is("le") ? is_at_most : inverse(out, is_at_most);
  }
  return std::nullopt;
}

/// Writes a register or flag, if the condition holds.
inline void
write(Out out, const std::string& name, Value value, const std::optional<Value>& condition) {
  if (condition)
    value = out.select(*condition, value, out.get(name, value.bits));
  out.set(name, value);
}

// Arithmetic

enum class Operation : std::uint8_t {
  kAdd,
  kSub,
  kReverseSub,
  kAnd,
  kClear,
  kOr,
  kXor,
  kMul,
};

constexpr ir::Op op_of(Operation operation) {
  switch (operation) {
  case Operation::kAdd:
    return ir::Op::kAdd;
  case Operation::kSub:
  case Operation::kReverseSub:
    return ir::Op::kSub;
  case Operation::kAnd:
  case Operation::kClear:
    return ir::Op::kAnd;
  case Operation::kOr:
    return ir::Op::kOr;
  case Operation::kXor:
    return ir::Op::kXor;
  case Operation::kMul:
    return ir::Op::kMul;
  }
  return ir::Op::kAdd;
}

struct Outcome {
  Value value;
  std::optional<Value> carry = {}; // C and V stay as they are where there is none
  std::optional<Value> overflow = {};
};

inline Value is_negative(Out out, Value value) {
  return out.compute(ir::Op::kSLt, value, number(out, 0));
}

template <Operation kOperation>
Outcome calculate(Out out, Value a, Value b, bool with_flags) {
  if constexpr (kOperation == Operation::kReverseSub)
    std::swap(a, b);
  if constexpr (kOperation == Operation::kClear)
    b = out.compute(ir::Op::kXor, b, number(out, -1));
  Outcome result{out.compute(op_of(kOperation), a, b)};
  constexpr bool kAdds = kOperation == Operation::kAdd;
  constexpr bool kSubtracts = kOperation == Operation::kSub || kOperation == Operation::kReverseSub;
  if (with_flags && (kAdds || kSubtracts)) {
    // A subtraction's carry says that nothing was borrowed.
    result.carry =
        kAdds ? out.compute(ir::Op::kULt, result.value, a) : out.compute(ir::Op::kULe, b, a);
    // Overflow: the result's sign differs from a's, and b's sign is a's (or, subtracting, is not).
    const Value turned = out.compute(ir::Op::kXor, a, result.value);
    const Value between =
        kAdds ? out.compute(ir::Op::kXor, b, result.value) : out.compute(ir::Op::kXor, a, b);
    result.overflow = is_negative(out, out.compute(ir::Op::kAnd, turned, between));
  }
  return result;
}

inline void write_flags(Out out, const Outcome& result, const std::optional<Value>& condition) {
  const Value negative = is_negative(out, result.value);
  const Value zero = out.compute(ir::Op::kEq, result.value, number(out, 0));
  write(out, "N", negative, condition);
  write(out, "Z", zero, condition);
  if (result.carry)
    write(out, "C", *result.carry, condition);
  if (result.overflow)
    write(out, "V", *result.overflow, condition);
}

inline void
write_result(In in, Out out, const Outcome& result, const std::optional<Value>& condition) {
  if (in.has_suffix("s"))
    write_flags(out, result, condition);
  write(out, in.arguments[0].name, result.value, condition);
}

/// Of two operands the first is also the destination.
template <Operation kOperation>
void emit_arithmetic(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  const std::size_t first = in.arguments.size() == 3 ? 1 : 0;
  const Value a = get(out, in.arguments[first]);
  const Value b = get(out, in.arguments[first + 1]);
  write_result(in, out, calculate<kOperation>(out, a, b, in.has_suffix("s")), condition);
}

template <Operation kOperation>
void emit_compare(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  const Value a = get(out, in.arguments[0]);
  const Value b = get(out, in.arguments[1]);
  write_flags(out, calculate<kOperation>(out, a, b, true), condition);
}

template <bool kInverted>
void emit_move(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  Value value = get(out, in.arguments[1]);
  if constexpr (kInverted)
    value = out.compute(ir::Op::kXor, value, number(out, -1));
  write_result(in, out, Outcome{value}, condition);
}

/// The upper half; the lower one stays.
inline void emit_move_top(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  const Value lower = out.compute(ir::Op::kAnd, get(out, in.arguments[0]), number(out, 0xffff));
  const Value upper = number(out, (in.arguments[1].value & 0xffff) << 16);
  write(out, in.arguments[0].name, out.compute(ir::Op::kOr, lower, upper), condition);
}

/// By a number from 0 to 31 (checked before); the carry of a shift is not modelled.
template <ir::Op kOp>
void emit_shift(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  const Value value = get(out, in.arguments[1]);
  const Value result = out.compute(kOp, value, get(out, in.arguments[2]));
  write_result(in, out, Outcome{result}, condition);
}

// Control

inline void emit_branch(In in, Out out) {
  const std::optional<Value> condition = condition_of(in, out);
  if (condition)
    out.branch_if(*condition, in.arguments[0].text);
  else
    out.jump(in.arguments[0].text);
}

template <ir::Op kOp>
void emit_branch_zero(In in, Out out) {
  const Value value = get(out, in.arguments[0]);
  out.branch_if(out.compute(kOp, value, number(out, 0)), in.arguments[1].text);
}

/// To a label; by LR it is a return, which ends the thread if it is to none.
inline void emit_exchange_branch(In in, Out out) {
  if (in.arguments[0].name == "LR")
    out.return_by("LR");
  else
    out.jump_to(get(out, in.arguments[0]));
}

inline void emit_nothing(In, Out) {}

// Memory

inline Value address_of(Out out, const Argument& memory) {
  const Value base = out.get(memory.name, kWidth);
  if (memory.index.empty())
    return memory.value == 0 ? base : out.compute(ir::Op::kAdd, base, number(out, memory.value));
  Value index = out.get(memory.index, kWidth);
  if (memory.index_shift != 0)
    index = out.compute(ir::Op::kShl, index, number(out, memory.index_shift));
  return out.compute(ir::Op::kAdd, base, index);
}

inline Value widened(Out out, Value value, bool is_signed) {
  return is_signed ? out.sign_extend(value, kWidth) : out.zero_extend(value, kWidth);
}

inline Marks acquire(std::vector<std::string> tags = {"A"}) {
  return Marks{ir::Order::kAcquire, std::move(tags)};
}
inline Marks release(std::vector<std::string> tags = {"L"}) {
  return Marks{ir::Order::kRelease, std::move(tags)};
}
inline Marks exclusive() {
  return Marks{ir::Order::kRelaxed, {"EX", "X"}};
}

template <unsigned kBits, bool kSigned = false>
void emit_load(In in, Out out) {
  const Value value = out.load(address_of(out, in.arguments[1]), kBits, Marks{});
  out.set(in.arguments[0].name, widened(out, value, kSigned));
}

template <unsigned kBits>
void emit_load_acquire(In in, Out out) {
  const Value value = out.load(address_of(out, in.arguments[1]), kBits, acquire());
  out.set(in.arguments[0].name, widened(out, value, false));
}

template <unsigned kBits>
void emit_store(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(address_of(out, in.arguments[1]), value, Marks{});
}

template <unsigned kBits>
void emit_store_release(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(address_of(out, in.arguments[1]), value, release());
}

/// LDRD, STRD, LDM and STM are an access to each word, in no order: all addresses and values are
/// there before the first.
inline std::vector<Value> words_from(Out out, Value address, std::size_t count) {
  out.note_extent(count * (kWidth / 8));
  std::vector<Value> words = {address};
  for (std::size_t i = 1; i < count; ++i)
    words.push_back(out.compute(
        ir::Op::kAdd, address, number(out, static_cast<std::int64_t>(i * (kWidth / 8)))));
  return words;
}

inline void
load_words(Out out, const std::vector<Value>& words, const std::vector<std::string>& registers) {
  std::vector<Value> values;
  for (const Value& word : words)
    values.push_back(out.load(word, kWidth, Marks{}));
  for (std::size_t i = 0; i < registers.size(); ++i)
    out.set(registers[i], values[i]);
}

inline void
store_words(Out out, const std::vector<Value>& words, const std::vector<std::string>& registers) {
  std::vector<Value> values;
  for (const std::string& name : registers)
    values.push_back(out.get(name, kWidth));
  for (std::size_t i = 0; i < words.size(); ++i)
    out.store(words[i], values[i], Marks{});
}

template <bool kLoads>
void emit_double(In in, Out out) {
  const std::vector<std::string> registers = {in.arguments[0].name, in.arguments[1].name};
  const std::vector<Value> words = words_from(out, address_of(out, in.arguments[2]), 2);
  kLoads ? load_words(out, words, registers) : store_words(out, words, registers);
}

/// Where the words of LDM and STM are: from the register on or up to it, and with its own word or
/// without.
enum class Block : std::uint8_t { kAfter, kBeforeUp, kDown, kBeforeDown }; // IA, IB, DA, DB

/// The lowest register is at the lowest address, in whatever order they are written.
template <bool kLoads, Block kBlock>
void emit_block(In in, Out out) {
  const std::vector<std::string>& registers = in.arguments[1].registers;
  const auto bytes = static_cast<std::int64_t>(registers.size() * (kWidth / 8));
  constexpr std::int64_t kWord = kWidth / 8;
  const std::int64_t begin = kBlock == Block::kAfter      ? 0
                             : kBlock == Block::kBeforeUp ? kWord
                             : kBlock == Block::kDown     ? kWord - bytes
                                                          : -bytes;
  const Value base = out.get(in.arguments[0].name, kWidth);
  const Value first = begin == 0 ? base : out.compute(ir::Op::kAdd, base, number(out, begin));
  const std::vector<Value> words = words_from(out, first, registers.size());
  kLoads ? load_words(out, words, registers) : store_words(out, words, registers);
  constexpr bool kGoesUp = kBlock == Block::kAfter || kBlock == Block::kBeforeUp;
  if (in.arguments[0].is_written_back)
    out.set(in.arguments[0].name,
            out.compute(ir::Op::kAdd, base, number(out, kGoesUp ? bytes : -bytes)));
}

template <unsigned kBits, bool kAcquire>
void emit_load_exclusive(In in, Out out) {
  const Marks marks = kAcquire ? acquire({"A", "EX", "X"}) : exclusive();
  const Value value = out.load_exclusive(address_of(out, in.arguments[1]), kBits, marks);
  out.set(in.arguments[0].name, widened(out, value, false));
}

/// The first register gets 0 if it stored, 1 if it did not.
template <unsigned kBits, bool kRelease>
void emit_store_exclusive(In in, Out out) {
  const Marks marks = kRelease ? release({"EX", "L", "X"}) : exclusive();
  const Value value = get(out, in.arguments[1], kBits);
  const Value success = out.store_exclusive(address_of(out, in.arguments[2]), value, marks);
  out.set(in.arguments[0].name, out.select(success, number(out, 0), number(out, 1)));
}

/// The exclusives of doublewords are single accesses of two registers, the low word in the first.
/// Only in such tests are words less than the largest access, so that sizes matter.
template <bool kAcquire>
void emit_load_exclusive_double(In in, Out out) {
  constexpr unsigned kBits = 2 * kWidth;
  out.note_extent(kBits / 8);
  const Marks marks = kAcquire ? acquire({"A", "EX", "X"}) : exclusive();
  const Value value = out.load_exclusive(address_of(out, in.arguments[2]), kBits, marks);
  const Value upper = out.compute(ir::Op::kLShr, value, number(out, kWidth, kBits));
  out.set(in.arguments[0].name, out.truncate(value, kWidth));
  out.set(in.arguments[1].name, out.truncate(upper, kWidth));
}

template <bool kRelease>
void emit_store_exclusive_double(In in, Out out) {
  constexpr unsigned kBits = 2 * kWidth;
  out.note_extent(kBits / 8);
  const Marks marks = kRelease ? release({"EX", "L", "X"}) : exclusive();
  const Value low = out.zero_extend(get(out, in.arguments[1]), kBits);
  const Value high = out.zero_extend(get(out, in.arguments[2]), kBits);
  const Value upper = out.compute(ir::Op::kShl, high, number(out, kWidth, kBits));
  const Value value = out.compute(ir::Op::kOr, low, upper);
  const Value success = out.store_exclusive(address_of(out, in.arguments[3]), value, marks);
  out.set(in.arguments[0].name, out.select(success, number(out, 0), number(out, 1)));
}

/// DMB and DSB with an option; SY, the full one, is not named.
inline void emit_barrier(In in, Out out) {
  std::string tag = in.mnemonic == "dmb" ? "DMB" : "DSB";
  std::string option;
  if (!in.arguments.empty())
    for (const char c : in.arguments[0].text)
      option += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (!option.empty() && option != "SY")
    tag += "." + option;
  const bool only_stores = option.ends_with("ST");
  out.fence(Marks{only_stores ? ir::Order::kRelaxed : ir::Order::kSeqCst, {tag}});
}

inline void emit_isb(In, Out out) {
  out.fence(Marks{ir::Order::kRelaxed, {"ISB"}});
}

} // namespace heddle::frontend::litmus::arm
