// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What PowerPC instructions do: an emitter for each kind, for the table in power.cpp. The fields of
// the condition register are registers of their own, CR0 to CR7, with the bits LT, GT, EQ, SO from
// the left. The summary-overflow bit, carries and overflows are not modelled: nothing we read uses
// them.
#pragma once

#include "frontend/litmus/asm/instruction_text.h"

namespace heddle::frontend::litmus::power {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using In = const InstructionText&;
using Out = ThreadBuilder&;

constexpr unsigned kWidth = 64;
constexpr std::uint64_t kLess = 8;
constexpr std::uint64_t kGreater = 4;
constexpr std::uint64_t kEqual = 2;

inline Value get(Out out, const Argument& argument, unsigned bits = kWidth) {
  return out.get(argument.name, bits);
}

inline Value number(Out out, std::int64_t value, unsigned bits = kWidth) {
  return out.constant(low_bits(value, bits), bits);
}

inline Value multiple(Out out, std::int64_t value, std::int64_t factor) {
  return out.constant(static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(factor),
                      kWidth);
}

/// (RA|0): register 0 stands for the number 0 as a base.
inline Value base_of(Out out, const Argument& argument) {
  if (argument.kind == Argument::Kind::kImmediate || argument.name == "r0")
    return number(out, 0);
  return out.get(argument.name, kWidth);
}

inline Value displaced(Out out, const Argument& memory) {
  const Value base = base_of(out, memory);
  return memory.value == 0 ? base : out.compute(ir::Op::kAdd, base, number(out, memory.value));
}

inline Value indexed(In in, Out out) {
  const Value base = base_of(out, in.arguments[1]);
  const Value index = get(out, in.arguments[2]);
  return out.compute(ir::Op::kAdd, base, index);
}

// Condition register

inline void set_field(Out out, const std::string& field, Value is_less, Value is_greater) {
  const Value rest = out.select(is_greater, number(out, kGreater, 4), number(out, kEqual, 4));
  out.set(field, out.select(is_less, number(out, kLess, 4), rest));
}

template <bool kSigned>
void compare(Out out, const std::string& field, Value a, Value b) {
  constexpr ir::Op kOp = kSigned ? ir::Op::kSLt : ir::Op::kULt;
  const Value is_less = out.compute(kOp, a, b);
  const Value is_greater = out.compute(kOp, b, a);
  set_field(out, field, is_less, is_greater);
}

template <bool kSigned, unsigned kBits>
void emit_compare(In in, Out out) {
  const bool has_field = in.arguments.size() == 3;
  const std::string field = has_field ? in.arguments[0].name : "CR0";
  const Argument& a = in.arguments[has_field ? 1 : 0];
  const Argument& b = in.arguments[has_field ? 2 : 1];
  const Value left = get(out, a, kBits);
  const Value right =
      b.kind == Argument::Kind::kImmediate ? number(out, b.value, kBits) : get(out, b, kBits);
  compare<kSigned>(out, field, left, right);
}

template <std::uint64_t kBit, bool kIfSet>
void emit_branch(In in, Out out) {
  const bool has_field = in.arguments.size() == 2;
  const Value field = out.get(has_field ? in.arguments[0].name : "CR0", 4);
  const Value bit = out.compute(ir::Op::kAnd, field, number(out, kBit, 4));
  const Value condition = out.compute(kIfSet ? ir::Op::kNe : ir::Op::kEq, bit, number(out, 0, 4));
  out.branch_if(condition, in.arguments.back().text);
}

// Arithmetic: the destination is the first operand

enum class Negated : std::uint8_t { kNo, kResult, kRight };

inline Value complement(Out out, Value value) {
  return out.compute(ir::Op::kXor, value, number(out, -1, value.bits));
}

template <ir::Op kOp, Negated kNegated = Negated::kNo>
void emit_registers(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  Value b = get(out, in.arguments[2]);
  if constexpr (kNegated == Negated::kRight)
    b = complement(out, b);
  Value result = out.compute(kOp, a, b);
  if constexpr (kNegated == Negated::kResult)
    result = complement(out, result);
  out.set(in.arguments[0].name, result);
}

inline void emit_subtract_from(In in, Out out) {
  const Value a = get(out, in.arguments[1]);
  const Value b = get(out, in.arguments[2]);
  out.set(in.arguments[0].name, out.compute(ir::Op::kSub, b, a));
}

template <ir::Op kOp, std::int64_t kFactor = 1>
void emit_immediate(In in, Out out) {
  const Value right = multiple(out, in.arguments[2].value, kFactor);
  out.set(in.arguments[0].name, out.compute(kOp, get(out, in.arguments[1]), right));
}

/// addi, subi, addis: (RA|0) plus a number.
template <std::int64_t kFactor>
void emit_add_immediate(In in, Out out) {
  const Value added = multiple(out, in.arguments[2].value, kFactor);
  if (in.arguments[1].name == "r0" || in.arguments[1].kind == Argument::Kind::kImmediate)
    out.set(in.arguments[0].name, added);
  else
    out.set(in.arguments[0].name, out.compute(ir::Op::kAdd, get(out, in.arguments[1]), added));
}

template <std::int64_t kFactor>
void emit_load_immediate(In in, Out out) {
  out.set(in.arguments[0].name, multiple(out, in.arguments[1].value, kFactor));
}

inline void emit_move(In in, Out out) {
  out.set(in.arguments[0].name, get(out, in.arguments[1]));
}

inline void emit_not(In in, Out out) {
  out.set(in.arguments[0].name, complement(out, get(out, in.arguments[1])));
}

inline void emit_negate(In in, Out out) {
  out.set(in.arguments[0].name,
          out.compute(ir::Op::kSub, number(out, 0), get(out, in.arguments[1])));
}

template <unsigned kBits>
void emit_sign_extend(In in, Out out) {
  out.set(in.arguments[0].name, out.sign_extend(get(out, in.arguments[1], kBits), kWidth));
}

/// The product of the low words, signed, in 64 bits.
inline void emit_multiply_low_word(In in, Out out) {
  const Value a = out.sign_extend(get(out, in.arguments[1], 32), kWidth);
  const Value b = out.sign_extend(get(out, in.arguments[2], 32), kWidth);
  out.set(in.arguments[0].name, out.compute(ir::Op::kMul, a, b));
}

/// Shifts of words and doublewords. An amount of as many bits as the operand has or more gives 0
/// (or copies of the sign); the amount has one bit more than selects a bit.
template <ir::Op kOp, unsigned kBits>
void emit_shift(In in, Out out) {
  const Value value = get(out, in.arguments[1], kBits);
  const Argument& by = in.arguments[2];
  const Value amount = out.compute(
      ir::Op::kAnd,
      by.kind == Argument::Kind::kImmediate ? number(out, by.value, kBits) : get(out, by, kBits),
      number(out, 2 * kBits - 1, kBits));
  const Value is_large = out.compute(ir::Op::kULt, number(out, kBits - 1, kBits), amount);
  const Value safe = out.compute(ir::Op::kAnd, amount, number(out, kBits - 1, kBits));
  const Value limit = kOp == ir::Op::kAShr ? out.compute(kOp, value, number(out, kBits - 1, kBits))
                                           : number(out, 0, kBits);
  const Value result = out.select(is_large, limit, out.compute(kOp, value, safe));
  if constexpr (kBits == kWidth)
    out.set(in.arguments[0].name, result);
  else if constexpr (kOp == ir::Op::kAShr)
    out.set(in.arguments[0].name, out.sign_extend(result, kWidth));
  else
    out.set(in.arguments[0].name, out.zero_extend(result, kWidth));
}

/// To the left by 0 to as many bits as it has, less one.
inline Value rotated(Out out, Value value, std::int64_t amount) {
  if (amount == 0)
    return value;
  const Value left = out.compute(ir::Op::kShl, value, number(out, amount, value.bits));
  const Value right =
      out.compute(ir::Op::kLShr, value, number(out, value.bits - amount, value.bits));
  return out.compute(ir::Op::kOr, left, right);
}

/// Bits are counted from the left: those from `first` to `last`, around the end if it is the
/// lesser.
constexpr std::uint64_t mask(std::int64_t first, std::int64_t last) {
  if (first > last)
    return first == last + 1 ? ~std::uint64_t{0} : ~mask(last + 1, first - 1);
  return (~std::uint64_t{0} >> first) & (~std::uint64_t{0} << (63 - last));
}

/// The bits of the mask from the value, the others 0 or, when inserting, as they are.
inline void set_masked(In in, Out out, Value value, std::uint64_t bits, bool inserts = false) {
  Value result = out.compute(ir::Op::kAnd, value, out.constant(bits, kWidth));
  if (inserts)
    result = out.compute(
        ir::Op::kOr,
        result,
        out.compute(ir::Op::kAnd, get(out, in.arguments[0]), out.constant(~bits, kWidth)));
  out.set(in.arguments[0].name, result);
}

/// rlwinm, rlwimi, rotlwi: the rotated word stands in both halves, of which the mask selects. Its
/// numbers count the bits of the lower one.
template <bool kInserts>
void emit_rotate_word(In in, Out out) {
  const Value word = rotated(out, get(out, in.arguments[1], 32), in.arguments[2].value);
  const Value low = out.zero_extend(word, kWidth);
  const Value high = out.compute(ir::Op::kShl, low, number(out, 32));
  const bool has_mask = in.arguments.size() == 5;
  const std::uint64_t bits =
      has_mask ? mask(32 + in.arguments[3].value, 32 + in.arguments[4].value) : mask(32, 63);
  set_masked(in, out, out.compute(ir::Op::kOr, high, low), bits, kInserts);
}

/// rldicl, rldicr, rotldi: what is left of the mask's first bit, or right of its last, becomes 0.
template <bool kClearsLeft>
void emit_rotate_double(In in, Out out) {
  const Value value = rotated(out, get(out, in.arguments[1]), in.arguments[2].value);
  const std::int64_t end = in.arguments.size() == 4 ? in.arguments[3].value : 0;
  set_masked(in, out, value, kClearsLeft ? mask(end, 63) : mask(0, end));
}

/// clrlwi and its kin: so many bits at one end, and all above a word, become 0.
template <unsigned kBits, bool kLeft>
void emit_clear(In in, Out out) {
  const std::int64_t count = in.arguments[2].value;
  const std::int64_t first = kWidth - kBits;
  set_masked(in,
             out,
             get(out, in.arguments[1]),
             kLeft ? mask(first + count, 63) : mask(first, 63 - count));
}

// Memory

inline Value widened(Out out, Value value, bool is_signed) {
  if (value.bits == kWidth)
    return value;
  return is_signed ? out.sign_extend(value, kWidth) : out.zero_extend(value, kWidth);
}

template <unsigned kBits, bool kSigned = false>
void emit_load(In in, Out out) {
  const Value value = out.load(displaced(out, in.arguments[1]), kBits, Marks{});
  out.set(in.arguments[0].name, widened(out, value, kSigned));
}

template <unsigned kBits, bool kSigned = false>
void emit_load_indexed(In in, Out out) {
  const Value value = out.load(indexed(in, out), kBits, Marks{});
  out.set(in.arguments[0].name, widened(out, value, kSigned));
}

/// The base is another register than the destination and not register 0 (checked before).
template <unsigned kBits>
void emit_load_update(In in, Out out) {
  const Argument& memory = in.arguments[1];
  const Value address =
      out.compute(ir::Op::kAdd, out.get(memory.name, kWidth), number(out, memory.value));
  const Value value = out.load(address, kBits, Marks{});
  out.set(in.arguments[0].name, widened(out, value, false));
  out.set(memory.name, address);
}

template <unsigned kBits>
void emit_store(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(displaced(out, in.arguments[1]), value, Marks{});
}

template <unsigned kBits>
void emit_store_indexed(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  out.store(indexed(in, out), value, Marks{});
}

template <unsigned kBits>
void emit_store_update(In in, Out out) {
  const Argument& memory = in.arguments[1];
  const Value address =
      out.compute(ir::Op::kAdd, out.get(memory.name, kWidth), number(out, memory.value));
  out.store(address, get(out, in.arguments[0], kBits), Marks{});
  out.set(memory.name, address);
}

inline Marks exclusive() {
  return Marks{ir::Order::kRelaxed, {"EX", "X"}};
}

template <unsigned kBits>
void emit_load_reserve(In in, Out out) {
  const Value value = out.load_exclusive(indexed(in, out), kBits, exclusive());
  out.set(in.arguments[0].name, widened(out, value, false));
}

/// CR0 is EQ if it stored and nothing otherwise.
template <unsigned kBits>
void emit_store_conditional(In in, Out out) {
  const Value value = get(out, in.arguments[0], kBits);
  const Value success = out.store_exclusive(indexed(in, out), value, exclusive());
  out.set("CR0", out.select(success, number(out, kEqual, 4), number(out, 0, 4)));
}

// Barriers and the rest

inline void emit_sync(In, Out out) {
  out.fence(Marks{ir::Order::kSeqCst, {"SYNC"}});
}
inline void emit_lwsync(In, Out out) {
  out.fence(Marks{ir::Order::kAcqRel, {"LWSYNC"}});
}
inline void emit_isync(In, Out out) {
  out.fence(Marks{ir::Order::kRelaxed, {"ISYNC"}});
}
inline void emit_eieio(In, Out out) {
  out.fence(Marks{ir::Order::kRelaxed, {"EIEIO"}});
}
inline void emit_nothing(In, Out) {}
inline void emit_return(In, Out out) {
  out.finish();
}
inline void emit_jump(In in, Out out) {
  out.jump(in.arguments[0].text);
}

} // namespace heddle::frontend::litmus::power
