// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// AArch64, the integer instructions of litmus tests (Arm ARM, C6.2): arithmetic, conditions and
// branches. Loads, stores and barriers are in aarch64_memory.cpp. The flags N, Z, C, V are
// registers. Operations on equal operands (EOR W2,W0,W0) are emitted like all others: a dependency
// is one even if the value is always the same.
#include "frontend/litmus/aarch64_text.h"
#include "frontend/litmus/dialect.h"

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

// UBFX, SBFX Rd,Rn,#lowest,#width
Status emit_bit_field(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = in.check_registers(2); !checked)
    return checked.error();
  const A64Register& target = *in.find<A64Register>(0);
  const auto* lowest = in.find<A64Immediate>(2);
  const auto* width = in.find<A64Immediate>(3);
  const auto bits = static_cast<std::int64_t>(target.bits);
  const bool is_in_range = lowest != nullptr && width != nullptr && lowest->value >= 0 &&
                           lowest->value < bits && width->value > 0 &&
                           width->value <= bits - lowest->value;
  if (in.size() != 4 || !is_in_range)
    return in.refuse(2, "expected the number of a bit and how many there are");
  const Value top =
      out.constant(static_cast<std::uint64_t>(bits - lowest->value - width->value), target.bits);
  const Value back = out.constant(static_cast<std::uint64_t>(bits - width->value), target.bits);
  const Value raised = out.compute(Op::kShl, get_a64(out, *in.find<A64Register>(1)), top);
  set_a64(out, target, out.compute(in.mnemonic == "UBFX" ? Op::kLShr : Op::kAShr, raised, back));
  return Done{};
}

// MUL, MADD, MSUB
Status emit_multiply(const A64Text& in, ThreadBuilder& out) {
  const std::size_t count = in.mnemonic == "MUL" ? 3 : 4;
  if (in.size() != count)
    return in.refuse(count, fmt::format("expected {} operands", count));
  if (const Status checked = in.check_registers(count); !checked)
    return checked.error();
  Value value = out.compute(
      Op::kMul, get_a64(out, *in.find<A64Register>(1)), get_a64(out, *in.find<A64Register>(2)));
  if (count == 4)
    value = out.compute(
        in.mnemonic == "MADD" ? Op::kAdd : Op::kSub, get_a64(out, *in.find<A64Register>(3)), value);
  set_a64(out, *in.find<A64Register>(0), value);
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

Status emit_nop(const A64Text& in, ThreadBuilder& out) {
  if (in.mnemonic == "RET" && in.size() <= 1)
    out.finish();
  else if (in.size() != 0)
    return in.refuse(0, "expected no operands");
  return Done{};
}

using Emit = Status (*)(const A64Text&, ThreadBuilder&);

struct Instruction {
  std::string_view name;
  Emit emit;
};
constexpr std::array<Instruction, 61> kInstructions = {{
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
    {"UBFX", emit_bit_field},
    {"SBFX", emit_bit_field},
    {"MUL", emit_multiply},
    {"MADD", emit_multiply},
    {"MSUB", emit_multiply},
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
    {"RET", emit_nop},
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
