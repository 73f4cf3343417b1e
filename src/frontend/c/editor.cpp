// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/editor.h"

#include "support/overloaded.h"

#include <algorithm>

namespace heddle::frontend {

void Editor::rewrite(const std::function<bool(const ir::Instruction&)>& replace) {
  const std::size_t count = function_.blocks.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ir::BlockId block{i};
    const std::vector<ir::Instruction> old = std::move(function_.blocks[block].instructions);
    function_.blocks[block].instructions.clear();
    function_.blocks[block].instructions.reserve(old.size());
    current_ = block;
    for (const ir::Instruction& instruction : old) {
      loc_ = instruction.loc;
      if (!replace(instruction)) {
        function_.blocks[current_].instructions.push_back(instruction);
      }
      if (is_ended()) {
        break;
      }
    }
  }
}

bool Editor::is_ended() const {
  const ir::Block& block = function_.blocks[current_];
  return !block.instructions.empty() && ir::is_terminator(block.instructions.back().operation);
}

void Editor::emit(ir::Operation operation) {
  function_.blocks[current_].instructions.push_back({std::move(operation), loc_});
}

ir::RegisterId Editor::new_register(ir::Type type) {
  return function_.registers.push_back({type, {}, loc_});
}

ir::Operand Editor::compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands) {
  const ir::RegisterId dest = new_register(type);
  emit(ir::Compute{dest, op, std::move(operands)});
  return dest;
}

ir::Type Editor::type_of(const ir::Operand& operand) const {
  return std::visit(Overloaded{
                        [](const ir::Constant& constant) { return constant.type; },
                        [this](const ir::RegisterId& id) { return function_.registers[id].type; },
                        [](const ir::GlobalAddress&) { return ir::Type::pointer(); },
                        [](const ir::FunctionAddress&) { return ir::Type::pointer(); },
                        [](const ir::SlotAddress&) { return ir::Type::pointer(); },
                    },
                    operand);
}

ir::Operand Editor::convert(const ir::Operand& operand, ir::Type type) {
  if (type_of(operand) == type) {
    return operand;
  }
  if (const auto* literal = std::get_if<ir::Constant>(&operand)) {
    const unsigned bits = module_.bits(type);
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    return ir::Constant{type, literal->value & mask};
  }
  const ir::RegisterId dest = new_register(type);
  assign(dest, operand);
  return dest;
}

void Editor::assign(ir::RegisterId dest, const ir::Operand& operand) {
  const ir::Type type = function_.registers[dest].type;
  if (std::holds_alternative<ir::Constant>(operand)) {
    return emit(ir::Compute{dest, ir::Op::kCopy, {convert(operand, type)}});
  }
  const unsigned from = module_.bits(type_of(operand));
  const unsigned to = module_.bits(type);
  const ir::Op op = type == type_of(operand) ? ir::Op::kCopy
                    : to < from              ? ir::Op::kTrunc
                                             : ir::Op::kZExt;
  emit(ir::Compute{dest, op, {operand}});
}

ir::BlockId Editor::new_block(const std::string& name) {
  std::string candidate = name;
  const auto is_taken = [&](const ir::Block& block) { return block.name == candidate; };
  for (int i = 1; std::ranges::any_of(function_.blocks, is_taken); ++i) {
    candidate = name + "." + std::to_string(i);
  }
  return function_.blocks.push_back({candidate, {}});
}

} // namespace heddle::frontend
