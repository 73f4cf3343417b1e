// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "unit/frontend_litmus/translation.h"

#include "frontend/litmus/shared/thread_builder.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

/// Architectural registers by their names: "%3" becomes "%r1".
std::string with_names(const std::string& text, const ir::Function& function) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (text[i] == '%' && end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    std::string part = text.substr(i, end - i);
    if (part.size() > 1) {
      const ir::RegisterId id{static_cast<std::uint32_t>(std::stoul(part.substr(1)))};
      if (!function.registers[id].name.empty())
        part = "%" + function.registers[id].name;
    }
    result += part;
    i = end;
  }
  return result;
}

std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  const unsigned unused = 64 - bits;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::uint64_t calculate(ir::Op op, const std::vector<std::uint64_t>& v, unsigned bits) {
  switch (op) {
  case ir::Op::kCopy:
  case ir::Op::kZExt:
  case ir::Op::kTrunc:
    return v[0];
  case ir::Op::kSExt:
    return static_cast<std::uint64_t>(as_signed(v[0], bits));
  case ir::Op::kAdd:
    return v[0] + v[1];
  case ir::Op::kSub:
    return v[0] - v[1];
  case ir::Op::kMul:
    return v[0] * v[1];
  case ir::Op::kShl:
    return v[0] << v[1];
  case ir::Op::kLShr:
    return v[0] >> v[1];
  case ir::Op::kAShr:
    return static_cast<std::uint64_t>(as_signed(v[0], bits) >> v[1]);
  case ir::Op::kAnd:
    return v[0] & v[1];
  case ir::Op::kOr:
    return v[0] | v[1];
  case ir::Op::kXor:
    return v[0] ^ v[1];
  case ir::Op::kEq:
    return v[0] == v[1] ? 1 : 0;
  case ir::Op::kNe:
    return v[0] != v[1] ? 1 : 0;
  case ir::Op::kULt:
    return v[0] < v[1] ? 1 : 0;
  case ir::Op::kULe:
    return v[0] <= v[1] ? 1 : 0;
  case ir::Op::kSLt:
    return as_signed(v[0], bits) < as_signed(v[1], bits) ? 1 : 0;
  case ir::Op::kSLe:
    return as_signed(v[0], bits) <= as_signed(v[1], bits) ? 1 : 0;
  case ir::Op::kSelect:
    return v[0] != 0 ? v[1] : v[2];
  case ir::Op::kUDiv:
  case ir::Op::kSDiv:
  case ir::Op::kURem:
  case ir::Op::kSRem:
  case ir::Op::kPtrAdd:
    break;
  }
  ADD_FAILURE() << "no dialect emits this operation";
  return 0;
}

} // namespace

Translation translate_all(const Dialect& dialect, const std::vector<std::string>& instructions) {
  Translation result;
  result.module.data_model = dialect.width() == 32 ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
  result.module.files.emplace_back("test.litmus");
  ThreadBuilder builder(result.module, "P0", dialect.width());
  std::uint32_t line = 0;
  for (const std::string& instruction : instructions) {
    builder.at(SourceLoc{1, ++line, 1});
    if (!instruction.empty() && instruction.back() == ':') {
      builder.label(instruction.substr(0, instruction.size() - 1));
      continue;
    }
    if (const Status status = dialect.translate(instruction, builder); !status) {
      const Error& error = status.error();
      result.error = std::to_string(error.column) + ": " + error.code + " " + error.message;
      return result;
    }
  }
  const Status closed = builder.close({}, {});
  if (!closed) {
    result.error = closed.error().message;
    return result;
  }
  const ir::Function& function = result.module.functions[builder.function()];
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& instruction : block.instructions)
      if (instruction.loc.is_known()) // what the builder adds at both ends has no place
        result.emitted +=
            with_names(ir::print(result.module, function, instruction), function) + "\n";
  return result;
}

std::string translate_text(const Dialect& dialect, const std::string& instruction) {
  const Translation result = translate_all(dialect, {instruction});
  return result.error.empty() ? result.emitted : result.error;
}

std::uint64_t value_after(const Dialect& dialect,
                          const std::string& instruction,
                          const std::string& register_name,
                          const std::map<std::string, std::uint64_t>& before) {
  const Translation translated = translate_all(dialect, {instruction, "L:"});
  EXPECT_EQ(translated.error, "") << instruction;
  if (!translated.error.empty())
    return 0;
  const ir::Function& function = translated.module.functions[ir::FunctionId{0}];
  std::map<ir::RegisterId, std::uint64_t> values;
  const auto bits_of = [&](const ir::Operand& operand) {
    if (const auto* id = std::get_if<ir::RegisterId>(&operand))
      return translated.module.bits(function.registers[*id].type);
    return translated.module.bits(std::get<ir::Constant>(operand).type);
  };
  std::map<std::string, std::uint64_t> after = before;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& at : block.instructions) {
      if (!at.loc.is_known())
        continue;
      if (const auto* branch = std::get_if<ir::Branch>(&at.operation))
        after["taken"] = values[std::get<ir::RegisterId>(branch->condition)];
      const auto* compute = std::get_if<ir::Compute>(&at.operation);
      if (compute == nullptr)
        continue;
      std::vector<std::uint64_t> operands;
      for (const ir::Operand& operand : compute->operands) {
        if (const auto* literal = std::get_if<ir::Constant>(&operand)) {
          operands.push_back(literal->value);
          continue;
        }
        const ir::RegisterId id = std::get<ir::RegisterId>(operand);
        const std::string& name = function.registers[id].name;
        operands.push_back(cut(name.empty() ? values[id] : after[name], bits_of(operand)));
      }
      const std::uint64_t result =
          cut(calculate(compute->op, operands, bits_of(compute->operands[0])),
              translated.module.bits(function.registers[compute->dest].type));
      const std::string& name = function.registers[compute->dest].name;
      (name.empty() ? values[compute->dest] : after[name]) = result;
    }
  }
  return after[register_name];
}

} // namespace heddle::frontend::litmus
