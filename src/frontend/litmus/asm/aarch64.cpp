// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// AArch64, the integer instructions of litmus tests (Arm ARM, C6.2): arithmetic, conditions and
// branches. Loads, stores and barriers are in aarch64_memory.cpp. The flags N, Z, C, V are
// registers. Operations on equal operands (EOR W2,W0,W0) are emitted like all others: a dependency
// is one even if the value is always the same.
#include "frontend/litmus/asm/aarch64_text.h"
#include "frontend/litmus/asm/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using ir::Op;

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

// Flags

void set_result_flags(ThreadBuilder& out, Value result) {
  const Value zero = out.constant(0, result.bits);
  out.set("N", out.compute(Op::kSLt, result, zero));
  out.set("Z", out.compute(Op::kEq, result, zero));
}

Value negated(ThreadBuilder& out, Value bit) {
  return out.compute(Op::kXor, bit, out.constant(1, 1));
}

Value inverted(ThreadBuilder& out, Value value) {
  return out.compute(Op::kXor, value, out.constant(kOnes, value.bits));
}

Value add(ThreadBuilder& out, Value a, Value b, bool sets_flags) {
  const Value result = out.compute(Op::kAdd, a, b);
  if (!sets_flags)
    return result;
  set_result_flags(out, result);
  out.set("C", out.compute(Op::kULt, result, a));
  const Value both =
      out.compute(Op::kAnd, out.compute(Op::kXor, a, result), out.compute(Op::kXor, b, result));
  out.set("V", out.compute(Op::kSLt, both, out.constant(0, both.bits)));
  return result;
}

Value subtract(ThreadBuilder& out, Value a, Value b, bool sets_flags) {
  const Value result = out.compute(Op::kSub, a, b);
  if (!sets_flags)
    return result;
  set_result_flags(out, result);
  out.set("C", out.compute(Op::kULe, b, a));
  const Value both =
      out.compute(Op::kAnd, out.compute(Op::kXor, a, b), out.compute(Op::kXor, a, result));
  out.set("V", out.compute(Op::kSLt, both, out.constant(0, both.bits)));
  return result;
}

Value logic(ThreadBuilder& out, Op op, Value a, Value b, bool sets_flags) {
  const Value result = out.compute(op, a, b);
  if (!sets_flags)
    return result;
  set_result_flags(out, result);
  out.set("C", out.constant(0, 1));
  out.set("V", out.constant(0, 1));
  return result;
}

struct ConditionCode {
  std::string_view name;
  std::string_view base;
  bool is_negated;
};
constexpr std::array<ConditionCode, 18> kConditions = {{
    {"EQ", "EQ", false},
    {"NE", "EQ", true},
    {"CS", "CS", false},
    {"HS", "CS", false},
    {"CC", "CS", true},
    {"LO", "CS", true},
    {"MI", "MI", false},
    {"PL", "MI", true},
    {"VS", "VS", false},
    {"VC", "VS", true},
    {"HI", "HI", false},
    {"LS", "HI", true},
    {"GE", "GE", false},
    {"LT", "GE", true},
    {"GT", "GT", false},
    {"LE", "GT", true},
    {"AL", "AL", false},
    {"NV", "AL", false},
}};

const ConditionCode* find_condition(std::string_view name) {
  const auto* found = std::find_if(kConditions.begin(),
                                   kConditions.end(),
                                   [&](const ConditionCode& known) { return known.name == name; });
  return found == kConditions.end() ? nullptr : found;
}

Value condition(ThreadBuilder& out, const ConditionCode& code) {
  const auto flag = [&](const char* name) { return out.get(name, 1); };
  const auto base = [&]() -> Value {
    if (code.base == "EQ")
      return flag("Z");
    if (code.base == "CS")
      return flag("C");
    if (code.base == "MI")
      return flag("N");
    if (code.base == "VS")
      return flag("V");
    if (code.base == "HI")
      return out.compute(Op::kAnd, flag("C"), negated(out, flag("Z")));
    if (code.base == "AL")
      return out.constant(1, 1);
    const Value is_not_less = negated(out, out.compute(Op::kXor, flag("N"), flag("V")));
    return code.base == "GE" ? is_not_less
                             : out.compute(Op::kAnd, is_not_less, negated(out, flag("Z")));
  };
  const Value bit = base();
  return code.is_negated ? negated(out, bit) : bit;
}

