// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rewrites the body of one function, instruction by instruction: each may be kept or replaced by
// others, with new registers, slots and blocks.
#pragma once

#include "ir/ir.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::frontend {

class Editor {
public:
  /// Both outlive the editor.
  Editor(ir::Module& module, ir::Function& function) : module_(module), function_(function) {}

  /// Calls `replace` on each instruction; it says false to keep it. What follows a new terminator
  /// in the same block is dropped.
  void rewrite(const std::function<bool(const ir::Instruction&)>& replace);

  // To be used inside `replace`. What is emitted takes the place of the instruction at hand.
  void emit(ir::Operation operation);
  ir::RegisterId new_register(ir::Type type);
  ir::Operand compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands);
  /// The operand with that type: numbers are cut, or extended with zeros.
  ir::Operand convert(const ir::Operand& operand, ir::Type type);
  /// dest := operand, cut or extended with zeros.
  void assign(ir::RegisterId dest, const ir::Operand& operand);
  [[nodiscard]] ir::BlockId new_block(const std::string& name);
  void continue_in(ir::BlockId block) { current_ = block; }
  [[nodiscard]] ir::Type type_of(const ir::Operand& operand) const;
  [[nodiscard]] ir::Type word() const { return ir::Type::integer(module_.pointer_bits()); }
  [[nodiscard]] ir::Module& module() { return module_; }
  [[nodiscard]] ir::Function& function() { return function_; }
  [[nodiscard]] SourceLoc loc() const { return loc_; }

private:
  [[nodiscard]] bool is_ended() const;

  ir::Module& module_;
  ir::Function& function_;
  ir::BlockId current_;
  SourceLoc loc_;
};

} // namespace heddle::frontend
