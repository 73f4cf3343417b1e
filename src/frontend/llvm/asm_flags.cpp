// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The flags of x86 as the instructions we read leave them, and the condition codes of setcc and
// of flag outputs (Intel's manual, volume 1, appendix B).
#include "frontend/llvm/asm_importer.h"

#include <algorithm>
#include <array>

namespace heddle::frontend {

namespace {

using ir::kBit;

enum class Condition : std::uint8_t {
  kOverflow,
  kBelow,
  kEqual,
  kBelowOrEqual,
  kSign,
  kParity,
  kLess,
  kLessOrEqual,
};

struct ConditionCode {
  std::string_view name;
  Condition condition;
  bool is_negated;
};

constexpr std::array<ConditionCode, 30> kConditionCodes = {{
    {"o", Condition::kOverflow, false},      {"no", Condition::kOverflow, true},
    {"b", Condition::kBelow, false},         {"c", Condition::kBelow, false},
    {"nae", Condition::kBelow, false},       {"ae", Condition::kBelow, true},
    {"nb", Condition::kBelow, true},         {"nc", Condition::kBelow, true},
    {"e", Condition::kEqual, false},         {"z", Condition::kEqual, false},
    {"ne", Condition::kEqual, true},         {"nz", Condition::kEqual, true},
    {"be", Condition::kBelowOrEqual, false}, {"na", Condition::kBelowOrEqual, false},
    {"a", Condition::kBelowOrEqual, true},   {"nbe", Condition::kBelowOrEqual, true},
    {"s", Condition::kSign, false},          {"ns", Condition::kSign, true},
    {"p", Condition::kParity, false},        {"pe", Condition::kParity, false},
    {"np", Condition::kParity, true},        {"po", Condition::kParity, true},
    {"l", Condition::kLess, false},          {"nge", Condition::kLess, false},
    {"ge", Condition::kLess, true},          {"nl", Condition::kLess, true},
    {"le", Condition::kLessOrEqual, false},  {"ng", Condition::kLessOrEqual, false},
    {"g", Condition::kLessOrEqual, true},    {"nle", Condition::kLessOrEqual, true},
}};

} // namespace

void FunctionImporter::AsmImporter::set_flags(AsmFlags::From from,
                                              const ir::Operand& left,
                                              const ir::Operand& right,
                                              const ir::Operand& result) {
  flags_ = {from, left, right, result, {}, {}, true};
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::zero_flag() {
  if (flags_.zero) {
    return flags_.zero;
  }
  switch (flags_.from) {
  case AsmFlags::From::kNothing:
    return std::nullopt;
  case AsmFlags::From::kSubtraction:
    return into_.compute(kBit, ir::Op::kEq, {flags_.left, flags_.right});
  case AsmFlags::From::kAddition:
  case AsmFlags::From::kLogic:
    break;
  }
  const ir::Constant zero{into_.type_of(flags_.result), 0};
  return into_.compute(kBit, ir::Op::kEq, {flags_.result, zero});
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::sign_flag() {
  if (flags_.from == AsmFlags::From::kNothing) {
    return std::nullopt;
  }
  const ir::Constant zero{into_.type_of(flags_.result), 0};
  return into_.compute(kBit, ir::Op::kSLt, {flags_.result, zero});
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::carry_flag() {
  if (flags_.carry || !flags_.has_carry) {
    return flags_.carry;
  }
  switch (flags_.from) {
  case AsmFlags::From::kNothing:
    return std::nullopt;
  case AsmFlags::From::kAddition:
    return into_.compute(kBit, ir::Op::kULt, {flags_.result, flags_.left});
  case AsmFlags::From::kSubtraction:
    return into_.compute(kBit, ir::Op::kULt, {flags_.left, flags_.right});
  case AsmFlags::From::kLogic:
    break;
  }
  return ir::Constant{kBit, 0};
}

/// An addition overflows if its result has another sign than both operands, a subtraction if the
/// result and the right operand have another sign than the left.
std::optional<ir::Operand> FunctionImporter::AsmImporter::overflow_flag() {
  if (flags_.from == AsmFlags::From::kNothing) {
    return std::nullopt;
  }
  if (flags_.from == AsmFlags::From::kLogic) {
    return ir::Constant{kBit, 0};
  }
  const ir::Type type = into_.type_of(flags_.result);
  const ir::Operand& other = flags_.from == AsmFlags::From::kAddition ? flags_.result : flags_.left;
  const ir::Operand one = into_.compute(type, ir::Op::kXor, {flags_.left, flags_.result});
  const ir::Operand two = into_.compute(type, ir::Op::kXor, {flags_.right, other});
  const ir::Operand both = into_.compute(type, ir::Op::kAnd, {one, two});
  return into_.compute(kBit, ir::Op::kSLt, {both, ir::Constant{type, 0}});
}

/// Whether the lowest byte has an even number of ones.
std::optional<ir::Operand> FunctionImporter::AsmImporter::parity_flag() {
  if (flags_.from == AsmFlags::From::kNothing) {
    return std::nullopt;
  }
  const ir::Type byte = ir::Type::integer(8);
  ir::Operand folded = into_.convert(flags_.result, byte);
  for (const std::uint64_t by : {4U, 2U, 1U}) {
    const ir::Operand upper = into_.compute(byte, ir::Op::kLShr, {folded, ir::Constant{byte, by}});
    folded = into_.compute(byte, ir::Op::kXor, {folded, upper});
  }
  const ir::Operand last = into_.compute(byte, ir::Op::kAnd, {folded, ir::Constant{byte, 1}});
  return into_.compute(kBit, ir::Op::kEq, {last, ir::Constant{byte, 0}});
}

std::optional<ir::Operand> FunctionImporter::AsmImporter::condition(std::string_view code) {
  const auto* known = std::ranges::find(kConditionCodes, code, &ConditionCode::name);
  if (known == kConditionCodes.end()) {
    return std::nullopt;
  }
  const auto combine = [&](ir::Op op,
                           const std::optional<ir::Operand>& a,
                           const std::optional<ir::Operand>& b) -> std::optional<ir::Operand> {
    if (!a || !b) {
      return std::nullopt;
    }
    return into_.compute(kBit, op, {*a, *b});
  };
  const auto is_less = [&]() -> std::optional<ir::Operand> {
    if (flags_.from == AsmFlags::From::kSubtraction) {
      return into_.compute(kBit, ir::Op::kSLt, {flags_.left, flags_.right});
    }
    return combine(ir::Op::kNe, sign_flag(), overflow_flag());
  };
  std::optional<ir::Operand> holds;
  switch (known->condition) {
  case Condition::kOverflow:
    holds = overflow_flag();
    break;
  case Condition::kBelow:
    holds = carry_flag();
    break;
  case Condition::kEqual:
    holds = zero_flag();
    break;
  case Condition::kBelowOrEqual:
    holds = combine(ir::Op::kOr, carry_flag(), zero_flag());
    break;
  case Condition::kSign:
    holds = sign_flag();
    break;
  case Condition::kParity:
    holds = parity_flag();
    break;
  case Condition::kLess:
    holds = is_less();
    break;
  case Condition::kLessOrEqual:
    holds = combine(ir::Op::kOr, is_less(), zero_flag());
    break;
  }
  if (holds && known->is_negated) {
    return into_.compute(kBit, ir::Op::kXor, {*holds, ir::Constant{kBit, 1}});
  }
  return holds;
}

} // namespace heddle::frontend