// The last operand of an arithmetic instruction, from operand i on: a register with a shift or an
// extension, or a number. All must be used up.
Result<Value> flexible(const A64Text& in, std::size_t i, unsigned bits, ThreadBuilder& out) {
  const auto* shift = in.find<A64Shift>(i + 1);
  if (in.size() != i + (shift != nullptr ? 2 : 1))
    return in.refuse(i + 1, "there are too many or too few operands");
  if (const auto* number = in.find<A64Immediate>(i)) {
    if (shift != nullptr && (shift->kind != A64Shift::Kind::kLsl || shift->amount > 12))
      return in.refuse(i + 1, "expected LSL #12");
    const unsigned amount = shift != nullptr ? shift->amount : 0;
    return out.constant(static_cast<std::uint64_t>(number->value) << amount, bits);
  }
  const auto* source = in.find<A64Register>(i);
  if (source == nullptr)
    return in.refuse(i, fmt::format("operand {} must be a register or a number", i + 1));
  const bool is_extended = shift != nullptr && shift->is_extension();
  if (source->bits != bits && !(is_extended && source->bits < bits))
    return in.refuse(i, "the registers have different widths");
  if (shift == nullptr)
    return get_a64(out, *source);
  if (shift->amount >= bits)
    return in.refuse(i + 1, "the shift is too wide");
  return shifted_a64(out, *source, *shift, bits);
}

// Instructions

Status emit_binary(const A64Text& in, ThreadBuilder& out) {
  std::string name = in.mnemonic;
  const bool is_comparison = name == "CMP" || name == "CMN" || name == "TST";
  const std::size_t sources = is_comparison ? 0 : 1;
  if (const Status checked = in.check_registers(sources + 1); !checked)
    return checked.error();
  const A64Register& first = *in.find<A64Register>(sources);
  const Result<Value> operand = flexible(in, sources + 1, first.bits, out);
  if (!operand)
    return operand.error();
  const bool sets_flags = is_comparison || name.ends_with("S");
  if (is_comparison)
    name = name == "CMP" ? "SUB" : name == "CMN" ? "ADD" : "AND";
  else if (sets_flags)
    name.pop_back();
  const Value a = get_a64(out, first);
  const auto result = [&]() -> Value {
    if (name == "ADD")
      return add(out, a, *operand, sets_flags);
    if (name == "SUB")
      return subtract(out, a, *operand, sets_flags);
    if (name == "AND")
      return logic(out, Op::kAnd, a, *operand, sets_flags);
    if (name == "BIC")
      return logic(out, Op::kAnd, a, inverted(out, *operand), sets_flags);
    if (name == "ORR")
      return logic(out, Op::kOr, a, *operand, false);
    if (name == "ORN")
      return logic(out, Op::kOr, a, inverted(out, *operand), false);
    if (name == "EON")
      return logic(out, Op::kXor, a, inverted(out, *operand), false);
    return logic(out, Op::kXor, a, *operand, false); // EOR
  };
  const Value value = result();
  if (!is_comparison)
    set_a64(out, *in.find<A64Register>(0), value);
  return Done{};
}

// MOV, MVN, NEG, NEGS
Status emit_unary(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(1); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  const Result<Value> operand = flexible(in, 1, target.bits, out);
  if (!operand)
    return operand.error();
  Value value = *operand;
  if (in.mnemonic == "MVN")
    value = inverted(out, value);
  else if (in.mnemonic != "MOV")
    value = subtract(out, out.constant(0, target.bits), value, in.mnemonic == "NEGS");
  set_a64(out, target, value);
  return Done{};
}

// MOVZ, MOVN, MOVK
Status emit_move_wide(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(1); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  const auto* number = in.find<A64Immediate>(1);
  if (number == nullptr || number->value < 0 || number->value > 0xffff)
    return in.refuse(1, "expected a number of 16 bits");
  const auto* shift = in.find<A64Shift>(2);
  const unsigned amount = shift != nullptr ? shift->amount : 0;
  const bool is_shift = shift == nullptr || shift->kind == A64Shift::Kind::kLsl;
  if (in.size() != (shift != nullptr ? 3 : 2) || !is_shift || amount % 16 != 0 ||
      amount >= target.bits)
    return in.refuse(2, "expected nothing, or LSL by 0, 16, 32 or 48");
  const std::uint64_t value = static_cast<std::uint64_t>(number->value) << amount;
  if (in.mnemonic == "MOVZ") {
    set_a64(out, target, out.constant(value, target.bits));
  } else if (in.mnemonic == "MOVN") {
    set_a64(out, target, out.constant(~value, target.bits));
  } else {
    const Value kept = out.compute(Op::kAnd,
                                   get_a64(out, target),
                                   out.constant(~(std::uint64_t{0xffff} << amount), target.bits));
    set_a64(out, target, out.compute(Op::kOr, kept, out.constant(value, target.bits)));
  }
  return Done{};
}

