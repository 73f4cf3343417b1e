// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build_fold.h"

#include "ir/operands.h"

namespace heddle::program {

namespace {

/// Does the instruction use that operand (by its position) only to look at the memory behind it, or
/// to compare it?
bool is_address_use(const ir::Operation& operation, std::size_t position) {
  if (const auto* compute = std::get_if<ir::Compute>(&operation)) {
    if (compute->op == ir::Op::kPtrAdd)
      return position == 0 && std::holds_alternative<ir::Constant>(compute->operands[1]);
    return compute->op == ir::Op::kEq || compute->op == ir::Op::kNe;
  }
  if (std::holds_alternative<ir::Load>(operation) || std::holds_alternative<ir::Store>(operation) ||
      std::holds_alternative<ir::LoadExclusive>(operation) ||
      std::holds_alternative<ir::StoreExclusive>(operation) ||
      std::holds_alternative<ir::ReadModifyWrite>(operation) ||
      std::holds_alternative<ir::CompareExchange>(operation) ||
      std::holds_alternative<ir::Free>(operation) ||
      std::holds_alternative<ir::BlockSize>(operation))
    return position == 0;
  if (const auto* sync = std::get_if<ir::Synchronize>(&operation))
    return sync->op != ir::SyncOp::kCreate && position == 0;
  return false;
}

} // namespace

IdVector<ir::RegisterId, RegisterUse> find_uses(const ir::Function& function) {
  IdVector<ir::RegisterId, RegisterUse> uses(function.registers.size());
  for (std::size_t i = 0; i < function.registers.size(); ++i) {
    const bool is_parameter = i < function.parameter_count;
    uses[ir::RegisterId{i}].is_foldable =
        !is_parameter && function.registers[ir::RegisterId{i}].name.empty();
  }
  // Definitions first, since a use may stand in an earlier block.
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const ir::BlockId block{b};
    const std::vector<ir::Instruction>& instructions = function.blocks[block].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i)
      ir::for_each_result(instructions[i].operation, [&](ir::RegisterId id) {
        RegisterUse& use = uses[id];
        use.block = block;
        use.defined_at = i;
        if (++use.definitions > 1 ||
            !std::holds_alternative<ir::Compute>(instructions[i].operation))
          use.is_foldable = false;
      });
  }
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const ir::BlockId block{b};
    const std::vector<ir::Instruction>& instructions = function.blocks[block].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      std::size_t position = 0;
      ir::for_each_operand(instructions[i].operation, [&](const ir::Operand& operand) {
        const std::size_t here = position++;
        const auto* id = std::get_if<ir::RegisterId>(&operand);
        if (id == nullptr)
          return;
        RegisterUse& use = uses[*id];
        ++use.uses;
        if (use.block != block || i <= use.defined_at)
          use.is_foldable = false;
        use.last_use = i;
        if (!is_address_use(instructions[i].operation, here))
          use.is_only_address = false;
      });
    }
  }
  return uses;
}

} // namespace heddle::program