// LSL, LSR, ASR, ROR by a number or by a register, of which the low bits count. These names are
// operands too (A64Shift), so only the mnemonic is looked at.
Status emit_shift(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(2); !checked)
    return checked.error();
  if (in.size() != 3)
    return in.refuse(3, "expected 3 operands");
  const A64Register& target = *in.find<A64Register>(0);
  const A64Register& source = *in.find<A64Register>(1);
  using Kind = A64Shift::Kind;
  const auto is = [&](std::string_view name) { return in.mnemonic.starts_with(name); };
  const Kind kind = is("LSL")   ? Kind::kLsl
                    : is("LSR") ? Kind::kLsr
                    : is("ASR") ? Kind::kAsr
                                : Kind::kRor;
  const bool is_by_register = in.mnemonic.ends_with("V");
  if (const auto* number = in.find<A64Immediate>(2); number != nullptr && !is_by_register) {
    if (number->value < 0 || number->value >= static_cast<std::int64_t>(target.bits))
      return in.refuse(2, "the shift is too wide");
    const A64Shift shift{kind, static_cast<unsigned>(number->value)};
    set_a64(out, target, shifted_a64(out, source, shift, target.bits));
    return Done{};
  }
  if (const Status checked = in.check_registers(3); !checked)
    return checked.error();
  const Value last = out.constant(target.bits - 1, target.bits);
  const Value amount = out.compute(Op::kAnd, get_a64(out, *in.find<A64Register>(2)), last);
  if (kind == Kind::kRor) {
    // To the left by as many bits as are missing; by none if none are.
    const Value value = get_a64(out, source);
    const Value zero = out.constant(0, target.bits);
    const Value rest = out.compute(Op::kAnd, out.compute(Op::kSub, zero, amount), last);
    set_a64(out,
            target,
            out.compute(Op::kOr,
                        out.compute(Op::kLShr, value, amount),
                        out.compute(Op::kShl, value, rest)));
    return Done{};
  }
  const Op op = kind == Kind::kLsl ? Op::kShl : kind == Kind::kLsr ? Op::kLShr : Op::kAShr;
  set_a64(out, target, out.compute(op, get_a64(out, source), amount));
  return Done{};
}

// EXTR: the bits from the given one on of the two registers, the first above the second.
Status emit_extract(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(3); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  const auto* lowest = in.find<A64Immediate>(3);
  const bool is_in_range = lowest != nullptr && lowest->value >= 0 &&
                           lowest->value < static_cast<std::int64_t>(target.bits);
  if (in.size() != 4 || !is_in_range)
    return in.refuse(3, "expected the number of a bit");
  const Value high = get_a64(out, *in.find<A64Register>(1));
  const Value low = get_a64(out, *in.find<A64Register>(2));
  const auto amount = static_cast<unsigned>(lowest->value);
  if (amount == 0) {
    set_a64(out, target, low);
    return Done{};
  }
  const Value upper = out.compute(Op::kShl, high, out.constant(target.bits - amount, target.bits));
  const Value lower = out.compute(Op::kLShr, low, out.constant(amount, target.bits));
  set_a64(out, target, out.compute(Op::kOr, upper, lower));
  return Done{};
}

// Bit fields: `bits` of the source from bit `from` on go to bit `to` of the target.
struct BitField {
  unsigned from = 0;
  unsigned to = 0;
  unsigned bits = 1;
};

// As UBFM, SBFM and BFM have it, of which all others are other spellings (Arm ARM, C6.2).
BitField field_of(unsigned rotation, unsigned last, unsigned width) {
  if (last >= rotation)
    return {rotation, 0, last - rotation + 1};
  return {0, width - rotation, last + 1};
}

// UBFM, SBFM, BFM Rd,Rn,#rotation,#last; UBFX, SBFX, BFXIL Rd,Rn,#lowest,#width; UBFIZ, SBFIZ, BFI
// Rd,Rn,#lowest,#width; BFC Rd,#lowest,#width
Status emit_bit_field(const A64Text& in, ThreadBuilder& out) {
  const std::string& name = in.mnemonic;
  const std::size_t registers = name == "BFC" ? 1 : 2;
  if (const Status checked = in.check_registers(registers); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  const auto* first = in.find<A64Immediate>(registers);
  const auto* second = in.find<A64Immediate>(registers + 1);
  const auto width = static_cast<std::int64_t>(target.bits);
  const bool is_rotation = name.ends_with("M");
  const bool has_numbers = in.size() == registers + 2 && first != nullptr && second != nullptr &&
                           first->value >= 0 && first->value < width;
  if (!has_numbers || (is_rotation ? second->value < 0 || second->value >= width
                                   : second->value <= 0 || second->value > width - first->value))
    return in.refuse(registers,
                     is_rotation ? "expected the numbers of two bits"
                                 : "expected the number of a bit and how many there are");
  const auto a = static_cast<unsigned>(first->value);
  const auto b = static_cast<unsigned>(second->value);
  const bool is_extraction = name.ends_with("X") || name == "BFXIL";
  const BitField field = is_rotation     ? field_of(a, b, target.bits)
                         : is_extraction ? BitField{a, 0, b}
                                         : BitField{0, a, b};
  const Value source =
      registers == 1 ? out.constant(0, target.bits) : get_a64(out, *in.find<A64Register>(1));
  const Value raised = out.compute(
      Op::kShl, source, out.constant(target.bits - field.from - field.bits, target.bits));
  const Value placed = out.compute(name[0] == 'S' ? Op::kAShr : Op::kLShr,
                                   raised,
                                   out.constant(target.bits - field.bits - field.to, target.bits));
  if (name[0] != 'B') {
    set_a64(out, target, placed);
    return Done{};
  }
  const std::uint64_t ones = kOnes >> (64 - field.bits);
  const Value kept =
      out.compute(Op::kAnd, get_a64(out, target), out.constant(~(ones << field.to), target.bits));
  set_a64(out, target, out.compute(Op::kOr, kept, placed));
  return Done{};
}

// Every other group of so many bits, from bit 0 on.
std::uint64_t groups(unsigned bits) {
  return kOnes / ((std::uint64_t{1} << bits) + 1);
}

// Neighbouring groups of so many bits change places.
Value with_neighbours_swapped(ThreadBuilder& out, Value value, unsigned bits) {
  const Value mask = out.constant(groups(bits), value.bits);
  const Value by = out.constant(bits, value.bits);
  const Value up = out.compute(Op::kShl, out.compute(Op::kAnd, value, mask), by);
  const Value down = out.compute(Op::kAnd, out.compute(Op::kLShr, value, by), mask);
  return out.compute(Op::kOr, up, down);
}

// The order of all groups of `from` bits within those of `to` bits is reversed.
Value reversed(ThreadBuilder& out, Value value, unsigned from, unsigned to) {
  for (unsigned bits = from; bits < to; bits *= 2)
    value = with_neighbours_swapped(out, value, bits);
  return value;
}

// How many bits are 1: sums of neighbouring groups, of twice as many bits each time.
Value count_ones(ThreadBuilder& out, Value value) {
  for (unsigned bits = 1; bits < value.bits; bits *= 2) {
    const Value mask = out.constant(groups(bits), value.bits);
    const Value upper = out.compute(Op::kLShr, value, out.constant(bits, value.bits));
    value = out.compute(
        Op::kAdd, out.compute(Op::kAnd, value, mask), out.compute(Op::kAnd, upper, mask));
  }
  return value;
}

Value count_leading_zeros(ThreadBuilder& out, Value value) {
  for (unsigned bits = 1; bits < value.bits; bits *= 2)
    value =
        out.compute(Op::kOr, value, out.compute(Op::kLShr, value, out.constant(bits, value.bits)));
  return count_ones(out, inverted(out, value));
}

// RBIT, REV, REV16, REV32, REV64, CLZ, CLS, CTZ, CNT, ABS
Status emit_of_one_register(const A64Text& in, ThreadBuilder& out) {
  if (in.size() != 2)
    return in.refuse(2, "expected 2 operands");
  if (const Status checked = in.check_registers(2); !checked)
    return checked.error();
  const std::string& name = in.mnemonic;
  const A64Register& target = *in.find<A64Register>(0);
  if ((name == "REV32" || name == "REV64") && target.bits != 64)
    return in.refuse(0, "expected X registers");
  const Value value = get_a64(out, *in.find<A64Register>(1));
  const auto sign = [&] {
    return out.compute(Op::kAShr, value, out.constant(value.bits - 1, value.bits));
  };
  const auto result = [&]() -> Value {
    if (name == "RBIT")
      return reversed(out, value, 1, value.bits);
    if (name == "REV16")
      return reversed(out, value, 8, 16);
    if (name == "REV32")
      return reversed(out, value, 8, 32);
    if (name == "CNT")
      return count_ones(out, value);
    if (name == "CLZ")
      return count_leading_zeros(out, value);
    if (name == "CTZ")
      return count_leading_zeros(out, reversed(out, value, 1, value.bits));
    if (name == "CLS") { // those after the first that are like it
      const Value next = out.compute(Op::kAShr, value, out.constant(1, value.bits));
      const Value zeros = count_leading_zeros(out, out.compute(Op::kXor, value, next));
      return out.compute(Op::kSub, zeros, out.constant(1, value.bits));
    }
    if (name == "ABS") { // the least number is its own
      const Value mask = sign();
      return out.compute(Op::kSub, out.compute(Op::kXor, value, mask), mask);
    }
    return reversed(out, value, 8, value.bits); // REV, REV64
  };
  set_a64(out, target, result());
  return Done{};
}

// MUL, MADD, MSUB, MNEG
Status emit_multiply(const A64Text& in, ThreadBuilder& out) {
  const std::string& name = in.mnemonic;
  const std::size_t count = name == "MUL" || name == "MNEG" ? 3 : 4;
  if (in.size() != count)
    return in.refuse(count, fmt::format("expected {} operands", count));
  if (const Status checked = in.check_registers(count); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  Value value = out.compute(
      Op::kMul, get_a64(out, *in.find<A64Register>(1)), get_a64(out, *in.find<A64Register>(2)));
  if (name == "MNEG")
    value = out.compute(Op::kSub, out.constant(0, value.bits), value);
  else if (count == 4)
    value = out.compute(
        name == "MADD" ? Op::kAdd : Op::kSub, get_a64(out, *in.find<A64Register>(3)), value);
  set_a64(out, target, value);
  return Done{};
}

// SMULL, SMNEGL Xd,Wn,Wm; SMADDL, SMSUBL Xd,Wn,Wm,Xa; the same with U. A product of 32 bits each
// has 64.
Status emit_multiply_long(const A64Text& in, ThreadBuilder& out) {
  const std::string_view kind = std::string_view(in.mnemonic).substr(1);
  const bool has_sum = kind == "MADDL" || kind == "MSUBL";
  const std::size_t count = has_sum ? 4 : 3;
  if (in.size() != count)
    return in.refuse(count, fmt::format("expected {} operands", count));
  for (std::size_t i = 0; i < count; ++i) {
    const auto* one = in.find<A64Register>(i);
    const unsigned bits = i == 1 || i == 2 ? 32 : 64;
    if (one == nullptr || one->bits != bits)
      return in.refuse(i, bits == 32 ? "expected a W register" : "expected an X register");
  }
  const auto wide = [&](std::size_t i) {
    const Value half = get_a64(out, *in.find<A64Register>(i));
    return in.mnemonic[0] == 'S' ? out.sign_extend(half, 64) : out.zero_extend(half, 64);
  };
  const Value left = wide(1);
  Value value = out.compute(Op::kMul, left, wide(2));
  if (has_sum)
    value = out.compute(
        kind == "MADDL" ? Op::kAdd : Op::kSub, get_a64(out, *in.find<A64Register>(3)), value);
  else if (kind == "MNEGL")
    value = out.compute(Op::kSub, out.constant(0, 64), value);
  set_a64(out, *in.find<A64Register>(0), value);
  return Done{};
}

// MRS Xt,NZCV; MSR NZCV,Xt: the flags as bits 31 to 28. Other system registers say something of
// what tests do not have (exceptions, translation), and are refused by name.
constexpr std::array<std::string_view, 4> kFlags = {"N", "Z", "C", "V"};
constexpr unsigned kFirstFlag = 31;

Status emit_system_register(const A64Text& in, ThreadBuilder& out) {
  const bool is_read = in.mnemonic == "MRS";
  const std::size_t system = is_read ? 1 : 0;
  const auto* general = in.find<A64Register>(1 - system);
  const auto* name = in.find<A64Name>(system);
  if (in.size() != 2 || general == nullptr || general->bits != 64 || name == nullptr)
    return in.refuse(0,
                     is_read ? "expected an X register and the name of a system register"
                             : "expected the name of a system register and an X register");
  if (name->upper != "NZCV") {
    Error error = in.refuse(system,
                            fmt::format("the system register '{}' is not supported; NZCV, which "
                                        "holds the flags, is",
                                        name->name));
    error.kind = ErrorKind::kUnsupported;
    error.code = "LIT-033";
    return error;
  }
  if (is_read) {
    Value all = out.constant(0, 64);
    for (unsigned i = 0; i < kFlags.size(); ++i) {
      const Value flag = out.zero_extend(out.get(std::string(kFlags[i]), 1), 64);
      all =
          out.compute(Op::kOr, all, out.compute(Op::kShl, flag, out.constant(kFirstFlag - i, 64)));
    }
    set_a64(out, *general, all);
    return Done{};
  }
  const Value all = get_a64(out, *general);
  for (unsigned i = 0; i < kFlags.size(); ++i)
    out.set(std::string(kFlags[i]),
            out.truncate(out.compute(Op::kLShr, all, out.constant(kFirstFlag - i, 64)), 1));
  return Done{};
}

// One of two values by calculation: unlike CSEL, a division depends on all its operands.
Value blended(ThreadBuilder& out, Value bit, Value yes, Value no) {
  const Value zero = out.constant(0, yes.bits);
  const Value mask = out.compute(Op::kSub, zero, out.zero_extend(bit, yes.bits));
  return out.compute(
      Op::kOr, out.compute(Op::kAnd, yes, mask), out.compute(Op::kAnd, no, inverted(out, mask)));
}

// UDIV, SDIV: dividing by 0 gives 0, and the least number by -1 itself.
Status emit_divide(const A64Text& in, ThreadBuilder& out) {
  if (in.size() != 3)
    return in.refuse(3, "expected 3 operands");
  if (const Status checked = in.check_registers(3); !checked)
    return checked.error();
  const Value a = get_a64(out, *in.find<A64Register>(1));
  const Value b = get_a64(out, *in.find<A64Register>(2));
  const Value zero = out.constant(0, a.bits);
  const Value one = out.constant(1, a.bits);
  const Value by_zero = out.compute(Op::kEq, b, zero);
  Value divisor = blended(out, by_zero, one, b);
  Value quotient = {};
  if (in.mnemonic == "UDIV") {
    quotient = out.compute(Op::kUDiv, a, divisor);
  } else {
    const Value by_minus_one = out.compute(Op::kEq, b, out.constant(kOnes, a.bits));
    divisor = blended(out, by_minus_one, one, divisor);
    quotient = blended(
        out, by_minus_one, out.compute(Op::kSub, zero, a), out.compute(Op::kSDiv, a, divisor));
  }
  set_a64(out, *in.find<A64Register>(0), blended(out, by_zero, zero, quotient));
  return Done{};
}

// CSEL, CSINC, CSINV, CSNEG Rd,Rn,Rm,cond; CSET, CSETM Rd,cond; CINC, CINV, CNEG Rd,Rn,cond
Status emit_select(const A64Text& in, ThreadBuilder& out) {
  const std::string& name = in.mnemonic;
  const bool is_set = name == "CSET" || name == "CSETM";
  const bool is_short = name == "CINC" || name == "CINV" || name == "CNEG";
  const std::size_t registers = is_set ? 1 : is_short ? 2 : 3;
  if (in.size() != registers + 1)
    return in.refuse(registers + 1, fmt::format("expected {} operands", registers + 1));
  if (const Status checked = in.check_registers(registers); !checked)
    return checked.error();
  const auto* word = in.find<A64Name>(registers);
  const ConditionCode* code = word != nullptr ? find_condition(word->upper) : nullptr;
  if (code == nullptr)
    return in.refuse(registers, "expected a condition");
  const A64Register& target = *in.find<A64Register>(0);
  const unsigned bits = target.bits;
  const Value holds = condition(out, *code);
  const auto altered = [&](Value value) -> Value {
    if (name == "CSINC" || name == "CINC")
      return out.compute(Op::kAdd, value, out.constant(1, bits));
    if (name == "CSINV" || name == "CINV")
      return inverted(out, value);
    if (name == "CSNEG" || name == "CNEG")
      return out.compute(Op::kSub, out.constant(0, bits), value);
    return value;
  };
  Value yes = {};
  Value no = {};
  if (is_set) {
    yes = out.constant(name == "CSET" ? 1 : kOnes, bits);
    no = out.constant(0, bits);
  } else if (is_short) {
    no = get_a64(out, *in.find<A64Register>(1));
    yes = altered(no);
  } else {
    yes = get_a64(out, *in.find<A64Register>(1));
    no = altered(get_a64(out, *in.find<A64Register>(2)));
  }
  set_a64(out, target, out.select(holds, yes, no));
  return Done{};
}

// UXTB Wd,Wn and the like.
Status emit_extend(const A64Text& in, ThreadBuilder& out) {
  const auto* target = in.find<A64Register>(0);
  const auto* source = in.find<A64Register>(1);
  if (in.size() != 2 || target == nullptr || source == nullptr)
    return in.refuse(0, "expected two registers");
  const char size = in.mnemonic.back();
  const unsigned from = size == 'B' ? 8 : size == 'H' ? 16 : 32;
  const Value low = get_a64(out, *source, from);
  set_a64(out,
          *target,
          in.mnemonic[0] == 'S' ? out.sign_extend(low, target->bits)
                                : out.zero_extend(low, target->bits));
  return Done{};
}

Result<std::string> label_at(const A64Text& in, std::size_t i) {
  const auto* label = in.find<A64Name>(i);
  if (label == nullptr || in.size() != i + 1)
    return in.refuse(i, "expected a label");
  return label->name;
}

// B, B.cond
Status emit_branch(const A64Text& in, ThreadBuilder& out) {
  const Result<std::string> label = label_at(in, 0);
  if (!label)
    return label.error();
  if (in.mnemonic == "B") {
    out.jump(*label);
    return Done{};
  }
  const ConditionCode* code = find_condition(std::string_view(in.mnemonic).substr(2));
  if (code == nullptr)
    return in.refuse(in.size(), "there is no such condition");
  out.branch_if(condition(out, *code), *label);
  return Done{};
}

// CBZ, CBNZ
Status emit_compare_branch(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(1); !checked)
    return checked.error();
  const Result<std::string> label = label_at(in, 1);
  if (!label)
    return label.error();
  const Value value = get_a64(out, *in.find<A64Register>(0));
  const Op op = in.mnemonic == "CBZ" ? Op::kEq : Op::kNe;
  out.branch_if(out.compute(op, value, out.constant(0, value.bits)), *label);
  return Done{};
}

// TBZ, TBNZ
Status emit_test_branch(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(1); !checked)
    return checked.error();
  const A64Register& source = *in.find<A64Register>(0);
  const auto* bit = in.find<A64Immediate>(1);
  if (bit == nullptr || bit->value < 0 || bit->value >= static_cast<std::int64_t>(source.bits))
    return in.refuse(1, "expected the number of a bit");
  const Result<std::string> label = label_at(in, 2);
  if (!label)
    return label.error();
  const Value mask = out.constant(std::uint64_t{1} << bit->value, source.bits);
  const Value masked = out.compute(Op::kAnd, get_a64(out, source), mask);
  const Op op = in.mnemonic == "TBZ" ? Op::kEq : Op::kNe;
  out.branch_if(out.compute(op, masked, out.constant(0, source.bits)), *label);
  return Done{};
}

constexpr const char* kLink = "X30";

// ADR Xd,label: the address of code.
Status emit_address(const A64Text& in, ThreadBuilder& out) {
  const auto* target = in.find<A64Register>(0);
  if (target == nullptr || target->bits != 64)
    return in.refuse(0, "expected an X register");
  const Result<std::string> label = label_at(in, 1);
  if (!label)
    return label.error();
  set_a64(out, *target, out.address_of_label(*label));
  return Done{};
}

// BL label; BR, BLR Xn; RET, RET Xn
Status emit_jump(const A64Text& in, ThreadBuilder& out) {
  const std::string& name = in.mnemonic;
  if (name == "BL") {
    const Result<std::string> label = label_at(in, 0);
    if (!label)
      return label.error();
    out.call(kLink, *label);
    return Done{};
  }
  const A64Register link{kLink, 64};
  const auto* target = in.size() == 0 && name == "RET" ? &link : in.find<A64Register>(0);
  if (in.size() > 1 || target == nullptr || target->bits != 64)
    return in.refuse(0, "expected an X register");
  if (name == "RET" && !target->is_zero()) {
    out.return_by(target->canonical);
    return Done{};
  }
  const Value address = get_a64(out, *target);
  if (name == "BLR")
    out.call_to(kLink, address);
  else
    out.jump_to(address);
  return Done{};
}

Status emit_nop(const A64Text& in, ThreadBuilder& /*out*/) {
  if (in.size() != 0)
    return in.refuse(0, "expected no operands");
  return Done{};
}

using Emit = Status (*)(const A64Text&, ThreadBuilder&);

struct Instruction {
  std::string_view name;
  Emit emit;
};
constexpr std::array<Instruction, 94> kInstructions = {{
    {"ADD", emit_binary},
    {"ADDS", emit_binary},
    {"SUB", emit_binary},
    {"SUBS", emit_binary},
    {"AND", emit_binary},
    {"ANDS", emit_binary},
    {"BIC", emit_binary},
    {"BICS", emit_binary},
    {"ORR", emit_binary},
    {"ORN", emit_binary},
    {"EOR", emit_binary},
    {"EON", emit_binary},
    {"CMP", emit_binary},
    {"CMN", emit_binary},
    {"TST", emit_binary},
    {"MOV", emit_unary},
    {"MVN", emit_unary},
    {"NEG", emit_unary},
    {"NEGS", emit_unary},
    {"MOVZ", emit_move_wide},
    {"MOVN", emit_move_wide},
    {"MOVK", emit_move_wide},
    {"LSL", emit_shift},
    {"LSR", emit_shift},
    {"ASR", emit_shift},
    {"ROR", emit_shift},
    {"LSLV", emit_shift},
    {"LSRV", emit_shift},
    {"ASRV", emit_shift},
    {"RORV", emit_shift},
    {"EXTR", emit_extract},
    {"UBFM", emit_bit_field},
    {"SBFM", emit_bit_field},
    {"BFM", emit_bit_field},
    {"UBFX", emit_bit_field},
    {"SBFX", emit_bit_field},
    {"BFXIL", emit_bit_field},
    {"UBFIZ", emit_bit_field},
    {"SBFIZ", emit_bit_field},
    {"BFI", emit_bit_field},
    {"BFC", emit_bit_field},
    {"RBIT", emit_of_one_register},
    {"REV", emit_of_one_register},
    {"REV16", emit_of_one_register},
    {"REV32", emit_of_one_register},
    {"REV64", emit_of_one_register},
    {"CLZ", emit_of_one_register},
    {"CLS", emit_of_one_register},
    {"CTZ", emit_of_one_register},
    {"CNT", emit_of_one_register},
    {"ABS", emit_of_one_register},
    {"MUL", emit_multiply},
    {"MNEG", emit_multiply},
    {"MADD", emit_multiply},
    {"MSUB", emit_multiply},
    {"SMULL", emit_multiply_long},
    {"SMNEGL", emit_multiply_long},
    {"SMADDL", emit_multiply_long},
    {"SMSUBL", emit_multiply_long},
    {"UMULL", emit_multiply_long},
    {"UMNEGL", emit_multiply_long},
    {"UMADDL", emit_multiply_long},
    {"UMSUBL", emit_multiply_long},
    {"MRS", emit_system_register},
    {"MSR", emit_system_register},
    {"UDIV", emit_divide},
    {"SDIV", emit_divide},
    {"CSEL", emit_select},
    {"CSINC", emit_select},
    {"CSINV", emit_select},
    {"CSNEG", emit_select},
    {"CSET", emit_select},
    {"CSETM", emit_select},
    {"CINC", emit_select},
    {"CINV", emit_select},
    {"CNEG", emit_select},
    {"UXTB", emit_extend},
    {"UXTH", emit_extend},
    {"UXTW", emit_extend},
    {"SXTB", emit_extend},
    {"SXTH", emit_extend},
    {"SXTW", emit_extend},
    {"B", emit_branch},
    {"CBZ", emit_compare_branch},
    {"CBNZ", emit_compare_branch},
    {"TBZ", emit_test_branch},
    {"TBNZ", emit_test_branch},
    {"NOP", emit_nop},
    {"RET", emit_jump},
    {"BR", emit_jump},
    {"BLR", emit_jump},
    {"BL", emit_jump},
    {"ADR", emit_address},
    {"YIELD", emit_nop},
}};

class AArch64 final : public Dialect {
public:
  [[nodiscard]] std::string vocabulary() const override { return "aarch64"; }
  [[nodiscard]] unsigned width() const override { return 64; }

  [[nodiscard]] std::optional<RegisterView> find_register(std::string_view name) const override {
    const std::optional<A64Register> found = find_a64_register(name);
    if (!found)
      return std::nullopt;
    // The zero register can be asked about. No instruction writes a register of that name.
    return RegisterView{
        found->is_zero() ? "XZR" : found->canonical, found->bits, false, found->is_zero()};
  }

  [[nodiscard]] Status translate(std::string_view text, ThreadBuilder& out) const override {
    const Result<A64Text> in = read_a64(text);
    if (!in)
      return in.error();
    for (const Instruction& known : kInstructions)
      if (known.name == in->mnemonic)
        return known.emit(*in, out);
    if (in->mnemonic.starts_with("B."))
      return emit_branch(*in, out);
    if (std::optional<Status> done = translate_a64_memory(*in, out))
      return *done;
    return Error{ErrorKind::kUnsupported,
                 "LIT-032",
                 fmt::format("the instruction '{}' is not known", in->mnemonic),
                 {},
                 0,
                 in->column};
  }
};

} // namespace

std::unique_ptr<Dialect> make_aarch64() {
  return std::make_unique<AArch64>();
}

} // namespace heddle::frontend::litmus
